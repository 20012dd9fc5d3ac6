"""Humanizes days and moments: as people say them, in each language."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from siliconfriend.texts import Language, area, text

LONGEST_MONTH = 31
"""Most days of a month."""


def _parts(day: date, language: Language) -> dict[str, object]:
    words = area("dialogue", language)["days"]
    return {
        "year": day.year,
        "month": words["months"][day.month - 1],
        "day": day.day,
        "weekday": words["weekdays"][day.weekday()],
    }


def humanize_day(day: date, today: date, language: Language, *, alone: bool = False) -> str:
    """Humanize a day for the middle of a sentence: "yesterday", "on 28 April", 4月28日.

    ``alone`` is for places that want the bare name of the day, "28 April".
    """
    if day == today:
        key = "today"
    elif day == today - timedelta(days=1):
        key = "yesterday"
    elif day == today + timedelta(days=1):
        key = "tomorrow"
    else:
        key = "this_year" if day.year == today.year else "other_year"
        key = f"alone_{key}" if alone else key
    return text("dialogue", f"days.{key}", language, **_parts(day, language))


def humanize_days(first: date, last: date, today: date, language: Language) -> str:
    """Humanize days from ``first`` to ``last``, both inclusive, by their bare names.

    "28 April", "3 July to 10 July", and "October" for the whole of it.
    """
    if first == last:
        return humanize_day(first, today, language, alone=True)
    next_day = last + timedelta(days=1)
    if first.day == next_day.day == 1 and (last - first).days < LONGEST_MONTH:
        key = "whole_month" if first.year == today.year else "whole_month_other_year"
        return text("dialogue", f"days.{key}", language, **_parts(first, language))
    names = [humanize_day(day, today, language, alone=True) for day in (first, last)]
    return text("dialogue", "days.span", language, first=names[0], last=names[1])


def humanize_moment(moment: datetime, language: Language) -> str:
    """Humanize a local moment in full: day of the week, date and time."""
    parts = _parts(moment.date(), language)
    return text("dialogue", "days.moment", language, time=f"{moment:%H:%M}", **parts)
