"""What the companion says first, unasked: what is due today, each matter once.

It is put together by rule whichever model is set: a notification must not wait, cost anything
or send anything away, and may hold only what the person said. What was said first is marked on
the turn in which it was told, under the store's lock, so that the notification, the page, the
terminal and a reply never ask the same thing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from siliconfriend.clock import day_of
from siliconfriend.dialogue.anniversaries import find_anniversaries
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.open_matters import (
    due_range,
    find_due,
    find_unsettled,
    said_first,
    unsettled_in,
    was_spoken_of,
)
from siliconfriend.dialogue.told_words import said_words
from siliconfriend.dialogue.tone import tone_of
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.reinforcement import reinforcing_changes

MOST_MATTERS = 3
"""Most matters that one greeting speaks of."""

OPEN_FROM, OPEN_UNTIL = 3, 60
"""Days after which something lost or awaited is asked after, and until which."""

Kind = Literal["today", "during", "soon", "past", "anniversary", "lost", "waiting"]


@dataclass(frozen=True, slots=True)
class FirstMatter:
    """One thing to say first.

    Attributes:
        kind: a plan whose day is today, whose days go on, that is soon or just past; an
            anniversary; something lost or awaited that is still open.
        turn: in which it was told.
        day: that it is about; of something open, the day it was told on.
    """

    kind: Kind
    turn: Turn
    day: date


@dataclass(frozen=True, slots=True)
class FirstWords:
    """What is said first, and of what."""

    text: str
    matters: tuple[FirstMatter, ...]


def find_first_matters(
    recaller: Recaller, scope: Scope, memory: PersonMemory, today: date
) -> tuple[FirstMatter, ...]:
    """Find what there is to say first on a day, the most pressing first; changes nothing.

    None where something was said first on that day already: a friend does not knock twice.
    Errors as :meth:`siliconfriend.recall.recaller.Recaller.planned`.
    """
    memory = memory.recallable()
    if said_first(memory, today):
        return ()
    planned = recaller.planned(scope, *due_range(today))
    due = [FirstMatter(it.when, it.turn, it.first) for it in find_due(planned, memory, today)]
    yearly = [
        FirstMatter("anniversary", it.turn, it.day)
        for it in find_anniversaries(memory, today)
        if not was_spoken_of(it.turn, memory.turns(), since=today)
    ]
    ordered = sorted([*due, *yearly], key=lambda it: it.kind not in ("today", "anniversary"))
    matters = list(_each_turn_once(ordered))
    if not matters:
        matters = list(_open_matters(memory, today))[:1]
    return tuple(matters[:MOST_MATTERS])


def speak_first(
    store: MemoryStore,
    recaller: Recaller,
    scope: Scope,
    *,
    now: datetime,
    companion_name: str,
    hello: bool = True,
) -> FirstWords | None:
    """Say what is due, and mark it as said; None where there is nothing.

    ``hello=False`` where somebody has said hello already. What is spoken of is strengthened like any memory that is recalled. Errors as
    :meth:`siliconfriend.recall.recaller.Recaller.planned`, and those of the store.
    """
    memory = store.load(scope)
    today = day_of(now, memory.profile.zone)
    found = find_first_matters(recaller, scope, memory, today)
    if not found:
        return None
    with store.edit(scope) as edit:
        # Somebody else may have said it, or the person erased it, while it was looked for.
        matters = [it for it in found if _is_unsaid(it, edit.memory, today)]
        ids = [it.turn.id for it in matters]
        for turn in (edit.memory.find(identifier) for identifier in ids):
            if isinstance(turn, Turn):
                said = (*turn.spoken_of, today.isoformat())
                edit.add(PutTurn(replace(turn, spoken_of=said)))
        edit.add(*reinforcing_changes(edit.memory, ids, now))
    if not matters:
        return None
    words = compose(matters, memory, today, companion_name, hello=hello)
    return FirstWords(words, tuple(matters))


def compose(
    matters: Sequence[FirstMatter],
    memory: PersonMemory,
    today: date,
    companion_name: str,
    *,
    hello: bool = True,
) -> str:
    """Write what is said first of some matters; every word of them is the person's own."""
    context = ReplyContext(
        said="",
        memory=memory,
        recalled=(),
        today=today,
        number=memory.next_position(today.isoformat()),
        companion_name=companion_name,
    )
    wordings = Wordings(context)
    sentences = [wordings.say("first_hello")] if hello else []
    for matter in matters:
        words = excerpt(said_words(matter.turn), frozenset())
        years = today.year - matter.day.year
        key = _wording(matter, years)
        sentences.append(wordings.say(key, matter.turn.date, words=words, years=years))
    return join_sentences(sentences)


def _wording(matter: FirstMatter, years: int) -> str:
    if tone_of(matter.turn.query) == "grave":
        return "due_grave"
    if matter.kind == "anniversary":
        return "first_year" if years == 1 else "first_years"
    return f"first_{matter.kind}" if matter.kind in ("lost", "waiting") else f"due_{matter.kind}"


def _open_matters(memory: PersonMemory, today: date) -> Iterator[FirstMatter]:
    """What was lost or awaited and nobody asked after, the latest first."""
    first, last = (today - timedelta(days=days) for days in (OPEN_UNTIL, OPEN_FROM))
    for turn in reversed(list(memory.turns())):
        told = date.fromisoformat(turn.date)
        if first <= told <= last and turn.trace.archived is None and unsettled_in(turn.query):
            kind = find_unsettled(turn, memory)
            if kind is not None and not was_spoken_of(turn, memory.turns(), since=told):
                yield FirstMatter(kind, turn, told)


def _each_turn_once(matters: Iterable[FirstMatter]) -> Iterator[FirstMatter]:
    seen = set[str]()
    for matter in matters:
        if matter.turn.id not in seen:
            seen.add(matter.turn.id)
            yield matter


def _is_unsaid(matter: FirstMatter, memory: PersonMemory, today: date) -> bool:
    turn = memory.find(matter.turn.id)
    return isinstance(turn, Turn) and today.isoformat() not in turn.spoken_of
