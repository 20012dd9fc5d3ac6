"""Greet the person with what is due today, each plan once.

Rules compose the greeting with any model: a notification must be immediate, free and local.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from siliconfriend.clock import day_of
from siliconfriend.dialogue.offline_wording import Wordings
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.due import DueMatter, due_range, find_anniversaries, find_due
from siliconfriend.recall.raised import said_first, was_spoken_of
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import reinforcing_changes

MOST_MATTERS = 3
"""Maximum number of matters in one greeting."""


class FirstWords(NamedTuple):
    """Unasked words, and the memories they are about; ``silent`` says why there are none."""

    text: str = ""
    matters: tuple[DueMatter, ...] = ()
    silent: Literal["off", "night", "nothing"] | None = None

    def to_json(self) -> dict[str, Any]:
        """Serialize for ``greet --json``."""
        matters = [
            {"kind": matter.when, "id": matter.turn.id, "day": matter.first.isoformat()}
            | {"told": matter.turn.date, "text": matter.turn.query}
            for matter in self.matters
        ]
        return {"greeting": self.text or None, "silent": self.silent, "matters": matters}


def find_first_matters(
    recaller: Recaller,
    scope: Scope,
    memory: PersonMemory,
    today: date,
    *,
    reminders_only: bool = False,
) -> tuple[DueMatter, ...]:
    """Find the matters of a day's greeting, the most urgent first; none if already greeted.

    ``reminders_only`` where the companion may not speak first of its own. Errors as of
    :meth:`Recaller.planned`.
    """
    memory = memory.recallable()
    if said_first(memory, today):
        return ()
    planned = recaller.planned(scope, *due_range(memory, today))
    due = [
        matter
        for matter in find_due(planned, memory, today)
        if matter.is_reminder or not reminders_only
    ]
    due += [
        matter
        for matter in (() if reminders_only else find_anniversaries(memory, today))
        if not was_spoken_of(matter.turn, memory, since=today)
    ]
    due.sort(key=lambda matter: matter.when not in ("today", "anniversary"))
    by_turn: dict[str, DueMatter] = {}
    for matter in due:
        by_turn.setdefault(matter.turn.id, matter)
    return tuple(by_turn.values())[:MOST_MATTERS]


def speak_first(
    store: MemoryStore,
    recaller: Recaller,
    scope: Scope,
    *,
    now: datetime,
    companion_name: str,
    hello: bool = True,
    reminders_only: bool = False,
    mark: bool = True,
) -> FirstWords:
    """Compose the greeting; ``mark`` reinforces its memories and records it as shown.

    ``hello=False`` if a greeting was already shown. Errors as of :meth:`Recaller.planned`.
    """
    memory = store.load(scope)
    today = day_of(now, memory.profile.zone)
    found = find_first_matters(recaller, scope, memory, today, reminders_only=reminders_only)
    matters = [] if mark else list(found)
    if mark and found:
        with store.edit(scope) as edit:
            for matter in found:
                # Another process may have shown it, or the person erased it, meanwhile.
                turn = edit.memory.find(matter.turn.id)
                if isinstance(turn, Turn) and today.isoformat() not in turn.spoken_of:
                    said = (*turn.spoken_of, today.isoformat())
                    edit.add(PutTurn(replace(turn, spoken_of=said)))
                    matters.append(matter)
            edit.add(*reinforcing_changes(edit.memory, [matter.turn.id for matter in matters], now))
    if not matters:
        return FirstWords(silent="off" if reminders_only else "nothing")
    words = compose(matters, memory, today, companion_name, hello=hello)
    return FirstWords(words, tuple(matters))


def _written_greeting(matters: Sequence[DueMatter], memory: PersonMemory, today: date) -> str:
    """Return last night's greeting for today; empty if it lacks a matter."""
    portrait = memory.overall_personality
    if portrait is None or day_of(portrait.provenance.made_at, memory.profile.zone) != today:
        return ""
    is_about_all = {matter.turn.id for matter in matters} <= {*portrait.greets}
    return portrait.greeting if is_about_all else ""


def compose(
    matters: Sequence[DueMatter],
    memory: PersonMemory,
    today: date,
    companion_name: str,
    *,
    hello: bool = True,
) -> str:
    """Write the greeting for some matters: the night's text, else quotations."""
    if written := _written_greeting(matters, memory, today):
        return written
    profile, number = memory.profile, memory.next_position(today.isoformat())
    wordings = Wordings(profile.language, today, profile.called, companion_name, number)
    sentences = [wordings.say("first_hello")] if hello else []
    sentences += map(wordings.ask, matters)
    return join_sentences(sentences)
