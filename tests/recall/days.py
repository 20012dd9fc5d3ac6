"""Reading the days that words name, the way these tests write them down."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.recall.dates import DateSpan, find_dates

NOW = datetime(2023, 5, 10, 9, tzinfo=UTC)
"""A Wednesday. The month before: 27 April was a Thursday, 30 April a Sunday, 1 May a Monday."""

DAYS = tuple(date(2023, 4, 27) + timedelta(days=number) for number in range(10))


def read(text: str, now: datetime = NOW, days: tuple[date, ...] = DAYS) -> list[str]:
    """The days a text names, each as :func:`short` writes it."""
    return [short(span) for span in find_dates(text, now=now, zone=ZoneInfo("UTC"), days=days)]


def short(span: DateSpan) -> str:
    """First and last day, one where they are the same."""
    return f"{span.first}" if span.first == span.last else f"{span.first}..{span.last}"
