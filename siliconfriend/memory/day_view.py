"""Something worked out of each day of a memory, kept in step with its snapshots.

Whoever goes through a thousand batches of talk would else go through all that is known for each.
Snapshots share the days that did not change, so only the others are worked out again; it cannot be
of another memory than the one it was last brought in step with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from siliconfriend.memory.lazy_days import changed_dates
from siliconfriend.memory.records import Day, PersonMemory

_Value = TypeVar("_Value")


class DayView(Generic[_Value]):
    """Values by date.

    Args:
        make: works one out.

    Attributes:
        of: the value of each date.
    """

    def __init__(self, make: Callable[[PersonMemory, str], _Value]) -> None:
        self.of: dict[str, _Value] = {}
        self._make = make
        self._days: Mapping[str, Day] = {}

    def sync(self, memory: PersonMemory) -> Iterator[tuple[_Value | None, _Value | None]]:
        """Bring the values in step: each that changed as it was, and as it is now.

        None where the date is new, and where it is gone. Take all of them.
        """
        if memory.days is self._days:
            return
        before, self._days = self._days, memory.days
        for date in self.of.keys() - memory.days.keys():
            yield self.of.pop(date), None
        for date in changed_dates(before, memory.days):
            known, self.of[date] = self.of.get(date), self._make(memory, date)
            yield known, self.of[date]
