"""Planned: what was told of a day before it came, by that day.

Who told on 10 January of a flight on 14 February wants to be asked about it on the 14th, and not
on the day it was told. It is read from the arrays of the index alone, so that a first message of
a day need not wait for it; only of the few memories that are due the words are looked at, for
what was told later of the same matter: a wedding that was put off is due on its new day alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from siliconfriend.language.characters import fold
from siliconfriend.language.keywords import extract_keywords
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Turn
from siliconfriend.recall.cue import find_names, remove_dates
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.index import ScopeIndex

LONGEST = 7
"""Days of the longest span that a day can be due of: a plan for "next year" is due on no day."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A memory and days it speaks of, which lay ahead when it was told.

    Attributes:
        memory: a turn or an event; its ``date`` is the day it was told on.
        first, last: the days it speaks of, both inclusive.
    """

    memory: Turn | Event
    first: date
    last: date


def find_planned(index: ScopeIndex, first: date, last: date) -> tuple[Planned, ...]:
    """Find what was told of days from ``first`` to ``last`` before they came; hold the lock.

    The rest as :meth:`siliconfriend.recall.recaller.Recaller.planned`.
    """
    times, rows = index.times, index.rows
    told = rows["day"][times.row]
    is_due = (times.first <= last.toordinal()) & (times.last >= first.toordinal())
    is_due &= (told < times.first) & (times.last - times.first < LONGEST)
    is_due &= rows["alive"][times.row] & ~rows["archived"][times.row]
    found = []
    for at in np.flatnonzero(is_due):
        memory = rows.memories[times.row[at]]
        if isinstance(memory, Turn | Event):
            days = (date.fromordinal(int(day[at])) for day in (times.first, times.last))
            found.append(Planned(memory, *days))
    turns = {it.memory.id for it in found}
    kept = [it for it in found if turns.isdisjoint(_sources(it.memory))]
    kept = [it for it in kept if not _was_changed(index, it.memory)]
    return tuple(sorted(kept, key=lambda it: (it.first, it.memory.date, it.memory.position)))


def _sources(memory: Turn | Event) -> tuple[str, ...]:
    return memory.provenance.from_ids if isinstance(memory, Event) else ()


def _was_changed(index: ScopeIndex, memory: Turn | Event) -> bool:
    """True if it was told later that the same matter was given up or put on another day."""
    matter = _matter(index, own_words(memory))
    rows = {int(row) for token in matter for row in index.word_index.rows(token)}
    return any(
        isinstance(later := index.rows.memories[row], Turn | Event)
        and index.rows["alive"][row]
        and (later.date, later.position) > (memory.date, memory.position)
        and memory.id not in _sources(later)
        and any(
            matches("tense", "changed", fold(sentence))
            and not matter.isdisjoint(tokenize(sentence))
            for sentence in split_sentences(own_words(later))
        )
        for row in rows
    )


def _matter(index: ScopeIndex, words: str) -> set[str]:
    """The tokens that say what something is about: no names and no days."""
    frequency = index.word_index.frequency
    names = {token for name in find_names(words, frequency=frequency) for token in tokenize(name)}
    plain = remove_dates(words, find_dates_said_on(words, date(2024, 2, 29)))
    return {token for word in extract_keywords(plain) for token in tokenize(word)} - names
