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
from itertools import permutations
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

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
    newest = sorted(
        memories, key=lambda memory: (_is_known(memory), memory.date, memory.id), reverse=True
    )[:MOST_TEXTS]
    texts = [
        {
            token: word
            for token, word in keyword_forms(searched_text(memory)).items()
            if token not in names and word not in names
        }
        for memory in newest
    ]
    is_known = [_is_known(memory) for memory in newest]
    told = Counter(token for text in texts for token in text)
    vocabulary = _vocabulary(texts, is_known, told)
    surface_forms = {token: text[token] for text in reversed(texts) for token in text}
    together, known = Counter[tuple[str, str]](), set[tuple[str, str]]()
    for text, is_sure in zip(texts, is_known, strict=True):
        pairs = list(permutations([token for token in text if token in vocabulary], 2))
        together.update(pairs)
        known.update(pairs if is_sure else ())
    close: dict[str, list[tuple[float, str]]] = {token: [] for token in vocabulary}
    for (first, second), count in together.items():
        if count < len(texts) and (count >= TOLD_TOGETHER or (first, second) in known):
            closeness = _closeness(count, told[first], told[second], len(texts))
            if closeness > 0:
                close[first].append((closeness, second))
    return [
        (surface_forms[word], surface_forms[other], math.ceil(HIGHEST * closeness - 1e-6))
        for word, others in close.items()
        for closeness, other in sorted(others, key=lambda it: (-it[0], vocabulary[it[1]]))[
            :MOST_OF_ONE
        ]
    ]


def _is_known(memory: Memory) -> bool:
    return isinstance(memory, Event | Fact)


def _vocabulary(
    texts: Sequence[Mapping[str, str]], is_known: Sequence[bool], told: Mapping[str, int]
) -> dict[str, int]:
    """The tokens of the table by their place: of facts and events all, of turns those said twice.

    Ordered by TF-IDF: how often a word is said times how rare it is.
    """
    known = {
        token for text, is_sure in zip(texts, is_known, strict=True) if is_sure for token in text
    }
    common = max(3.0, TOO_COMMON * len(texts))
    fitting = [
        token for token in told if told[token] <= common and (token in known or told[token] > 1)
    ]
    weight = {token: told[token] * math.log(1 + len(texts) / told[token]) for token in fitting}
    order = sorted(fitting, key=lambda token: (token not in known, -weight[token], token))
    return {token: place for place, token in enumerate(order[:MOST_WORDS])}


def _closeness(together: int, one: int, other: int, texts: int) -> float:
    """How much more often than by chance two words are told together, 0 to 1.

    The normalised pointwise mutual information ln(p_ab / (p_a·p_b)) / -ln p_ab, times
    n/(n+1) for n texts with both, since what happened once may be chance.
    """
    information = math.log(together * texts / (one * other)) / -math.log(together / texts)
    return min(max(information, 0.0), 1.0) * together / (together + 1.0)
