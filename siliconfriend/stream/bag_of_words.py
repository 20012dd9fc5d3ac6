"""Vectors of the words themselves, for a stream where the settings say ``none``.

Similarity is then the share of common words: nothing is understood, nothing is loaded, and
the formulas of the stream stay the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from siliconfriend.language.overlap import words_and_pairs
from siliconfriend.recall.embedders.base import Vectors

DIMENSION = 1024


class BagOfWords:
    """Counts words, and pairs of Chinese characters, on 1024 axes chosen by their checksum."""

    name = "words"
    revision = "2"
    dimension = DIMENSION

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, or of zeros for a text without a word; shape (len(texts), 1024)."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words_and_pairs(text):
                vectors[row, zlib.crc32(word.encode("utf-8", "replace")) % DIMENSION] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as :meth:`passages`."""
        return self.passages(texts)
