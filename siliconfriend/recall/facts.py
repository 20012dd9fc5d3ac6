"""Which facts bear on what is being said, in the order a reply needs them.

The dynamic memory of a virtual human (``docs/sources.md``) searches facts by words, in its
third version: relations first, then what the person is like, then what is named, then the
rest, the newest first in each. A person with three thousand facts has hundreds that share
some word with any sentence; the newest of them would push out the one that was asked for.
So what bears on the question is chosen first, by words and by meaning, and only what was
chosen is put in that order. Relations are searched by their descriptions too: a birthday
told nowhere else is found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.association_table import HIGHEST
from siliconfriend.recall.candidate_set import Mask, Numbers
from siliconfriend.recall.expansion import ExpandedQuery
from siliconfriend.recall.fact_table import FactTable
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.similarity import ScoreCalibration

DESCRIBED = 0.8
"""A word in a description counts this beside one that the fact is found by."""

EXPANDED = 0.4
"""A word that expansion added at level 9 counts this beside the word that brought it."""

STRONG = 0.5
"""Of the best match: facts below it go first where there are too many, and meaning below it
does not count at all."""

ALIKE = 0.6
"""From this calibrated similarity on a fact is alike by its meaning alone."""

NEAREST = 3
"""A question is given so many of the nearest beside what its words find, short facts lying too
close together for a strict threshold. Of 58 questions of our own, with the words of the fact or others,
in both languages and across them, 54 found it; with the nearest only where nothing else was found
it were 51."""


UNRELATED = 0.01
"""From this calibrated similarity on a fact may be the nearest: below lie texts that have nothing to
do with the question, and a person with few facts has none that does."""


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact with what it was found by.

    Attributes:
        fact: the record.
        row: its row in the index.
        words: 0 to 1, the share of the query's terms that it holds, or its heaviest expanded word.
        meaning: 0 to 1, from where a text matters to the meaning of the question itself.
        is_relevant: it was found by a word that was said, or by its meaning; not only as the
            nearest.
    """

    fact: Fact
    row: int
    words: float
    meaning: float
    is_relevant: bool


def find_facts(
    index: ScopeIndex,
    message: str,
    query: ExpandedQuery,
    vector: NDArray[np.float32] | None,
    *,
    now: datetime,
    calibration: ScoreCalibration,
    most: int,
    exclude: Collection[str] = (),
) -> list[FoundFact]:
    """Find at most ``most`` facts that bear on a message; hold the index's lock.

    Superseded, archived and expired facts are left out. Where there are more, what matches
    well stays, and of that the person's first and the companion's last.

    Returns:
        Relations, the person's attributes, named entities, others; the newest first in each.
    """
    table = index.facts
    if not len(table.rows) or most <= 0:
        return []
    word_scores, expansion_scores = _match_words(index, table, query)
    cosines = None
    if vector is not None and index.vector_index is not None:
        (cosines,) = index.vector_index.inner_products([vector], table.rows)
    is_chinese_fact = index.rows["is_chinese"][table.rows]
    meaning = _meaning(cosines, is_chinese_fact, message, word_scores, calibration)
    words = np.maximum(word_scores, expansion_scores)
    scores = words + meaning
    is_open = _open_facts(index, table, now, exclude)
    is_chosen = is_open & (scores > 0)
    is_chosen[_nearest(cosines, is_chinese_fact, message, is_open, calibration)] = True
    is_relevant = (word_scores > 0) | (meaning > 0)
    slots = _keep_and_order(np.flatnonzero(is_chosen), table, scores, is_relevant, most)
    return [
        FoundFact(
            table.fact(slot),
            int(table.rows[slot]),
            float(words[slot]),
            float(meaning[slot]),
            is_relevant=bool(is_relevant[slot]),
        )
        for slot in slots
    ]


def _open_facts(
    index: ScopeIndex, table: FactTable, now: datetime, exclude: Collection[str]
) -> Mask:
    """Which facts may be recalled at all."""
    rows = index.rows
    is_open = rows["alive"] & ~rows["archived"] & (rows["expires"] > now.timestamp())
    is_open[index.rows_of(exclude)] = False
    return np.asarray(is_open[table.rows], dtype=np.bool_)


def _match_words(
    index: ScopeIndex, table: FactTable, query: ExpandedQuery
) -> tuple[Numbers, Numbers]:
    """Of each fact the share of the query's terms that it holds, and its best expanded word."""
    expanded = [
        (token, EXPANDED * min(level, HIGHEST) / HIGHEST)
        for word, level in query.associated
        for token in _tokens(word)
    ]
    groups = [*([(term.token, term.weight)] for term in query.terms), expanded]
    match_weights = _match_weights(index, table, groups)
    return match_weights[:-1].sum(axis=0), match_weights[-1]


def _match_weights(
    index: ScopeIndex, table: FactTable, groups: Sequence[Sequence[tuple[str, float]]]
) -> Numbers:
    """Of each fact the most that a token of each group is worth in it, shape (groups, facts).

    All of it where it is what the fact is found by, less where its description holds it. A
    token of one character occurs in many others, and is not looked for in descriptions.
    """
    size = len(table.rows) + 1  # the last one takes what is in no fact
    best = np.zeros(len(groups) * size)
    described = _Hits()
    exact = _Hits()
    for first, group in zip(range(0, len(groups) * size, size), groups, strict=True):
        for token, weight in group:
            if len(token) > 1 and index.word_index.frequency(token):
                described.add(index.word_index.rows(token), first, DESCRIBED * weight)
            for slots in (table.by_key_word(token), table.by_entity(token)):
                if slots:
                    exact.add(slots, first, weight)
    if described.places:
        rows, firsts, weights = described.columns()
        np.maximum.at(best, table.slots(rows) + firsts, weights)
    if exact.places:
        places, firsts, weights = exact.columns()
        np.maximum.at(best, places + firsts, weights)
    return best.reshape(len(groups), size)[:, :-1]


class _Hits:
    """Where tokens occur, gathered so that numpy takes all of them in one go."""

    def __init__(self) -> None:
        self.places: list[Sequence[int] | NDArray[np.int64]] = []
        self._firsts: list[int] = []
        self._weights: list[float] = []

    def add(self, places: Sequence[int] | NDArray[np.int64], first: int, weight: float) -> None:
        self.places.append(places)
        self._firsts.append(first)
        self._weights.append(weight)

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
        """Every place with the first slot of its group and its weight."""
        lengths = [len(places) for places in self.places]
        return (
            np.concatenate(self.places, dtype=np.int64),
            np.repeat(self._firsts, lengths),
            np.repeat(self._weights, lengths),
        )


@lru_cache(maxsize=4096)
def _tokens(word: str) -> tuple[str, ...]:
    return tuple(tokenize(word))


def _meaning(
    cosines: Numbers | None,
    is_chinese_fact: Mask,
    message: str,
    word_scores: Numbers,
    calibration: ScoreCalibration,
) -> Numbers:
    """How far each fact's similarity is from the least that counts to 1; 0 to 1."""
    if cosines is None:
        return np.zeros(len(word_scores))
    similarity = calibration.calibrate(
        cosines, is_chinese_fact, asked_in_chinese=is_chinese(message)
    )
    above = np.clip((similarity - ALIKE) / (1 - ALIKE), 0.0, 1.0)
    return np.where(above >= STRONG * above.max(), above, 0.0)


def _nearest(
    cosines: Numbers | None,
    is_chinese_fact: Mask,
    message: str,
    is_open: Mask,
    calibration: ScoreCalibration,
) -> NDArray[np.int64]:
    """The slots nearest to a question, whatever their language; none for what asks nothing."""
    if cosines is None or not any(map(is_question, split_sentences(message))):
        return np.empty(0, dtype=np.int64)
    similarity = calibration.calibrate(
        cosines, is_chinese_fact, asked_in_chinese=is_chinese(message)
    )
    similarity = np.where(is_open, similarity, -np.inf)
    has_more = len(similarity) > NEAREST
    least = np.partition(similarity, -NEAREST)[-NEAREST] if has_more else -np.inf
    slots = np.flatnonzero(is_open & (similarity >= max(least, UNRELATED)))
    return slots[np.argsort(-similarity[slots], kind="stable")[:NEAREST]]


def _keep_and_order(
    slots: NDArray[np.int64], table: FactTable, scores: Numbers, is_relevant: Mask, most: int
) -> list[int]:
    """Those that stay, in the order of their groups; what only expansion found goes first."""
    if len(slots) > most:
        is_pinned = table.pinned[slots]
        from_expansion = ~is_relevant[slots] & ~is_pinned
        is_weak = scores[slots] < STRONG * scores[slots].max()
        owner = np.where(is_pinned, -1, table.owner[slots])
        order = np.lexsort((-table.last[slots], -scores[slots], owner, is_weak, from_expansion))
        slots = slots[order[:most]]
    return sorted(
        slots.tolist(),
        key=lambda slot: (
            table.group[slot],
            -table.last[slot],
            -scores[slot],
            table.fact(slot).id,
        ),
    )
