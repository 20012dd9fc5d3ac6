"""Of one to five turns everything can be found, in both languages and in other words."""

from __future__ import annotations

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA
from tests.recall.people import GARDEN, NOW, TOLD_AND_ASKED, a_recaller, found, remember, turns


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    """The embedder, which embeds each text once."""
    return CachedEmbedder(BundledEmbedder(), max_passages=100, max_queries=100)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_everything_that_was_told_is_found(
    bundled: Embedder, language: Language, count: int
) -> None:
    """Three questions in four find their turn first, with so many turns stored."""
    pairs, first = TOLD_AND_ASKED["other_words"][language], list[bool]()
    for at, (told, question) in enumerate(pairs):
        store = InMemoryStore()
        stored = [pairs[(at + 3 * number) % len(pairs)][0] for number in range(count)]
        days = [f"2026-03-0{1 + number}" for number in range(count)]
        remember(store, turns((day, said, "") for day, said in zip(days, stored, strict=True)))
        first.append(found(a_recaller(store, bundled).recall(NORA, question, now=NOW))[0] == told)
    assert sum(first) >= 0.75 * len(first)


def test_what_was_never_told_is_not_found(bundled: Embedder) -> None:
    """Five turns about something else are no answer."""
    store = InMemoryStore()
    remember(store, turns((day, said, "") for day, said, _ in GARDEN))
    recaller = a_recaller(store, bundled)
    for question in ("What is the boiling point of tungsten?", "钨的沸点是多少？"):
        assert not any(it.is_likely for it in recaller.recall(NORA, question, now=NOW).memories)


def test_a_clear_question_brings_few_memories(bundled: Embedder) -> None:
    """What is far less likely than the best is left out; a question with no clear answer keeps more."""
    store = InMemoryStore()
    remember(store, turns((day, said, "") for day, said, _ in GARDEN))
    recaller = a_recaller(store, bundled)

    def brought(question: str, **options: bool) -> int:
        return len(recaller.recall(NORA, question, now=NOW, top=99, **options).memories)

    clear, vague = "What colour is the kettle that I bought?", "How are things?"
    assert brought(clear) < brought(vague)
    assert brought(clear) < brought(clear, use_threshold=False)
