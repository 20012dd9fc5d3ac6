"""Clocks, and the calendar days of a time zone.

Only this module reads the machine's time; all others are given a clock, so that a test, ``--now``
and an evaluation see the moment they name. Moments are aware and in UTC. A person's time zone
decides only which day a moment belongs to and how a time is shown.
"""

from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta
from typing import Annotated, Protocol, TypeVar
from zoneinfo import ZoneInfo

import msgspec

Day = TypeVar("Day", bound=date)
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A moment with its offset from UTC; parsing a record refuses one without."""


CLOCK_SKEW = timedelta(days=7)
"""How far the clock may have been set back within a talk that goes on."""


class Clock(Protocol):
    """A source of the present moment."""

    def now(self, zone: ZoneInfo) -> datetime:
        """Return the present moment in UTC; ``zone`` is that of a clock without an offset."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock."""

    def now(self, zone: ZoneInfo) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still, as ``--now`` sets it.

    Attributes:
        moment: its time; without an offset, a time in the person's zone.
    """

    moment: datetime

    def now(self, zone: ZoneInfo) -> datetime:
        """Return the fixed moment in UTC."""
        moment = self.moment
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """Return the calendar day of an aware moment in a time zone."""
    return moment.astimezone(zone).date()


def check_day(day: Day) -> Day:
    """Return a day or moment; ValueError at an end of the calendar, where some zones have no noon."""
    if not MINYEAR < day.year < MAXYEAR:
        msg = f"{day} is at an end of the calendar"
        raise ValueError(msg)
    return day


def format_timestamp(moment: datetime, zone: ZoneInfo) -> str:
    """Format a moment on the clock of a time zone as ``YYYY-MM-DD HH:MM:SS``."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def noon_of(day: date, zone: ZoneInfo) -> datetime:
    """Return noon of a day in UTC: the moment of a turn of which only the day is known."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=zone).astimezone(UTC)
