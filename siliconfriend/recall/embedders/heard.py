"""The vectors of what was just asked, so that one message is embedded once.

A message is looked for in the person's memory, in the companion's own story and among
topics. Each would embed it anew, and where the embedder is a service each would be a call
that a reply waits for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Embedder, Vectors

MOST = 16
"""Questions whose vectors are kept, the last ones; they are in memory only."""


class HeardOnce:
    """An embedder over another one; safe between threads as that one is.

    Attributes:
        name, revision, dimension: those of the other one.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.revision = embedder.revision
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._heard: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """As the other one gives them."""
        return self._embedder.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """As the other one gives them; of a single question asked before from memory."""
        if len(texts) != 1:
            return self._embedder.queries(texts)
        (text,) = texts
        with self._lock:
            known = self._heard.get(text)
        if known is None:
            known = self._embedder.queries(texts)[0]
            with self._lock:
                self._heard[text] = known
                while len(self._heard) > MOST:
                    self._heard.popitem(last=False)
        return known[None, :].copy()
