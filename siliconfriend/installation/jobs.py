"""Jobs that survive being stopped: their intent is stored before they begin.

An erasure changes many files, and a process can be killed between any two. The intent has the
person and the ids, but no words.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from siliconfriend.installation.tables import Tables


class Job(NamedTuple):
    """One job that is not finished."""

    name: str
    intent: Mapping[str, Any]
    jobs: Jobs

    @property
    def person(self) -> str:
        """Whose memory it is about; empty where the intent cannot be read."""
        return str(self.intent.get("person", ""))

    @property
    def place(self) -> str:
        """Name of the intent's place, to be shown."""
        return f"{self.jobs.tables.database.place} {self.name}"

    def update(self, **changes: Any) -> Job:
        """Keep how far the job has come, durable on return."""
        return self.jobs.begin({**self.intent, **changes}, self.name)

    def end(self) -> None:
        """Remove the intent of the job, which is done."""
        self.jobs.tables.change("DELETE FROM job WHERE name = ?", (self.name,))


class Jobs(NamedTuple):
    """The jobs of an installation; safe between processes."""

    tables: Tables

    def begin(self, intent: Mapping[str, Any], name: str = "") -> Job:
        """Keep the intent of a new job, or of one by its name, durable on return."""
        job = Job(name or f"erase-{secrets.token_hex(8)}", intent, self)
        self.tables.change(
            "INSERT INTO job (name, person, intent) VALUES (?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET intent = excluded.intent",
            (job.name, job.person, json.dumps(intent, ensure_ascii=False)),
        )
        return job

    def unfinished(self) -> list[Job]:
        """Every job that was begun and not ended; an intent that cannot be read has no fields."""
        rows = self.tables.read("SELECT name, intent FROM job ORDER BY name")
        return [Job(name, _read(intent), self) for name, intent in rows]


def _read(intent: str) -> Mapping[str, Any]:
    try:
        form = json.loads(intent)
    except ValueError:
        form = None
    return form if isinstance(form, dict) else {}
