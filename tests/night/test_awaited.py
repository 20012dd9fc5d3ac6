"""What speaks of a day yet to come is not archived before it, however seldom it was recalled.

Hand values: under ``companion`` a turn told at noon of 1 June has R < 0.1 after 99.66 days, so
from ten to four on 9 September on.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.records import Turn
from siliconfriend.recall.awaited import is_awaited
from siliconfriend.texts import LANGUAGES, Language
from tests.night.world import World

TOLD = "2026-06-01"
DUE = datetime(2026, 9, 10, 3, tzinfo=UTC)
TEA: dict[Language, str] = {"en": "I drank tea by the window.", "cn": "在窗边喝了杯茶。"}
EXAM: dict[Language, str] = {
    "en": "On 12 December I sit my harp exam.",
    "cn": "十二月十二号我要考竖琴。",
}


def _night(world: World, moment: datetime) -> dict[str, bool]:
    """Which turns are archived after a night at a moment, by their words."""
    world.clock.moment = moment
    world.night()
    return {it.query: it.trace.archived is not None for it in world.memory().turns()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_stays_until_a_week_after_its_day(settings, language: Language) -> None:
    world = World(settings)
    world.meet(language=language)
    for words in (TEA[language], EXAM[language]):
        world.say(words, on=TOLD)
    tea, exam = TEA[language], EXAM[language]
    assert _night(world, datetime(2026, 9, 9, 3, tzinfo=UTC)) == {tea: False, exam: False}
    assert _night(world, DUE) == {tea: True, exam: False}
    assert _night(world, datetime(2026, 12, 19, 3, tzinfo=UTC)) == {tea: True, exam: False}
    assert _night(world, datetime(2026, 12, 20, 3, tzinfo=UTC)) == {tea: True, exam: True}


@pytest.mark.parametrize(
    ("told", "today", "awaited"),
    [
        ("Kit gets out in October.", date(2026, 10, 31), True),
        ("Kit gets out in October.", date(2026, 11, 7), True),
        ("Kit gets out in October.", date(2026, 11, 8), False),
        ("小齐十月份搬走。", date(2026, 11, 7), True),
        # once more, and not for ten years
        ("My mother's birthday is on 3 May.", date(2027, 5, 3), True),
        ("My mother's birthday is on 3 May.", date(2027, 5, 11), False),
        # the past, a year as a whole, more than a year ahead, a question, no day
        ("On 3 May I fell on the ice.", date(2026, 9, 9), False),
        ("In 2027 I want to move.", date(2026, 9, 9), False),
        ("On 3 September 2027 we marry.", date(2026, 9, 9), False),
        ("What do I do on 12 December?", date(2026, 9, 9), False),
        ("I drank tea.", date(2026, 9, 9), False),
    ],
)
def test_which_days_are_awaited(told: str, today: date, awaited: bool) -> None:
    moment = datetime(2026, 6, 1, 12, tzinfo=UTC)
    turn = Turn("turn-2026-06-01-0-0badcafe", TOLD, 0, told, "I see.", moment, Trace(moment))
    assert is_awaited(turn, ZoneInfo("UTC"), today) is awaited
