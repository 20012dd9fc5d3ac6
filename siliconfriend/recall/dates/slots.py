"""What the words of a date say, in types that both languages share, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from siliconfriend.recall.dates.calendar import (
    Calendar,
    DateRange,
    Half,
    PartOfDay,
    Side,
    Third,
    Unit,
)


@dataclass(frozen=True, slots=True)
class Slots:
    """What the words of a date say; None for what they do not say.

    Attributes:
        year: as it was said; of two digits, the latest that is over or soon to come.
        last_year: of a range of years.
        year_offset: years from this one: 去年 is -1.
        month, last_month: 1 to 12; ``last_month`` of a range.
        day, last_day: days of a month; ``last_day`` of a range.
        weekday: Monday is 0.
        weekend: the words name a weekend.
        season: the first month of a season.
        feast, last_feast: names of :data:`~siliconfriend.recall.dates.feasts.FEASTS`;
            ``last_feast`` of a range.
        holiday: the days around the feast are meant too.
        lunar_month: 1 to 12, of the lunar calendar.
        part: the part of the day.
        third: the early, middle or late third of a month, season or year.
        half: the first or second half of a year.
        decade: its first year.
        unit: what is counted, or lies ``which`` of it from now.
        number: how many of ``unit``.
        which: this (0), the last (-1), the next (1), the one before the last (-2), and so on.
        days_back: days before today; negative after it.
        stretch: the days before today that a vague word may mean: from furthest to nearest.
        nth: which talk, week or weekday of a month, or quarter: the first (1), the second, the last (-1).
        side: on which side of a day others lie, that are named by it.
    """

    year: int | None = None
    last_year: int | None = None
    year_offset: int | None = None
    month: int | None = None
    last_month: int | None = None
    day: int | None = None
    last_day: int | None = None
    weekday: int | None = None
    weekend: bool = False
    season: int | None = None
    feast: str | None = None
    last_feast: str | None = None
    holiday: bool = False
    lunar_month: int | None = None
    part: PartOfDay | None = None
    third: Third | None = None
    half: Half | None = None
    decade: int | None = None
    unit: Unit | None = None
    number: int | None = None
    which: int | None = None
    days_back: int = 0
    stretch: tuple[int, int] | None = None
    nth: int | None = None
    side: Side | None = None


UNSAID = Slots()

Resolver = Callable[[Slots, Calendar], DateRange | None]
"""The days that slots mean; None or ValueError says: here they are no date."""

Reader = Callable[[str], Any]
"""The value of a slot from what its group holds, in lower case."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of words that names days.

    Attributes:
        words: a regular expression; its named groups are slots, and one without a reader only helps it.
        resolve: the days they mean.
        relative: they mean something only on the day they are said ("last night").
        given: what the words say without a group.
        veto: true for a match that is no date after all.
        flags: how the expression is compiled.
    """

    words: str
    resolve: Resolver
    relative: bool = False
    given: Slots = UNSAID
    veto: Callable[[re.Match[str]], bool] | None = None
    flags: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        """The words, compiled for the first text that might hold them.

        To compile those of both languages takes a tenth of a second at a program's start.
        """
        return _compiled(self.words, self.flags)


@cache
def _compiled(words: str, flags: int) -> re.Pattern[str]:
    return re.compile(words, flags)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The forms of one language, and how it names the part of a day beside a date.

    Attributes:
        alphabet: characters or words without which nothing of the language is a date.
        forms: tried everywhere in a text; of those that meet, the longest stands.
        readers: of the groups of the patterns, by their names.
        part_after, part_before: words beside a date, the part in the group ``part``.
        weekday_before, weekday_after: a weekday beside a date, in the group ``weekday``.
        beside: words next to a date that name days beside it ("the day before", 前一天): the groups ``side``,
            ``number``, ``unit``, ``weekend`` and ``part``. Before it in English, after it in Chinese.
        since_before, since_after: words beside a date that make it the days from it to today;
            words before it may also stand at the beginning of the date's own.
        future: words of a text that ask for what is to come, not for what has been.
    """

    alphabet: re.Pattern[str]
    forms: tuple[Form, ...]
    readers: Mapping[str, Reader]
    part_after: re.Pattern[str]
    part_before: re.Pattern[str]
    weekday_before: re.Pattern[str]
    weekday_after: re.Pattern[str]
    beside: re.Pattern[str]
    since_before: re.Pattern[str]
    since_after: re.Pattern[str]
    future: re.Pattern[str]

    def read(self, match: re.Match[str], given: Slots = UNSAID) -> Slots:
        """The slots that a match fills, beside those that are given."""
        said = {
            name: self.readers[name](words.lower())
            for name, words in match.groupdict().items()
            if words and name in self.readers
        }
        return replace(given, **said)

    def resolve(self, form: Form, match: re.Match[str], calendar: Calendar) -> DateRange | None:
        """The days that a match of a form means; None where it is no date, or there is no such day."""
        if form.veto is not None and form.veto(match):
            return None
        try:
            found = form.resolve(self.read(match, form.given), calendar)
        except (ValueError, OverflowError):  # the 31st of April, the year 0
            return None
        return found if found is not None and found.first <= found.last else None
