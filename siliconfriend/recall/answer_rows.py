"""Which memories are read for a question about a matter of someone's life.

Of a large memory not each can be read while somebody waits, and where a question names days only
those count that were told on them or speak of them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.recall.candidate_set import Mask, Numbers
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.time_spans import date_match, spoken_match

_TURN, _FACT = KINDS.index("turn"), KINDS.index("fact")


def rows_read(
    index: ScopeIndex,
    cue: Cue,
    vector: NDArray[np.float32] | None,
    most: int,
    now: datetime,
    exclude: Collection[str],
    nearest: NDArray[np.int64] | None,
) -> tuple[NDArray[np.int64], Numbers | None]:
    """The rows that are read, at most ``most``, and their cosines with a message; hold the lock.

    ``nearest`` as :func:`siliconfriend.recall.answers.find_answers`; no cosines without a vector.
    """
    is_read = _readable(index, now, exclude)
    if days_asked(cue):
        is_read &= _is_of_days(index, cue, now)
    elif nearest is not None:
        is_near = index.rows["kind"] == _FACT
        is_near[nearest] = True
        is_read &= is_near
    rows = np.flatnonzero(is_read)
    cosines = None
    if vector is not None and index.vector_index is not None:
        (cosines,) = index.vector_index.inner_products([vector], rows)
    if len(rows) > most:
        order = index.word_index.scores(cue.search_tokens)[rows] if cosines is None else cosines
        best = np.sort(np.argpartition(-order, most)[:most])
        rows, cosines = rows[best], None if cosines is None else cosines[best]
    return rows, cosines


def days_asked(cue: Cue) -> tuple[DateSpan, ...]:
    """The days that a message names, but for vague ones ("recently")."""
    return tuple(span for span in cue.spans if not span.vague)


def _is_of_days(index: ScopeIndex, cue: Cue, now: datetime) -> NDArray[np.bool_]:
    """Which rows of the index were told on the days that a message names, or speak of them."""
    told = date_match(index.rows["day"], cue, now.date())
    spoken, _ = spoken_match(index.times, cue, now.date())
    return np.asarray(np.maximum(told, spoken) > 0, dtype=np.bool_)


def _readable(index: ScopeIndex, now: datetime, exclude: Collection[str]) -> Mask:
    """Which rows are turns and facts that may be recalled."""
    rows = index.rows
    is_open = rows["alive"] & ~rows["archived"] & (rows["expires"] > now.timestamp())
    is_open &= (rows["kind"] == _TURN) | (rows["kind"] == _FACT)
    is_open[index.rows_of(exclude)] = False
    return np.asarray(is_open, dtype=np.bool_)
