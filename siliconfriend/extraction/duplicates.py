"""Compare two facts: whether they say the same or contradict each other."""

import re
from typing import Literal

from siliconfriend.extraction.extractor import SINGLE_VALUED
from siliconfriend.extraction.support import unsupported_names
from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import figures_told
from siliconfriend.language.words import content_words, jaccard, word_set
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import Fact

AnyFact = Fact | FactDraft

Relation = Literal["same", "contradictory", "unrelated"]
"""The relation of two facts; ``contradictory``: only one of them can hold."""

SHARED_WORDS = 0.8
"""Minimum Jaccard similarity of words for two sentences of one language to be duplicates."""

_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


_COMPARING = re.compile(
    r"\b(?:than|rather|prefers?|instead)\b|[比于]|不如|胜过|超过|更喜欢|宁可|宁愿", re.IGNORECASE
)
"""Matches comparatives, in which word order carries meaning."""


def compare(newer: AnyFact, older: AnyFact) -> Relation:
    """Compare two facts: by kind and value where both have them, else by their sentences.

    Sentences must agree in figures, names, negation and most words.
    """
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
    """Return True if two facts about the same entity concern the same matter."""
    if fact.kind and draft.kind:
        return fact.kind == draft.kind
    words = _words_without(f"{fact.text} {fact.key_word}", fact.entity)
    return bool(words & _words_without(f"{draft.text} {draft.key_word}", draft.entity))


def is_same_entity(one: str, other: str) -> bool:
    """Return True if two names are the same but for letter case and width."""
    return fold(one) == fold(other)


def _words_without(text: str, *names: str) -> frozenset[str]:
    return word_set(text) - word_set(*names)


def _is_negated(text: str) -> bool:
    return _NEGATIVE.search(text) is not None


def _is_same_sentence(one: AnyFact, other: AnyFact) -> bool:
    if fold(one.text) == fold(other.text):
        return True
    words = _words_without(one.text, one.entity)
    return (
        one.aspect == other.aspect
        and jaccard(words, _words_without(other.text, other.entity)) >= SHARED_WORDS
        and _figures_agree(one.text, other.text)
        and not _is_turned_round(one.text, other.text)
    )


def _is_turned_round(one: str, other: str) -> bool:
    """Return True if two comparisons name their sides in opposite order."""
    if not (_COMPARING.search(one) and _COMPARING.search(other)):
        return False
    words, others = (list(dict.fromkeys(content_words(text))) for text in (one, other))
    return [word for word in words if word in others] != [word for word in others if word in words]


def _figures_agree(one: str, other: str) -> bool:
    """True if two texts have the same figures, names and negation."""
    return (
        figures_told(one) == figures_told(other)
        and not unsupported_names(one, other)
        and not unsupported_names(other, one)
        and _is_negated(one) == _is_negated(other)
    )
