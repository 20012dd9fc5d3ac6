"""Find what was told later about the matter of a memory.

When a change is told, what it changes is mostly the nearest among all earlier turns. So the successor of
a memory is a later turn whose nearest earlier turn it is, and which is far nearer to it than other later
turns are. It may change what the memory says, or only go on with it: whoever quotes both shows their
days and claims nothing.
"""

from __future__ import annotations

import numpy as np

from siliconfriend.language.message import read_message
from siliconfriend.memory.records import Turn
from siliconfriend.recall.index import ScopeIndex

CONSIDERED = 8
"""Number of the later turns nearest to a memory that may be its successor."""

LEAST_DEVIATIONS = 2.5
"""Standard deviations by which a successor is nearer to the memory than later turns are on average."""

PRIOR_COUNT = 10
"""Later turns as many as which their spread must be to count for half: few turns scatter little."""


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
    is_told = rows["alive"] & rows["is_turn"] & ~rows["archived"]
    later = np.flatnonzero(is_told & (days > days[row]))
    if not len(later):
        return None
    nearness = vectors.inner_products(vectors.vectors(np.array(own))[0], later)
    share = len(later) / (len(later) + PRIOR_COUNT)
    least = nearness.mean() + share * LEAST_DEVIATIONS * nearness.std()
    for at in np.argsort(-nearness, kind="stable")[:CONSIDERED]:
        memory = rows.memory(int(later[at]))
        is_near = nearness[at] >= least and _nearest_before(index, int(later[at])) == row
        if is_near and isinstance(memory, Turn) and read_message(memory.query).tells_something:
            return memory
    return None


def _nearest_before(index: ScopeIndex, row: int) -> int:
    """Return the row of the turn of an earlier day that is nearest to that of a row; of equals the last."""
    assert index.vector_index is not None
    rows, vectors = index.rows, index.vector_index
    is_told = rows["alive"] & rows["is_turn"]
    earlier = np.flatnonzero(is_told & (rows["day"] < rows["day"][row]))
    nearness = vectors.inner_products(vectors.vectors(np.array([row]))[0], earlier)
    return int(earlier[::-1][nearness[::-1].argmax()])
