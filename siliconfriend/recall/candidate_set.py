"""The candidates of one recall with everything a recipe may weigh, as arrays of one length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.records import Memory
from siliconfriend.recall.association import EQUAL, OwnWeights

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """All candidates; position i of every array is candidate i.

    Attributes:
        memories: the records.
        day: number of its day, the 1st of January of the year 1 being 1.
        chinese: whether its words have Chinese characters.
        dense: cosine with the question; zeros where there is no embedder.
        dense_mean: the mean cosine over everything that is remembered.
        lexical: BM25 for the question's words.
        dated: 1 where the question names the memory's day, 1/√n where it names n days with it
            among them, else 0.
        previous, following: position of the turn said before and after, -1 where it is no
            candidate.
        age_days: since it was said, by the clock.
        idle_days: since it was last recalled.
        use_rank: 1 for the most recently used, then 2, 3, …; those used at the same moment
            share the best of their ranks.
        retention: R under the policy.
        strength: S.
        importance: 0.1 to 1.0; one half of the scale where nobody judged it.
        is_turn: whether it is a turn.
        own: the person's own weights for association.
        key_words: what the question is about, for association.
        topic: number of the stored topic that each is a page of, -1 for none; None where no
            topic is stored, or the recipe has no use for them.
        topic_scores: of each topic by its number, how near it is to the question.
    """

    memories: Sequence[Memory]
    day: NDArray[np.int32]
    chinese: NDArray[np.bool_]
    dense: Numbers
    dense_mean: float
    lexical: Numbers
    dated: Numbers
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    age_days: Numbers
    idle_days: Numbers
    use_rank: Numbers
    retention: Numbers
    strength: Numbers
    importance: Numbers
    is_turn: NDArray[np.bool_]
    own: OwnWeights = EQUAL
    key_words: frozenset[str] = frozenset()
    topic: NDArray[np.int64] | None = None
    topic_scores: Numbers | None = None

    def __len__(self) -> int:
        return len(self.memories)
