"""How the night writes dates and rows of things in each language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from siliconfriend.texts import Language, area, text


def format_date(iso: str, language: Language) -> str:
    """``28 April 2023``, ``2023年4月28日``."""
    day = date.fromisoformat(iso)
    month = area("night", language)["months"][day.month - 1]
    return text("night", "date", language, day=day.day, month=month, year=day.year)


def row(items: Sequence[str], language: Language, *, weak: bool = False) -> str:
    """The items one after another; with ``weak`` divided more strongly than by a comma."""
    return text("night", "semicolon" if weak else "comma", language).join(items)


def format_dates(dates: Sequence[str], language: Language, most: int = 4) -> str:
    """The dates, of many the last ones and how many more there are."""
    written = row([format_date(it, language) for it in dates[-most:]], language)
    rest = len(dates) - most
    if rest <= 0:
        return written
    return text("night", "more_days", language, days=written, count=rest)
