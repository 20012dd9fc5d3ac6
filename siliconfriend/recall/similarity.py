"""Similarity of texts by meaning, on one scale for all embedders; without one by words."""

from dataclasses import dataclass

import numpy as np

from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.scoring import Mask, Numbers


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """The cosines of unrelated and of equal texts, by the languages of the two texts."""

    english: tuple[float, float] = (0.0, 1.0)
    chinese: tuple[float, float] = (0.0, 1.0)
    across: tuple[float, float] = (0.0, 1.0)

    def calibrate(self, cosines: Numbers, is_chinese: Mask, *, asked_in_chinese: bool) -> Numbers:
        """Bring the cosines of one text with n others to a common scale; shape (n,).

        0 for unrelated texts, 1 for equal ones; below 0 for less similarity than usual.

        Args:
            cosines: shape (n,).
            is_chinese: which of the others are Chinese, shape (n,).
            asked_in_chinese: the one text is.
        """
        own = self.chinese if asked_in_chinese else self.english
        is_own = (is_chinese == asked_in_chinese)[:, np.newaxis]
        unrelated, same = np.where(is_own, own, self.across).T
        scaled: Numbers = np.minimum((cosines - unrelated) / (same - unrelated), 1.0)
        return scaled


PLAIN = ScoreCalibration()  # unscaled cosines, for embedders with unrelated texts near 0

E5 = ScoreCalibration((0.79, 1.0), (0.87, 1.0), (0.75, 0.87))
"""Measured on pairs of summaries about ten matters in both languages: unrelated ones lie at
0.79, 0.87 and 0.75, those about the same matter at 0.90, 0.95 and, across, 0.83 to 0.86."""


def calibration_of(embedder: Embedder | None) -> ScoreCalibration:
    """Return the calibration of an embedder, by its family."""
    return E5 if embedder is not None and is_e5(embedder) else PLAIN


def is_e5(embedder: Embedder) -> bool:
    """True for an embedder of the E5 family, whose cosines all lie close together."""
    name = embedder.name.lower()
    return name == "bundled" or "e5" in name
