"""Days that rest in a file, decoded when they are first read.

Ten years are opened to say something today. Where a file's checksum holds, every day in it is
what this program wrote, so the days can wait until somebody reads them. Without a checksum a
memory is decoded whole when it is opened: what is damaged must be noticed then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.records import Day


class RestingDay:
    """A day that is decoded by whoever reads it first, and kept.

    Args:
        decode: gives the day.
    """

    __slots__ = ("_day", "_decode")

    def __init__(self, decode: Callable[[], Day]) -> None:
        self._decode = decode
        self._day: Day | None = None

    def get(self) -> Day:
        """The day; the same object each time, but for threads that read it first at once.

        Raises:
            DamagedMemory: it is not what this version writes, though the checksum holds.
        """
        if self._day is None:
            try:
                self._day = self._decode()
            except Unreadable as error:
                raise DamagedMemory("memory_day_unreadable", cause=error) from error
        return self._day


class LazyDays(Mapping[str, Day]):
    """Days by ISO date, ascending; never changed.

    Args:
        held: by date, ascending.
    """

    def __init__(self, held: dict[str, Day | RestingDay]) -> None:
        self._held = held

    def __getitem__(self, date: str) -> Day:
        day = self._held[date]
        return day if isinstance(day, Day) else day.get()

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, date: object) -> bool:
        return date in self._held

    def with_days(self, changed: Mapping[str, Day]) -> LazyDays:
        """These days with others among them, or in place of those of the same date."""
        held = self._held
        merged = {**held, **changed}
        newest = next(reversed(held), "")
        is_in_order = all(date in held for date in changed) or (
            len(changed) == 1 and next(iter(changed)) > newest
        )
        return LazyDays(merged if is_in_order else dict(sorted(merged.items())))


def with_days(days: Mapping[str, Day], changed: Mapping[str, Day]) -> Mapping[str, Day]:
    """The days with others among them, ascending by date; what rests goes on resting."""
    lazy = days if isinstance(days, LazyDays) else LazyDays(dict(days))
    return lazy.with_days(changed)
