"""Chooses a handful of all that was told: what is dearest, and what was told last.

"What have I told you?" wants no list and no single nearest sentence. What was pinned, what tells
of a life and what was spoken of again and again goes first; the latest stand beside it, so that
two people who met yesterday have something to look back on as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice, takewhile

from siliconfriend.dialogue.dearness import dearness, once_a_day
from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.told_words import tells_something
from siliconfriend.memory.records import PersonMemory, Turn

DEAREST, LATEST = 3, 2
"""How many of each make a handful."""

LOOKED_AT = 400
"""So many of the latest are weighed, and of older ones those that were pinned or recalled: of
fifty thousand turns not each can be read while somebody waits."""


def statements(memory: PersonMemory) -> Iterator[Turn]:
    """The person's statements, latest first: no questions, no greetings, nothing archived."""
    for turn in reversed(list(memory.turns())):
        is_there = turn.trace.archived is None and not turn.is_left_alone
        if is_there and classify_intent(turn.query) == "statement":
            yield turn


def dearest_of_last_day(memory: PersonMemory) -> Turn | None:
    """What tells most of the last day on which something was told; the last said of what tells alike.

    Who told of an operation and then of the rain is asked about the operation.
    """
    told = statements(memory)
    last = next(told, None)
    if last is None:
        return None
    of_day = [last, *takewhile(lambda it: it.date == last.date, told)]
    telling = [turn for turn in of_day if tells_something(turn.query)]
    return max(telling, key=lambda it: (dearness(it), it.position), default=None)


def choose_handful(memory: PersonMemory) -> list[Turn]:
    """Choose what of all that was told is dearest and latest, in the order it was told.

    One thing a day, while there are days enough: five sentences of one evening are no picture of a
    life.
    """
    dearest = _dearest(memory)
    of_each_day = dearest[: len({it.date for it in dearest})]
    latest = sorted(of_each_day, key=lambda it: it.date, reverse=True)[:LATEST]
    return _first_in_order([*latest, *dearest])


def choose_portrait(memory: PersonMemory) -> list[Turn]:
    """Choose what tells most of who somebody is: what facts were learned from, then what is dearest."""
    known = {it for fact in memory.facts() if fact.is_active for it in fact.provenance.from_ids}
    dearest = _dearest(memory, known)
    return _first_in_order([*[it for it in dearest if it.id in known][:DEAREST], *dearest])


def _dearest(memory: PersonMemory, known: Collection[str] = ()) -> list[Turn]:
    """Return what tells something, the dearest of each day before the second of any."""
    telling = [it for it in _looked_at(memory, known) if tells_something(it.query)]
    return once_a_day(sorted(telling, key=lambda it: -dearness(it)), lambda it: it.date)


def _first_in_order(ranked: Iterable[Turn]) -> list[Turn]:
    """Return the first of what is ranked, each once, in the order it was told."""
    chosen = list({it.id: it for it in ranked}.values())[: DEAREST + LATEST]
    return sorted(chosen, key=lambda it: (it.date, it.position))


def _looked_at(memory: PersonMemory, known: Collection[str]) -> Iterator[Turn]:
    """The latest statements, then older turns that are known, pinned or were recalled."""
    told = statements(memory)
    latest = list(islice(told, LOOKED_AT))
    yield from latest
    if len(latest) == LOOKED_AT:
        seen = {turn.id for turn in latest}
        for turn in memory.turns():
            is_kept = turn.id in known or turn.trace.pinned or turn.trace.recalls
            is_there = turn.trace.archived is None and not turn.is_left_alone
            if is_kept and is_there and turn.id not in seen:
                yield turn
