"""What stands out in a person's words: central sentences, and terms that return.

The centrality of a sentence is its similarity to the mean of its day, by embedding, or by
shared words where there is no embedder. Central sentences are chosen with variety, by
maximal marginal relevance (Carbonell and Goldstein, 1998): each further one pays for its
similarity to those chosen already. Only words that were said are counted, so a recurring
term is never more than what the person can find again in their own history.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.content_words import ContentWord, content_words
from siliconfriend.recall.embedders.base import Embedder

RELEVANCE_WEIGHT = 0.5
"""What centrality counts against variety, of 1."""
FULL_SENTENCE = 4
"""Content words of a sentence that says something; one with fewer counts for less, since
what is nearest to the middle of a day is often an empty "that sounds good"."""
MOST_COMPARED = 120
"""Sentences that are compared; the time grows with their square."""

Matrix = NDArray[np.float64]
_Roots = tuple[str, ...]
"""The root of a word, or the roots of a pair of words."""


@dataclass(frozen=True, slots=True)
class RecurringTerm:
    """A word or a pair of words that was spoken of.

    Attributes:
        name: as it was mostly written.
        days: the ISO dates on which it was, ascending.
    """

    name: str
    days: tuple[str, ...]


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
    for position, sentence in enumerate(sentences):
        first.setdefault(sentence.casefold(), position)
    roots = {at: {word.root for word in content_words(sentences[at])} for at in first.values()}
    compared = _sample(roots)
    if embedder is not None:
        vectors = embedder.passages([sentences[at] for at in compared]).astype(np.float64)
    else:
        vectors = _word_vectors([roots[at] for at in compared])
    fullness = np.array([min(len(roots[at]) / FULL_SENTENCE, 1.0) for at in compared])
    chosen = _marginal_relevance(vectors, fullness, min(count, len(compared)))
    return sorted(compared[at] for at in chosen)


def recurring_terms(
    sentences: Mapping[str, Mapping[str, Sequence[ContentWord]]],
    *,
    most: int,
    least_days: int = 1,
) -> list[RecurringTerm]:
    """The terms of the sentences under their dates, those of most days first.

    A pair of words ("rock climbing") stands for its two words where it comes as often.

    Args:
        sentences: the person's sentences with their content words, by ISO date.
        most: how many terms at most.
        least_days: on how many days a term must have been spoken of.
    """
    days: defaultdict[_Roots, set[str]] = defaultdict(set)
    frequency: Counter[_Roots] = Counter()
    written: defaultdict[_Roots, Counter[str]] = defaultdict(Counter)
    for date, spoken in sentences.items():
        for sentence, words in spoken.items():
            for roots, form in _terms(words, sentence):
                days[roots].add(date)
                frequency[roots] += 1
                written[roots][form] += 1
    candidates = [
        roots
        for roots in days
        if len(days[roots]) >= least_days and (len(roots) == 1 or frequency[roots] > 1)
    ]
    candidates.sort(key=lambda roots: (-len(days[roots]), -frequency[roots], -len(roots), roots))
    kept: list[_Roots] = []
    for roots in candidates:
        if len(kept) < most and not any(_adds_nothing(roots, other, days) for other in kept):
            kept = [other for other in kept if not _covers(roots, other)]
            kept.append(roots)
    return [
        RecurringTerm(written[roots].most_common(1)[0][0], tuple(sorted(days[roots])))
        for roots in kept
    ]


def _sample(roots: Mapping[int, set[str]]) -> list[int]:
    """All, or of very many the one with the commonest words in each stretch of the talk.

    The commonest of all would be of one matter, and of years a single month.
    """
    if len(roots) <= MOST_COMPARED:
        return list(roots)
    frequency = Counter(root for sentence in roots.values() for root in sentence)

    def commonness(at: int) -> float:
        return sum(frequency[root] for root in roots[at]) / math.sqrt(max(len(roots[at]), 1))

    stretches = np.array_split(np.array(list(roots)), MOST_COMPARED)
    return [max(map(int, stretch), key=commonness) for stretch in stretches]


def _marginal_relevance(vectors: Matrix, fullness: Matrix, count: int) -> list[int]:
    """Rows of the vectors that are near the mean of all and far from each other, best first."""
    similarity = _stretched(vectors @ vectors.T)
    relevance = _stretched(vectors @ vectors.sum(axis=0)) * fullness
    chosen = [int(np.argmax(relevance))]
    while len(chosen) < count:
        redundancy = similarity[:, chosen].max(axis=1)
        gain = RELEVANCE_WEIGHT * relevance - (1 - RELEVANCE_WEIGHT) * redundancy
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
    return chosen


def _stretched(values: Matrix) -> Matrix:
    """The values stretched to 0..1: some embedders know only cosines above 0.75."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def _word_vectors(roots: Sequence[set[str]]) -> Matrix:
    """A row a sentence, each of its words counted once, of length 1 or 0."""
    axes = {root: axis for axis, root in enumerate(sorted(set().union(*roots)))}
    rows = np.zeros((len(roots), max(len(axes), 1)))
    for row, found in enumerate(roots):
        rows[row, [axes[root] for root in found]] = 1
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _terms(words: Sequence[ContentWord], sentence: str) -> Iterator[tuple[_Roots, str]]:
    """The words that can name a theme, and the pairs that stand side by side, as written."""
    for word in words:
        if word.names_topic:
            yield (word.root,), word.shown
    for first, second in pairwise(words):
        pair = f"{first.shown} {second.shown}"
        if pair in sentence and first.root != second.root:
            yield (first.root, second.root), pair


def _adds_nothing(roots: _Roots, kept: _Roots, days: Mapping[_Roots, set[str]]) -> bool:
    """True if the term ``roots`` says nothing that ``kept`` does not say already."""
    if len(roots) == 1:
        return roots[0] in kept and len(kept) > 1
    return len(kept) == 1 and kept[0] in roots and len(days[roots]) * 2 < len(days[kept])


def _covers(roots: _Roots, kept: _Roots) -> bool:
    """True if the pair ``roots`` stands for the single word ``kept`` too."""
    return len(kept) == 1 and len(roots) > 1 and kept[0] in roots
