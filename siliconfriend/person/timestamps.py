"""Parse timestamps of other programs: without an offset, in the user's time zone."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of, noon_of
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Turn

AHEAD = timedelta(days=1)
"""Longest time that a timestamp may lie ahead, for programs in another time zone."""

_DAY_ALONE = re.compile(r"\d{4}-?\d\d-?\d\d")


def parse_timestamp(written: str | None, *, zone: ZoneInfo, now: datetime) -> tuple[datetime, bool]:
    """Parse ``YYYY-MM-DD HH:MM:SS`` or any ISO 8601 form, a day alone too; None is now.

    Returns:
        The moment in UTC, and whether a time was named; noon where only the day was.

    Raises:
        UsageError: it is no timestamp, or lies more than a day ahead.
    """
    written = (written or "").strip()
    if not written:
        return now, True
    has_time = not _DAY_ALONE.fullmatch(written)
    try:
        if has_time:
            moment = datetime.fromisoformat(written)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
            moment = moment.astimezone(now.tzinfo)
        else:
            moment = noon_of(date.fromisoformat(written), zone)
        # The talk before it is looked for on the day before, which must be a day too.
        day_of(moment, zone) - timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise UsageError("service_moment", written=written) from error
    if moment - now > AHEAD:
        raise UsageError("service_moment_ahead", written=written)
    return moment, has_time


def format_timestamp(moment: datetime, zone: ZoneInfo) -> str:
    """Format a moment on the user's wall clock as ``YYYY-MM-DD HH:MM:SS``."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def turn_timestamp(turn: Turn, zone: ZoneInfo) -> str:
    """Format when the turn was said; the day alone if no more is known."""
    return turn.date if turn.time is None else format_timestamp(turn.time, zone)
