"""Put the memories of a backup into a store that is not in the data directory.

All of them are read before one is touched, and each is read back and compared when it is written.
One after the other changes place: stopped in between, some are as in the backup and some as before,
and the same backup put back again ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from siliconfriend.errors import DamagedMemory, MemoryElsewhere, UsageError
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.moving.fingerprint import differences
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.moving.note import MoveNote
from siliconfriend.memory.scope import Scope


def restore_rows(
    store: MovableStore, fresh: Path, scopes: Sequence[Scope], *, place: str, replace: bool
) -> None:
    """Bring a store into the state of the files of a backup.

    Args:
        store: where the memories go.
        fresh: a data directory with the files.
        scopes: who is in it.
        place: the store for people.
        replace: also where somebody is there already; who is not in the backup is gone then.

    Raises:
        UsageError: somebody is there and ``replace`` was not said.
        StoreError: a memory is encrypted, or does not read back as it was written.
    """
    files, there = FileStore(fresh), set(store.scopes())
    if there and not replace:
        raise UsageError("restore_not_empty", home=place)
    whole = [scope for scope in scopes if _is_whole(files, scope)]
    for scope in whole:
        if files.key(scope) is not None and not store.keeps_keys:
            raise MemoryElsewhere("move_encrypted", name=scope.person, other=place)
    for scope in whole:
        memory = files.load(scope)
        if scope in there:
            store.delete(scope)
        store.place(scope, memory, key=files.key(scope), note=MoveNote.new(), over=None)
        if found := differences(memory, store.load(scope)):
            details = {"name": scope.person, "other": place, "count": len(found)}
            raise MemoryElsewhere("move_unequal", **details, places=", ".join(found[:5]))
    for scope in there - set(whole):
        store.delete(scope)


def _is_whole(files: FileStore, scope: Scope) -> bool:
    """False for one that was damaged when the backup was made."""
    try:
        files.load(scope)
    except DamagedMemory:
        return False
    return True
