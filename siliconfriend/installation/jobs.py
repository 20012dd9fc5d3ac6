"""Store jobs before they begin, so that interrupted jobs can be resumed.

An erasure changes many files, and the process can be killed between two changes. The intent
contains person and ids, but no words.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from siliconfriend.installation.tables import Tables


class Job(NamedTuple):
    """An unfinished job."""

    name: str
    intent: Mapping[str, Any]
    jobs: Jobs

    @property
    def person(self) -> str:
        """Name of the person; empty if the intent is unreadable."""
        return str(self.intent.get("person", ""))

    @property
    def place(self) -> str:
        """Displayed location of the intent."""
        return f"{self.jobs.tables.database.place} {self.name}"

    def update(self, **changes: Any) -> Job:
        """Store the job's progress; durable on return."""
        return self.jobs.begin({**self.intent, **changes}, self.name)

    def end(self) -> None:
        """Remove the intent of the finished job."""
        self.jobs.tables.change("DELETE FROM job WHERE name = ?", (self.name,))


class Jobs(NamedTuple):
    """The jobs of an installation; safe across processes."""

    tables: Tables

    def begin(self, intent: Mapping[str, Any], name: str = "") -> Job:
        """Store the intent of a new job, or of the named job; durable on return."""
        job = Job(name or f"erase-{secrets.token_hex(8)}", intent, self)
        self.tables.change(
            "INSERT INTO job (name, person, intent) VALUES (?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET intent = excluded.intent",
            (job.name, job.person, json.dumps(intent, ensure_ascii=False)),
        )
        return job

    def unfinished(self) -> list[Job]:
        """Return every unfinished job; an unreadable intent has no fields."""
        rows = self.tables.read("SELECT name, intent FROM job ORDER BY name")
        return [Job(name, _read(intent), self) for name, intent in rows]


def _read(intent: str) -> Mapping[str, Any]:
    try:
        form = json.loads(intent)
    except ValueError:
        form = None
    return form if isinstance(form, dict) else {}
