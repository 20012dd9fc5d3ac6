"""What was told later about the matter of a memory is found by nearness, in the order it was told."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from siliconfriend.memory.records import Turn
from siliconfriend.memory.store import InMemoryStore
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from tests.embedding import WordEmbedder
from tests.memory.people import NORA
from tests.recall.people import a_recaller, recalling, remember, turns

RUNS = ("I ran five kilometres in 34 minutes.", "I ran five kilometres in 32 minutes.")
OTHERS = (
    *("The beans came up by the wall.", "My sister plays the oboe.", "A heron stood in the pond."),
    *("The kettle broke.", "We sang Fauré in the choir.", "Kit has a new bicycle."),
)
CHANGES = {
    "en": ("My rent is 640 pounds a month.", "They put the rent up to 700."),
    "cn": ("我住在成都。", "上周搬到杭州来了。"),
}


def _days(said: tuple[str, ...]) -> list[tuple[str, str, str]]:
    return [(f"2026-03-{day:02}", words, "") for day, words in enumerate(said, start=1)]


def _words(chains: Mapping[str, tuple[Turn, ...]]) -> list[list[str]]:
    return [[turn.query for turn in chain] for chain in chains.values()]


def test_a_chain_follows_from_one_to_the_next() -> None:
    """The oldest brings both later ones, and the newest brings nothing."""
    last = "I ran five kilometres in 31 minutes."
    said = (RUNS[0], *OTHERS[:3], RUNS[1], *OTHERS[3:], last)
    recaller = recalling(_days(said), WordEmbedder())
    ids = [turn.id for turn in turns(_days(said))]
    assert _words(recaller.chains(NORA, [ids[0], ids[-1]])) == [[RUNS[1], last], []]


@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_change_in_other_words_follows_what_it_changes(language: str) -> None:
    said = (CHANGES[language][0], *OTHERS, CHANGES[language][1])
    recaller = recalling(_days(said), BundledEmbedder())
    first = turns(_days(said))[0].id
    assert _words(recaller.chains(NORA, [first])) == [[CHANGES[language][1]]]


def test_without_an_embedder_there_are_no_chains() -> None:
    store = InMemoryStore()
    remember(store, turns(_days(RUNS)))
    first = turns(_days(RUNS))[0].id
    assert _words(a_recaller(store, None).chains(NORA, [first])) == [[]]


def test_what_is_left_for_later_is_neither_embedded_nor_a_successor() -> None:
    """A message that waits for its reply follows nothing, least of all what it asks about."""
    said = _days((RUNS[0], *OTHERS, RUNS[1]))
    recaller, (first, *_, last) = recalling(said, BundledEmbedder()), turns(said)
    assert _words(recaller.chains(NORA, [first.id], exclude={last.id})) == [[]]
    assert recaller.update_index(NORA) == 1
