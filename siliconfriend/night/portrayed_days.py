"""Which days a text about all days is made from: of a short life all of them, of a long one some.

Were it all of them, a night would cost more each day that somebody lives, with a model as
without. A day that was left out once is never taken again, so nothing that was made of it need
be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from siliconfriend.memory.records import Day

LAST = 30
"""The last days are all taken."""

EARLIER = 30
"""Of the days before them at most so many, spread over the years."""


def portrayed_days(days: Sequence[Day]) -> list[Day]:
    """The last days and some of the earlier ones, in their order.

    Of the earlier ones every second day of the calendar, every fourth, every eighth and so on,
    as few as it takes.
    """
    earlier, last = list(days[:-LAST]), days[-LAST:]
    apart = 1
    while len(earlier) > EARLIER:
        apart *= 2
        earlier = [day for day in earlier if date.fromisoformat(day.date).toordinal() % apart == 0]
    return [*earlier, *last]
