"""Protocol of an embedder."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: as the setting names it, ``bundled`` say.
        revision: changes whenever the same text would get another vector; with ``name`` it
            stamps the cache, so that vectors of two embedders never meet.
    """

    name: str
    revision: str

    @property
    def dimension(self) -> int:
        """Return the vector dimension; ModelUnavailable if the server that knows it fails."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts: float32, shape (len(texts), dimension), rows of length 1.

        Raises:
            ModelUnavailable: where the embedder is a service that failed.
        """
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions; shape and errors as :meth:`passages`."""
        ...

    def __hash__(self) -> int: ...
