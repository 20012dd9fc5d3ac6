"""Which days a text about all days is made from: of a short life all of them, of a long one some.

Were it all of them, a night would cost more each day that somebody lives, with a model as
without. A day that was left out once is never taken again, so nothing that was made of it need
be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from siliconfriend.memory.records import Day

LAST = 30
"""The last days are all taken."""

EARLIER = 30
"""Of the days before them at most so many, spread over the years."""


@dataclass(frozen=True, slots=True)
class PortrayedDays:
    """The days of a life from which its portrait is made.

    Attributes:
        dates: all days that could be told of, oldest first.
        days: those that are, in their order.
    """

    dates: Sequence[str]
    days: Sequence[Day]

    @classmethod
    def of(cls, days: Mapping[str, Day], dates: Sequence[str]) -> PortrayedDays:
        """Choose among the days of these dates."""
        return cls(dates, [days[it] for it in portrayed_dates(dates)])

    @property
    def earlier(self) -> Sequence[Day]:
        """Those before the last ones."""
        return self.days[:-LAST]

    @property
    def last(self) -> Sequence[Day]:
        """The last ones, which are all taken."""
        return self.days[-LAST:]


def portrayed_dates(dates: Sequence[str]) -> list[str]:
    """The last dates and some of the earlier ones, in their order.

    Of the earlier ones every second day of the calendar, every fourth, every eighth and so on,
    as few as it takes.
    """
    earlier, last = list(dates[:-LAST]), dates[-LAST:]
    apart = 1
    while len(earlier) > EARLIER:
        apart *= 2
        earlier = every(apart, earlier)
    return [*earlier, *last]


def every(apart: int, dates: Sequence[str]) -> list[str]:
    """Of some dates those that are so many days of the calendar apart."""
    return [it for it in dates if date.fromisoformat(it).toordinal() % apart == 0]
