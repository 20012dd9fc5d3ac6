"""Spoken times: the days that a memory speaks of, which need not be the day it was told.

"On 14 February I fly to Oslo", told on 10 January, is of 14 February: by that day it must be
found, and that day must stand in the prompt. These days are derived when a memory is indexed and
kept with the index, never in the records: better rules then reach old memories too, and what is
erased or corrected takes its days along. A search looks at arrays of them
(:mod:`~siliconfriend.recall.time_table`) and reads no text.

Nothing is guessed. Only what the person told counts: a sentence that asks about a day is not of
it, nor do a vague "recently" or words that contradict each other name one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import MAXYEAR, date, datetime, time
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold
from siliconfriend.language.long_texts import beginning_and_end
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Memory, Turn, kind_of
from siliconfriend.recall.dates import find_dates_said_on, rules_of_dates
from siliconfriend.recall.documents import digest_of

RULES = "6"
"""Raise it where the same words come to mean other days without another pattern."""

YEARS = 10
"""For so many years a birthday told once is of its day."""

_CLAUSE = re.compile(
    r"[,;，；]\s*|\s+(?:and|but|so)\s+(?=(?:do|did|what|which|where|when|who|how)\b)"
)


class SpokenTime(NamedTuple):
    """Days that a memory speaks of, both inclusive."""

    first: date
    last: date


def spoken_times(memory: Memory, zone: ZoneInfo) -> tuple[SpokenTime, ...]:
    """The days that a turn or an event speaks of, in the order of its words, each once.

    Args:
        memory: of other kinds, none.
        zone: the person's, for the moment of an event.
    """
    day = date.fromisoformat(memory.date)
    found = dict.fromkeys(days for words in _told(memory) for days in spoken_times_in(words, day))
    happened = day_of_event(memory, zone)
    # What was said wins over the day that a model noted.
    if happened is not None and not found:
        found[SpokenTime(happened, happened)] = None
    return tuple(found)


def spoken_times_in(words: str, day: date) -> list[SpokenTime]:
    """The days that words told on ``day`` speak of, without that day itself and vague ones.

    A birthday, and what else comes back each year, is of its day in the years after it too; a
    habit and a farewell are of no day.
    """
    folded = fold(words)
    if matches("tense", "habit", folded) or matches("tense", "farewell", folded):
        return []
    found = []
    is_yearly = matches("tense", "yearly", folded)
    is_own_day = matches("tense", "yearly_day", folded)
    for span in find_dates_said_on(words, day):
        is_day = span.first == span.last
        if span.vague or (is_yearly and not is_day):
            continue
        if not (is_day and span.first == day):
            found.append(SpokenTime(span.first, span.last))
        comes_back = is_own_day if span.relative else not span.has_year
        if is_yearly and comes_back and not span.told_after:
            found += _anniversaries(span.first)
    return found


def day_of_event(memory: Memory, zone: ZoneInfo) -> date | None:
    """The day of an event's own moment, where that is not the day it was told on; else None."""
    if not isinstance(memory, Event) or memory.time is None:
        return None
    day = day_of(memory.time, zone)
    return None if day.isoformat() == memory.date else day


def moment_of_event(event: Event, zone: ZoneInfo) -> datetime | None:
    """An event's moment; None where only its day is known, which stands as noon."""
    if event.time is None or event.time.astimezone(zone).time() == time(12):
        return None
    return event.time


def spoken_key(memory: Memory, digest: str, zone: ZoneInfo) -> str:
    """What the cache knows the spoken times of a memory by: its kind, words, their day and moment.

    A topic of a single turn has the words of that turn, and speaks of no day.
    """
    return digest_of(f"{kind_of(memory)} {digest} {memory.date} {day_of_event(memory, zone) or ''}")


@cache
def spoken_rules() -> str:
    """A short mark of the rules by which days are read; another mark, other days."""
    return hashlib.sha256(f"{RULES} {rules_of_dates()}".encode()).hexdigest()[:16]


def written_days(days: Iterable[SpokenTime]) -> str:
    """Spoken times as one line, for a cache."""
    return " ".join(f"{first}/{last}" for first, last in days)


def parse_days(written: str) -> tuple[SpokenTime, ...]:
    """The spoken times of a line.

    Raises:
        ValueError: it is no such line.
    """
    spans = [span.split("/") for span in written.split()]
    return tuple(SpokenTime(*map(date.fromisoformat, (first, last))) for first, last in spans)


def _anniversaries(day: date) -> list[SpokenTime]:
    """The day in the years after it; none for a 29 February."""
    if (day.month, day.day) == (2, 29):
        return []
    years = range(day.year + 1, min(day.year + YEARS, MAXYEAR) + 1)
    return [SpokenTime(*[day.replace(year=year)] * 2) for year in years]


def _told(memory: Memory) -> list[str]:
    """The sentences in which a person told something, and of a question the parts that do."""
    if isinstance(memory, Event):
        sentences = split_sentences(beginning_and_end(memory.text))
    elif isinstance(memory, Turn) and not memory.is_left_alone:
        indexed = memory.index_text
        sentences = [
            sentence
            for sentence in split_sentences(beginning_and_end(memory.query))
            if indexed is None or sentence in indexed
        ]
    else:
        return []
    told = []
    for sentence in sentences:
        if _asks(sentence):
            told += [part for part in _CLAUSE.split(sentence) if part and not _asks(part)]
        else:
            told.append(sentence)
    return told


def _asks(words: str) -> bool:
    """True if words ask about something, or for what was said about it."""
    return is_question(words) or matches("recall", "echo.memory", fold(words))
