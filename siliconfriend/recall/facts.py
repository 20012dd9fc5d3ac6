"""Select the facts that bear on a message, in the order a reply needs them.

The dynamic memory of a virtual human (``docs/sources.md``) searches facts by words, in its third
version: relations first, then what the person is like, then what is named, then the rest, the
newest first in each. What bears on the message is chosen first, by words and by meaning, and only
that is put in this order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.associations import HIGHEST
from siliconfriend.recall.candidate_set import Numbers
from siliconfriend.recall.expansion import ExpandedQuery
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.similarity import ScoreCalibration

EXPANDED = 0.4  # a word that expansion added at level 9 counts this beside the word that brought it

STRONG = 0.5
"""Of the best match: weaker facts go first where there are too many, and meaning below it does not
count at all."""

ALIKE = 0.6  # from this calibrated similarity on a fact is alike by its meaning alone

NEAREST = 3
"""A question is given so many of the nearest beside what its words find, short facts lying too
close together for a strict threshold. Of 58 questions of our own 54 found their fact; with the
nearest only where nothing else was found it were 51."""

UNRELATED = 0.01  # from this calibrated similarity on a fact may be the nearest


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact with what it was found by.

    Attributes:
        words: 0 to 1, the share of the query's terms that it holds, or its heaviest expanded word.
        meaning: 0 to 1, from where a text matters to the meaning of the question itself.
        is_relevant: it was found by a word that was said, or by its meaning; not only as the
            nearest.
    """

    fact: Fact
    words: float
    meaning: float
    is_relevant: bool

    @property
    def score(self) -> float:
        """How well it matches in all."""
        return self.words + self.meaning


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

    Superseded, archived and expired facts are left out. Where there are more, pinned ones and what
    matches well stay, and of that the person's first and the companion's last.

    Returns:
        Relations, the person's attributes, named entities, others; the newest first in each.
    """
    rows = np.flatnonzero(index.rows["kind"] == KINDS.index("fact"))
    is_open = index.rows["alive"][rows] & ~index.rows["archived"][rows]
    is_open &= index.rows["expires"][rows] > now.timestamp()
    rows = rows[is_open & ~np.isin(rows, index.rows_of(exclude))]
    if not len(rows) or most <= 0:
        return []
    said, expanded = _match_words(index, rows, query)
    meaning, nearest = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.bool_)
    if vector is not None and index.vector_index is not None:
        similarity = calibration.calibrate(
            index.vector_index.inner_products(vector, rows),
            index.rows["is_chinese"][rows],
            asked_in_chinese=is_chinese(message),
        )
        above = np.clip((similarity - ALIKE) / (1 - ALIKE), 0.0, 1.0)
        meaning = np.where(above >= STRONG * above.max(), above, 0.0)
        if any(map(is_question, split_sentences(message))):
            best = np.argsort(-similarity, kind="stable")[:NEAREST]
            nearest[best] = similarity[best] >= UNRELATED
    words = np.maximum(said, expanded)
    found = [
        FoundFact(fact, float(words[at]), float(meaning[at]), bool(said[at] + meaning[at] > 0))
        for at in np.flatnonzero((words + meaning > 0) | nearest).tolist()
        if isinstance(fact := index.rows.memory(rows[at]), Fact)
    ]
    strong = STRONG * max((it.score for it in found), default=0.0)
    kept = sorted(found, key=lambda it: _rank(it, strong))[:most]
    return sorted(kept, key=lambda it: (_group(it.fact), -_day(it.fact), -it.score, it.fact.id))


def _match_words(
    index: ScopeIndex, rows: NDArray[np.int64], query: ExpandedQuery
) -> tuple[Numbers, Numbers]:
    said, expanded = np.zeros(len(rows)), np.zeros(len(rows))
    for term in query.terms:
        said[np.isin(rows, index.word_index.rows(term.token))] += term.weight
    for word, level in query.associated:
        for token in tokenize(word):
            holding = np.isin(rows, index.word_index.rows(token))
            share = EXPANDED * min(level, HIGHEST) / HIGHEST
            expanded[holding] = np.maximum(expanded[holding], share)
    return said, expanded


def _rank(found: FoundFact, strong: float) -> tuple[bool, bool, bool, int, float, float]:
    owner = {"object": 0, "subject": 2}.get(found.fact.entity_type, 1)
    is_pinned, score = found.fact.trace.pinned, found.score
    return not is_pinned, not found.is_relevant, score < strong, owner, -score, -_day(found.fact)


def _day(fact: Fact) -> int:
    return date.fromisoformat(fact.last or fact.first or fact.date).toordinal()


def _group(fact: Fact) -> int:
    """The place of a fact: what people are to each other, the person's attributes, names, the rest."""
    is_between = fact.entity_type in ("subject", "object")
    if is_between and fact.aspect in ("relation", "promise"):
        return 0
    if fact.entity_type == "object" and fact.aspect == "attribute":
        return 1
    return 2 if fact.entity_type == "specific" else 3
