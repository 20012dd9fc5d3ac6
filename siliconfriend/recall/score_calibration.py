"""How alike two texts are, on one scale whatever the embedder and the languages.

Numbers such as "0.6 joins" or "below 0.1 is nothing" were found with embedders whose
unrelated texts lie near 0. E5's lie between 0.75 and 0.9, so that each of its cosines would
pass: everything would be one topic and nothing would ever be below a floor. Its cosines are
therefore counted from where unrelated texts rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.embedders.base import Embedder

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CosineRange:
    """From which cosine to which texts of two languages are unlike and the same.

    Attributes:
        rest: the usual cosine of two texts that have nothing to do with each other.
        full: that of two which say the same.
    """

    rest: float = 0.0
    full: float = 1.0

    def scaled(self, cosines: Numbers) -> Numbers:
        """0 at rest, 1 from full on; below 0 for what is more unlike than usual."""
        return np.minimum((cosines - self.rest) / (self.full - self.rest), 1.0)


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """The reach of an embedder's cosines, by the languages of the two texts."""

    english: CosineRange = CosineRange()
    chinese: CosineRange = CosineRange()
    across: CosineRange = CosineRange()

    def scaled(
        self, cosines: Numbers, chinese: NDArray[np.bool_], *, asked_in_chinese: bool
    ) -> Numbers:
        """The cosines of one text with n others on the common scale; shape (n,).

        Args:
            cosines: shape (n,).
            chinese: whether each of the others is Chinese, shape (n,).
            asked_in_chinese: whether the one is.
        """
        same = self.chinese if asked_in_chinese else self.english
        return np.where(
            chinese == asked_in_chinese, same.scaled(cosines), self.across.scaled(cosines)
        )


PLAIN = ScoreCalibration()
"""Cosines as they are: for embedders whose unrelated texts lie near 0."""

E5 = ScoreCalibration(CosineRange(0.79), CosineRange(0.87), CosineRange(0.75, 0.87))
"""Measured on pairs of summaries about ten matters in both languages: unrelated ones lie at
0.79, 0.87 and 0.75, those about the same matter at 0.90, 0.95 and, across, 0.83 to 0.86."""


def calibration_of(embedder: Embedder | None) -> ScoreCalibration:
    """The likeness of an embedder, by its family."""
    if embedder is None:
        return PLAIN
    name = embedder.name.lower()
    return E5 if name == "bundled" or "e5" in name else PLAIN


def word_set(texts: Iterable[str]) -> frozenset[str]:
    """The words of some texts or key words, folded and stemmed, each once."""
    return frozenset(word for text in texts for word in tokenize(text))


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    """``|A ∩ B| / |A ∪ B|`` of two sets of words, 0 where both are empty."""
    both = frozenset(one) | frozenset(other)
    return len(frozenset(one) & frozenset(other)) / len(both) if both else 0.0


def word_cosine(one: Collection[str], other: Collection[str]) -> float:
    """``|A ∩ B| / √(|A|·|B|)``: the cosine of two texts that count each word once."""
    shared = len(frozenset(one) & frozenset(other))
    return shared / (len(one) * len(other)) ** 0.5 if shared else 0.0
