"""Of a month or a season the companion without a model tells what a friend would: the dearest, over all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.dearness import dearness, once_a_day
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language

AUTUMN: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("09-02", "I moved to Leiden to restore globes."),
        ("09-09", "The tram was full again."),
        ("09-16", "Wind and rain again."),
        ("09-23", "I repaired a puncture."),
        ("10-07", "My aunt Greet fell and is in hospital."),
        ("10-14", "It drizzles."),
        ("10-21", "Lotte and I got engaged in the boathouse!"),
        ("11-04", "The soup was too salty."),
        ("11-11", "I won a prize for my moon globe."),
        ("11-18", "My laces came undone twice."),
    ),
    "cn": (
        ("09-02", "我搬到泉州来修地球仪了。"),
        ("09-09", "公交车又挤满了人。"),
        ("09-16", "又刮风又下雨的。"),
        ("09-23", "我补了个车胎。"),
        ("10-07", "我姑姑摔了一跤，住院了。"),
        ("10-14", "又下雨了。"),
        ("10-21", "我和小棠在船屋里订婚了！"),
        ("11-04", "汤做咸了。"),
        ("11-11", "我的月球仪得了一等奖。"),
        ("11-18", "鞋带今天散了两回。"),
    ),
}
DEAR: dict[Language, tuple[str, ...]] = {
    "en": ("Leiden", "Greet", "engaged", "prize"),
    "cn": ("泉州", "住院", "订婚", "一等奖"),
}


def _asked(language: Language, question: str, home: Path) -> str:
    """Return the answer to a question at the end of November, after an autumn was told."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    clock = MovingClock(datetime(2026, 9, 1, 9, tzinfo=UTC))
    runtime = Runtime(settings, clock, store=InMemoryStore())
    with Companion("Ada", runtime=runtime, clock=clock, language=language) as friend:
        for day, said in AUTUMN[language]:
            clock.set(f"2026-{day}T15:00+00:00")
            friend.reply(said)
        clock.set("2026-11-29T15:00+00:00")
        return friend.reply(question).text


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How was my autumn?"),
        ("en", "What happened this autumn?"),
        ("cn", "我这个秋天过得怎么样？"),
        ("cn", "今年秋天都发生了什么？"),
    ],
)
def test_of_a_season_the_dearest_is_told_in_its_order(
    language: Language, question: str, tmp_path: Path
) -> None:
    """The engagement, the hospital and the prize, of ten things told; not five of the rain."""
    answer = _asked(language, question, tmp_path)
    places = [answer.find(words) for words in DEAR[language]]
    assert -1 not in places, answer
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("language", "question", "trifle"),
    [("en", "What happened in October?", "drizzles"), ("cn", "十月份发生了什么？", "下雨")],
)
def test_a_trifle_is_told_only_where_there_is_nothing_else(
    language: Language, question: str, trifle: str, tmp_path: Path
) -> None:
    """Of three things of October two are worth telling, though five would have a place."""
    answer = _asked(language, question, tmp_path)
    assert all(words in answer for words in DEAR[language][1:3]), answer
    assert trifle not in answer


def test_of_each_day_the_first_stands_before_the_second_of_any() -> None:
    """Five sentences of one evening are no picture of a month."""
    ranked = ["3 a", "3 b", "1 a", "3 c", "2 a", "1 b"]
    assert once_a_day(ranked, lambda it: it[0]) == ["3 a", "1 a", "2 a", "3 b", "3 c", "1 b"]


def test_what_is_pinned_or_comes_back_is_dearer() -> None:
    """0.1 for a plain sentence, 0.05 for each time it came back, ten of them at most; nothing for a trifle."""

    def of(words: str, **trace: object) -> float:
        told = datetime(2026, 9, 1, tzinfo=UTC)
        own = Trace(told, **trace)  # type: ignore[arg-type]
        return dearness(Turn("turn-2026-09-01-0", "2026-09-01", 0, words, "", told, own))

    days = [datetime(2026, 9, day, tzinfo=UTC) for day in range(2, 14)]
    assert of("The tram was full of skaters.") == pytest.approx(0.1)
    assert of("The tram was full of skaters.", recalls=tuple(days[:3])) == pytest.approx(0.25)
    assert of("The tram was full of skaters.", recalls=tuple(days)) == pytest.approx(0.6)
    assert of("It drizzles.") == pytest.approx(0.0)
    assert of("It drizzles.", pinned=True) > of("Lotte and I got engaged.") > 0.9
