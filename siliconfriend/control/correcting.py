"""What is thought and known of a person, put right by the person.

The words change and who made them; what it rests on stays, so that erasing still reaches
it and the night leaves it alone for as long as its days stay the same. What was made of the
wrong words goes and is made again.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from siliconfriend.control.by_hand import by_hand
from siliconfriend.control.derived import after_removal, resting_besides
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import (
    Change,
    PutDerived,
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
)
from siliconfriend.memory.provenance import BY_PERSON, Provenance
from siliconfriend.memory.records import Derived, Overall, PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def correct(store: MemoryStore, scope: Scope, identifier: str, text: str, now: datetime) -> None:
    """Set the words of a derived text.

    Args:
        store: where it is.
        scope: whose it is.
        identifier: ``overall_history``, ``overall_personality``, ``personality-DATE`` or the
            id of an insight, event, fact or topic.
        text: the right words.
        now: aware.

    Raises:
        UsageError: there is no such text, or no words were given; nothing is changed.
    """
    if not text.strip():
        raise UsageError("edit_words", id=identifier)

    with store.edit(scope) as edit:
        edit.add(_corrected(edit.memory, identifier, text.strip(), now))
        gone = resting_besides(edit.memory, scope, identifier)
        edit.add(*(it.removal for it in gone), *after_removal(edit.memory, gone))


def _corrected(memory: PersonMemory, identifier: str, text: str, now: datetime) -> Change:
    def by_person(provenance: Provenance) -> Provenance:
        return replace(provenance, made_by=BY_PERSON, made_at=now)

    overall = {"overall_history": memory.overall_history}
    overall["overall_personality"] = memory.overall_personality
    if (present := overall.get(identifier)) is not None:
        right = Overall(text, by_person(present.provenance))
        if identifier == "overall_history":
            return PutOverallHistory(right)
        return PutOverallPersonality(right)
    day = memory.days.get(identifier.removeprefix("personality-"))
    if day is not None and day.personality is not None:
        own = day.personality
        # The parts said what was wrong; the person's words stand for all of them.
        right_day = replace(
            own, text=text, traits="", mood="", strategy="", provenance=by_person(own.provenance)
        )
        return PutPersonality(day.date, right_day)
    record = memory.find(identifier)
    if isinstance(record, Derived):
        return PutDerived(by_hand(record, text, now))
    raise UsageError("memory_unknown", id=identifier)
