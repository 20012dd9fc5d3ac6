"""The cache of an index: what a place that keeps what was made of texts must do, whichever it is.

It keeps the tokens, the vector and the days of each text that was ever indexed for a scope. A
cache and no more: it can be lost at any time, and what cannot be read is as good as not there. It
is stamped with the embedder and with the rules by which texts are tokenized; where one of them has
changed, what was made by the old one is dropped in the same transaction that brings the new stamp,
so vectors of two embedders never meet, whoever else is writing. Texts are known by their SHA-256
and not kept.
One contract suite (``tests/recall/test_index_cache.py``) runs over every cache.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenizer_version
from siliconfriend.recall.spoken_times import SpokenTime, spoken_rules
from siliconfriend.recall.vector_search import VectorSearch

Vector = NDArray[np.float32]

Association = tuple[str, str, int]
"""A word, a word that comes to mind with it, and the level."""

MOST_USED = 4096
"""Texts that are no memories, the last used, whose vectors stay when a cache is tidied."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is cached of one text: its words and its vector, each None where it is not known."""

    words: tuple[str, ...] | None
    vector: Vector | None


def rules_of_entries(embedder: str | None) -> dict[str, str]:
    """The stamps of what is made now, by name.

    ``embedder`` is the name and revision of the one whose vectors these are; None leaves alone what
    vectors there are.
    """
    rules = {"words": tokenizer_version(), "times": spoken_rules()}
    return rules if embedder is None else rules | {"embedder": embedder}


class IndexCache(Protocol):
    """The cache of one scope; safe between threads and processes.

    Attributes:
        erasures: how many memories were erased of the memory that its user knows. What is made
            of one that was read before an erasure is not kept after it: it could hold its words.
    """

    erasures: int

    @property
    def stamps(self) -> dict[str, str]:
        """By what rules and with which embedder and key rows are made."""
        ...

    def find(self, digests: Collection[str]) -> dict[str, Entry]:
        """Look up what is cached of these texts, by digest."""
        ...

    def add(self, entries: Mapping[str, Entry]) -> None:
        """Keep more entries; what an entry does not know stays as it was kept."""
        ...

    def find_times(self, keys: Collection[str]) -> dict[str, tuple[SpokenTime, ...]]:
        """Look up the days that texts speak of, by their keys."""
        ...

    def add_times(self, times: Mapping[str, Sequence[SpokenTime]]) -> None:
        """Keep the days that more texts speak of, by their keys."""
        ...

    def note_used(self, digests: Collection[str]) -> None:
        """Note that texts were compared that may be no memories, so that their vectors stay a while."""
        ...

    def keep(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Keep these entries only and no table of words: nothing is left of any other text.

        Nothing more is kept then by whoever knows of fewer :attr:`erasures` than this one.

        Args:
            digests: of the texts whose words and vectors stay.
            keys: of the texts whose days stay.

        Raises:
            ConfigurationError, StoreError: what is to go cannot be taken away.
        """
        ...

    def tidy(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Drop entries and days of texts that are not among these; a few may stay until there are more.

        The table of associated words stays, with the entries of its words.
        """
        ...

    def associations(self) -> list[Association]:
        """The table of associated words that was kept; empty where there is none."""
        ...

    def associations_mark(self) -> str:
        """Another one each time the table of associated words is replaced; empty before the first."""
        ...

    def put_associations(
        self, entries: Collection[Association], compared: Collection[str] = ()
    ) -> None:
        """Keep a table of associated words instead of the one before; an erasure takes it away.

        The vectors of the words in ``compared`` stay when the cache is tidied.
        """
        ...

    def stored_vectors(self, digests: Sequence[str], dimension: int) -> VectorSearch | None:
        """The vectors of rows with these texts, compared where they are kept.

        None where this cache cannot do that, or where it lacks one of them.
        """
        ...
