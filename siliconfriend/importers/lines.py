"""Chats as lines of text: messages that begin with a date, a clock and a name, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise
from typing import get_args

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.importers.files import Source
from siliconfriend.importers.messages import DateOrder, Options, Said

Numbers = tuple[int, int, int]
_ORDERS: tuple[DateOrder, ...] = get_args(DateOrder)
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
    dates = [begun.numbers for begun, _ in found if begun.numbers is not None]
    dotted = found[0][0].is_dotted
    order = _decide_order(dates, options.date_order, source.label, dotted) if dates else "year"
    days = {numbers: to_date(numbers, order) for numbers in set(dates)}
    for begun, lines in found:
        day = days[begun.numbers] if begun.numbers else _named_day(options, source)
        yield begun, day if begun.clock is None else datetime.combine(day, begun.clock), lines


def _named_day(options: Options, source: Source) -> date:
    if not options.day:
        raise Undecided("import_day", "day", path=source.label)
    try:
        return date.fromisoformat(options.day)
    except ValueError as error:
        raise UsageError("import_wrong_day", day=options.day) from error


def _decide_order(
    found: Sequence[Numbers], wanted: DateOrder | None, label: str, dotted: bool
) -> DateOrder:
    """The order of the numbers in all dates of a file: as the person says, else the only possible.

    Where several are, the one in which time only goes on; with points the day stands first.
    """
    possible = [order for order in _ORDERS if _fits(found, order)]
    if wanted is not None and wanted in possible:
        return wanted
    if wanted is not None or not possible:
        raise UnreadableFile("import_no_dates", path=label)
    # A year of two digits stands first nowhere, unless nothing else is possible.
    possible = [order for order in possible if order != "year"] or possible
    rising = [order for order in possible if _rises(found, order)]
    for likely in (possible, rising, [order for order in possible if dotted and order == "day"]):
        if len(likely) == 1:
            return likely[0]
    details = {"path": label, "example": "/".join(map(str, found[0]))}
    raise Undecided("import_date_order", "date-order", tuple(rising or possible), **details)


def to_date(numbers: Numbers, order: DateOrder) -> date:
    """Return the date; ValueError where there is no such day."""
    if order == "year" or numbers[0] > 999:
        year, month, day = numbers
    elif order == "day":
        day, month, year = numbers
    else:
        month, day, year = numbers
    if year < 100:
        year += 2_000
    if year >= _BUDDHIST_FROM:
        year -= _BUDDHIST
    return date(year, month, day)


def _fits(found: Sequence[Numbers], order: DateOrder) -> bool:
    """Return True if every date is one in this order; one that is not is a day of no month."""
    for numbers in set(found):
        is_year_first = numbers[0] > 999
        if is_year_first != (order == "year") and (is_year_first or numbers[2] > 99):
            return False
        try:
            to_date(numbers, order)
        except ValueError:
            return False
    return True


def _rises(found: Sequence[Numbers], order: DateOrder) -> bool:
    days = [to_date(numbers, order) for numbers in found]
    return all(first <= second for first, second in pairwise(days))


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
