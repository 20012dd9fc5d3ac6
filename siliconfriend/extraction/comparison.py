"""Compare two facts: same, contradictory or unrelated.

Facts with a kind and a value are compared by these alone; of others numbers, names, yes or no, and
most words must agree.
"""

from __future__ import annotations

import re
from typing import Literal

from siliconfriend.extraction.support import unsaid_names
from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import figures_told
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.similarity import jaccard

AnyFact = Fact | FactDraft

Relation = Literal["same", "contradictory", "unrelated"]
"""The relation of two facts; ``contradictory``: only one of them can hold."""

SINGLE_VALUED = frozenset(("name", "home", "job"))
"""Kinds of which one has only one: another value is a correction."""
SHARED_WORDS = 0.8
"""Jaccard share of words from which on two sentences of one language say the same."""

_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


def compare(newer: AnyFact, older: AnyFact) -> Relation:
    """Compare two facts: same, contradictory or unrelated."""
    if newer.entity_type != older.entity_type or not is_same_entity(newer.entity, older.entity):
        return "unrelated"
    if newer.kind and older.kind:
        if newer.kind != older.kind:
            return "unrelated"
        if newer.value and fold(newer.value) == fold(older.value):
            return "same"
        return "contradictory" if newer.kind in SINGLE_VALUED else "unrelated"
    return "same" if _is_same_sentence(newer, older) else "unrelated"


def is_about_same(fact: AnyFact, draft: AnyFact) -> bool:
    """Return True if two facts about the same entity tell of the same matter."""
    if fact.kind and draft.kind:
        return fact.kind == draft.kind
    words = words_without(f"{fact.text} {fact.key_word}", fact.entity)
    return bool(words & words_without(f"{draft.text} {draft.key_word}", draft.entity))


def is_same_entity(one: str, other: str) -> bool:
    """Return True if two names are the same but for letter case and width."""
    return fold(one) == fold(other)


def figures_agree(one: str, other: str) -> bool:
    """Return True if two texts have the same figures and names, and both deny or neither."""
    return (
        figures_told(one) == figures_told(other)
        and not unsaid_names(one, other)
        and not unsaid_names(other, one)
        and is_negated(one) == is_negated(other)
    )


def words_without(text: str, *names: str) -> frozenset[str]:
    """Return the distinct words of a text without those of the names."""
    known = {word for name in names for word in tokenize(name)}
    return frozenset(tokenize(text)) - known


def is_negated(text: str) -> bool:
    """Return True if a text denies something, dislike included."""
    return _NEGATIVE.search(text) is not None


def _is_same_sentence(one: AnyFact, other: AnyFact) -> bool:
    if fold(one.text) == fold(other.text):
        return True
    words = words_without(one.text, one.entity)
    return (
        one.aspect == other.aspect
        and jaccard(words, words_without(other.text, other.entity)) >= SHARED_WORDS
        and figures_agree(one.text, other.text)
    )
