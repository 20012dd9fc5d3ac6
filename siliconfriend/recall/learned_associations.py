"""The table of associated words that a person's own memory gives, with no word list to fetch.

What was told in one breath belongs together ("Mochi" and "cat"), and the embedder knows
which of the person's words mean nearly the same ("office" and "work"). Making the table
costs the square of its words, so it holds the most telling ones only and is made at night,
not while somebody waits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.keywords import keyword_forms
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory
from siliconfriend.recall.association_table import HIGHEST, Entry
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.embedders.base import Vectors

MOST_WORDS = 1000
"""Words in a table; their vectors and pairs are what it costs to make."""

MOST_TEXTS = 2000
"""Memories it is made from: facts and events first, then turns, the newest first."""

MOST_OF_ONE = 12
"""Words that one word brings to mind."""

TOLD_TOGETHER = 2
"""Turns in which two words must stand together; one fact or event is enough."""

TOO_COMMON = 0.2
"""A word in more than this share of the texts brings anything to mind."""

MOST_EMBEDDED = 500
"""Words that are compared by meaning; each must be embedded once."""

FEWEST_NEIGHBOURS = 50
"""Words from which on it can be told what an unusual likeness is."""

LEAST_LIKENESS = 4.0
"""Standard deviations above the usual cosine of both words; nearer ones are neighbours. The
cosines themselves tell nothing: those of single words lie between 0.85 and 0.98 for E5."""

Embed = Callable[[Sequence[str]], Vectors]
"""The vectors of some words: float32, shape (n, dimension), rows of length 1."""


class _Pairs(NamedTuple):
    """Pairs of words by their places in the vocabulary, arrays of one length."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    level: NDArray[np.float64]
    closeness: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The key words of each text by stem, and whether it is a fact or an event."""

    words: Sequence[Mapping[str, str]]
    known: NDArray[np.bool_]


def learn_associations(
    memories: Iterable[Memory],
    *,
    names: Collection[str] = frozenset(),
    embed: Embed | None = None,
    most_texts: int = MOST_TEXTS,
) -> list[Entry]:
    """The entries of a table from what can be recalled of a person.

    Args:
        memories: in any order.
        names: the words of what the two who speak are called; they go with everything.
        embed: gives vectors of words; without it only what was told together counts.
        most_texts: at most so many of the memories.
    """
    texts = _texts(memories, names, most_texts)
    vocabulary = _vocabulary(texts)
    if len(vocabulary) < 2:
        return []
    said = {stem: words[stem] for words in reversed(texts.words) for stem in words}
    spoken = [said[it] for it in vocabulary]
    pairs = _together(texts, vocabulary)
    if embed is not None and len(vocabulary) >= FEWEST_NEIGHBOURS:
        near = _neighbours(embed(spoken[:MOST_EMBEDDED]))
        pairs = _Pairs(
            np.concatenate([pairs.first, near.first]),
            np.concatenate([pairs.second, near.second]),
            np.concatenate([pairs.level, near.level]),
            np.concatenate([pairs.closeness, near.closeness]),
        )
    return _entries(spoken, pairs)


def _texts(memories: Iterable[Memory], names: Collection[str], most: int) -> _Texts:
    in_order = sorted(memories, key=lambda it: (_is_known(it), it.date, it.id), reverse=True)[:most]
    cut = [keyword_forms(searched_text(it)) for it in in_order]
    return _Texts(
        [
            {stem: word for stem, word in words.items() if stem not in names and word not in names}
            for words in cut
        ],
        np.array([_is_known(it) for it in in_order], dtype=np.bool_),
    )


def _is_known(memory: Memory) -> bool:
    return isinstance(memory, Event | Fact)


def _vocabulary(texts: _Texts) -> list[str]:
    """The stems of the table: of facts and events all, of turns those said twice; the most first.

    By how often a word is said times how much it tells, as TF-IDF.
    """
    told, known = Counter[str](), Counter[str]()
    for words, is_known in zip(texts.words, texts.known, strict=True):
        told.update(words.keys())
        if is_known:
            known.update(words.keys())
    whole = len(texts.words)
    common = max(3.0, TOO_COMMON * whole)
    fitting = [it for it in told if told[it] <= common and (known[it] or told[it] > 1)]
    weight = {it: told[it] * math.log(1 + whole / told[it]) for it in fitting}
    return sorted(fitting, key=lambda it: (not known[it], -weight[it], it))[:MOST_WORDS]


def _together(texts: _Texts, vocabulary: Sequence[str]) -> _Pairs:
    """Words told together, by how much more often than by chance.

    The normalised pointwise mutual information ln(p_ab / (p_a·p_b)) / -ln p_ab, times
    n/(n+1) for n texts, since what happened once may be chance; level 9 is all of it.
    """
    place, size = {stem: at for at, stem in enumerate(vocabulary)}, len(vocabulary)
    held = [
        np.array([place[it] for it in words if it in place], dtype=np.int64)
        for words in texts.words
    ]
    often = np.bincount(np.concatenate(held), minlength=size)
    codes = [(words[:, None] * size + words).ravel() for words in held]
    known = [it for it, is_known in zip(codes, texts.known, strict=True) if is_known]
    pairs, counts = np.unique(np.concatenate(codes), return_counts=True)
    enough = counts >= TOLD_TOGETHER
    if known:
        enough |= np.isin(pairs, np.concatenate(known))
    first, second = pairs // size, pairs % size
    chosen = enough & (first != second) & (counts < len(held))
    first, second, counts = first[chosen], second[chosen], counts[chosen]
    whole = float(len(held))
    closeness = np.log(counts * whole / (often[first] * often[second])) / -np.log(counts / whole)
    closeness = np.clip(closeness, 0.0, 1.0) * counts / (counts + 1.0)
    return _Pairs(first, second, np.ceil(HIGHEST * closeness - 1e-6), closeness)


def _neighbours(vectors: Vectors) -> _Pairs:
    """Words whose cosine is far above what is usual for both, in standard deviations.

    Their level is one above the whole number of deviations.
    """
    cosines = np.asarray(vectors @ vectors.T, dtype=np.float64)
    np.fill_diagonal(cosines, np.nan)
    mean, spread = np.nanmean(cosines, axis=1), np.nanstd(cosines, axis=1)
    usual, scale = (mean[:, None] + mean) / 2, np.sqrt(np.outer(spread, spread))
    above = np.divide(cosines - usual, scale, out=np.zeros_like(cosines), where=scale > 1e-6)
    first, second = np.nonzero(above >= LEAST_LIKENESS)
    near = above[first, second]
    return _Pairs(first, second, np.minimum(np.floor(near) + 1, HIGHEST), near / HIGHEST)


def _entries(said: Sequence[str], pairs: _Pairs) -> list[Entry]:
    """Of each word the closest others, each with the higher of its levels."""
    order = np.lexsort((pairs.second, -pairs.closeness, -pairs.level, pairs.first))
    entries: dict[tuple[int, int], int] = {}
    taken: Counter[int] = Counter()
    columns = (pairs.first[order], pairs.second[order], pairs.level[order].astype(np.int64))
    for word, other, level in zip(*(it.tolist() for it in columns), strict=True):
        if level > 0 and taken[word] < MOST_OF_ONE and (word, other) not in entries:
            entries[word, other] = level
            taken[word] += 1
    return [(said[word], said[other], level) for (word, other), level in entries.items()]
