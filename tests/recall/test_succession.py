"""What was told later about the matter of a memory is found by nearness, in the order it was told."""

from typing import Any

import pytest

from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from tests.embedding import WordEmbedder
from tests.memory.people import NORA
from tests.recall.people import NOW, recalling, turns

RUNS = ("I ran five kilometres in 34 minutes.", "I ran five kilometres in 32 minutes.")
OTHERS = (
    *("The beans came up by the wall.", "My sister plays the oboe.", "A heron stood in the pond."),
    *("The kettle broke.", "We sang Fauré in the choir.", "Kit has a new bicycle."),
)
CHANGES = {
    "en": (
        "My rent is 640 pounds a month.",
        "They put the rent up to 700.",
        "How much is my rent?",
    ),
    "cn": ("我开一辆蓝色的沃尔沃。", "沃尔沃卖掉了，我买了一辆红色的菲亚特。", "我开什么车？"),
}
UNRELATED = {
    "en": (
        *("Petra lives in Berlin.", "I planted red tulips by the gate.", "My back hurts today."),
        *("I repaired the old bicycle with Tom.", "We had soup for lunch."),
        *("The meeting was moved to Friday.", "I finished the book about whales."),
        *(
            "Rain all day, I stayed in.",
            "I baked a lemon cake for Ann.",
            "My sister plays the oboe.",
        ),
    ),
    "cn": (
        *("佩特拉住在柏林。", "我在门口种了红郁金香。", "今天背疼。", "我和小明修好了旧自行车。"),
        *("中午喝了汤。", "会议改到周五了。", "我读完了那本关于鲸鱼的书。"),
        *("下了一天雨，我没出门。", "我给安安烤了柠檬蛋糕。", "我妹妹吹双簧管。"),
    ),
}
WHO = {"en": "Who lives in Berlin?", "cn": "谁住在柏林？"}


def _days(said: tuple[str, ...]) -> list[tuple[str, str, str]]:
    return [(f"2026-03-{day:02}", words, "") for day, words in enumerate(said, start=1)]


def _chain(
    said: tuple[str, ...], question: str, embedder: Embedder | None, **how: Any
) -> list[str]:
    """Return what follows the first of some turns, one a day, in the recall of a question."""
    recaller, first = recalling(_days(said), embedder), turns(_days(said))[0].id
    chains = recaller.recall(NORA, question, now=NOW, **how).chains
    return [turn.query for turn in chains.get(first, ())]


def test_a_chain_follows_from_one_to_the_next() -> None:
    last = "I ran five kilometres in 31 minutes."
    said = (RUNS[0], *OTHERS[:3], RUNS[1], *OTHERS[3:], last)
    asked = "How fast did I run five kilometres?"
    assert _chain(said, asked, WordEmbedder()) == [RUNS[1], last]


@pytest.mark.parametrize("language", ["en", "cn"])
@pytest.mark.parametrize("count", [0, 8])
def test_a_change_in_other_words_follows_what_it_changes(language: str, count: int) -> None:
    """Also where nothing else was told."""
    old, new, asked = CHANGES[language]
    assert _chain((old, *UNRELATED[language][:count], new), asked, BundledEmbedder()) == [new]


@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_change_far_from_the_question_follows_too(language: str) -> None:
    """Its words say nothing of where somebody lives; the old value alone would be false."""
    old, new, asked = {
        "en": ("I live in Leeds.", "I moved to Bristol last week.", "Where do I live?"),
        "cn": ("我住在成都。", "我上周搬到杭州了。", "我住在哪里？"),
    }[language]
    assert _chain((old, new), asked, BundledEmbedder()) == [new]


@pytest.mark.parametrize("language", ["en", "cn"])
@pytest.mark.parametrize("count", [2, 3, 10])
def test_unrelated_turns_of_a_small_memory_follow_nothing(language: str, count: int) -> None:
    told = UNRELATED[language][:count]
    assert _chain(told, WHO[language], BundledEmbedder()) == []


def test_without_an_embedder_there_are_no_chains() -> None:
    assert _chain(RUNS, "How fast did I run five kilometres?", None) == []


def test_what_is_left_for_later_is_neither_embedded_nor_a_successor() -> None:
    """A message that waits for its reply follows nothing, least of all what it asks about."""
    said = _days((RUNS[0], *OTHERS, RUNS[1]))
    recaller, last = recalling(said, BundledEmbedder()), turns(said)[-1]
    asked = "How fast did I run five kilometres?"
    assert recaller.recall(NORA, asked, now=NOW, exclude={last.id}).chains == {}
    assert recaller.update_index(NORA) == 1
