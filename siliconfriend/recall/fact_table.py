"""A table of the facts of one index: which rows they are, whom each is about, what it is found by.

Looking at three thousand records for each question would cost more than everything else
in a recall. What does not change from one question to the next is kept here by row and
synchronized in one pass that only compares identities.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.cue import name_words
from siliconfriend.recall.memory_table import MemoryTable

_FACT = KINDS.index("fact")

GROUPS = ("relation", "person", "named", "other")
"""The order in which facts are recalled (dynamic memory, third version): what the two are to each
other and to others, the person's attributes, named entities, everything else."""


class FactTable:
    """Facts by slot (0, 1, …), each standing for one row. Not safe between threads.

    Attributes:
        rows: the row of each slot.
        group: place in ``GROUPS`` of each.
        owner: 0 what is about the person, 1 about others, 2 about the companion.
        last: the day each was last told, a proleptic ordinal.
        pinned: which are pinned.
        speakers: the words of the names that facts call the person and the companion by.
    """

    _of: MemoryTable | None
    _version: int

    def __init__(self) -> None:
        self._clear()

    def sync(self, rows: MemoryTable, version: int) -> None:
        """Bring the table in step with the rows of its index, where their version is another."""
        if rows is self._of and version == self._version:
            return
        if rows is not self._of:
            self._clear()
        self._of, self._version = rows, version
        alive = np.flatnonzero((rows["kind"] == _FACT) & rows["alive"]).tolist()
        memories, seen = rows.memories, self._seen
        changed = [row for row in alive if seen.get(row) is not memories[row]]
        if not changed:
            return
        for row in changed:
            fact = memories[row]
            if isinstance(fact, Fact) and not self._store(row, fact):
                self._clear()  # it is found by another word now: its old one must not stay
                self.sync(rows, version)
                return
        self._gather()

    def by_key_word(self, token: str) -> Sequence[int]:
        """Slots of facts with this token in their key word."""
        return self._key_words.get(token, ())

    def by_entity(self, token: str) -> Sequence[int]:
        """Slots of facts about something named so."""
        return self._entities.get(token, ())

    def slots(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """The slot of each row; one beyond all slots where it is no fact."""
        return np.asarray(self._place[np.minimum(rows, len(self._place) - 1)])

    def fact(self, slot: int) -> Fact:
        """The record of a slot."""
        return self._facts[slot]

    def _clear(self) -> None:
        self._of, self._version = None, -1
        self._seen: dict[int, Fact] = {}
        self._slot_of: dict[int, int] = {}
        self._facts: list[Fact] = []
        self._key_words: dict[str, list[int]] = {}
        self._entities: dict[str, list[int]] = {}
        self._tokens_of_text: dict[str, list[str]] = {}
        self._names: set[str] = set()
        self.speakers: frozenset[str] = frozenset()
        self._gather()

    def _store(self, row: int, fact: Fact) -> bool:
        """Store a new or changed fact; True if it is found by the same words as before."""
        before = self._seen.get(row)
        self._seen[row] = fact
        if before is not None:
            self._facts[self._slot_of[row]] = fact
            return (before.key_word, before.entity) == (fact.key_word, fact.entity)
        slot = self._slot_of[row] = len(self._facts)
        self._facts.append(fact)
        for token in self._key_word_tokens(fact.key_word):
            self._key_words.setdefault(token, []).append(slot)
        for token in self._tokens(fact.entity):
            self._entities.setdefault(token, []).append(slot)
        return True

    def _key_word_tokens(self, key_word: str) -> list[str]:
        """The tokens of a key word, and of Chinese each character: 住 asks for 住处."""
        characters = [character for character in key_word if is_chinese(character)]
        return list(dict.fromkeys([*self._tokens(key_word), *characters]))

    def _tokens(self, text: str) -> list[str]:
        if text not in self._tokens_of_text:
            self._tokens_of_text[text] = list(dict.fromkeys(tokenize(text)))
        return self._tokens_of_text[text]

    def _gather(self) -> None:
        """Rebuild the columns from the records."""
        facts = self._facts
        self.rows = np.array(list(self._slot_of), dtype=np.int64)
        self.group = np.array([_group(fact) for fact in facts], dtype=np.int8)
        self.owner = np.array([_OWNERS[fact.entity_type] for fact in facts], dtype=np.int8)
        self.last = np.array([_last_day(fact) for fact in facts], dtype=np.int32)
        self.pinned = np.array([fact.trace.pinned for fact in facts], dtype=np.bool_)
        # The last place is that of every later row, none of which is a fact.
        self._place = np.full(max(self._slot_of, default=-1) + 2, len(facts), dtype=np.int64)
        self._place[self.rows] = np.arange(len(facts))
        names = {fact.entity for fact in facts if fact.entity_type in ("subject", "object")}
        if names != self._names:
            self._names, self.speakers = names, name_words(names)


_OWNERS = {"object": 0, "specific": 1, "general": 1, "subject": 2}


def _group(fact: Fact) -> int:
    """The place in ``GROUPS`` of a fact."""
    is_between = fact.entity_type in ("subject", "object")
    if is_between and fact.aspect in ("relation", "promise"):
        return 0
    if fact.entity_type == "object" and fact.aspect == "attribute":
        return 1
    return 2 if fact.entity_type == "specific" else 3


def _last_day(fact: Fact) -> int:
    return date.fromisoformat(fact.last or fact.first or fact.date).toordinal()
