"""Finds what is open between two people: plans whose day has come, and what was left unsettled.

A friend asks how the exam went and whether the ring has turned up, and asks it once. What was
put off, replaced by a later plan or told of since is not asked about, or the companion would
show that it had not listened.
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
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.planned import Planned

DAYS_AHEAD = 2
"""How many days before its own a plan is due to be spoken of."""

DAYS_AFTER = 5
"""How many days after it one still asks how it went."""

HORIZON = 400
"""Days ahead in which a later plan may take the place of an earlier one."""

REPLACED = 2
"""From so many content words in common on, or half of few, a later plan is for the same matter."""

When = Literal["today", "soon", "past"]
Unsettled = Literal["lost", "waiting"]
_SETTLED_BY: Mapping[Unsettled, str] = {"lost": "found_again", "waiting": "heard_back"}
_ORDER: tuple[When, ...] = ("today", "soon", "past")


@dataclass(frozen=True, slots=True)
class DueMatter:
    """Something told of a day that has come, is near or has just gone.

    Attributes:
        turn: in which it was told.
        first, last: the days it speaks of, both inclusive.
        when: where today lies.
    """

    turn: Turn
    first: date
    last: date
    when: When


def due_range(today: date) -> tuple[date, date]:
    """The first and the last day of which plans are needed to say what is due."""
    return today - timedelta(days=DAYS_AFTER), today + timedelta(days=HORIZON)


def find_due(
    planned: Iterable[Planned], memory: PersonMemory, today: date
) -> tuple[DueMatter, ...]:
    """Find what is due: today's first, then what is near, then what has just been.

    Args:
        planned: what was told of the days of :func:`due_range` before they came.
        memory: what is remembered; what is not in it is not due.
        today: the person's day.
    """
    plans = _plans(planned, memory)
    due = [
        DueMatter(plan.turn, plan.first, plan.last, when)
        for plan in plans
        if (when := _when(plan, today)) is not None
        and not any(_replaces(later, plan) for later in plans)
    ]
    if not due:
        return ()
    turns = list(memory.turns())
    open_ones = [it for it in due if not _is_settled(it, turns) and not _was_asked(it, turns)]
    return tuple(sorted(open_ones, key=lambda it: (_ORDER.index(it.when), it.first)))


def unsettled_in(words: str) -> Unsettled | None:
    """What some words leave open: something is lost, or an answer is waited for."""
    plain = fold(words)
    return next((kind for kind in _SETTLED_BY if matches("dialogue", f"signs.{kind}", plain)), None)


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


@dataclass(frozen=True, slots=True)
class _Plan:
    turn: Turn
    first: date
    last: date


def _plans(planned: Iterable[Planned], memory: PersonMemory) -> list[_Plan]:
    """The plans by the turns they were told in, each once."""
    plans: dict[str, _Plan] = {}
    for plan in planned:
        source = plan.memory
        ids = (source.id,) if isinstance(source, Turn) else source.provenance.from_ids
        found = (memory.find(identifier) for identifier in ids)
        turns = [it for it in found if isinstance(it, Turn) and tells_something(it.query)]
        if turns:
            words = "" if isinstance(source, Turn) else source.text
            terms = overlap_terms(words)
            turn = max(turns, key=lambda it: len(terms & overlap_terms(it.query)))
            plans.setdefault(turn.id, _Plan(turn, plan.first, plan.last))
    return list(plans.values())


def _when(plan: _Plan, today: date) -> When | None:
    if plan.first <= today <= plan.last:
        return "today"
    if today < plan.first <= today + timedelta(days=DAYS_AHEAD):
        return "soon"
    if today - timedelta(days=DAYS_AFTER) <= plan.last < today:
        return "past"
    return None


def _replaces(later: _Plan, earlier: _Plan) -> bool:
    """True if a plan told later is one for the same matter on another day."""
    if not _is_later(later.turn, earlier.turn) or later.first == earlier.first:
        return False
    words = content_forms(earlier.turn.query)
    return len(held_in(later.turn.query, words)) >= min(REPLACED, max(1, len(words) / 2))


def _is_settled(matter: DueMatter, turns: Sequence[Turn]) -> bool:
    """True if it was called off, or told of once its day had come."""
    first = matter.first.isoformat()
    return any(
        (_says(turn.query, "called_off") or (turn.date >= first and tells_something(turn.query)))
        and _is_about(turn.query, matter.turn)
        for turn in turns
        if _is_later(turn, matter.turn)
    )


def _was_asked(matter: DueMatter, turns: Sequence[Turn]) -> bool:
    """True if a reply spoke of it already, since it is today, near or past."""
    since = {
        "today": matter.first,
        "soon": matter.first - timedelta(days=DAYS_AHEAD),
        "past": matter.last + timedelta(days=1),
    }[matter.when]
    return any(
        turn.date >= since.isoformat() and is_quoted_in(matter.turn, turn.response)
        for turn in turns
    )


def _is_later(one: Turn, other: Turn) -> bool:
    return (one.date, one.position) > (other.date, other.position)


def _says(words: str, sign: str) -> bool:
    return matches("dialogue", f"signs.{sign}", fold(words))


def _is_about(words: str, turn: Turn) -> bool:
    """True if words share a content word with a turn."""
    return bool(held_in(words, content_forms(turn.query)))
