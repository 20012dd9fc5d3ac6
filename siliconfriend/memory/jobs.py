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
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory import atomic
from siliconfriend.memory.file_errors import translate_file_errors

FOLDER = "jobs"
"""Where intents lie in a data directory: one JSON file a job."""

_LOCK = "lock"
_POLL = 0.05
_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}\.json")


@dataclass(frozen=True, slots=True)
class Job:
    """One job that is not finished.

    Attributes:
        name: of its intent, drawn when it was begun.
        place: where the intent lies, for people to read.
        intent: what is to be done, as it was begun.
        keeper: keeps it.
    """

    name: str
    place: str
    intent: Mapping[str, Any]
    keeper: Jobs

    def update(self, **changes: Any) -> Job:
        """Keep how far the job has come, durable on return."""
        return self.keeper.keep(self.name, {**self.intent, **changes})

    def end(self) -> None:
        """Remove the intent of the job, which is done."""
        self.keeper.remove(self)


class Jobs(Protocol):
    """Keeps intents; safe between processes.

    Raises:
        OSError, StoreError: from every method, where they cannot be read or written.
    """

    def begin(self, kind: str, intent: Mapping[str, Any]) -> Job:
        """Keep a new intent, durable on return; nothing may be begun where that fails."""
        ...

    def keep(self, name: str, intent: Mapping[str, Any]) -> Job:
        """Keep the intent of a job as it is now, durable on return."""
        ...

    def remove(self, job: Job) -> None:
        """Remove the intent of a job that is done."""
        ...

    def unfinished(self) -> list[Job]:
        """Every job that was begun and not ended; an intent that cannot be read has no fields."""
        ...

    def one_at_a_time(self, person: str, wait: float) -> AbstractContextManager[None]:
        """Hold the lock of the jobs that could write the same: those of a person, or all.

        Args:
            person: whom the job is about.
            wait: seconds until a lock that another process holds is an error.

        Raises:
            MemoryBusy: another process held it all the time.
        """
        ...


class JobFiles:
    """Intents in a data directory, one JSON file a job.

    Args:
        home: the data directory.
    """

    def __init__(self, home: Path) -> None:
        self._home = home

    def begin(self, kind: str, intent: Mapping[str, Any]) -> Job:
        """Write a new intent, durable on return."""
        atomic.make_folder(self._home / FOLDER)
        name = f"{kind}-{secrets.token_hex(8)}.json"
        try:
            return self.keep(name, {"job": kind, **intent})
        except OSError:
            for it in (name, f"{name}.new"):
                (self._home / FOLDER / it).unlink(missing_ok=True)
            raise

    def keep(self, name: str, intent: Mapping[str, Any]) -> Job:
        """Write the intent of a job as it is now, durable on return."""
        path = self._home / FOLDER / name
        atomic.write_whole(path, _encode(intent))
        return Job(name, str(path), intent, self)

    def remove(self, job: Job) -> None:
        """Remove the intent of a job that is done."""
        (self._home / FOLDER / job.name).unlink(missing_ok=True)
        atomic.flush_folder(self._home / FOLDER)

    def unfinished(self) -> list[Job]:
        """Every job that was begun and not ended."""
        folder = self._home / FOLDER
        if not folder.is_dir():
            return []
        return [
            Job(path.name, str(path), _read(path), self)
            for path in sorted(folder.iterdir())
            if _NAME.fullmatch(path.name)
        ]

    @contextmanager
    def one_at_a_time(self, person: str, wait: float) -> Iterator[None]:
        """Hold the lock file of the folder: exports may hold the words of anybody."""
        with translate_file_errors(self._home):
            atomic.make_folder(self._home / FOLDER)
            lock = FileLock(self._home / FOLDER / _LOCK, mode=0o600)
            try:
                lock.acquire(timeout=wait, poll_interval=_POLL)
            except Timeout as error:
                raise MemoryBusy("erasing_going_on", seconds=round(wait)) from error
        try:
            yield
        finally:
            lock.release()


def _encode(intent: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(intent, ensure_ascii=False, indent=2)}\n".encode("utf-8", "replace")


def _read(path: Path) -> dict[str, Any]:
    try:
        form = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return form if isinstance(form, dict) else {}
