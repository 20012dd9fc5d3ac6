"""Find later turns about the matter of a memory.

When a change is told, what it changes is mostly the nearest among all earlier turns. So the successor of
a memory is a later turn whose nearest earlier turn it is, and which is far nearer to it than other later
turns are. The successor may change or just continue the memory, so callers quote both with their
days and claim nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.message import read_message
from siliconfriend.memory.records import Turn
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.vector_index import VectorIndex

CONSIDERED = 8
"""Number of the later turns nearest to a memory that may be its successor."""

LEAST_DEVIATIONS = 2.5
"""Minimum z-score of a successor's similarity among the later turns."""

PRIOR_COUNT = 10
"""Pseudo-count that shrinks the spread for few later turns."""

ROUNDING = 1e-6
"""Difference of two inner products that counts as none."""


def find_chain(index: ScopeIndex, identifier: str, most: int) -> tuple[Turn, ...]:
    """Return the successor of a memory, that one's, and so on, at most so many, oldest first.

    ``index``: hold its lock. Without an embedder there are none.
    """
    chain = list[Turn]()
    while len(chain) < most:
        following = _successor(index, chain[-1].id if chain else identifier)
        if following is None:
            break
        chain.append(following)
    return tuple(chain)


def _successor(index: ScopeIndex, identifier: str) -> Turn | None:
    vectors, rows, own = index.vector_index, index.rows, index.rows_of([identifier])
    if vectors is None or not own:
        return None
    (row,), days = own, rows["day"]
    is_told = rows["alive"] & rows["is_turn"]
    later = np.flatnonzero(is_told & ~rows["archived"] & (days > days[row]))
    if not len(later):
        return None
    nearness = vectors.inner_products(vectors.vectors(np.array(own))[0], later)
    share = len(later) / (len(later) + PRIOR_COUNT)
    least = nearness.mean() + share * LEAST_DEVIATIONS * nearness.std()
    near = np.flatnonzero(nearness >= least)
    nearest = later[near[np.argsort(-nearness[near], kind="stable")[:CONSIDERED]]]
    telling = {
        at: memory
        for at, memory in ((at, rows.memory(at)) for at in nearest.tolist())
        if isinstance(memory, Turn) and read_message(memory.query).tells_something
    }
    nearest_before = _nearest_before(vectors, np.array([*telling], np.int64), is_told, days)
    return next((telling[at] for at, before in nearest_before.items() if before == row), None)


def _nearest_before(
    vectors: VectorIndex,
    chosen: NDArray[np.int64],
    is_told: NDArray[np.bool_],
    days: NDArray[np.integer],
) -> dict[int, int]:
    """Return for each chosen row that of the turn of an earlier day nearest to it; of equals the last.

    ``is_told``: which rows are turns that count; ``days``: the days of all rows.
    """
    found = dict[int, int]()
    if not len(chosen):
        return found
    nearness = vectors.inner_products_of_several(vectors.vectors(chosen))
    for row, of_row in zip(chosen.tolist(), nearness, strict=True):
        of_row[~is_told | (days >= days[row])] = -np.inf
        found[row] = int(np.flatnonzero(of_row >= of_row.max() - ROUNDING)[-1])
    return found
