"""Move memories to another store one by one, and verify each by its fingerprint.

Only the memory being moved is locked. The old copy becomes read-only and names the new place.
Running the command again finishes an interrupted move.
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from siliconfriend.config import Settings
from siliconfriend.config.loading import find_home
from siliconfriend.errors import MemoryElsewhere, SiliconFriendError, UsageError, mask_passwords
from siliconfriend.memory.mirror import encode_memory
from siliconfriend.memory.rows import MemoryState, Stored
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

_DATABASES = ("postgresql://", "postgres://")
_FILE = "file:"


@dataclass(frozen=True, slots=True)
class MovedMemory:
    """Result of moving one memory.

    Attributes:
        records: number of compared records.
        digest: SHA-256 fingerprint in hex; empty if the memory was not moved.
        was_moved: the memory had already been moved.
        error: reason why the memory was not moved; the source is unchanged then.
    """

    scope: Scope
    records: int = 0
    digest: str = ""
    was_moved: bool = False
    error: SiliconFriendError | None = None


def fingerprint(stored: Stored) -> str:
    """Return the SHA-256 over every record of a memory as encoded in ``memory.json``."""
    data = encode_memory(stored.documents, stored.erased, "")
    return hashlib.sha256(data).hexdigest()


def move_memory(
    source: MemoryStore,
    target: MemoryStore,
    scope: Scope,
    *,
    target_name: str,
    dry_run: bool = False,
) -> MovedMemory:
    """Move one memory, or only check with ``dry_run``; errors are in the result."""
    try:
        with source.moving_out(scope, "" if dry_run else target_name) as stored:
            moved_to, was_moved = stored.state.moved_to, bool(stored.state.moved_to)
            if was_moved:
                if moved_to != target_name or not target.exists(scope):
                    raise MemoryElsewhere("memory_moved", name=scope.person, other=moved_to)
                stored = target.stored(scope)
            else:
                _check_target(target, scope, stored.state, target_name)
            digest = fingerprint(stored)
            if not was_moved and not dry_run:
                target.place(scope, stored, key=source.locked_key(scope))
                if fingerprint(target.stored(scope)) != digest:
                    target.delete(scope)
                    raise MemoryElsewhere("move_unequal", name=scope.person, other=target_name)
                copy_passages(source, target, scope, erasures=len(stored.erased))
        return MovedMemory(scope, sum(map(len, stored.documents.values())), digest, was_moved)
    except SiliconFriendError as error:
        return MovedMemory(scope, error=error)


def copy_passages(source: MemoryStore, target: MemoryStore, scope: Scope, *, erasures: int) -> None:
    """Copy the vectors and analyses, so that no text is embedded again."""
    with source.passages(scope) as rows:
        found = {} if rows is None else rows.everything()
    with target.passages(scope, erasures=erasures) as rows:
        for (table, maker), named in found.items() if rows is not None else ():
            assert rows is not None
            rows.put_named(table, maker, named)


def _check_target(target: MemoryStore, scope: Scope, state: MemoryState, target_name: str) -> None:
    """Raise unless the target is empty or an older copy of the memory."""
    if not target.exists(scope):
        return
    there = target.stored(scope).state
    details = {"name": scope.person, "other": target_name}
    if there.epoch != state.epoch:
        raise MemoryElsewhere("move_taken", **details)
    if there.sequence > state.sequence and not there.moved_to:
        raise MemoryElsewhere("move_newer", **details)


def parse_destination(written: str, settings: Settings) -> Settings:
    """Return the settings with another store or data directory.

    Args:
        written: ``file`` for the current data directory, a ``postgresql://`` address, or
            ``file:PATH`` or a path for another data directory.
        settings: settings of the source store.

    Raises:
        UsageError: the target is invalid or the same as the source.
    """
    written = written.strip()
    if written.startswith(_DATABASES):
        there = replace(settings, store=written)
    elif written == "file":
        there = replace(settings, store="file")
    elif path := _path(written):
        there = replace(settings, store="file", home=path)
    else:
        raise UsageError("move_to_unknown", written=mask_passwords(written))
    if store_name(there) == store_name(settings):
        raise UsageError("move_to_itself", other=store_name(there))
    return there


def store_name(settings: Settings) -> str:
    """Describe the store of these settings: a folder, or an address without its password."""
    if settings.store == "file":
        return str(settings.home.resolve())
    return mask_passwords(settings.store)


def _path(written: str) -> Path | None:
    path = written.removeprefix(_FILE)
    is_path = path != written or path.startswith((".", "~")) or "/" in path
    return find_home(path, {})[0] if path and is_path and "://" not in path else None
