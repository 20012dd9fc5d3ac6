"""Indexes in files beside the memory they are made of: a cache and a snapshot in each scope's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from siliconfriend.memory.scope import Scope
from siliconfriend.recall.index_file import INDEX_FILE, IndexFile
from siliconfriend.recall.index_snapshot import SNAPSHOT_FILE, SnapshotFile


def remove_index(folder: Path | None) -> None:
    """Delete the index in a scope's folder; the next recall makes it again."""
    if folder is not None:
        (folder / INDEX_FILE).unlink(missing_ok=True)
        (folder / SNAPSHOT_FILE).unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Delete what a crash left of an index that was being written anew."""
    for path in folder.glob("index.*.new"):
        path.unlink(missing_ok=True)


class IndexFiles:
    """Opens the files of indexes: a cache and a snapshot for each scope.

    Args:
        folder: where those of a scope lie, or None for nowhere: then nothing is kept.
    """

    def __init__(self, folder: Callable[[Scope], Path | None] = lambda _scope: None) -> None:
        self._folder = folder

    def cache(self, scope: Scope, embedder: str | None) -> IndexFile:
        """The cache of a scope, for an embedder by name and revision."""
        return IndexFile(self._folder(scope), embedder)

    def snapshots(self, scope: Scope, stamps: Mapping[str, str]) -> SnapshotFile:
        """Where the snapshot of a scope's index lies."""
        return SnapshotFile(self._folder(scope), stamps)

    def remove(self, scope: Scope) -> None:
        """Delete what is kept of a scope's index; the next recall makes it again."""
        remove_index(self._folder(scope))
