"""Chats as lines of text: messages that begin with a date, a clock and a name, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import get_args

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.importers.files import Source
from siliconfriend.importers.messages import DateOrder, Options, Said

Numbers = tuple[int, int, int]
_BUDDHIST, _BUDDHIST_FROM = 543, 2_400
"""Years that the Thai calendar is ahead, and from which on a year can only be one of its."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a line that begins a message says."""

    numbers: Numbers | None
    """Its date as written; None where the file names no day for it."""
    clock: time | None
    words: str
    """What stands behind, up to the end of the line."""
    name: str = ""
    is_dotted: bool = False
    """The numbers have points between them."""


def read_messages(
    source: Source, options: Options, begins: Callable[[str], Begun | None]
) -> Iterator[tuple[Begun, Said, list[str]]]:
    """Yield each line that begins a message, when that was said, and the lines up to the next.

    Raises:
        UnreadableFile: no line begins a message, or their dates are none.
        Undecided: the order of the numbers, or the day where there is none.
    """
    found: list[tuple[Begun, list[str]]] = []
    with source.text() as text:
        for line in text:
            if (begun := begins(line)) is not None:
                found.append((begun, []))
            elif found:
                found[-1][1].append(line)
    if not found:
        raise UnreadableFile("import_no_messages", path=source.label)
    numbers = [begun.numbers for begun, _ in found if begun.numbers is not None]
    days = iter(_dates(numbers, options.date_order, source.label, found[0][0].is_dotted))
    for begun, lines in found:
        day = _named_day(options, source) if begun.numbers is None else next(days)
        yield begun, day if begun.clock is None else datetime.combine(day, begun.clock), lines


def _named_day(options: Options, source: Source) -> date:
    if not options.day:
        raise Undecided("import_day", "day", path=source.label)
    try:
        return date.fromisoformat(options.day)
    except ValueError as error:
        raise UsageError("import_wrong_day", day=options.day) from error


def _dates(
    found: Sequence[Numbers], wanted: DateOrder | None, label: str, dotted: bool
) -> Sequence[date]:
    """The dates of a file in one order of their numbers: the person's, else the only possible.

    Where several are, the one in which time only goes on; with points the day stands first.
    """
    if not found:
        return ()
    possible: dict[DateOrder, list[date]] = {}
    for order in get_args(DateOrder):
        with suppress(ValueError):
            possible[order] = [to_date(numbers, order) for numbers in found]
    if wanted is not None:
        possible = {order: days for order, days in possible.items() if order == wanted}
    if not possible:
        raise UnreadableFile("import_no_dates", path=label)
    if len(possible) > 1:  # a year of two digits stands first nowhere else
        possible.pop("year", None)
    rising = {order: days for order, days in possible.items() if days == sorted(days)}
    first = {order: days for order, days in possible.items() if dotted and order == "day"}
    for likely in (possible, rising, first):
        if len(likely) == 1:
            return next(iter(likely.values()))
    details = {"path": label, "example": "/".join(map(str, found[0]))}
    raise Undecided("import_date_order", "date-order", tuple(rising or possible), **details)


def to_date(numbers: Numbers, order: DateOrder) -> date:
    """Return the date; ValueError where there is no such day."""
    if (order != "year" and numbers[0] > 999) or (order == "year" and numbers[2] > 99):
        msg = "the year stands at the other end"
        raise ValueError(msg)
    year, month, day = numbers if order == "year" else numbers[::-1]
    if order == "month":
        month, day = day, month
    if year < 100:
        year += 2_000
    if year >= _BUDDHIST_FROM:
        year -= _BUDDHIST
    return date(year, month, day)


_AM = ("am", "a", "vorm", "上午", "早上", "凌晨", "清晨", "午前", "오전", "ص", "πμ", "पूर्वाह्न")
_PM = ("pm", "p", "nachm", "下午", "晚上", "中午", "午後", "오후", "م", "μμ", "अपराह्न")


def to_clock(hour: str, minute: str, second: str | None, *halves: str | None) -> time:
    """The clock of a day of 24 hours, ValueError for none; ``halves`` may name the half of the day."""
    hours = int(hour)
    for written in halves:
        half = re.sub(r"[\s.,،]", "", written or "").lower()
        if half in _PM and hours < 12 and not (half == "中午" and hours == 11):
            hours += 12
        elif half in _AM and hours == 12:
            hours = 0
    return time(hours, int(minute), int(second or 0))
