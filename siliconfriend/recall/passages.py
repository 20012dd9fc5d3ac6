"""The vectors and analyses of one memory's texts, kept in its store."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.passages import PassageRows, Table
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import analysis
from siliconfriend.recall.analysis import Analysis
from siliconfriend.recall.embedders.base import Vector

NIGHTS = "nights"
"""Key of the number of the change up to which all texts are embedded."""


class PassageStore(Protocol):
    """Storage of passages: a memory store or a file."""

    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> AbstractContextManager[PassageRows | None]:
        """Open the passages of a scope; as :meth:`MemoryStore.passages`."""
        ...


class StoredPassages:
    """The passages of one scope; safe between threads and processes.

    Passages are a cache: read errors count as missing entries, and write errors are ignored.

    Args:
        store: keeps them.
        scope: whose they are.
        embedder: name and revision of the embedder whose vectors count; None for none.

    Attributes:
        erasures: number of erased ids in the caller's snapshot. Results computed from a snapshot
            before an erasure are not stored after it.
    """

    def __init__(self, store: PassageStore, scope: Scope, embedder: str | None) -> None:
        self._store, self._scope, self._embedder = store, scope, embedder or ""
        self.erasures = 0

    def find(self, digests: Collection[str]) -> dict[str, Vector]:
        """Return the stored vectors of texts, by their digests."""
        found = self._read("vector", self._embedder, digests) if self._embedder else {}
        return {digest: np.frombuffer(data, dtype="<f4") for digest, data in found.items()}

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors of texts, by their digests."""
        made = {digest: vector.astype("<f4").tobytes() for digest, vector in vectors.items()}
        self._put("vector", self._embedder, made)

    def analyses(self, keys: Collection[str]) -> dict[str, Analysis]:
        """Return the stored analyses of texts, by their keys."""
        found = {}
        for key, data in self._read("analysis", analysis.rules(), keys).items():
            try:
                found[key] = analysis.decode(data)
            except ValueError:
                continue
        return found

    def add_analyses(self, made: Mapping[str, Analysis]) -> None:
        """Store analyses of texts, by their keys."""
        self._put(
            "analysis", analysis.rules(), {key: analysis.encode(of) for key, of in made.items()}
        )

    def embedded_until(self) -> int:
        """Return the number of the change up to which a night embedded all texts, or -1."""
        mark = self._read("analysis", self._embedder, [NIGHTS]).get(NIGHTS, b"")
        return int(mark) if mark.isdigit() else -1

    def count(self) -> int:
        """Return the number of analysed texts, including deleted ones."""
        try:
            with self._store.passages(self._scope) as rows:
                return 0 if rows is None else rows.count("analysis", analysis.rules())
        except (SiliconFriendError, Unreadable):
            return 0

    def finish_night(self, sequence: int, kept: Collection[str] | None) -> None:
        """Note that all texts up to a change are embedded; delete other texts than ``kept``, if given."""
        try:
            with self._store.passages(self._scope, erasures=self.erasures) as rows:
                if rows is not None:
                    if kept is not None:
                        rows.retain(kept)
                    rows.put("analysis", self._embedder, {NIGHTS: str(sequence).encode()})
        except (SiliconFriendError, Unreadable):
            return

    def _read(self, table: Table, maker: str, digests: Collection[str]) -> dict[str, bytes]:
        if not digests:
            return {}
        try:
            with self._store.passages(self._scope) as rows:
                return {} if rows is None else rows.read(table, maker, digests)
        except (SiliconFriendError, Unreadable):
            return {}

    def _put(self, table: Table, maker: str, made: Mapping[str, bytes]) -> None:
        try:
            if made:
                with self._store.passages(self._scope, erasures=self.erasures) as rows:
                    if rows is not None:
                        rows.put(table, maker, made)
        except (SiliconFriendError, Unreadable):
            return
