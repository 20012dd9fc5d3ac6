"""Dates of three numbers and clocks of twelve hours, as texts made for reading have them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time
from itertools import pairwise
from typing import get_args

from siliconfriend.errors import Undecided, UnreadableFile
from siliconfriend.importers.messages import DateOrder

Numbers = tuple[int, int, int]
_ORDERS: tuple[DateOrder, ...] = get_args(DateOrder)
_BUDDHIST, _BUDDHIST_FROM = 543, 2_400
"""Years that the Thai calendar is ahead, and from which on a year can only be one of its."""


def decide_order(
    found: Sequence[Numbers], wanted: DateOrder | None, label: str, *, dotted: bool = False
) -> DateOrder:
    """Return the order of the numbers in all dates of a file, ``found`` in its order.

    ``wanted`` is what the person says, where they do; ``dotted`` numbers have points between them,
    as only where the day stands first.

    Raises:
        UnreadableFile: no order makes all of them dates.
        Undecided: more than one does, and in none of them time only goes on.
    """
    possible = [order for order in _ORDERS if _fits(found, order)]
    if wanted is not None and wanted in possible:
        return wanted
    if wanted is not None or not possible:
        raise UnreadableFile("import_no_dates", path=label)
    # A year of two digits stands first nowhere, unless nothing else is possible.
    possible = [order for order in possible if order != "year"] or possible
    if len(possible) == 1:
        return possible[0]
    rising = [order for order in possible if _rises(found, order)]
    if len(rising) == 1:
        return rising[0]
    if dotted and "day" in possible:
        return "day"
    example = "/".join(map(str, found[0]))
    details = {"path": label, "example": example}
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


def to_clock(hour: int, minute: int, second: str | None, *halves: str | None) -> time:
    """The clock of a day of 24 hours, ValueError for none; ``halves`` may name the half of the day."""
    for written in halves:
        half = re.sub(r"[\s.,،]", "", written or "").lower()
        if half in _PM and hour < 12 and not (half == "中午" and hour == 11):
            hour += 12
        elif half in _AM and hour == 12:
            hour = 0
    return time(hour, minute, int(second or 0))
