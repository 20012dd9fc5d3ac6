"""Learn a table of associated words from a person's own memory, with no word list to fetch.

What was told in one breath belongs together ("Mochi" and "cat"). Learning costs the square of the
words, so a table holds the most informative ones only. It is learned at night and kept in the
index's cache, from where an erasure takes it. Before the first night there is the base table alone.
The operator's own file replaces both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.words import keyword_forms
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory
from siliconfriend.recall.association_table import (
    HIGHEST,
    AssociationTable,
    Entry,
    operator_table,
)
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.index import ScopeIndex

MOST_WORDS = 1000
"""Words in a table; their pairs are what it costs to make."""

MOST_TEXTS = 2000
"""Memories it is learned from: facts and events first, then turns, the newest first."""

MOST_OF_ONE = 12
"""Words that one word brings to mind."""

TOLD_TOGETHER = 2
"""Turns in which two words must stand together; one fact or event is enough."""

TOO_COMMON = 0.2
"""A word in more than this share of the texts brings anything to mind."""

_LEARNED_FROM = [KINDS.index(kind) for kind in ("turn", "event", "fact")]


class AssociationTables:
    """The tables of all people of a store. Hold the index's lock around every call.

    Args:
        operator: the operator's file, which need not be there.
    """

    def __init__(self, operator: Path | None = None) -> None:
        self._operator = operator
        self._kept: WeakKeyDictionary[ScopeIndex, tuple[tuple[str, int], AssociationTable]] = (
            WeakKeyDictionary()
        )

    def of(self, index: ScopeIndex) -> AssociationTable:
        """The table for an index: the operator's, or what a night has learned with the base table.

        Raises:
            ConfigurationError: the operator's file cannot be read.
        """
        table = operator_table(self._operator)
        if table is not None:
            return table
        mark = index.cache.associations_mark(), index.cache.erasures
        kept = self._kept.get(index)
        if kept is None or kept[0] != mark:
            kept = mark, AssociationTable(index.cache.associations(), with_base=True)
            self._kept[index] = kept
        return kept[1]


def associated_memories(index: ScopeIndex) -> list[Memory]:
    """Return the memories that a table is learned from: turns, facts and events, none archived.

    Of more than :data:`MOST_TEXTS` those that can be among the first so many: facts and events first,
    then the newest.
    """
    rows = index.rows
    found = np.flatnonzero(rows["alive"] & ~rows["archived"] & np.isin(rows["kind"], _LEARNED_FROM))
    is_turn = rows["kind"][found] == KINDS.index("turn")
    rank = rows["day"][found] + np.where(is_turn, 0, _BEYOND_ALL_DAYS)
    if len(found) > MOST_TEXTS:
        found = found[rank >= np.partition(rank, -MOST_TEXTS)[-MOST_TEXTS]]
    return [rows.memories[row] for row in found.tolist()]


_BEYOND_ALL_DAYS = 1 << 30


def learn_associations(
    memories: Iterable[Memory],
    *,
    names: Collection[str] = frozenset(),
) -> list[Entry]:
    """Learn the entries of a table from what can be recalled of a person.

    Args:
        memories: in any order.
        names: the words of what the two who speak are called; they go with everything.
    """
    texts = _texts(memories, names)
    vocabulary = _vocabulary(texts)
    if len(vocabulary) < 2:
        return []
    said = {token: words[token] for words in reversed(texts.keywords) for token in words}
    surface_forms = [said[token] for token in vocabulary]
    return _entries(surface_forms, _told_together(texts, vocabulary))


class _Pairs(NamedTuple):
    """Pairs of words by their places in the vocabulary, arrays of one length."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    level: NDArray[np.float64]
    closeness: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The keywords of each text, by token, and which texts are facts or events."""

    keywords: Sequence[Mapping[str, str]]
    is_known: NDArray[np.bool_]


def _texts(memories: Iterable[Memory], names: Collection[str]) -> _Texts:
    newest = sorted(
        memories, key=lambda memory: (_is_known(memory), memory.date, memory.id), reverse=True
    )[:MOST_TEXTS]
    return _Texts(
        [
            {
                token: word
                for token, word in keyword_forms(searched_text(memory)).items()
                if token not in names and word not in names
            }
            for memory in newest
        ],
        np.array([_is_known(memory) for memory in newest], dtype=np.bool_),
    )


def _is_known(memory: Memory) -> bool:
    return isinstance(memory, Event | Fact)


def _vocabulary(texts: _Texts) -> list[str]:
    """The tokens of the table: of facts and events all, of turns those said twice; the most first.

    Ordered by TF-IDF: how often a word is said times how rare it is.
    """
    told, known = Counter[str](), Counter[str]()
    for keywords, is_known in zip(texts.keywords, texts.is_known, strict=True):
        told.update(keywords.keys())
        if is_known:
            known.update(keywords.keys())
    total = len(texts.keywords)
    common = max(3.0, TOO_COMMON * total)
    fitting = [
        token for token in told if told[token] <= common and (known[token] or told[token] > 1)
    ]
    weight = {token: told[token] * math.log(1 + total / told[token]) for token in fitting}
    return sorted(fitting, key=lambda token: (not known[token], -weight[token], token))[:MOST_WORDS]


def _told_together(texts: _Texts, vocabulary: Sequence[str]) -> _Pairs:
    """Words told together, by how much more often than by chance.

    The normalised pointwise mutual information ln(p_ab / (p_a·p_b)) / -ln p_ab, times
    n/(n+1) for n texts, since what happened once may be chance; level 9 is all of it.
    """
    place, size = {token: at for at, token in enumerate(vocabulary)}, len(vocabulary)
    held = [
        np.array([place[token] for token in keywords if token in place], dtype=np.int64)
        for keywords in texts.keywords
    ]
    frequency = np.bincount(np.concatenate(held), minlength=size)
    codes = [(words[:, None] * size + words).ravel() for words in held]
    known = [code for code, is_known in zip(codes, texts.is_known, strict=True) if is_known]
    pairs, counts = np.unique(np.concatenate(codes), return_counts=True)
    is_enough = counts >= TOLD_TOGETHER
    if known:
        is_enough |= np.isin(pairs, np.concatenate(known))
    first, second = pairs // size, pairs % size
    chosen = is_enough & (first != second) & (counts < len(held))
    first, second, counts = first[chosen], second[chosen], counts[chosen]
    total = float(len(held))
    expected = frequency[first] * frequency[second]
    closeness = np.log(counts * total / expected) / -np.log(counts / total)
    closeness = np.clip(closeness, 0.0, 1.0) * counts / (counts + 1.0)
    return _Pairs(first, second, np.ceil(HIGHEST * closeness - 1e-6), closeness)


def _entries(surface_forms: Sequence[str], pairs: _Pairs) -> list[Entry]:
    """Of each word the closest others, each with its level."""
    order = np.lexsort((pairs.second, -pairs.closeness, -pairs.level, pairs.first))
    entries: list[Entry] = []
    taken: Counter[int] = Counter()
    columns = (pairs.first[order], pairs.second[order], pairs.level[order].astype(np.int64))
    for word, other, level in zip(*(column.tolist() for column in columns), strict=True):
        if level > 0 and taken[word] < MOST_OF_ONE:
            entries.append((surface_forms[word], surface_forms[other], level))
            taken[word] += 1
    return entries
