"""Time, given as a value.

Nothing else in the package asks the machine what time it is: a clock is handed
in, so that a test, ``--now`` and an evaluation all see the moment they name.
Inside, every moment is aware and in UTC. A person's time zone decides only what
a *day* is and how a time is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Protocol
from zoneinfo import ZoneInfo

import msgspec

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A moment with its offset from UTC; one without is refused where a record is read."""


class Clock(Protocol):
    """Tells the present moment."""

    def now(self, zone: ZoneInfo) -> datetime:
        """The present, aware and in UTC; ``zone`` gives meaning to a time without an offset."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's own clock."""

    def now(self, zone: ZoneInfo) -> datetime:
        """The machine's time in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still, as ``--now`` sets it.

    Attributes:
        moment: the time it shows; without an offset it is read in the person's zone.
    """

    moment: datetime

    def now(self, zone: ZoneInfo) -> datetime:
        """The fixed moment in UTC."""
        moment = self.moment
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """The person's calendar day that an aware ``moment`` falls on."""
    return moment.astimezone(zone).date()


def noon_of(day: date, zone: ZoneInfo) -> datetime:
    """Noon of ``day`` in UTC: when a turn counts as said if only its day is known."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=zone).astimezone(UTC)
