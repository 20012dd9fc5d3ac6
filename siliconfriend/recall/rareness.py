"""How rare words are among all that was told, whatever a night made of it.

A night says the words of a turn again, in an event, a summary and a fact, and of one turn more
often than of another. Counted among them a word would be another one after a night than before
it, and so would be how likely a memory is meant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.records import Memory
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.word_index import FEWEST

COUNTED = 2000
"""A word in more memories than this is counted by how often all are said again, not one by one."""


class Rareness:
    """How rare words are; for one recall, hold the index's lock."""

    def __init__(self, index: ScopeIndex) -> None:
        self._words = index.word_index
        self._is_turn = index.rows["is_told"]
        turns = int(np.count_nonzero(self._is_turn))
        everything = int(np.count_nonzero(index.rows["alive"]))
        self._has_copies = 0 < turns < everything
        self._copies = max(1, round(everything / turns)) if turns else 1
        self._told = turns or everything
        self._one = max(self.idf_at(1), 1e-9)
        self._share_of: dict[int, float] = {}
        self._counted: dict[str, int] = {}

    def of(self, memory: Memory) -> float:
        """How rare a memory's own words are on the mean, 0 to 1; 0 without any."""
        tokens, share_of = _tokens(own_words(memory)), self._share_of
        found = [self.frequency(token) for token in tokens]
        shares = [share_of[it] if it in share_of else self._share(it) for it in found]
        return sum(shares) / len(shares) if shares else 0.0

    def of_token(self, token: str) -> float:
        """How much a token tells, as a share of what one tells that was told once, 0 to 1."""
        return self._share(self.frequency(token))

    def _share(self, found: int) -> float:
        """The same of a token that stands in so many turns; kept, since many stand in as many."""
        share = self._share_of[found] = min(1.0, self._idf_of(found) / self._one)
        return share

    def __len__(self) -> int:
        return self._told

    def compounds(self, part: str) -> Sequence[str]:
        """The tokens that hold this one as a part, without itself."""
        return self._words.compounds(part)

    def scores(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """BM25 of every row of the index, each token telling what it tells among all that was told."""
        if not self._has_copies:
            return self._words.scores(weights)
        found = {token: it for token, it in weights.items() if self._words.frequency(token)}
        return self._words.scores(
            {token: it * self.idf(token) / self._words.idf(token) for token, it in found.items()},
            mean_length=self._mean_length,
        )

    @cached_property
    def _mean_length(self) -> float:
        """The mean length of a turn, in tokens."""
        return float(self._words.lengths_of(self._is_turn).mean())

    def idf(self, token: str) -> float:
        """How much a token tells."""
        return self._idf_of(self.frequency(token))

    def _idf_of(self, found: int) -> float:
        """How much a token tells that stands in so many turns."""
        return self.idf_at(max(1, found) if self._has_copies else found)

    def frequency(self, token: str) -> int:
        """In how many turns a token stands."""
        if not self._has_copies:
            return self._words.frequency(token)
        found = self._counted.get(token)
        if found is None:
            found = self._counted[token] = self._count(token)
        return found

    def _count(self, token: str) -> int:
        found = self._words.frequency(token)
        if found > COUNTED:
            return found // self._copies
        return int(np.count_nonzero(self._is_turn[self._words.rows(token)]))

    def idf_at(self, found: int) -> float:
        """How much something tells that was told so often."""
        if not self._has_copies:
            return self._words.idf_at(found)
        turns = max(self._told, found, FEWEST)
        return math.log(1 + (turns - found + 0.5) / (found + 0.5))


@lru_cache(maxsize=8192)
def _tokens(words: str) -> frozenset[str]:
    """The tokens of words, kept: the same memories come to mind again and again."""
    return frozenset(tokenize(words))
