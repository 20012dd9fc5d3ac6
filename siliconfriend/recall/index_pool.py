"""The indexes that a process holds in memory, one a scope."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.vector_index import VectorIndex

MOST_OPEN = 64
"""Indexes kept in memory; the least recently used goes first and is read from its cache again.
Opening one reads all its vectors, which every reply would wait for if none were kept."""


MOST_BYTES = 1 << 29
"""About how many bytes of indexes are kept in memory: 17 people with ten years each."""


def preload(*, vectors: bool) -> None:
    """Load the libraries and tables of a search, which the first recall would else wait for.

    A command that recalls nothing starts at once without them. In a page they would be a
    second of silence before the first word of a reply. No memory is read.
    """
    if vectors:
        VectorIndex(1)
    tokenize("面包 bread")


class IndexPool:
    """The indexes that are in memory, by scope; safe between threads.

    Args:
        embedder: None for words alone.
        folder: gives the folder of a scope's index; None for nowhere.
    """

    def __init__(self, embedder: Embedder | None, folder: Callable[[Scope], Path | None]) -> None:
        self._embedder = embedder
        self._folder = folder
        self._lock = threading.Lock()
        self._open: OrderedDict[Scope, ScopeIndex] = OrderedDict()

    def get(self, scope: Scope) -> ScopeIndex:
        """Return the index of a scope, which counts as used now."""
        with self._lock:
            index = self._open.pop(scope, None)
            if index is None:
                index = ScopeIndex(self._embedder, self._folder(scope))
            taken = sum(it.nbytes for it in self._open.values())
            while self._open and (
                len(self._open) >= MOST_OPEN or taken + index.nbytes > MOST_BYTES
            ):
                taken -= self._open.popitem(last=False)[1].nbytes
            self._open[scope] = index
            return index
