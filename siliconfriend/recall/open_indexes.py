"""The indexes that are in memory: as many as there is room for, the last used ones.

Opening one reads all its vectors, which every reply would wait for if none were kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import ScopeIndex

MOST_OPEN = 64
"""Indexes kept in memory; the least lately used goes first and is read from its cache again."""


class IndexPool:
    """Indexes by scope; safe between threads.

    Args:
        embedder: None for words alone.
        folder: where a scope's cache lies, or None for none.
    """

    def __init__(self, embedder: Embedder | None, folder: Callable[[Scope], Path | None]) -> None:
        self._embedder = embedder
        self._folder = folder
        self._lock = threading.Lock()
        self._open: OrderedDict[Scope, ScopeIndex] = OrderedDict()

    def of(self, scope: Scope) -> ScopeIndex:
        """The index of a scope, which counts as used now."""
        with self._lock:
            index = self._open.pop(scope, None)
            if index is None:
                index = ScopeIndex(self._embedder, self._folder(scope))
            self._open[scope] = index
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
            return index
