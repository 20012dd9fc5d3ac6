"""One memory whole: its life, what it rests on, what rests on it, and who used it.

The terminal, the web page and the HTTP server show the same, so that a person can follow a
memory from its evidence to everything that was made of it.
"""

from __future__ import annotations

from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.dependents import dependents_of
from siliconfriend.control.listing import superseded_facts
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope


def memory_details(memory: PersonMemory, scope: Scope, record: Memory) -> dict[str, Any]:
    """The fields of ``memories show --json`` beside those of its row in the list."""
    made_by, from_ids = (
        (record.replied_by, ())
        if isinstance(record, Turn)
        else (record.provenance.made_by, record.provenance.from_ids)
    )
    resting = dependents_of(memory, scope, [record.id])
    return {
        "created": record.trace.created.isoformat(),
        "importance": record.trace.importance,
        "made_by": made_by,
        "recalled_on": [day_of(it, memory.profile.zone).isoformat() for it in record.trace.recalls],
        "from_ids": list(from_ids),
        "derived": [it.id for it in resting if it.id != record.id],
        "used_by": [
            turn.id for turn in memory.turns() if record.id in {used.id for used in turn.used}
        ],
        "history": [
            {"id": it.id, "text": it.text, "first": it.first, "last": it.last}
            for it in (superseded_facts(record, memory) if isinstance(record, Fact) else ())
        ],
    }
