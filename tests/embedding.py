"""An embedder for tests whose cosines can be worked out by hand."""

import re
import uuid
from collections.abc import Sequence

import numpy as np

from siliconfriend.language.characters import HAN
from siliconfriend.recall.embedders.base import Vectors


class WordEmbedder:
    """An embedder whose vectors can be worked out by eye: one axis a word.

    A text's vector counts each word on its axis and is brought to length 1, so the cosine
    of two texts of n and m different words that share k is k / sqrt(n·m). A Chinese
    character is a word. A text without a known word is the zero vector.

    Args:
        vocabulary: the words in the order of their axes; other words count nothing.
            Without it every new word takes the next free axis.
        dimension: how many axes there are where no vocabulary is given; a word that finds
            none left raises AssertionError.

    Attributes:
        embedded: every text that was embedded as a passage, in order.
    """

    def __init__(self, vocabulary: Sequence[str] | None = None, dimension: int = 512) -> None:
        self.name = "words"
        self.dimension = dimension if vocabulary is None else len(vocabulary)
        # Axes given in order of first sight differ between two embedders, so their vectors
        # must never meet in a cache; those of a vocabulary are the same everywhere.
        self.revision = uuid.uuid4().hex if vocabulary is None else " ".join(vocabulary)
        self.embedded: list[str] = []
        self._grows = vocabulary is None
        self._axes = {word: axis for axis, word in enumerate(vocabulary or ())}

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32, shape (len(texts), dimension)."""
        self.embedded.extend(texts)
        return self._vectors(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the same vectors as :meth:`passages`."""
        return self._vectors(texts)

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(rf"[a-z0-9]+|[{HAN}]", text.lower()):
                if word not in self._axes and self._grows:
                    assert len(self._axes) < self.dimension, f"no axis left for {word!r}"
                    self._axes[word] = len(self._axes)
                if word in self._axes:
                    vectors[row, self._axes[word]] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths == 0, 1, lengths)
        return vectors
