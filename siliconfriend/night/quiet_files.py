"""Notes of quiet people in a data directory, and the state of a person's files.

The state is what can be seen of the files without opening them: which they are, how large, when
they were written. A file that cannot be looked at is no state, so that person is looked at.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from siliconfriend.memory import atomic
from siliconfriend.memory.encryption import KEY_FILE
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.quiet_notes import QuietNote
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.index_snapshot import SNAPSHOT_FILE

FILE = Path("night", "quiet.json")
"""The notes in a data directory, by the digests of scopes; a cache without words or names."""

_WATCHED = (
    *("memory.json", "journal.jsonl", "journal.mark", KEY_FILE),
    *(INDEX_FILE, f"{INDEX_FILE}-wal", SNAPSHOT_FILE),
)
"""What of a person's folder a note rests on."""

_LOG = logging.getLogger(__name__)


class _Notes(BaseModel):
    conditions: str
    people: dict[str, QuietNote]


_NOTES = TypeAdapter(_Notes)


class QuietFiles:
    """The notes of one data directory.

    Args:
        home: the data directory.
        store: where the memories are.
        conditions: a hash of all that is the same for everyone and decides what is due.
    """

    def __init__(self, home: Path, store: MemoryStore, conditions: str) -> None:
        self._home = home
        self._store = store
        self._conditions = conditions
        self._path = home / FILE
        self._kept = self._read()
        self._known = dict(self._kept)

    def state(self, scope: Scope) -> str | None:
        """The state of a person's files; None where nothing may be noted of them.

        What is encrypted must be opened each night: nobody else can tell if its key is at hand.
        """
        folder = self._store.folder(scope)
        if folder is None:
            return None
        found: list[tuple[int, int, int, int] | None] = []
        for name in _WATCHED:
            try:
                it = (folder / name).stat()
            except FileNotFoundError:
                found.append(None)
            except OSError:
                return None
            else:
                found.append((it.st_ino, it.st_size, it.st_mtime_ns, it.st_ctime_ns))
        memory, journal, _mark, key = found[:4]
        return repr(found) if memory and journal and key is None else None

    def get(self, scope: Scope) -> QuietNote | None:
        """The note of a person; None where there is none."""
        return self._known.get(scope.digest)

    def put(self, scope: Scope, note: QuietNote | None) -> None:
        """Put a note in the place of the one there is; None for no note."""
        if note is None:
            self._known.pop(scope.digest, None)
        else:
            self._known[scope.digest] = note

    def save(self, scopes: Sequence[Scope]) -> None:
        """Keep the notes of those who are there still.

        Raises:
            ConfigurationError: the folder cannot be written by this user.
            StoreError: the disk is full or broken.
        """
        there = {scope.digest for scope in scopes}
        known = {digest: note for digest, note in self._known.items() if digest in there}
        if known == self._kept:
            return
        data = _NOTES.dump_json(_Notes(conditions=self._conditions, people=known))
        with translate_file_errors(self._home):
            atomic.make_folder(self._path.parent)
            atomic.write_whole(self._path, data)

    def _read(self) -> dict[str, QuietNote]:
        """Read the notes that were made under the same conditions; none of a file that is none."""
        try:
            notes = _NOTES.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError):
            _LOG.debug("the notes of quiet people cannot be read", exc_info=True)
            return {}
        return notes.people if notes.conditions == self._conditions else {}
