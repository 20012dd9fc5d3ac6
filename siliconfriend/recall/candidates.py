"""From the two indexes to the candidates that a recipe ranks.

Of a small memory everything is a candidate. Of a large one: the nearest by meaning, the
best by words, the days that are named, and the turns beside all of these. What is archived
is a candidate only where the question names its day or one of its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.fate import Candidate, retentions
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.recall.cues import Cue, without
from siliconfriend.recall.field import Field
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.key_words import key_words
from siliconfriend.recall.words import words

POOL = 200
"""Nearest by meaning and best by words, each; far more than any prompt holds."""

ORDINARY_IMPORTANCE = 0.5
"""What a memory counts that nobody judged, on the scale from 0.1 to 1.0."""

_DAY = 86_400.0


def find_candidates(
    index: ScopeIndex,
    memory: PersonMemory,
    cue: Cue,
    vector: NDArray[np.float32] | None,
    *,
    now: datetime,
    policy: ForgettingPolicy,
    exclude: frozenset[str],
) -> Field:
    """Everything that may be recalled for a cue, with what recipes weigh.

    ``vector`` is the embedded cue, None without an embedder. Hold the index's lock.
    """
    lexical = index.lexicon.scores(asked_words(cue))
    dates = _named_dates(cue, memory)
    rows = _pool(index, memory, lexical, vector, dates)
    names = frozenset(word for name in cue.names for word in words(name))
    kept: list[int] = []
    records: list[Memory] = []
    for row in sorted(rows):
        document = index.documents[row]
        if document.id in exclude or not index.is_alive(row):
            continue
        if document.archived and document.date not in dates and not (names & _words(index, row)):
            continue
        record = memory.find(document.id)
        if record is not None and not _is_over(record, now):
            kept.append(row)
            records.append(record)
    return _field(
        index, records, np.array(kept, dtype=np.int64), lexical, vector, dates, now, policy, cue
    )


def asked_words(cue: Cue) -> list[str]:
    """The words to look for: those of the cue but for the ones that name its days."""
    return words(without(cue.text, cue.spans))


def _words(index: ScopeIndex, row: int) -> frozenset[str]:
    return frozenset(words(index.documents[row].text))


def _named_dates(cue: Cue, memory: PersonMemory) -> dict[str, float]:
    """The remembered days that the question names: 1 for a day alone, 1/√n for one of n."""
    if not cue.spans:
        return {}
    named = {}
    for day in memory.days:
        lengths = [it.length for it in cue.spans if it.holds(date.fromisoformat(day))]
        if lengths:
            named[day] = min(lengths) ** -0.5
    return named


def _pool(
    index: ScopeIndex,
    memory: PersonMemory,
    lexical: NDArray[np.float64],
    vector: NDArray[np.float32] | None,
    dates: Mapping[str, float],
) -> set[int]:
    total = len(index.documents)
    if total <= 2 * POOL:
        return set(range(total))
    pool = set(_top(lexical, POOL))
    if vector is not None and index.vectors is not None:
        pool.update(index.vectors.nearest(vector, POOL).tolist())
    for day in dates:
        pool.update(_rows(index, (turn.id for turn in memory.days[day].turns)))
    for row in list(pool):
        pool.update(_rows(index, _beside(memory, index.documents[row].id)))
    return pool


def _top(scores: NDArray[np.float64], count: int) -> list[int]:
    if len(scores) <= count:
        return [int(row) for row in np.flatnonzero(scores > 0)]
    best = np.argpartition(scores, -count)[-count:]
    return [int(row) for row in best[scores[best] > 0]]


def _rows(index: ScopeIndex, ids: Iterable[str]) -> list[int]:
    return [index.row_of[it] for it in ids if it in index.row_of]


def _beside(memory: PersonMemory, identifier: str) -> list[str]:
    """Ids of the turns said just before and just after a turn, on the same day."""
    record = memory.find(identifier)
    if not isinstance(record, Turn):
        return []
    turns = memory.days[record.date].turns
    at = _place(turns, record)
    return [turns[i].id for i in (at - 1, at + 1) if 0 <= i < len(turns)]


def _place(turns: tuple[Turn, ...], turn: Turn) -> int:
    """Where a turn stands among its day's; mostly at its position, earlier after an erasure."""
    at = min(turn.position, len(turns) - 1)
    while turns[at].position > turn.position:
        at -= 1
    return at


def _is_over(memory: Memory, now: datetime) -> bool:
    return memory.trace.expires is not None and memory.trace.expires <= now


def _field(
    index: ScopeIndex,
    records: list[Memory],
    rows: NDArray[np.int64],
    lexical: NDArray[np.float64],
    vector: NDArray[np.float32] | None,
    dates: Mapping[str, float],
    now: datetime,
    policy: ForgettingPolicy,
    cue: Cue,
) -> Field:
    traces = [record.trace for record in records]
    candidates = [Candidate(it.id, kind_of(it), it.trace) for it in records]
    has_vectors = vector is not None and index.vectors is not None and len(rows) > 0
    dense = (
        index.vectors.products(vector, rows)
        if has_vectors and index.vectors is not None and vector is not None
        else np.zeros(len(rows))
    )
    last = np.array([trace.last_recall.timestamp() for trace in traces])
    said = np.array([trace.created.timestamp() for trace in traces])
    previous, following = _neighbours(records)
    return Field(
        memories=records,
        dense=dense,
        dense_mean=index.mean_product(vector) if vector is not None else 0.0,
        lexical=lexical[rows] if len(rows) else np.zeros(0),
        dated=np.array([dates.get(record.date, 0.0) for record in records]),
        previous=previous,
        following=following,
        age_days=np.maximum(now.timestamp() - said, 0.0) / _DAY,
        idle_days=np.maximum(now.timestamp() - last, 0.0) / _DAY,
        use_rank=_ranks(last),
        retention=retentions(candidates, now, policy),
        strength=np.array([trace.strength for trace in traces]),
        importance=np.array([trace.importance or ORDINARY_IMPORTANCE for trace in traces]),
        is_turn=np.array([isinstance(record, Turn) for record in records], dtype=np.bool_),
        key_words=frozenset(key_words(cue.text)),
    )


def _ranks(last_used: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for the most recently used; those used at the same moment share the best of their ranks."""
    ranks = 1 + np.searchsorted(np.sort(-last_used), -last_used, side="left")
    return ranks.astype(np.float64)


def _neighbours(records: list[Memory]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of the candidates said just before and just after each, -1 for none."""
    at_place = {
        (record.date, record.position): at
        for at, record in enumerate(records)
        if isinstance(record, Turn)
    }
    previous = np.full(len(records), -1, dtype=np.int64)
    following = np.full(len(records), -1, dtype=np.int64)
    for (day, position), at in at_place.items():
        previous[at] = at_place.get((day, position - 1), -1)
        following[at] = at_place.get((day, position + 1), -1)
    return previous, following
