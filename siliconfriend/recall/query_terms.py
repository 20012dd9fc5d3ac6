"""The words a message is expanded by: at most ten of what was said last and is said now.

A message leans on the reply before it, so both are read; but a long reply must not push
out what the person asks for, so a word of the message counts as often as three of the
reply. The names of the two who speak stand in nearly every fact and tell nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.keywords import is_generic_word
from siliconfriend.language.tokenizer import token_pairs

MOST = 10
"""Words kept by TF-IDF, as the dynamic memory's third version keeps ten."""

REPLY_CHARACTERS = 300
"""How much of the end of the last reply is read."""

MESSAGE_COUNTS = 3
"""A word of the message counts as often as so many of the reply."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word that is looked for.

    Attributes:
        word: as it was said, folded.
        stem: as it is indexed.
        weight: TF-IDF, a share of all that are put in: they sum to 1.
    """

    word: str
    stem: str
    weight: float


def query_terms(
    message: str,
    last_reply: str = "",
    *,
    names: Collection[str] = frozenset(),
    frequency: Callable[[str], int] | None = None,
    documents: int = 0,
) -> tuple[QueryTerm, ...]:
    """The heaviest words of the last reply and the message, heaviest first.

    Words that are about nothing ("remember", 喜欢) are put in only where there are no others.

    Args:
        message: what is said now.
        last_reply: what the companion said before; its end is read.
        names: the words of the names of the two who speak (:func:`name_stems`), left out.
        frequency: in how many documents a stem stands; without it words weigh by their number.
        documents: how many documents there are; idf = ln(1 + N/(n + 1)).
    """
    counts: Counter[str] = Counter()
    said: dict[str, str] = {}
    ending = last_reply.strip()[-REPLY_CHARACTERS:]
    for text, worth in ((message, MESSAGE_COUNTS), (ending, 1)):
        for word, stem in token_pairs(text):
            if stem not in names and word not in names and _tells(word):
                counts[stem] += worth
                said.setdefault(stem, word)

    telling = [stem for stem in counts if not is_generic_word(said[stem])] or list(counts)

    def weight(stem: str) -> float:
        rarity = 1.0 if frequency is None else math.log(1 + documents / (frequency(stem) + 1))
        return counts[stem] * rarity

    heaviest = sorted(telling, key=lambda it: -weight(it))[:MOST]
    whole = sum(map(weight, heaviest))
    if whole <= 0:
        return tuple(QueryTerm(said[it], it, 1 / len(heaviest)) for it in heaviest)
    return tuple(QueryTerm(said[it], it, weight(it) / whole) for it in heaviest)


def name_stems(names: Collection[str]) -> frozenset[str]:
    """The words of some names, folded and as they are indexed."""
    found = {fold(name).strip() for name in names}
    for name in names:
        for pair in token_pairs(name):
            found.update(pair)
    return frozenset(found - {""})


def _tells(word: str) -> bool:
    return len(word) > 1 or is_chinese(word)
