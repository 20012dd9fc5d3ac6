"""When something was said: clocks without a time zone, days without a clock, impossible years."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.chat_exports.message import Said
from siliconfriend.clock import day_of, noon_of

EARLIEST = 1990
"""The year before which nobody chatted: a date before it is a fault of the file."""

TOLERANCE = timedelta(days=1)
"""How far ahead of the present a moment may be: clocks and time zones differ by less."""


def wall_clock(
    year: int, month: int, day: int, hour: int, minute: int, second: int = 0, milli: int = 0
) -> datetime:
    """A time as a clock showed it, of whose time zone a file says nothing.

    Raises:
        ValueError: there is no such time.
    """
    return datetime.combine(date(year, month, day), time(hour, minute, second, milli * 1_000))


def moment_of(said: Said, zone: ZoneInfo, before: datetime | None) -> datetime | None:
    """The moment in UTC; None where only the day is known.

    Args:
        said: as the file has it.
        zone: of the clock it was read from, where it has no offset.
        before: the moment of the message before it. When clocks are put back an hour comes
            twice, and the second time is meant by what follows something of the first.
    """
    if not isinstance(said, datetime):
        return None
    if said.tzinfo is not None:
        return said.astimezone(UTC)
    first = said.replace(tzinfo=zone, fold=0).astimezone(UTC)
    second = said.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if before is not None and first < before <= second:
        return second
    return first


def day_said(said: Said, moment: datetime | None, zone: ZoneInfo) -> date:
    """The person's day."""
    return day_of(moment, zone) if moment is not None else date(said.year, said.month, said.day)


def order_of(moment: datetime | None, day: date, zone: ZoneInfo) -> datetime:
    """By what turns of several chats are put in order; a day alone counts as its noon."""
    return moment if moment is not None else noon_of(day, zone)


def fault_of(said: Said, now: datetime) -> str:
    """Why a time cannot be right: ``too_old`` or ``future``; empty where it can."""
    if said.year < EARLIEST:
        return "too_old"
    latest = now + TOLERANCE
    if isinstance(said, datetime):
        moment = said if said.tzinfo is not None else said.replace(tzinfo=UTC)
        return "future" if moment > latest else ""
    return "future" if said > latest.date() else ""
