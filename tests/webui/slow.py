"""An embedder that a test lets go on."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.testing import WordEmbedder


class SlowEmbedder(WordEmbedder):
    """Words as vectors, as soon as it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go_on = threading.Event()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors, in the end."""
        assert self.may_go_on.wait(60)
        return np.asarray(super().passages(texts))
