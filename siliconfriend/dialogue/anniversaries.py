"""Finds what happened on this day in an earlier year, of what a life has few of.

A wedding and a death come back each year; that bread was bought does not. So a sentence must
both tell of such a matter and name its day: nothing is guessed from the day it was told on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.dates import find_dates_said_on


@dataclass(frozen=True, slots=True)
class Anniversary:
    """Something of which today is the day of the year.

    Attributes:
        turn: in which it was told.
        day: on which it was, in an earlier year.
    """

    turn: Turn
    day: date


def find_anniversaries(memory: PersonMemory, today: date) -> tuple[Anniversary, ...]:
    """Find whatever happened on today's day of an earlier year, the longest ago first.

    What was archived is left out, and so is what happened on a 29 February in years without one.
    """
    found = [
        Anniversary(turn, day)
        for turn in memory.turns()
        if turn.trace.archived is None and turn.date < today.isoformat()
        for day in _days_of_life(turn)
        if (day.month, day.day) == (today.month, today.day) and day.year < today.year
    ]
    return tuple(sorted(found, key=lambda it: (it.day, it.turn.date, it.turn.position)))


def _days_of_life(turn: Turn) -> Iterator[date]:
    """The days of which a turn tells something that comes back each year."""
    told = date.fromisoformat(turn.date)
    for sentence in split_sentences(turn.query):
        if is_question(sentence) or not matches("dialogue", "signs.milestone", fold(sentence)):
            continue
        for span in find_dates_said_on(sentence, told):
            if span.first == span.last <= told and not span.vague:
                yield span.first
