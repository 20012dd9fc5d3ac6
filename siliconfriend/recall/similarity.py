"""How near everything that is remembered is to a question, without ranking or a floor.

Topics, their pages and the knowledge from them are each looked for in a way of their own
(:mod:`siliconfriend.topics.retrieval`, the recipe ``memoryos``). All of them start from
these numbers, which come from the vectors the index holds already: nothing stored is
embedded again for a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.candidate_set import CandidateSet, Numbers
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.score_calibration import ScoreCalibration, jaccard, word_set


@dataclass(frozen=True, slots=True)
class QuerySimilarity:
    """A question and how near each memory is to it.

    Attributes:
        query: the question.
        memory: the snapshot that was looked at.
        of: by id, for what can be found and is not put away: likeness in meaning on the scale
            of :mod:`siliconfriend.recall.score_calibration`; without an embedder the share of the
            question's words, 0 to 1, each weighed by how much it tells.
    """

    query: str
    memory: PersonMemory
    of: Mapping[str, float]

    def topics(self) -> list[Topic]:
        """The topics that are not put away."""
        return [it for it in self.memory.topics() if it.id in self.of]

    def topic_scores(self, topics: Sequence[Topic]) -> Numbers:
        """ScoreCalibration plus the Jaccard share of key words of each topic, shape (len(topics),).

        As MemoryOS (arXiv 2506.06326) weighs the sessions of its mid-term memory.
        """
        asked = word_set([self.query])
        scores = [self.of.get(it.id, 0.0) + jaccard(asked, word_set(it.key_words)) for it in topics]
        return np.array(scores, dtype=np.float64)


def similarity_to(
    index: ScopeIndex,
    memory: PersonMemory,
    query: str,
    vector: NDArray[np.float32] | None,
    likeness: ScoreCalibration,
    now: datetime,
) -> QuerySimilarity:
    """The similarity of everything in an index that is level with ``memory``; hold its lock.

    ``vector`` is the embedded question, None without an embedder.
    """
    rows = index.rows
    living = rows["alive"] & ~rows["archived"] & (rows["expires"] > now.timestamp())
    found = np.flatnonzero(living)
    if vector is None or index.vectors is None:
        asked = tokenize(query)
        told = sum(index.lexicon.idf(word) for word in set(asked))
        near = np.minimum(index.lexicon.scores(asked)[found] / max(told, 1e-9), 1.0)
    else:
        cosines = index.vectors.products(vector, found)
        near = likeness.scaled(cosines, rows["chinese"][found], asked_in_chinese=is_chinese(query))
    ids: Iterable[str] = (rows.memories[row].id for row in found)
    return QuerySimilarity(query, memory, dict(zip(ids, near.tolist(), strict=True)))


def with_topics(candidates: CandidateSet, near: QuerySimilarity) -> CandidateSet:
    """The candidates with the topic of each candidate; the same where no topic is stored."""
    topics = near.topics()
    if not topics:
        return candidates
    number = {page: at for at, topic in enumerate(topics) for page in topic.pages}
    belongs = [number.get(memory.id, -1) for memory in candidates.memories]
    return replace(
        candidates,
        topic=np.array(belongs, dtype=np.int64),
        topic_scores=near.topic_scores(topics),
    )
