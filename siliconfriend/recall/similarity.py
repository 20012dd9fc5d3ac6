"""Similarity of texts by meaning, on one scale for all embedders; without one by words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.words import jaccard, word_set
from siliconfriend.memory.knowledge import Topic
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.scoring import Mask, Numbers


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """The cosines of unrelated and of equal texts, by the languages of the two texts."""

    english: tuple[float, float] = (0.0, 1.0)
    chinese: tuple[float, float] = (0.0, 1.0)
    across: tuple[float, float] = (0.0, 1.0)

    def calibrate(self, cosines: Numbers, is_chinese: Mask, *, asked_in_chinese: bool) -> Numbers:
        """Bring the cosines of one text with n others to a common scale; shape (n,).

        0 for unrelated texts, 1 from the same on; below 0 for what is more unlike than usual.

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


PLAIN = ScoreCalibration()  # cosines as they are: for embedders whose unrelated texts lie near 0

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


def similarity_to(
    index: ScopeIndex,
    query: str,
    tokens: Collection[str],
    vector: NDArray[np.float32] | None,
    calibration: ScoreCalibration,
    now: datetime,
) -> dict[str, float]:
    """Compare a question, its tokens and vector with everything in an index; hold its lock.

    Returns:
        by id, for what can be found and is not archived: calibrated similarity in meaning; without
        an embedder the share of the question's words, 0 to 1, each weighed by how rare it is.
    """
    rows, asked = index.rows, frozenset(tokens)
    is_active = rows["alive"] & ~rows["archived"] & (rows["expires"] > now.timestamp())
    found = np.flatnonzero(is_active)
    if vector is None or index.vector_index is None:
        total = sum(index.word_index.idf(token) for token in asked)
        scores = index.word_index.scores(asked)[found]
        similarities = np.minimum(scores / max(total, 1e-9), 1.0)
    else:
        similarities = calibration.calibrate(
            index.vector_index.inner_products(vector, found),
            rows["is_chinese"][found],
            asked_in_chinese=is_chinese(query),
        )
    ids = (rows.ids[row] for row in found)
    return dict(zip(ids, similarities.tolist(), strict=True))


def with_topics(
    candidates: CandidateSet,
    topics: Iterable[Topic],
    similarity: Mapping[str, float],
    tokens: Collection[str],
) -> CandidateSet:
    """Add to candidates the topic of each and its score; the same set where no topic is stored.

    A topic scores its similarity plus the Jaccard share of its key words, as MemoryOS
    (arXiv 2506.06326) weighs the sessions of its mid-term memory.
    """
    active = [topic for topic in topics if topic.id in similarity]
    if not active:
        return candidates
    number = {page: at for at, topic in enumerate(active) for page in topic.pages}
    scores = [similarity[it.id] + jaccard(tokens, word_set(*it.key_words)) for it in active]
    return replace(
        candidates,
        topic=np.array([number.get(it.id, -1) for it in candidates.memories], dtype=np.int64),
        topic_scores=np.array(scores, dtype=np.float64),
    )
