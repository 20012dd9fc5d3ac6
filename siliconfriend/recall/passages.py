"""The vectors and analyses of one memory's texts, kept in its store."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TypeVar

import numpy as np

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.passages import PassageRows, PassageStore
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import analysis
from siliconfriend.recall.analysis import Analysis
from siliconfriend.recall.embedders.base import Vector

Result = TypeVar("Result")

NIGHTS = "nights"
"""Key of the number of the change up to which all texts are embedded."""


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
        return self.read(digests, ())[0]

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors of texts, by their digests."""
        self.write(vectors, {})

    def read(
        self, digests: Collection[str], keys: Collection[str]
    ) -> tuple[dict[str, Vector], dict[str, Analysis]]:
        """Return the stored vectors of texts by their digests, and the analyses by their keys."""

        def use(rows: PassageRows) -> tuple[dict[str, bytes], dict[str, bytes]]:
            vectors = rows.read("vector", self._embedder, digests) if self._embedder else {}
            return vectors, rows.read("analysis", analysis.rules(), keys)

        vectors, encoded = self._use(use) or ({}, {})
        analyses = dict[str, Analysis]()
        for key, data in encoded.items():
            with suppress(ValueError):
                analyses[key] = analysis.decode(data)
        return {of: np.frombuffer(data, dtype="<f4") for of, data in vectors.items()}, analyses

    def write(self, vectors: Mapping[str, Vector], analyses: Mapping[str, Analysis]) -> None:
        """Store vectors of texts by their digests, and analyses by their keys."""
        numbers = {digest: vector.astype("<f4").tobytes() for digest, vector in vectors.items()}
        encoded = {key: analysis.encode(of) for key, of in analyses.items()}

        def use(rows: PassageRows) -> None:
            rows.put("vector", self._embedder, numbers)
            rows.put("analysis", analysis.rules(), encoded)

        self._use(use, writes=True)

    def embedded_until(self) -> int:
        """Return the number of the change up to which a night embedded all texts, or -1."""
        found = self._use(lambda rows: rows.read("analysis", self._embedder, [NIGHTS]))
        mark = (found or {}).get(NIGHTS, b"")
        return int(mark) if mark.isdigit() else -1

    def count(self) -> int:
        """Return the number of analysed texts, including deleted ones."""
        return self._use(lambda rows: rows.count("analysis", analysis.rules())) or 0

    def finish_night(self, sequence: int, kept: Collection[str] | None) -> None:
        """Note that all texts up to a change are embedded; delete other texts than ``kept``, if given."""

        def use(rows: PassageRows) -> None:
            if kept is not None:
                rows.retain(kept)
            rows.put("analysis", self._embedder, {NIGHTS: str(sequence).encode()})

        self._use(use, writes=True)

    def _use(self, use: Callable[[PassageRows], Result], *, writes: bool = False) -> Result | None:
        """Call ``use`` with the rows in a transaction; None where there are none or it fails."""
        erasures = self.erasures if writes else None
        try:
            with self._store.passages(self._scope, erasures=erasures) as rows:
                return None if rows is None else use(rows)
        except (SiliconFriendError, Unreadable):
            return None
