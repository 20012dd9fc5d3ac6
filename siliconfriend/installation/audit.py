"""Log erasures, deletions, exports and key changes, with actor and time.

Entries contain kinds, ids and counts, no words. A person appears as a hash of the name, so that
entries can outlive the person's deletion.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from siliconfriend.installation.tables import Tables
from siliconfriend.memory.scope import person_hash

AuditedAction = Literal["erase", "delete", "export", "key made", "key ended"]
ACTOR: ContextVar[str] = ContextVar("actor", default="local")
"""Actor of this context: ``operator`` or ``person`` over HTTP, else ``local``."""
MOST_ENTRIES = 1000
"""Entries that are listed, the newest."""
MOST_IDS = 100
"""Maximum number of ids listed in one entry."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of the audit log."""

    at: datetime
    actor: str
    action: str
    person: str
    ids: tuple[str, ...]


class AuditLog:
    """The append-only audit log of an installation."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def record(self, action: AuditedAction, person: str, ids: Sequence[str] = ()) -> None:
        """Add an entry; ``person`` is a name, stored as a hash.

        Memory ids are stored without their last part, which is derived from the person's name.
        """
        shown = " ".join(identifier.rpartition("-")[0] for identifier in ids[:MOST_IDS])
        values = (self._tables.now(), ACTOR.get(), action, person_hash(person), shown)
        statement = "INSERT INTO audit (at, actor, action, person, ids) VALUES (?, ?, ?, ?, ?)"
        self._tables.change(statement, values)

    def entries(self) -> list[AuditEntry]:
        """Return the latest entries, newest first."""
        query = "SELECT at, actor, action, person, ids FROM audit ORDER BY at DESC LIMIT ?"
        return [
            AuditEntry(datetime.fromtimestamp(at, UTC), actor, action, person, tuple(ids.split()))
            for at, actor, action, person, ids in self._tables.read(query, (MOST_ENTRIES,))
        ]
