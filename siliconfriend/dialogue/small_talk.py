"""Small talk as a friend has it: a greeting for a greeting, by the hour and by how long it has been.

It promises and remembers nothing of its own; what was told is woven in elsewhere. Kept apart from
the replies that rest on memories, so that "good night" never costs a search nor gets a quotation.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import matches
from siliconfriend.texts import area

PartOfDay = Literal["morning", "afternoon", "evening", "night"]
PARTS_OF_DAY: tuple[PartOfDay, ...] = ("morning", "afternoon", "evening", "night")
_FROM_HOUR: tuple[tuple[int, PartOfDay], ...] = (
    (22, "night"),
    (18, "evening"),
    (12, "afternoon"),
    (5, "morning"),
    (0, "night"),
)

WEEKS, MONTHS, YEARS = 14, 60, 365
"""From so many days on the time since the last talk is told in weeks, in months and as long."""


def greet(context: ReplyContext, wordings: Wordings) -> list[str]:
    """Greet somebody who has been here before."""
    sentences = []
    if says_hello(context):
        sentences.append(wordings.say(f"hello_{_part_of_day(context)}"))
        sentences += _how_long(context, wordings)
    if _asks_how(context):
        sentences.append(wordings.say("how_are_you"))
    return sentences


def says_hello(context: ReplyContext) -> bool:
    """True if a greeting greets, and does not only ask how the companion is."""
    return not _asks_how(context) or matches("dialogue", "signs.hello", fold(context.said))


def _asks_how(context: ReplyContext) -> bool:
    return matches("dialogue", "signs.how_are_you", fold(context.said))


def part(context: ReplyContext, wordings: Wordings) -> str:
    """Say goodbye, or good night where that was said."""
    is_night = matches("dialogue", "signs.good_night", fold(context.said))
    return wordings.say("good_night" if is_night else "farewell")


def _part_of_day(context: ReplyContext) -> PartOfDay | Literal["again"]:
    """The part of day that the person named, or else that the clock shows."""
    said = fold(context.said)
    for named in PARTS_OF_DAY:
        if matches("dialogue", f"signs.{named}", said):
            return named
    if context.hour is None:
        return "again"
    return next(it for hour, it in _FROM_HOUR if context.hour >= hour)


def _how_long(context: ReplyContext, wordings: Wordings) -> list[str]:
    """Say how long it has been since the last talk; nothing where it is not the day's first words."""
    days = sorted(day for day, memory in context.memory.days.items() if memory.turns)
    if not days:
        return []
    gone = (context.today - date.fromisoformat(days[-1])).days
    if gone <= 0:
        return [wordings.say("since_today")]
    if gone == 1:
        return [wordings.say("since_yesterday")]
    unit, count = "days", gone
    if gone >= YEARS:
        return [wordings.say("since_years")]
    if gone >= MONTHS:
        unit, count = "months", gone // 30
    elif gone >= WEEKS:
        unit, count = "weeks", gone // 7
    return [wordings.say(f"since_{unit}", count=_counted(count, context))]


def _counted(count: int, context: ReplyContext) -> str:
    """A small number as people say it."""
    names = area("dialogue", context.language)["days"]["counts"]
    return str(names[count]) if count < len(names) else str(count)
