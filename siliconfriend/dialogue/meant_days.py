"""The days that quoted words mean, named for whoever reads the quotation on another day.

“Next Friday I have an exam.” was told in January; read in March it sounds like a Friday of March.
The quotation stays as it was said, and what its words mean stands behind it.
"""

from __future__ import annotations

from datetime import date

from siliconfriend.dialogue.humanize import humanize_days
from siliconfriend.recall.dates import DateSpan, find_dates_said_on
from siliconfriend.recall.time_formatting import LONGEST_SPAN
from siliconfriend.texts import Language, text


def name_meant_days(
    words: str, told_on: date, today: date, language: Language, shown: str | None = None
) -> str:
    """Name the days that words told on ``told_on`` mean, as a sentence; empty where that is plain.

    Plain is what was told today, the day of telling itself, a date of this year or with its year, and
    what is vague or longer than a week. What falls on ``today`` is always named.

    Args:
        words: what was told.
        told_on: the day it was told.
        today: the day of the reply.
        language: of the reply.
        shown: the words as the reply has them; days that it words anew are plain. None: as told.
    """
    meant = [
        text(
            "dialogue",
            "meant.day",
            language,
            said=span.words.strip(" ."),
            days=humanize_days(span.first, span.last, today, language),
        )
        for span in find_dates_said_on(words, told_on)
        if _is_worth_naming(span, told_on, today)
        and (shown is None or span.words.strip(" .").casefold() in shown.casefold())
    ]
    if not meant:
        return ""
    return text(
        "dialogue",
        "meant.all",
        language,
        days=text("dialogue", "meant.between", language).join(meant),
    )


def _is_worth_naming(span: DateSpan, told_on: date, today: date) -> bool:
    if told_on == today or span.first == span.last == told_on:
        return False
    if span.vague or span.length > LONGEST_SPAN:
        return False
    if span.first == span.last == today:
        return True
    return span.relative or (not span.has_year and span.first.year != today.year)
