"""The audit log: who erased, deleted or exported what, and made or ended a key, and when.

It holds kinds, ids and counts, and no words; a person stands in it by a hash of their name, so that it
may survive the deletion of that person.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from siliconfriend.installation.tables import Tables

Action = Literal["erase", "delete", "export", "key made", "key ended"]
ACTOR: ContextVar[str] = ContextVar("actor", default="local")
"""Who acts in this context: ``operator`` or ``person`` over HTTP, else ``local``."""
MOST_IDS = 100
"""Ids of one entry that are listed."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of the audit log."""

    at: datetime
    actor: str
    action: str
    person: str
    ids: tuple[str, ...]


class AuditLog:
    """The audit log of an installation; entries are only added."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def record(self, action: Action, person: str, ids: Sequence[str] = ()) -> None:
        """Add an entry; ``person`` is the name, of which the hash is kept.

        Of an id of a memory the kind, day and number are kept: its end is made from the person's name,
        and no table holds that of somebody deleted.
        """
        shown = " ".join(it.rpartition("-")[0] for it in ids[:MOST_IDS])
        values = (self._tables.now(), ACTOR.get(), action, person_hash(person), shown)
        statement = "INSERT INTO audit (at, actor, action, person, ids) VALUES (?, ?, ?, ?, ?)"
        self._tables.change(statement, values)

    def entries(self, most: int = 1000) -> list[AuditEntry]:
        """Return the newest entries, the newest first."""
        query = "SELECT at, actor, action, person, ids FROM audit ORDER BY at DESC LIMIT ?"
        return [
            AuditEntry(datetime.fromtimestamp(at, UTC), actor, action, person, tuple(ids.split()))
            for at, actor, action, person, ids in self._tables.read(query, (most,))
        ]


def person_hash(name: str) -> str:
    """Return the id of a person in logs: 12 hex digits of SHA-256 of the name."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
