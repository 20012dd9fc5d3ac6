"""Plans that are asked for: "What have I planned for the coming weeks?", 今年下半年我有哪些约？.

Such a question names days and nothing that was told of them, so nothing that was told is nearer to it
than anything else: a trip, a wedding and an appointment at the dentist's answer it alike. What
was told of these days before they came does, and what was called off does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

from siliconfriend.language.characters import fold
from siliconfriend.language.word_coverage import content_forms
from siliconfriend.language.word_lists import matches, word_list
from siliconfriend.recall.awaited import AHEAD
from siliconfriend.recall.cue import remove_dates
from siliconfriend.recall.dates import DateSpan

YEAR = timedelta(days=365)


def days_planned_for(
    question: str, spans: Sequence[DateSpan], today: date
) -> tuple[date, date] | None:
    """The days to come of which a question asks for all that is planned; None for another question.

    "Until the end of January" means from today on, and the January that comes.
    """
    plain = fold(question)
    asks = matches("recall", "asks_plans", plain)
    if not asks or content_forms(remove_dates(question, spans)) - _plan_words():
        return None
    named = next((span for span in spans if not span.vague), None)
    if named is None:
        return today, today + AHEAD
    later = timedelta(0) if named.has_year else _years_until(named.last, today)
    is_limit = matches("recall", "asks_until", plain)
    first = today if is_limit else max(named.first + later, today)
    last = named.last + (_years_until(named.last, today) if is_limit else later)
    return (first, last) if first <= last else None


@cache
def _plan_words() -> frozenset[str]:
    return content_forms(" ".join(word_list("recall", "plan_words")))


def _years_until(day: date, today: date) -> timedelta:
    """What must be added to a day so that it has not been."""
    return YEAR * max(0, -((day - today) // YEAR))
