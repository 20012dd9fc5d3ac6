"""The candidates of one recall, with everything a recipe may weigh, as arrays of one length.

Of a small memory everything is a candidate. Of a large one: the nearest by meaning, the
best by words, the days that are named, and the turns beside all of these. What is archived
is a candidate only where the question names its day or one of its names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.curve import retentions
from siliconfriend.forgetting.policy import IMPORTANT, ForgettingPolicy
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.keywords import keywords_among
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.asked_names import has_part_of_name, has_whole_name, is_of_another
from siliconfriend.recall.association import EQUAL, OwnWeights
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.cue_vectors import CueVectors
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.rareness import Rareness
from siliconfriend.recall.scoring import DEFAULT_IMPORTANCE
from siliconfriend.recall.time_spans import date_match, pool_of_span, spoken_match
from siliconfriend.recall.vector_search import Vector, inner_products
from siliconfriend.recall.word_index import LONGEST

POOL = 200
"""Nearest by meaning and best by words, each; far more than any prompt holds."""

SAMPLED = 500
"""Turns that what is usual is taken from, evenly over all of them."""

SAID_AGAIN = 4
"""So often at most a night leaves what was told: as a turn, in an event, a summary and a fact."""

BEST = 50
"""Of so many of each the turns beside them are candidates as well: what stands beside a weaker
match gets less from it than a match of its own would give."""

RARE_WORDS = 2
"""So many shared words that stand in no other memory are a full match of a remark."""

_UNRANKED = [KINDS.index("fact"), KINDS.index("topic")]
"""The kinds that no recipe ranks: they are found in ways of their own."""

_DERIVED = [KINDS.index("day"), KINDS.index("event")]
"""The kinds that are made of turns: offline of their words and nothing else."""

_WEIGHED = (
    *("kind", "day", "is_chinese", "asks", "previous", "following", "said", "last_used"),
    *("fades_from", "strength", "importance"),
)
"""The columns of the index that are read of each candidate."""

_DAY = 86_400.0

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """All candidates; position i of every array is candidate i.

    Attributes:
        memories: the records.
        rows: their rows in the index.
        nearest: rows of the memories nearest by meaning, in order; so many as were asked for. None
            without an embedder, or where all of a small memory are candidates.
        day: number of its day, the 1st of January of the year 1 being 1.
        is_chinese: its words have Chinese characters.
        dense: cosine with the question; zeros where there is no embedder.
        dense_mean, dense_spread: mean and standard deviation of the cosine over all that was told.
        lexical: BM25 for the question's tokens, and those of its context by their weights.
        related: BM25 for words that stand for those of the question, by their weights.
        situation: BM25 for words of the same everyday situations, by their weights.
        asked: how much all words of the question tell together.
        date_match: 1 where the question names the day that the memory was told on or speaks of,
            less where it names a span with it inside, else 0.
        told_match: the same by the day it was told on alone
            (:func:`~siliconfriend.recall.time_spans.date_match`).
        day_of_span: number of the day that the question names and the memory speaks of; where
            there is none, of the day it was told on.
        previous, following: position of the turn said before and after, -1 where it is no
            candidate.
        age_days: since it was said, by the clock.
        idle_days: since it was last recalled.
        use_rank: 1 for the most recently used, then 2, 3, …; those used at the same moment
            share the best of their ranks.
        retention: R under the policy.
        strength: S.
        importance: 0.1 to 1.0; one half of the scale where nobody judged it.
        is_named: it has a name that the message names, or a part of one.
        has_name: it has all of one, and not of a common word that a segmenter takes for one.
        is_of_another: it says by its first words who speaks ("Kit: I play the oboe"), and that is
            nobody whom the message names.
        length: how many words it has, as a share of the mean of all turns, 2 at most; of what is
            no turn 1.
        is_turn: it is a turn.
        asks: the person asks something in it.
        told: how many turns there are in all.
        talk: how near each is to a remark in its conversation; None for a question.
        talk_mean, talk_spread: mean and standard deviation of that over everything.
        beside: how near each is to a question with what the person said before it; None where
            that is of another matter.
        rare_match: what BM25 gives for two words of the search that stand nowhere else.
        vectors: of each, float32 of shape (n, dimension); None without an embedder.
        usual_vectors: of what says what is usual, evenly over all turns, since what a night made of
            them says it again; over all memories where there are no turns.
        own_weights: the person's own weights for association.
        keywords: what the question is about, for association.
        new_share: of each, what it says beyond the message, 1 all and 0 nothing
            (:mod:`siliconfriend.recall.echoes`); 1 where nobody asked.
        lent_share: of each, what of its match speaks for the turns beside it.
        topic: number of the stored topic that each is a page of, -1 for none; None where no
            topic is stored, or the recipe has no use for them.
        topic_scores: of each topic by its number, how similar it is to the question.
    """

    memories: Sequence[Memory]
    rows: NDArray[np.int64]
    nearest: NDArray[np.int64] | None
    day: NDArray[np.int32]
    is_chinese: Mask
    dense: Numbers
    dense_mean: float
    lexical: Numbers
    related: Numbers
    situation: Numbers
    asked: float
    date_match: Numbers
    told_match: Numbers
    day_of_span: NDArray[np.int32]
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    age_days: Numbers
    idle_days: Numbers
    use_rank: Numbers
    retention: Numbers
    strength: Numbers
    importance: Numbers
    is_named: Mask
    has_name: Mask
    is_of_another: Mask
    length: Numbers
    is_turn: Mask
    asks: Mask
    told: int
    dense_spread: float = 0.0
    talk: Numbers | None = None
    talk_mean: float = 0.0
    talk_spread: float = 0.0
    beside: Numbers | None = None
    rare_match: float = 0.0
    vectors: Vectors | None = None
    usual_vectors: Vectors | None = None
    own_weights: OwnWeights = EQUAL
    keywords: frozenset[str] = frozenset()
    new_share: Numbers | float = 1.0
    lent_share: Numbers | float = 1.0
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
    policy: ForgettingPolicy,
    exclude: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
    related: Mapping[str, float] | None = None,
    situations: Mapping[str, float] | None = None,
    own_weights: OwnWeights = EQUAL,
    reach: int = POOL,
    rareness: Rareness | None = None,
) -> CandidateSet:
    """Find everything that may be recalled for a cue, with what recipes weigh.

    Args:
        index: hold its lock.
        cue: what is asked.
        vectors: of the message and its conversation.
        now: the moment, aware.
        policy: what retention goes by.
        exclude: ids that are no candidates.
        weights: of the tokens to search for, where they are not those of the cue alike.
        related: of tokens that stand for those of the cue.
        situations: of tokens that belong to the same everyday situations.
        own_weights: the person's own weights for association.
        reach: so many nearest become candidates.
        rareness: of words, where the caller reckons with it too.
    """
    told = date_match(index.rows["day"], cue, now.date())
    spoken, spoken_day = spoken_match(index.times, cue, now.date())
    if cue.asks_ahead and spoken.any():
        told = np.where(spoken > 0, told, 0.0)  # what was told then is no plan for then
    dated = np.maximum(told, spoken) if cue.spans else told
    is_named = has_part_of_name(index, cue)
    is_allowed = _allowed(index, is_named, dated, now, exclude)
    searched = cue.search_weights
    rareness = rareness or Rareness(index)
    lexical, akin, situation = (
        rareness.scores(it) * is_allowed if it else np.broadcast_to(0.0, len(is_allowed))
        for it in (weights or searched, related, situations)
    )
    nearest = _nearest(index, is_allowed, vectors, reach)
    rows = np.flatnonzero(_pool(index, is_allowed, lexical + akin, vectors, dated, nearest))
    memories = index.rows.memories.of(rows.tolist())
    columns = {name: index.rows[name][rows] for name in _WEIGHED}
    usual = _usual(index)
    own, of_usual = _vectors(index, vectors, rows, usual)
    dense, talk, beside = (
        _cosines(len(rows), it, own, of_usual)
        for it in (vectors.message, vectors.talk, vectors.beside)
    )
    idle_days = np.maximum(now.timestamp() - columns["last_used"], 0.0) / _DAY
    return CandidateSet(
        memories=memories,
        rows=rows,
        nearest=nearest,
        day=columns["day"],
        is_chinese=columns["is_chinese"],
        dense=dense.of,
        dense_mean=dense.mean,
        dense_spread=dense.spread,
        lexical=lexical[rows],
        related=akin[rows],
        situation=situation[rows],
        asked=sum(weight * rareness.idf(it) for it, weight in searched.items()),
        date_match=dated[rows],
        told_match=told[rows],
        day_of_span=_day_of_span(cue, spoken_day[rows], columns["day"]),
        previous=_positions(rows, columns["previous"]),
        following=_positions(rows, columns["following"]),
        age_days=np.maximum(now.timestamp() - columns["said"], 0.0) / _DAY,
        idle_days=idle_days,
        use_rank=_use_ranks(columns["last_used"]),
        retention=_retention(columns, now, policy),
        strength=columns["strength"],
        importance=np.where(columns["importance"] > 0, columns["importance"], DEFAULT_IMPORTANCE),
        is_named=is_named[rows],
        has_name=has_whole_name(index, cue)[rows],
        is_of_another=is_of_another(memories, is_named[rows], cue),
        length=_length(index, rows, usual),
        is_turn=columns["kind"] == KINDS.index("turn"),
        asks=columns["asks"],
        told=int(np.count_nonzero(index.rows["is_told"])),
        talk=None if cue.is_question else talk.of,
        talk_mean=talk.mean,
        talk_spread=talk.spread,
        beside=None if vectors.beside is None else beside.of,
        rare_match=RARE_WORDS * rareness.idf_at(1),
        vectors=own,
        usual_vectors=of_usual,
        own_weights=own_weights,
        keywords=frozenset(keywords_among(word for word, _ in cue.text_tokens)),
    )


def _day_of_span(
    cue: Cue, spoken_day: NDArray[np.int64], told_day: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The day each speaks of, else the one it was told on; none where only plans are asked for."""
    is_of_plans = cue.asks_ahead and bool(spoken_day.any())
    return np.where(spoken_day > 0, spoken_day, 0 if is_of_plans else told_day).astype(np.int32)


@dataclass(frozen=True, slots=True)
class _Cosines:
    """Cosines of the candidates with a vector; mean and standard deviation over all that was told."""

    of: Numbers
    mean: float = 0.0
    spread: float = 0.0


def _usual(index: ScopeIndex) -> NDArray[np.int64]:
    """Rows that say what is usual, evenly over all turns; over all memories where there are none."""
    turns = np.flatnonzero(index.rows["is_told"])
    usual = turns if len(turns) else np.flatnonzero(index.rows["alive"])
    return usual[:: max(1, len(usual) // SAMPLED)]


def _vectors(
    index: ScopeIndex, cue: CueVectors, rows: NDArray[np.int64], usual: NDArray[np.int64]
) -> tuple[Vectors | None, Vectors | None]:
    """The vectors of these rows, gathered once for all that compares them; None without any."""
    if index.vector_index is None or cue.message is None:
        return None, None
    found = index.vector_index.vectors(np.concatenate([rows, usual]))
    return found[: len(rows)], found[len(rows) :]


def _cosines(
    size: int, asked: Vector | None, own: Vectors | None, usual: Vectors | None
) -> _Cosines:
    """Compare a vector of the cue with those of ``size`` candidates; zeros without vectors."""
    if asked is None or own is None or usual is None:
        return _Cosines(np.zeros(size))
    of = inner_products(own, asked)
    if not len(usual):
        return _Cosines(of)
    told = inner_products(usual, asked)
    return _Cosines(of, float(told.mean()), float(told.std()))


def _positions(rows: NDArray[np.int64], of: NDArray[np.int32]) -> NDArray[np.int64]:
    """The positions of some rows among the candidates' (ascending); -1 for what is none of them."""
    if not len(rows):
        return np.empty(0, dtype=np.int64)
    places = np.minimum(np.searchsorted(rows, of), len(rows) - 1)
    return np.where(rows[places] == of, places, -1)


def _allowed(
    index: ScopeIndex, is_named: Mask, dated: Numbers, now: datetime, exclude: Collection[str]
) -> Mask:
    """Which rows may be recalled at all."""
    rows = index.rows
    allowed = ~rows["archived"] | is_named | (dated > 0)
    for kind in _UNRANKED:
        allowed &= rows["kind"] != kind
    allowed &= rows["alive"] & (rows["expires"] > now.timestamp())
    allowed[index.rows_of(exclude)] = False
    return np.asarray(allowed, dtype=np.bool_)


def _length(index: ScopeIndex, rows: NDArray[np.int64], usual: NDArray[np.int64]) -> Numbers:
    """How many words each of these rows has, as a share of the mean of what is usual."""
    lengths = index.word_index.lengths_of(rows)
    mean = float(index.word_index.lengths_of(usual).mean()) if len(usual) else 1.0
    is_turn = index.rows["kind"][rows] == KINDS.index("turn")
    return np.where(is_turn, np.minimum(lengths / max(mean, 1.0), LONGEST), 1.0)


def _is_small(index: ScopeIndex) -> bool:
    """True where all that may be recalled are candidates: of few turns, before a night and after.

    What nights made of them would else take the places of two turns in three.
    """
    rows = len(index.rows)
    if rows > 2 * POOL * SAID_AGAIN:
        return False
    return rows <= 2 * POOL or int(np.count_nonzero(index.rows["is_told"])) <= 2 * POOL


def _nearest(
    index: ScopeIndex, is_allowed: Mask, vectors: CueVectors, reach: int
) -> NDArray[np.int64] | None:
    """The one search over all vectors of a large memory."""
    if _is_small(index) or index.vector_index is None or vectors.searched is None:
        return None
    return index.vector_index.nearest(vectors.searched, reach, is_allowed)


def _pool(
    index: ScopeIndex,
    is_allowed: Mask,
    lexical: Numbers,
    vectors: CueVectors,
    dated: Numbers,
    nearest: NDArray[np.int64] | None,
) -> Mask:
    """Which of the allowed rows become candidates: of a small memory all of them."""
    if _is_small(index):
        return is_allowed
    pool = pool_of_span(index, dated, is_allowed, lexical, vectors.searched, POOL)
    by_words = _best_matches(lexical, POOL)
    # All of them: what answers a question is looked for among these, and is judged as a candidate.
    by_meaning = np.empty(0, dtype=np.int64) if nearest is None else nearest
    best = by_words[_best_matches(lexical[by_words], BEST)]
    beside = np.concatenate([np.flatnonzero(pool), best, by_meaning[:BEST]])
    pool[by_words] = pool[by_meaning] = True
    for neighbours in (index.rows["previous"][beside], index.rows["following"][beside]):
        pool[neighbours[neighbours >= 0]] = True
    pool &= is_allowed
    pool[_retold(index, np.flatnonzero(pool))] = True
    return np.asarray(pool & is_allowed, dtype=np.bool_)


def _retold(index: ScopeIndex, rows: NDArray[np.int64]) -> list[int]:
    """The rows of the turns that events and summaries among these rows were made from offline."""
    memories = index.rows.memories
    kinds = index.rows["kind"][rows]
    derived = rows[(kinds == _DERIVED[0]) | (kinds == _DERIVED[1])].tolist()
    made = [it.provenance for row in derived if not isinstance(it := memories[row], Turn)]
    return index.rows_of(turn for it in made if it.made_by == OFFLINE for turn in it.from_ids)


def _best_matches(scores: Numbers, count: int) -> NDArray[np.int64]:
    found = np.flatnonzero(scores > 0)
    if len(found) <= count:
        return found
    return found[np.argpartition(scores[found], -count)[-count:]]


def _retention(
    columns: Mapping[str, NDArray[np.float64]], now: datetime, policy: ForgettingPolicy
) -> Numbers:
    """R of each; 1 for all where the policy has no curve, since nothing fades there."""
    if not policy.has_curve:
        return np.ones(len(columns["strength"]))
    days_fading = (now.timestamp() - columns["fades_from"]) / _DAY
    return retentions(days_fading, columns["strength"], _unit_days(columns, policy))


def _unit_days(columns: Mapping[str, NDArray[np.float64]], policy: ForgettingPolicy) -> Numbers:
    """Days of one unit of t of each, by its kind and importance."""
    units = np.array([[policy.unit_days(kind), policy.unit_days(kind, 1.0)] for kind in KINDS])
    is_important = (columns["importance"] >= IMPORTANT).astype(np.int64)
    return np.asarray(units[columns["kind"].astype(np.int64), is_important])


def _use_ranks(last_used: Numbers) -> Numbers:
    """1 for the most recently used; those used at the same moment share the best of their ranks."""
    ranks = 1 + np.searchsorted(np.sort(-last_used), -last_used, side="left")
    return ranks.astype(np.float64)
