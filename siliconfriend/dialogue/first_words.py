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
from siliconfriend.recall.due import DueMatter
from siliconfriend.recall.first_matters import first_matters
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import reinforcing_changes


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
    found = first_matters(recaller, scope, memory, today, reminders_only=reminders_only)
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
