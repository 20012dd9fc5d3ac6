"""From the two indexes to the candidates that a recipe ranks.

Of a small memory everything is a candidate. Of a large one: the nearest by meaning, the
best by words, the days that are named, and the turns beside all of these. What is archived
is a candidate only where the question names its day or one of its names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.curve import retentions
from siliconfriend.forgetting.policy import IMPORTANT, ForgettingPolicy
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.keywords import extract_keywords
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.candidate_set import CandidateSet, Numbers
from siliconfriend.recall.cue import Cue, without
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.index import ScopeIndex

POOL = 200
"""Nearest by meaning and best by words, each; far more than any prompt holds."""

ORDINARY_IMPORTANCE = 0.5
"""What a memory counts that nobody judged, on the scale from 0.1 to 1.0."""

_RANKED = [KINDS.index(kind) for kind in ("turn", "day", "event", "insight")]
"""What recipes rank. Facts and topics are found in ways of their own."""

_DAY = 86_400.0

Mask = NDArray[np.bool_]


def find_candidates(
    index: ScopeIndex,
    cue: Cue,
    vector: NDArray[np.float32] | None,
    *,
    now: datetime,
    policy: ForgettingPolicy,
    exclude: Collection[str],
    weights: Mapping[str, float] | None = None,
) -> CandidateSet:
    """Everything that may be recalled for a cue, with what recipes weigh.

    ``vector`` is the embedded cue, None without an embedder; ``weights`` are of the words to
    look for, by stem, where they are not those of the cue alike. Hold the index's lock.
    """
    dated = _dated(index.rows["day"], cue.spans)
    allowed = _allowed(index, cue, dated, now, exclude)
    lexical = np.where(allowed, index.lexicon.scores(weights or asked_words(cue)), 0.0)
    rows = np.flatnonzero(_pool(index, allowed, lexical, vector, dated))
    return _field(index, rows, lexical[rows], dated[rows], vector, cue, now, policy)


def asked_words(cue: Cue) -> list[str]:
    """The words to look for: those of the cue but for the ones that name its days."""
    return tokenize(without(cue.text, cue.spans))


def _dated(days: NDArray[np.int32], spans: Sequence[DateSpan]) -> Numbers:
    """Of each row 1 where the question names its day alone, 1/√n as one of n, else 0."""
    dated = np.zeros(len(days))
    for span in spans:
        held = (days >= span.first.toordinal()) & (days <= span.last.toordinal())
        np.maximum(dated, held * span.length**-0.5, out=dated)
    return dated


def _allowed(
    index: ScopeIndex, cue: Cue, dated: Numbers, now: datetime, exclude: Collection[str]
) -> Mask:
    """Which rows may be recalled at all."""
    rows = index.rows
    named = np.zeros(len(rows), dtype=np.bool_)
    for name in cue.names:
        for word in tokenize(name):
            named[index.lexicon.rows(word)] = True
    allowed = np.where(rows["archived"], named | (dated > 0), rows["alive"])
    allowed &= np.isin(rows["kind"], _RANKED)
    allowed &= rows["alive"] & (rows["expires"] > now.timestamp())
    allowed[[row for it in exclude if (row := index.row_of.get(it)) is not None]] = False
    return np.asarray(allowed, dtype=np.bool_)


def _pool(
    index: ScopeIndex,
    allowed: Mask,
    lexical: Numbers,
    vector: NDArray[np.float32] | None,
    dated: Numbers,
) -> Mask:
    if len(allowed) <= 2 * POOL:
        return allowed
    pool = (dated > 0) & (index.rows["kind"] == KINDS.index("turn"))
    pool[_top(lexical, POOL)] = True
    if vector is not None and index.vectors is not None:
        pool[index.vectors.nearest(vector, POOL, allowed)] = True
    chosen = np.flatnonzero(pool)
    for beside in (index.rows["previous"][chosen], index.rows["following"][chosen]):
        pool[beside[beside >= 0]] = True
    return np.asarray(pool & allowed, dtype=np.bool_)


def _top(scores: Numbers, count: int) -> NDArray[np.int64]:
    found = np.flatnonzero(scores > 0)
    if len(found) <= count:
        return found
    return found[np.argpartition(scores[found], -count)[-count:]]


def _field(
    index: ScopeIndex,
    rows: NDArray[np.int64],
    lexical: Numbers,
    dated: Numbers,
    vector: NDArray[np.float32] | None,
    cue: Cue,
    now: datetime,
    policy: ForgettingPolicy,
) -> CandidateSet:
    known = {name: index.rows[name][rows] for name in index.rows.columns}
    dense, mean = np.zeros(len(rows)), 0.0
    if vector is not None and index.vectors is not None:
        dense, mean = index.vectors.products(vector, rows), index.vectors.mean_product(vector)
    place = np.full(len(index.rows) + 1, -1, dtype=np.int64)  # the last one is nobody's
    place[rows] = np.arange(len(rows))
    idle = np.maximum(now.timestamp() - known["last_used"], 0.0) / _DAY
    return CandidateSet(
        memories=[index.rows.memories[row] for row in rows],
        day=known["day"],
        chinese=known["chinese"],
        dense=dense,
        dense_mean=mean,
        lexical=lexical,
        dated=dated,
        previous=place[known["previous"]],
        following=place[known["following"]],
        age_days=np.maximum(now.timestamp() - known["said"], 0.0) / _DAY,
        idle_days=idle,
        use_rank=_ranks(known["last_used"]),
        retention=_retention(known, idle, policy),
        strength=known["strength"],
        importance=np.where(known["importance"] > 0, known["importance"], ORDINARY_IMPORTANCE),
        is_turn=known["kind"] == KINDS.index("turn"),
        key_words=frozenset(extract_keywords(cue.text)),
    )


def _retention(
    known: dict[str, NDArray[np.float64]], idle: Numbers, policy: ForgettingPolicy
) -> Numbers:
    """R of each; 1 for all where the policy has no curve, since nothing fades there."""
    if not policy.has_curve:
        return np.ones(len(idle))
    return retentions(idle, known["strength"], _units(known, policy))


def _units(known: dict[str, NDArray[np.float64]], policy: ForgettingPolicy) -> Numbers:
    """Days of one unit of t of each, by its kind and importance."""
    units = np.array([[policy.unit_days(it), policy.unit_days(it, 1.0)] for it in KINDS])
    important = (known["importance"] >= IMPORTANT).astype(np.int64)
    return np.asarray(units[known["kind"].astype(np.int64), important])


def _ranks(last_used: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for the most recently used; those used at the same moment share the best of their ranks."""
    ranks = 1 + np.searchsorted(np.sort(-last_used), -last_used, side="left")
    return ranks.astype(np.float64)
