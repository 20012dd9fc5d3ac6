"""The candidates of one recall, with everything a recipe may weigh, as arrays of one length."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.words import word_set
from siliconfriend.memory.records import Memory
from siliconfriend.recall.cue import Cue, CueVectors
from siliconfriend.recall.embedders.base import Vector, Vectors
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.recall.times import spoken_within, told_within
from siliconfriend.recall.vector_index import inner_products

POOL = 200  # nearest by meaning and best by words, each
SAMPLED = 500  # size of the even sample of turns for mean and spread
PRIOR_COUNT = 20  # pseudo-observations with similarity 0 in the mean (a prior)
BEST = 50  # best hits of each search whose neighbours become candidates too

FACT, TOPIC = KINDS.index("fact"), KINDS.index("topic")

_WEIGHED = ("kind", "day", "asks", "is_chinese", "previous", "following")
"""Index columns that are copied for each candidate."""


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """All candidates of a search; position i of every array describes candidate i.

    Attributes:
        memories: the records.
        day: number of its day, the 1st of January of the year 1 being 1.
        dense: cosine with the question; zeros where there is no embedder.
        similarity: the same after subtracting the mean message vector; for a remark in a
            conversation, the mean of this and the similarity with the preceding messages.
        similarity_mean, similarity_spread: mean and standard deviation of that over all turns.
        lexical: BM25 for the question's tokens, and those of its context by their weights.
        one_word: BM25 weight of a word that occurs in one memory.
        rarity: mean idf of its own words, as a share of the idf of a word that occurs once.
        is_dated: the question names the day that it was told on or speaks of.
        dated_share: share of all turns for which ``is_dated`` is true.
        day_of_span: number of the day that the question names and the memory speaks of; otherwise
            of the day it was told on.
        previous, following: position of the turn said before and after, -1 where it is no
            candidate.
        is_turn: it is a turn.
        is_chinese: it is in Chinese.
        asks: how far it only asks, 0 to 1 (:func:`~siliconfriend.recall.documents.asking_share`).
        number_of_turns: number of turns, or of memories if there are no turns.
        now: the moment of the recall.
        vectors: of the candidates, float32, shape (n, d); of a text without one zeros. d is 0
            without an embedder.
        sampled_vectors, sampled_is_chinese: the same of an even sample of all turns.
        text: of the question.
        topic: number of the stored topic that contains each candidate, -1 for none; None if no
            topic is stored or the recipe does not use topics.
        topic_scores: similarity of each topic to the question, by topic number.
    """

    memories: Sequence[Memory]
    day: NDArray[np.int32]
    dense: Numbers
    similarity: Numbers
    similarity_mean: float
    similarity_spread: float
    lexical: Numbers
    one_word: float
    rarity: Numbers
    is_dated: Mask
    dated_share: float
    day_of_span: NDArray[np.int32]
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    is_turn: Mask
    is_chinese: Mask
    asks: Numbers
    number_of_turns: int
    now: datetime
    vectors: Vectors
    sampled_vectors: Vectors
    sampled_is_chinese: Mask
    text: str = ""
    topic: NDArray[np.int64] | None = None
    topic_scores: Numbers | None = None

    def __len__(self) -> int:
        return len(self.memories)


def find_candidates(
    index: ScopeIndex,
    cue: Cue,
    vectors: CueVectors,
    *,
    now: datetime,
    exclude: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
    facts: bool = False,
) -> CandidateSet:
    """Find the candidates for a cue, with the values that recipes score.

    Args:
        index: hold its lock.
        cue: what is asked.
        vectors: of the message and its conversation.
        now: the moment, aware.
        exclude: ids to leave out.
        weights: weight of each search token; the cue's tokens with equal weights by default.
        facts: find facts only; they are ranked separately.
    """
    is_spoken, spoken_day = spoken_within(index.times, cue)
    is_dated = is_spoken
    if not (cue.asks_ahead and is_spoken.any()):  # turns told on that day are no plans for it
        is_dated = is_spoken | told_within(index.rows["day"], cue)
    is_allowed = _allowed(index, cue, is_dated, now, exclude)
    is_fact = index.rows["kind"] == FACT
    is_allowed &= is_fact if facts else ~is_fact & (index.rows["kind"] != TOPIC)
    words = index.word_index
    if weights is None:
        weights = cue.search_weights
        if cue.spans and not is_dated.any():  # words that name the days may find what rules did not
            weights = dict.fromkeys((token for _, token in cue.text_tokens), 1.0) | weights
    lexical = words.scores(weights) * is_allowed
    rows = np.flatnonzero(_pool(index, is_allowed, lexical, vectors, is_dated))
    memories = index.rows.memories(rows)
    columns = {name: index.rows[name][rows] for name in _WEIGHED}
    # An even sample of all turns, or of all memories where there are none.
    told = np.flatnonzero(index.rows["is_turn" if index.rows["is_turn"].any() else "alive"])
    sample = told[:: max(1, len(told) // SAMPLED)]
    held = np.empty((len(rows) + len(sample), 0), dtype=np.float32)
    if index.vector_index is not None:
        held = index.vector_index.vectors(np.concatenate([rows, sample]))
    dense, similarity = (_products(held, of) for of in (vectors.message, vectors.compared))
    usual = similarity[len(rows) :] if len(sample) else np.zeros(1)
    return CandidateSet(
        memories=memories,
        day=columns["day"],
        dense=dense[: len(rows)],
        similarity=similarity[: len(rows)],
        similarity_mean=float(usual.mean()) * len(sample) / (len(sample) + PRIOR_COUNT),
        similarity_spread=float(usual.std()),
        lexical=lexical[rows],
        one_word=words.idf_at(1),
        rarity=index.rarities(rows),
        is_dated=is_dated[rows],
        dated_share=float(is_dated[told].mean()) if len(told) else 0.0,
        day_of_span=_day_of_span(cue, spoken_day[rows], columns["day"]),
        previous=_positions(rows, columns["previous"]),
        following=_positions(rows, columns["following"]),
        is_turn=columns["kind"] == KINDS.index("turn"),
        is_chinese=columns["is_chinese"],
        asks=columns["asks"].astype(np.float64),
        number_of_turns=len(told) if index.rows["is_turn"].any() else len(sample),
        vectors=held[: len(rows)],
        sampled_vectors=held[len(rows) :],
        sampled_is_chinese=index.rows["is_chinese"][sample],
        now=now,
        text=cue.text,
    )


def _day_of_span(
    cue: Cue, spoken_day: NDArray[np.int64], told_day: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the day each memory speaks of, else the day it was told; 0 where a plan is required."""
    is_of_plans = cue.asks_ahead and bool(spoken_day.any())
    return np.where(spoken_day > 0, spoken_day, 0 if is_of_plans else told_day).astype(np.int32)


def _products(held: Vectors, vector: Vector | None) -> Numbers:
    """Return the inner product of each vector with one; zeros without either."""
    if vector is None or not held.shape[1]:
        return np.zeros(len(held))
    return inner_products(held, vector)


def _positions(rows: NDArray[np.int64], of: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the positions of some rows among the candidates' (ascending), -1 for other rows."""
    if not len(rows):
        return np.empty(0, dtype=np.int64)
    places = np.minimum(np.searchsorted(rows, of), len(rows) - 1)
    return np.where(rows[places] == of, places, -1)


def _allowed(
    index: ScopeIndex, cue: Cue, is_dated: Mask, now: datetime, exclude: Collection[str]
) -> Mask:
    rows = index.rows
    allowed = ~rows["archived"] | is_dated
    for token in word_set(*cue.names):
        allowed[index.word_index.rows(token)] = True
    allowed &= rows["alive"] & (rows["expires"] > now.timestamp())
    allowed[index.rows_of(exclude)] = False
    return np.asarray(allowed, dtype=np.bool_)


def _pool(
    index: ScopeIndex,
    is_allowed: Mask,
    lexical: Numbers,
    vectors: CueVectors,
    is_dated: Mask,
) -> Mask:
    """Select the allowed rows that become candidates: every row of a small memory.

    A larger memory gives the best rows by words, the nearest by meaning, and the neighbours of the
    best. Turns of named days are added. Of many such turns, the matching ones, an even sample and
    the day summaries are added.
    """
    if len(index.rows) <= 2 * POOL:
        return is_allowed
    by_words, by_meaning = _best_matches(index, is_allowed, lexical, vectors)
    kinds, is_named = index.rows["kind"], is_dated & is_allowed
    pool = is_named & (kinds == KINDS.index("turn"))
    turns = np.flatnonzero(pool)
    if len(turns) > 2 * POOL:
        in_order = turns[np.argsort(index.rows["created"][turns], kind="stable")]
        pool = is_named & (kinds == KINDS.index("day"))
        pool[in_order[np.linspace(0, len(in_order) - 1, POOL).astype(np.int64)]] = True
        pool[np.concatenate(_best_matches(index, is_named, lexical, vectors))] = True
    centres = np.concatenate([np.flatnonzero(pool), by_words[:BEST], by_meaning[:BEST]])
    pool[by_words] = pool[by_meaning] = True
    for neighbours in (index.rows["previous"][centres], index.rows["following"][centres]):
        pool[neighbours[neighbours >= 0]] = True
    return np.asarray(pool & is_allowed, dtype=np.bool_)


def _best_matches(
    index: ScopeIndex, allowed: Mask, lexical: Numbers, vectors: CueVectors
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the best rows by words and the nearest by meaning, at most ``POOL`` of each."""
    found = np.flatnonzero((lexical > 0) & allowed)
    if len(found) > POOL:
        found = found[np.argpartition(-lexical[found], POOL)[:POOL]]
    by_words = found[np.argsort(-lexical[found], kind="stable")]
    if index.vector_index is None or vectors.searched is None:
        return by_words, np.empty(0, dtype=np.int64)
    return by_words, index.vector_index.nearest(vectors.searched, POOL, allowed)
