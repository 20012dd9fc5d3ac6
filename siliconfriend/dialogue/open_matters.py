"""Finds what is open between two people: plans whose day has come, and what was left unsettled.

A friend asks how the exam went and whether the ring has turned up, and asks it once. What was
told of since is not asked about, or the companion would show that it had not listened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from siliconfriend.dialogue.told_words import is_quoted_in, tells_something
from siliconfriend.language.characters import fold
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.planned import Planned
from siliconfriend.recall.spoken_times import spoken_times_in

DAYS_AHEAD = 2
"""How many days before its own a plan is due to be spoken of."""

DAYS_AFTER = 5
"""How many days after it one still asks how it went."""

When = Literal["today", "soon", "past", "during"]
Unsettled = Literal["lost", "waiting"]
_SETTLED_BY: Mapping[Unsettled, str] = {"lost": "found_again", "waiting": "heard_back"}
_ORDER: tuple[When, ...] = ("today", "soon", "past", "during")


@dataclass(frozen=True, slots=True)
class DueMatter:
    """Something told of a day that has come, is near or has just gone.

    Attributes:
        turn: in which it was told.
        first, last: the days it speaks of, both inclusive.
        when: where today lies; "during" within a span of several days.
    """

    turn: Turn
    first: date
    last: date
    when: When


def due_range(today: date) -> tuple[date, date]:
    """The first and the last day of which plans are needed to say what is due."""
    return today - timedelta(days=DAYS_AFTER), today + timedelta(days=DAYS_AHEAD)


def find_due(
    planned: Iterable[Planned], memory: PersonMemory, today: date
) -> tuple[DueMatter, ...]:
    """Find what is due: today's first, then what is near, what has just been, and what goes on for days.

    Args:
        planned: what was told of the days of :func:`due_range` before they came.
        memory: what is remembered; what is not in it is not due.
        today: the person's day.
    """
    due = [
        DueMatter(turn, plan.first, plan.last, when)
        for plan in planned
        if (turn := _turn_of(plan, memory)) and (when := _when(plan, today))
    ]
    if not due:
        return ()
    turns = list(memory.turns())
    open_ones = [it for it in due if not _is_settled(it, turns) and not _was_asked(it, turns)]
    open_ones.sort(key=lambda it: (_ORDER.index(it.when), it.first))
    by_turn = {it.turn.id: it for it in reversed(open_ones)}
    return tuple(it for it in open_ones if by_turn[it.turn.id] is it)


def unsettled_in(words: str) -> Unsettled | None:
    """What some words leave open: something is lost, or an answer is waited for."""
    plain = fold(words)
    return next((kind for kind in _SETTLED_BY if matches("dialogue", f"signs.{kind}", plain)), None)


def was_spoken_of(told: Turn, turns: Iterable[Turn], *, since: date) -> bool:
    """True if the companion spoke of what a turn told since a day, in a reply or unasked."""
    day = since.isoformat()
    return any(it >= day for it in told.spoken_of) or any(
        turn.date >= day and is_quoted_in(told, turn.response) for turn in turns
    )


def said_first(memory: PersonMemory, today: date) -> tuple[Turn, ...]:
    """The turns that the companion spoke of today before it was asked."""
    return tuple(turn for turn in memory.turns() if today.isoformat() in turn.spoken_of)


def find_unsettled(turn: Turn, memory: PersonMemory) -> Unsettled | None:
    """What of a turn was left open, if nothing that was told since settles it."""
    kind = unsettled_in(turn.query)
    if kind is None:
        return None
    later = (it.query for it in memory.turns() if _is_later(it, turn))
    return None if any(settles(words, kind, turn) for words in later) else kind


def settles(words: str, kind: Unsettled, turn: Turn) -> bool:
    """True if later words end what a turn left open."""
    return _says(words, _SETTLED_BY[kind]) and _is_about(words, turn)


def _turn_of(plan: Planned, memory: PersonMemory) -> Turn | None:
    """The turn in which something planned was told: of those an event comes from, the one that names its days.

    A model may know the days of an event that no turn names; then it is the turn that says most of it.
    """
    source = plan.memory
    ids = (source.id,) if isinstance(source, Turn) else source.provenance.from_ids
    found = (memory.find(identifier) for identifier in ids)
    turns = [it for it in found if isinstance(it, Turn) and tells_something(it.query)]
    if isinstance(source, Turn):
        return next(iter(turns), None)
    days = (plan.first, plan.last)
    naming = (it for it in turns if days in spoken_times_in(it.query, date.fromisoformat(it.date)))
    told = next(naming, None)
    if told or source.provenance.made_by == OFFLINE:
        return told
    terms = overlap_terms(source.text)
    return max(turns, key=lambda it: len(terms & overlap_terms(it.query)), default=None)


def _when(plan: Planned, today: date) -> When | None:
    if plan.first <= today <= plan.last:
        return "today" if plan.first == plan.last else "during"
    if today < plan.first <= today + timedelta(days=DAYS_AHEAD):
        return "soon"
    if today - timedelta(days=DAYS_AFTER) <= plan.last < today:
        return "past"
    return None


def _is_settled(matter: DueMatter, turns: Sequence[Turn]) -> bool:
    """True if it was told of once its day had come."""
    return any(
        tells_something(turn.query) and _is_about(turn.query, matter.turn)
        for turn in turns
        if turn.date >= matter.first.isoformat() and _is_later(turn, matter.turn)
    )


def _was_asked(matter: DueMatter, turns: Sequence[Turn]) -> bool:
    """True if a reply spoke of it already, since it is today, near or past."""
    since = {
        "today": matter.first,
        "during": matter.first,
        "soon": matter.first - timedelta(days=DAYS_AHEAD),
        "past": matter.last + timedelta(days=1),
    }[matter.when]
    return was_spoken_of(matter.turn, turns, since=since)


def _is_later(one: Turn, other: Turn) -> bool:
    return (one.date, one.position) > (other.date, other.position)


def _says(words: str, sign: str) -> bool:
    return matches("dialogue", f"signs.{sign}", fold(words))


def _is_about(words: str, turn: Turn) -> bool:
    """True if words share a content word with a turn."""
    return bool(held_in(words, content_forms(turn.query)))
