"""How the night writes dates and lists of things in each language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from siliconfriend.texts import Language, area, text


def format_date(iso: str, language: Language) -> str:
    """Format an ISO date as ``28 April 2023`` or ``2023年4月28日``."""
    day = date.fromisoformat(iso)
    month = area("night", language)["months"][day.month - 1]
    return text("night", "date", language, day=day.day, month=month, year=day.year)


def format_dates(dates: Sequence[str], language: Language, most: int = 4) -> str:
    """List ISO dates; of many the last ones and how many more there are."""
    written = join_items([format_date(iso, language) for iso in dates[-most:]], language)
    rest = len(dates) - most
    if rest <= 0:
        return written
    return text("night", "more_days", language, days=written, count=rest)


def join_items(items: Sequence[str], language: Language, *, semicolon: bool = False) -> str:
    """Join items by the language's comma, or by its semicolon where they have commas themselves."""
    return text("night", "semicolon" if semicolon else "comma", language).join(items)
