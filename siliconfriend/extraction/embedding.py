"""Vectors of texts that are compared again and again while one run lasts.

Every batch is compared with what is known and with every topic; without this each of them
would be embedded once a batch, and a night of a hundred batches would take minutes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.score_calibration import PLAIN, ScoreCalibration, calibration_of

MOST = 20_000
"""Texts that are held; beyond it all are let go."""
AT_ONCE = 16
"""Texts embedded in one go: a reply that is being made must not wait long for its turn."""


class RememberedVectors:
    """An embedder's vectors by text; safe between threads.

    Attributes:
        likeness: how alike two of them are on a scale that does not depend on the embedder.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.likeness: ScoreCalibration = calibration_of(embedder)
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dimension), rows of length 1.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        with self._lock:
            missing = [it for it in dict.fromkeys(texts) if it not in self._known]
            if len(self._known) + len(missing) > MOST:
                self._known.clear()
                missing = [*dict.fromkeys(texts)]
            for start in range(0, len(missing), AT_ONCE):
                some = missing[start : start + AT_ONCE]
                self._known.update(zip(some, self._embedder.passages(some), strict=True))
            found = [self._known[it] for it in texts]
        if not found:
            return np.empty((0, self._embedder.dimension), dtype=np.float32)
        return np.stack(found)

    def learn(self, texts: Sequence[str], known: Callable[[Sequence[str]], Vectors]) -> None:
        """Take the vectors of texts from who has them already, where they are not known yet.

        Never within a store's ``update``, as for :meth:`Recaller.embed_passages`, which is such a one.

        Raises:
            ModelUnavailable: as ``known``.
        """
        with self._lock:
            missing = [it for it in dict.fromkeys(texts) if it not in self._known]
        if missing:
            vectors = known(missing)
            with self._lock:
                self._known.update(zip(missing, vectors, strict=True))


def likeness_in(vectors: RememberedVectors | None) -> ScoreCalibration:
    """How vectors are compared; as they stand where there are none."""
    return PLAIN if vectors is None else vectors.likeness
