"""Which sentences a day is about: the most central ones, with variety.

Centrality is the likeness of a sentence to the middle of its day, by embedding, or by
shared words where there is no embedder. Variety is maximal marginal relevance
(Carbonell and Goldstein, 1998): each further sentence pays for what was chosen already.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.content_words import content_words
from siliconfriend.recall.embedders.base import Embedder

RELEVANCE = 0.5
"""What centrality counts against variety, of 1."""
FULL = 4
"""Meaningful words of a sentence that says something; one with fewer counts for less, since
what is nearest to the middle of a day is often an empty "that sounds good"."""
MOST_COMPARED = 120
"""Sentences that are compared; the time grows with their square."""

Matrix = NDArray[np.float64]


def most_central(
    sentences: Sequence[str], count: int, embedder: Embedder | None = None
) -> list[int]:
    """Positions of the ``count`` most central sentences, in the order they stand in.

    One that is said again counts once, where it was said first.

    Raises:
        ModelUnavailable: the embedder is a service that failed.
    """
    if len(sentences) <= count:
        return list(range(len(sentences)))
    first: dict[str, int] = {}
    for at, sentence in enumerate(sentences):
        first.setdefault(sentence.casefold(), at)
    roots = {at: {word.root for word in content_words(sentences[at])} for at in first.values()}
    compared = _worth_comparing(roots)
    if embedder is not None:
        vectors = embedder.passages([sentences[at] for at in compared]).astype(np.float64)
    else:
        vectors = _by_words([roots[at] for at in compared])
    fullness = np.array([min(len(roots[at]) / FULL, 1.0) for at in compared])
    chosen = _with_variety(vectors, fullness, min(count, len(compared)))
    return sorted(compared[at] for at in chosen)


def _worth_comparing(roots: Mapping[int, set[str]]) -> list[int]:
    """All, or of very many the one with the commonest words in each stretch of the talk.

    The commonest of all would be of one matter, and of years a single month.
    """
    if len(roots) <= MOST_COMPARED:
        return list(roots)
    counted = Counter(root for found in roots.values() for root in found)

    def commonness(at: int) -> float:
        return sum(counted[root] for root in roots[at]) / math.sqrt(max(len(roots[at]), 1))

    stretches = np.array_split(np.array(list(roots)), MOST_COMPARED)
    return [max(map(int, stretch), key=commonness) for stretch in stretches]


def _with_variety(vectors: Matrix, fullness: Matrix, count: int) -> list[int]:
    likeness = _spread(vectors @ vectors.T)
    relevance = _spread(vectors @ vectors.sum(axis=0)) * fullness
    chosen = [int(np.argmax(relevance))]
    while len(chosen) < count:
        worth = RELEVANCE * relevance - (1 - RELEVANCE) * likeness[:, chosen].max(axis=1)
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(worth)))
    return chosen


def _spread(values: Matrix) -> Matrix:
    """The values stretched to 0..1: some embedders know only cosines above 0.75."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def _by_words(roots: Sequence[set[str]]) -> Matrix:
    """A row a sentence, each of its words counted once, of length 1 or 0."""
    axes = {root: axis for axis, root in enumerate(sorted(set().union(*roots)))}
    rows = np.zeros((len(roots), max(len(axes), 1)))
    for row, found in enumerate(roots):
        rows[row, [axes[root] for root in found]] = 1
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))
