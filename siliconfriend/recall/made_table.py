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

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory
from siliconfriend.recall.association_table import HIGHEST, Entry
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.key_terms import stems_of
from siliconfriend.recall.key_words import key_pairs

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

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The key words of each text by stem, and whether it is a fact or an event."""

    words: Sequence[Mapping[str, str]]
    known: NDArray[np.bool_]


def made_entries(
    memories: Iterable[Memory],
    *,
    names: Collection[str] = (),
    embed: Embed | None = None,
    most_texts: int = MOST_TEXTS,
) -> list[Entry]:
    """The entries of a table from what can be recalled of a person.

    Args:
        memories: in any order.
        names: of the two who speak, which go with everything and are left out.
        embed: gives vectors of words; without it only what was told together counts.
        most_texts: at most so many of the memories.
    """
    texts = _texts(memories, stems_of(names), most_texts)
    vocabulary = _vocabulary(texts)
    if len(vocabulary) < 2:
        return []
    said = {stem: words[stem] for words in reversed(texts.words) for stem in words}
    levels, closeness = _together(texts, vocabulary)
    if embed is not None and len(vocabulary) >= FEWEST_NEIGHBOURS:
        near = np.zeros_like(levels)
        compared = [said[it] for it in vocabulary[:MOST_EMBEDDED]]
        near[: len(compared), : len(compared)] = _neighbours(embed(compared))
        levels, closeness = np.maximum(levels, _levels_of(near)), closeness + near / 100
    return _entries([said[it] for it in vocabulary], levels, closeness)


def _texts(memories: Iterable[Memory], names: frozenset[str], most: int) -> _Texts:
    in_order = sorted(memories, key=lambda it: (_is_known(it), it.date, it.id), reverse=True)[:most]
    cut = [key_pairs(searched_text(it)) for it in in_order]
    return _Texts(
        [{stem: word for stem, word in words.items() if not {stem, word} & names} for words in cut],
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


def _together(texts: _Texts, vocabulary: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Levels by how much more often two words stand together than by chance, and that itself.

    The normalised pointwise mutual information ln(p_ab / (p_a·p_b)) / -ln p_ab, times
    n/(n+1) for n texts, since what happened once may be chance.
    """
    place = {stem: at for at, stem in enumerate(vocabulary)}
    holds = np.zeros((len(texts.words), len(vocabulary)), dtype=np.float32)
    for row, words in enumerate(texts.words):
        holds[row, [place[it] for it in words if it in place]] = 1.0
    both = np.asarray(holds.T @ holds, dtype=np.float64)
    in_known = holds[texts.known].T @ holds[texts.known]
    often = np.diag(both).copy()
    counts = np.where((in_known >= 1) | (both >= TOLD_TOGETHER), both, 0.0)
    np.fill_diagonal(counts, 0.0)
    whole = float(len(texts.words))
    with np.errstate(divide="ignore", invalid="ignore"):
        closeness = np.log(counts * whole / np.outer(often, often)) / -np.log(counts / whole)
    closeness = np.where(counts > 0, np.nan_to_num(closeness, posinf=1.0, neginf=0.0), 0.0)
    closeness = np.clip(closeness, 0.0, 1.0) * counts / (counts + 1.0)
    return np.ceil(HIGHEST * closeness - 1e-6), closeness


def _neighbours(vectors: Vectors) -> Matrix:
    """How far each cosine is above what is usual for both words, in standard deviations."""
    cosines = np.asarray(vectors @ vectors.T, dtype=np.float64)
    np.fill_diagonal(cosines, np.nan)
    mean, spread = np.nanmean(cosines, axis=1), np.nanstd(cosines, axis=1)
    usual, scale = (mean[:, None] + mean) / 2, np.sqrt(np.outer(spread, spread))
    above = np.divide(cosines - usual, scale, out=np.zeros_like(cosines), where=scale > 1e-6)
    return np.asarray(np.nan_to_num(above))


def _levels_of(near: Matrix) -> Matrix:
    """One level above the whole number of deviations, for neighbours; else 0."""
    return np.where(near >= LEAST_LIKENESS, np.minimum(np.floor(near) + 1, HIGHEST), 0.0)


def _entries(said: Sequence[str], levels: Matrix, closeness: Matrix) -> list[Entry]:
    entries: list[Entry] = []
    for at, word in enumerate(said):
        others = np.flatnonzero(levels[at] > 0)
        best = np.lexsort((others, -closeness[at][others], -levels[at][others]))[:MOST_OF_ONE]
        entries += [(word, said[it], int(levels[at][it])) for it in others[best]]
    return entries
