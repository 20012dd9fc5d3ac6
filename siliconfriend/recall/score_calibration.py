"""Calibrate scores: how similar two texts are, on one scale whatever the embedder and languages.

Numbers such as "0.6 joins" or "below 0.1 is nothing" were found with embedders whose
unrelated texts lie near 0. E5's lie between 0.75 and 0.9, so that each of its cosines would
pass: everything would be one topic and nothing would ever be below a threshold. Its cosines
are therefore counted from where unrelated texts rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Embedder

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CosineRange:
    """From which cosine to which the texts of two languages are unrelated and the same.

    Attributes:
        unrelated: the usual cosine of two texts that have nothing to do with each other.
        same: that of two which say the same.
    """

    unrelated: float = 0.0
    same: float = 1.0

    def calibrate(self, cosines: Numbers) -> Numbers:
        """0 for unrelated texts, 1 from the same on; below 0 for what is more unlike than usual."""
        return np.minimum((cosines - self.unrelated) / (self.same - self.unrelated), 1.0)


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """The range of an embedder's cosines, by the languages of the two texts."""

    english: CosineRange = CosineRange()
    chinese: CosineRange = CosineRange()
    across: CosineRange = CosineRange()

    def calibrate(
        self, cosines: Numbers, is_chinese: NDArray[np.bool_], *, asked_in_chinese: bool
    ) -> Numbers:
        """Bring the cosines of one text with n others to the common scale; shape (n,).

        Args:
            cosines: shape (n,).
            is_chinese: which of the others are Chinese, shape (n,).
            asked_in_chinese: the one text is.
        """
        same = self.chinese if asked_in_chinese else self.english
        return np.where(
            is_chinese == asked_in_chinese,
            same.calibrate(cosines),
            self.across.calibrate(cosines),
        )


PLAIN = ScoreCalibration()
"""Cosines as they are: for embedders whose unrelated texts lie near 0."""

E5 = ScoreCalibration(CosineRange(0.79), CosineRange(0.87), CosineRange(0.75, 0.87))
"""Measured on pairs of summaries about ten matters in both languages: unrelated ones lie at
0.79, 0.87 and 0.75, those about the same matter at 0.90, 0.95 and, across, 0.83 to 0.86."""


def calibration_of(embedder: Embedder | None) -> ScoreCalibration:
    """The calibration of an embedder, by its family."""
    return E5 if embedder is not None and is_e5(embedder) else PLAIN


def is_e5(embedder: Embedder) -> bool:
    """True for an embedder of the E5 family, whose cosines all lie close together."""
    name = embedder.name.lower()
    return name == "bundled" or "e5" in name
