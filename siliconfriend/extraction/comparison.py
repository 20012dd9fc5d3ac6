"""Compare two facts: same, contradictory or unrelated.

Facts with a kind and a value are compared by these alone. Of others the numbers, the names and
yes or no must agree before the words or the vectors are asked: "3 May" and 五月四号 lie nearer to
each other than many true pairs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.numbers import CARDINALS, MONTHS, ORDINALS, numbers_in
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.similarity import jaccard

AnyFact = Fact | FactDraft

Relation = Literal["same", "contradictory", "unrelated"]
"""The relation of two facts; ``contradictory``: only one of them can hold."""

SINGLE_VALUED = frozenset(("name", "home", "job"))
"""Kinds of which one has only one: another value is a correction."""
SHARED_WORDS = 0.8
"""Jaccard share of words from which on two sentences of one language say the same."""
NEAR_SENTENCES = 0.868
"""Cosine from which on sentences of two languages say the same: of the whole texts, and of each
word with the nearest of the other."""

_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


def compare(newer: AnyFact, older: AnyFact, embed: Embed | None = None) -> Relation:
    """Compare two facts: same, contradictory or unrelated.

    Args:
        newer: a fact or a draft of one.
        older: another.
        embed: compares two languages; None for words alone.
    """
    if newer.entity_type != older.entity_type or not is_same_entity(newer.entity, older.entity):
        return "unrelated"
    if newer.kind and older.kind:
        if newer.kind != older.kind:
            return "unrelated"
        if newer.value and fold(newer.value) == fold(older.value):
            return "same"
        return "contradictory" if newer.kind in SINGLE_VALUED else "unrelated"
    return "same" if _is_same_sentence(newer, older, embed) else "unrelated"


def is_about_same(fact: AnyFact, draft: AnyFact) -> bool:
    """True if two facts about the same entity tell of the same matter."""
    if fact.kind and draft.kind:
        return fact.kind == draft.kind
    words = words_without(f"{fact.text} {fact.key_word}", fact.entity)
    return bool(words & words_without(f"{draft.text} {draft.key_word}", draft.entity))


def is_same_entity(one: str, other: str) -> bool:
    """True if two names are the same but for letter case and width."""
    return fold(one) == fold(other)


def figures_agree(one: str, other: str) -> bool:
    """True if two texts have the same numbers and names, and both say yes or both no."""
    return (
        numbers_in(one) == numbers_in(other)
        and names_in(one) == names_in(other)
        and is_negated(one) == is_negated(other)
    )


def words_without(text: str, *names: str) -> frozenset[str]:
    """Return the distinct words of a text without those of the names."""
    known = {word for name in names for word in tokenize(name)}
    return frozenset(tokenize(text)) - known


def is_negated(text: str) -> bool:
    """True if a text denies something, dislike included."""
    return _NEGATIVE.search(text) is not None


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Return the words with a capital, folded, without months; a sentence's first word counts."""
    found = (fold(name) for name in _LATIN_NAME.findall(text))
    no_names = {*MONTHS, *CARDINALS, *ORDINALS, "i", "the", "a"}
    return frozenset(name for name in found if name not in no_names)


def _is_same_sentence(one: AnyFact, other: AnyFact, embed: Embed | None) -> bool:
    if fold(one.text) == fold(other.text):
        return True
    if one.aspect != other.aspect or not figures_agree(one.text, other.text):
        return False
    words = words_without(one.text, one.entity)
    other_words = words_without(other.text, other.entity)
    if is_chinese(one.text) == is_chinese(other.text):
        return jaccard(words, other_words) >= SHARED_WORDS
    is_dated = len(numbers_in(one.text)) > 1  # "4 May" and 四月五号 have the same numbers
    if embed is None or is_dated or not words or not other_words:
        return False
    whole = embed([one.text, other.text])
    if float(whole[0] @ whole[1]) < NEAR_SENTENCES:
        return False
    products = embed(sorted(words)) @ embed(sorted(other_words)).T
    return bool(min(products.max(axis=1).min(), products.max(axis=0).min()) >= NEAR_SENTENCES)
