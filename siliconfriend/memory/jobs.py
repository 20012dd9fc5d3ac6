"""Jobs that touch several files on purpose, and survive being stopped.

An erasing reaches exports, backups and other companions' replies before the memory itself,
and a process can be killed between any two of them. So its intent is written and synced
before it begins: whose memory and which ids, never a word of it. Whoever comes by next (the
same command, the night, ``doctor``, any start) takes it up from there, and it is shown as
not finished until it is done.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.memory import atomic

FOLDER = "jobs"
"""Where intents lie in a data directory: one JSON file a job."""

_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}\.json")


@dataclass(frozen=True, slots=True)
class Job:
    """One job that is not finished.

    Attributes:
        path: the file of its intent.
        intent: what is to be done, as it was begun.
    """

    path: Path
    intent: Mapping[str, Any]


def begin_job(home: Path, kind: str, intent: Mapping[str, Any]) -> Job:
    """Write a new intent, durable on return.

    Raises:
        OSError: it cannot be written; nothing may be begun then.
    """
    atomic.make_folder(home / FOLDER)
    job = Job(home / FOLDER / f"{kind}-{secrets.token_hex(8)}.json", {"job": kind, **intent})
    atomic.write_whole(job.path, _encode(job.intent))
    return job


def update_job(job: Job, **changes: Any) -> Job:
    """Write down how far a job has come, durable on return."""
    changed = Job(job.path, {**job.intent, **changes})
    atomic.write_whole(job.path, _encode(changed.intent))
    return changed


def end_job(job: Job) -> None:
    """Remove the intent of a job that is done."""
    job.path.unlink(missing_ok=True)
    atomic.flush_folder(job.path.parent)


def unfinished_jobs(home: Path) -> list[Job]:
    """Every job that was begun and not ended; an intent that cannot be read has no fields."""
    folder = home / FOLDER
    if not folder.is_dir():
        return []
    return [
        Job(path, _read(path)) for path in sorted(folder.iterdir()) if _NAME.fullmatch(path.name)
    ]


def _encode(intent: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(intent, ensure_ascii=False, indent=2)}\n".encode("utf-8", "replace")


def _read(path: Path) -> dict[str, Any]:
    try:
        form = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return form if isinstance(form, dict) else {}
