"""Questions to a companion about itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.characters.companions import Companions
from siliconfriend.characters.lore import Lore, asks_about_companion
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.texts import Language
from tests.characters.conftest import NOW, tell

ENGLISH = (
    "Pebble likes the sound of rain best.",
    "Anders the caretaker feeds a one-eyed cat.",
    "The library has forty green lamps.",
    "Mrs Low has two pairs of glasses.",
    "The clock in the hall is seven minutes slow.",
)
CHINESE = (
    "小石最喜欢雨声。",
    "门卫老安喂一只独眼猫。",
    "图书馆有四十盏绿色的台灯。",
    "罗老师有两副眼镜。",
    "大厅的钟慢七分钟。",
)


@pytest.mark.parametrize(
    "message",
    [
        "What do you like?",
        "Tell me about yourself.",
        "你喜欢什么？",
        "介绍一下你自己",
    ],
)
def test_what_is_asked_of_the_companion_alone_is_about_it(message: str) -> None:
    """Said to it, in either language, politely or not."""
    assert asks_about_companion(message)


@pytest.mark.parametrize(
    "message",
    [
        "What do I like?",
        "What do you think of my plan?",
        "Do you remember Anna?",
        "You are kind.",
        "我喜欢什么？",
        "你觉得我该搬家吗？",
        "你还记得安娜吗？",
        "你真好。",
        "",
    ],
)
def test_what_is_asked_of_the_person_or_of_the_past_talk_is_not(message: str) -> None:
    """Whatever else a "you" stands in, the person's own memory answers it."""
    assert not asks_about_companion(message)


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    """The embedder that needs no download."""
    return BundledEmbedder()


@pytest.mark.parametrize(
    ("entries", "question", "other", "language"),
    [
        (ENGLISH, "What do you like?", "What do I like?", "en"),
        (CHINESE, "什么让你开心？", "什么让我开心？", "cn"),
    ],
)
def test_a_question_without_a_telling_word_finds_what_comes_nearest(
    companions: Companions,
    home: Path,
    bundled: BundledEmbedder,
    entries: tuple[str, ...],
    question: str,
    other: str,
    language: Language,
) -> None:
    """Its likes are among three entries, marked as found by nearness; the person's are not there."""
    tell(companions, "Pebble", *map(FactDraft, entries))
    lore = Lore(home, "Pebble", bundled)
    found = lore.recall(question, now=NOW, language=language).facts
    assert len(found) == 3
    assert found[0].memory.id == lore.recall("rain 雨声", now=NOW).facts[0].memory.id
    assert not any(it.is_likely for it in found)
    assert lore.recall(other, now=NOW, language=language).facts == ()
    assert len(lore.recall(question, now=NOW, language=language, top_facts=1).facts) == 1
    assert lore.recall(question, now=NOW, language=language, top_facts=0).facts == ()
