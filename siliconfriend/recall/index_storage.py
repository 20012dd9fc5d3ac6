"""Where indexes are kept: the cache and the snapshot of each scope, whichever store its memory is in.

Both hold what was made of a person's words. Whatever deletes or erases goes through here, or words
that are gone from the memory would still be found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from siliconfriend.memory.scope import Scope
from siliconfriend.recall.index_cache import IndexCache
from siliconfriend.recall.index_snapshot import IndexSnapshot


class SnapshotStorage(Protocol):
    """Keeps the snapshot of one scope's index; a cache of the cache."""

    def load(self) -> IndexSnapshot | None:
        """The snapshot; None where there is none, or it was made otherwise, or is damaged."""
        ...

    def save(self, snapshot: IndexSnapshot) -> None:
        """Keep a snapshot in place of the one before; where that fails there is none."""
        ...

    def remove(self) -> None:
        """Remove the snapshot; the next recall makes its rows again from the cache."""
        ...


class IndexStorage(Protocol):
    """Opens what is kept of the indexes of all scopes."""

    def cache(self, scope: Scope, embedder: str | None) -> IndexCache:
        """The cache of a scope.

        ``embedder`` is the name and revision of the one whose vectors these are; None leaves alone
        what vectors there are.
        """
        ...

    def snapshots(self, scope: Scope, stamps: Mapping[str, str]) -> SnapshotStorage:
        """Where the snapshot of a scope's index is kept.

        ``stamps`` tell by what rules and with which embedder its rows are made.
        """
        ...

    def remove(self, scope: Scope) -> None:
        """Remove what is kept of a scope's index; the next recall makes it again."""
        ...
