"""Which facts bear on what is being said, in the order a reply needs them.

The dynamic memory of a virtual human (``docs/sources.md``) searches facts by words, in its
third version: relations first, then what the person is like, then what is named, then the
rest, the newest first in each. A person with three thousand facts has hundreds that share some word with any sentence; the newest of them would
push out the one that was asked for. So what bears on the question is chosen first, by words
and by meaning, and only what was chosen is put in that order. Relations are searched by
their descriptions too: a birthday told nowhere else is found.
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
from siliconfriend.recall.candidate_set import Numbers
from siliconfriend.recall.fact_table import FactTable
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.query_terms import QueryTerm
from siliconfriend.recall.relevance_threshold import COVERAGE, RelevanceThreshold
from siliconfriend.recall.score_calibration import ScoreCalibration

DESCRIBED = 0.8
"""A word in a description counts this beside one that the fact is found by."""

EXPANDED = 0.4
"""A word put in by expansion at level 9 counts this beside the word that brought it."""

STRONG = 0.5
"""Of the best match: facts below it go first where there are too many, and meaning below it
does not count at all."""

NEAREST = 3
"""A question is given so many of the nearest beside what its words find: short facts lie too
close together for a floor. Of 58 questions of our own, with the words of the fact or others, in
both languages and across them, 54 found it; with the nearest only where nothing else was found
it were 51."""


@dataclass(frozen=True, slots=True)
class FactQuery:
    """What facts are looked for by.

    Attributes:
        message: what was said.
        terms: the words put in.
        expanded: the words that expansion added, with their levels 1 to 9 or above.
        vector: the embedded message, None without an embedder.
    """

    message: str
    terms: Sequence[QueryTerm]
    expanded: Sequence[tuple[str, int]] = ()
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact with what it was found by.

    Attributes:
        fact: the record.
        row: its row in the index.
        words: 0 to 1, the share of the words put in that it holds, or of the heaviest expanded.
        meaning: 0 to 1, from where a text matters to the meaning of the question itself.
        own: it was found by a word that was said, or by its meaning; not only as the nearest.
    """

    fact: Fact
    row: int
    words: float
    meaning: float
    own: bool


def find_facts(
    index: ScopeIndex,
    question: FactQuery,
    *,
    now: datetime,
    floor: RelevanceThreshold,
    likeness: ScoreCalibration,
    most: int,
    exclude: Collection[str] = (),
) -> list[FoundFact]:
    """At most ``most`` facts that bear on a question; hold the index's lock.

    What was put right, put away or has expired is left out. Where there are more, what
    matches well stays, and of that the person's first and the companion's last.

    Returns:
        Relations, the person's attributes, named entities, others; the newest first in each.
    """
    table = index.facts
    if not len(table.rows) or most <= 0:
        return []
    said, added = _by_words(index, table, question)
    cosines = _cosines(index, table, question)
    chinese = index.rows["chinese"][table.rows]
    meaning = _meaning(cosines, chinese, question, said, floor)
    word = np.maximum(said, added)
    score = word + meaning
    open_ones = _allowed(index, table, now, exclude)
    chosen = open_ones & (score > 0)
    chosen[_nearest(cosines, chinese, question, open_ones, likeness)] = True
    own = (said > 0) | (meaning > 0)
    slots = _chosen(np.flatnonzero(chosen), table, score, own, most)
    return [
        FoundFact(
            table.fact(slot),
            int(table.rows[slot]),
            float(word[slot]),
            float(meaning[slot]),
            own=bool(own[slot]),
        )
        for slot in slots
    ]


def _allowed(
    index: ScopeIndex, table: FactTable, now: datetime, exclude: Collection[str]
) -> NDArray[np.bool_]:
    rows = index.rows
    living = rows["alive"] & ~rows["archived"] & (rows["expires"] > now.timestamp())
    shut = [row for it in exclude if (row := index.row_of.get(it)) is not None]
    living[shut] = False
    return np.asarray(living[table.rows], dtype=np.bool_)


def _by_words(index: ScopeIndex, table: FactTable, question: FactQuery) -> tuple[Numbers, Numbers]:
    """Of each fact the share of the words put in that it holds, and its best expanded word."""
    added = [
        (stem, EXPANDED * min(level, HIGHEST) / HIGHEST)
        for word, level in question.expanded
        for stem in _stems(word)
    ]
    held = _held(index, table, [*([(it.stem, it.weight)] for it in question.terms), added])
    return held[:-1].sum(axis=0), held[-1]


def _held(
    index: ScopeIndex, table: FactTable, groups: Sequence[Sequence[tuple[str, float]]]
) -> Numbers:
    """Of each fact the most that a word of each group is worth in it, shape (groups, facts).

    All of it where it is what the fact is found by, less where its description holds it. A
    word of one character stands in many others, and is not looked for in descriptions.
    """
    size = len(table.rows) + 1  # the last one takes what stands in no fact
    best = np.zeros(len(groups) * size)
    described = _Hits()
    exact = _Hits()
    for first, group in zip(range(0, len(groups) * size, size), groups, strict=True):
        for stem, worth in group:
            if len(stem) > 1 and index.lexicon.frequency(stem):
                described.add(index.lexicon.rows(stem), first, DESCRIBED * worth)
            for slots in (table.by_key_word(stem), table.by_entity(stem)):
                if slots:
                    exact.add(slots, first, worth)
    if described.places:
        rows, firsts, worths = described.columns()
        np.maximum.at(best, table.slots(rows) + firsts, worths)
    if exact.places:
        there, firsts, worths = exact.columns()
        np.maximum.at(best, there + firsts, worths)
    return best.reshape(len(groups), size)[:, :-1]


class _Hits:
    """Where words stand, gathered so that numpy takes all of them in one go."""

    def __init__(self) -> None:
        self.places: list[Sequence[int] | NDArray[np.int64]] = []
        self._firsts: list[int] = []
        self._worths: list[float] = []

    def add(self, places: Sequence[int] | NDArray[np.int64], first: int, worth: float) -> None:
        self.places.append(places)
        self._firsts.append(first)
        self._worths.append(worth)

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
        """Every place with the first slot of its group and its worth."""
        lengths = [len(it) for it in self.places]
        return (
            np.concatenate(self.places, dtype=np.int64),
            np.repeat(self._firsts, lengths),
            np.repeat(self._worths, lengths),
        )


@lru_cache(maxsize=4096)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(tokenize(word))


def _cosines(index: ScopeIndex, table: FactTable, question: FactQuery) -> Numbers | None:
    if question.vector is None or index.vectors is None:
        return None
    return index.vectors.products(question.vector, table.rows)


def _meaning(
    cosines: Numbers | None,
    chinese: NDArray[np.bool_],
    question: FactQuery,
    said: Numbers,
    floor: RelevanceThreshold,
) -> Numbers:
    """How far each fact's cosine is from where a text matters to the question's own; 0 to 1."""
    if cosines is None:
        return np.zeros(len(said))
    asked_in_chinese = is_chinese(question.message)
    same = floor.chinese if asked_in_chinese else floor.english
    cuts = np.where(chinese == asked_in_chinese, same, floor.across)
    above = np.clip((cosines + COVERAGE * said - cuts) / (1 + COVERAGE - cuts), 0.0, 1.0)
    return np.where(above >= STRONG * above.max(), above, 0.0)


def _nearest(
    cosines: Numbers | None,
    chinese: NDArray[np.bool_],
    question: FactQuery,
    allowed: NDArray[np.bool_],
    likeness: ScoreCalibration,
) -> NDArray[np.int64]:
    """The slots nearest to a question, whatever their language; none for what asks nothing."""
    if cosines is None or not any(map(is_question, split_sentences(question.message))):
        return np.empty(0, dtype=np.int64)
    alike = likeness.scaled(cosines, chinese, asked_in_chinese=is_chinese(question.message))
    alike = np.where(allowed, alike, -np.inf)
    least = np.partition(alike, -NEAREST)[-NEAREST] if len(alike) > NEAREST else -np.inf
    slots = np.flatnonzero(allowed & (alike >= least))
    return slots[np.argsort(-alike[slots], kind="stable")[:NEAREST]]


def _chosen(
    slots: NDArray[np.int64],
    table: FactTable,
    score: Numbers,
    own: NDArray[np.bool_],
    most: int,
) -> list[int]:
    """Those that stay, in the order of their groups; what only expansion found goes first."""
    if len(slots) > most:
        pinned = table.pinned[slots]
        brought = ~own[slots] & ~pinned
        weak = score[slots] < STRONG * score[slots].max()
        owner = np.where(pinned, -1, table.owner[slots])
        kept = np.lexsort((-table.last[slots], -score[slots], owner, weak, brought))[:most]
        slots = slots[kept]
    return sorted(
        slots.tolist(),
        key=lambda it: (table.group[it], -table.last[it], -score[it], table.fact(it).id),
    )
