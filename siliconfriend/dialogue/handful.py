"""Chooses a handful of all that was told: what is dearest, and what was told last.

"What have I told you?" wants no list and no single nearest sentence. What was pinned, what tells
of a life and what was spoken of again and again goes first; the latest stand beside it, so that
two people who met yesterday have something to look back on as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.told_words import tells_something
from siliconfriend.importance import offline_importance
from siliconfriend.memory.records import PersonMemory, Turn

DEAREST, LATEST = 3, 2
"""How many of each make a handful."""

LOOKED_AT = 400
"""So many of the latest are weighed, and of older ones those that were pinned or recalled: of
fifty thousand turns not each can be read while somebody waits."""

BY_RECALL = 0.05
"""How much of importance each recall is worth, up to ten of them."""


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
    return max(telling, key=lambda it: (_dearness(it), it.position), default=None)


def choose_handful(memory: PersonMemory) -> list[Turn]:
    """Choose what of all that was told is dearest and latest, in the order it was told.

    One thing a day, while there are days enough: five sentences of one evening are no picture of a
    life.
    """
    worth = {
        turn.id: (_dearness(turn), turn)
        for turn in _looked_at(memory)
        if tells_something(turn.query)
    }
    dearest = sorted(worth.values(), key=lambda it: -it[0])
    of_day: dict[str, Turn] = {}
    for _, turn in dearest:
        of_day.setdefault(turn.date, turn)
    latest = [of_day[day] for day in sorted(of_day, reverse=True)[:LATEST]]
    once_a_day = [turn for _, turn in dearest if of_day[turn.date] is turn]
    in_order = dict.fromkeys(it.id for it in (*latest, *once_a_day, *(it for _, it in dearest)))
    chosen = [worth[identifier][1] for identifier in list(in_order)[: DEAREST + LATEST]]
    return sorted(chosen, key=lambda it: (it.date, it.position))


def _looked_at(memory: PersonMemory) -> Iterator[Turn]:
    """The latest statements, then older turns that were pinned or recalled."""
    told = statements(memory)
    latest = list(islice(told, LOOKED_AT))
    yield from latest
    if len(latest) == LOOKED_AT:
        seen = {turn.id for turn in latest}
        for turn in memory.turns():
            is_kept = turn.trace.pinned or turn.trace.recalls
            is_there = turn.trace.archived is None and not turn.is_left_alone
            if is_kept and is_there and turn.id not in seen:
                yield turn


def _dearness(turn: Turn) -> float:
    """How dear a turn is: pinned before all, else by what it tells and how often it came back."""
    if turn.trace.pinned:
        return 2.0
    importance = turn.trace.importance or offline_importance(turn.query)
    return importance + BY_RECALL * min(10, len(turn.trace.recalls))
