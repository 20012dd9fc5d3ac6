"""What two told facts have to do with each other: the same, another, or one against the other.

Words alone tell little across languages and vectors alone too much: "likes jazz" and 喜欢摇滚乐
lie nearer than many true pairs. So numbers, names and yes or no must agree first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from siliconfriend.extraction.telling import possessor
from siliconfriend.extraction.wording import patterns, words_of
from siliconfriend.memory.knowledge import Aspect, EntityType
from siliconfriend.recall.language import language_of
from siliconfriend.recall.words import fold, is_chinese, words
from siliconfriend.texts import LANGUAGES

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of length 1 of texts: float32, shape (len(texts), dimension)."""

SAME_WORDS = 0.8
"""Share of all the words of two texts of one language from which on they say the same."""
SAME_MEANING = 0.868
"""Cosine from which on texts of two languages say the same: that of the whole texts, and that of
each word with the nearest of the other. Set for the bundled embedder on 52 pairs of our own: it
knows 11 of 26 that say the same and takes none of 26 that differ in one word (they reach 0.865).
What it does not know stays two facts until a model is asked."""

_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_DIGITS = re.compile(r"\d+")
_NUMERAL = re.compile(r"[一二两三四五六七八九十]+(?=[月日号岁年点时只个条次天])")
_NUMERALS = "零一二三四五六七八九"
_ENGLISH = {
    name: number
    for number, names in enumerate(
        (
            *("one january jan first", "two february feb second", "three march mar third"),
            *("four april apr fourth", "five may fifth", "six june jun sixth"),
            *("seven july jul seventh", "eight august aug eighth", "nine september sep ninth"),
            *("ten october oct tenth", "eleven november nov", "twelve december dec"),
        ),
        start=1,
    )
    for name in names.split()
    if name != "one"
}
_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


class Claim(Protocol):
    """What facts and drafts of them have in common."""

    @property
    def text(self) -> str:
        """The description."""
        ...

    @property
    def entity(self) -> str:
        """Whom it is about."""
        ...

    @property
    def entity_type(self) -> EntityType:
        """What that is."""
        ...

    @property
    def aspect(self) -> Aspect:
        """What it says."""
        ...


def slot_of(claim: Claim) -> tuple[str, str]:
    """What one has only one of (birthday, home, job) that a claim tells, and its value; or empty."""
    if claim.aspect not in ("attribute", "relation") or claim.entity_type == "subject":
        return "", ""
    return _slot(claim.text, claim.entity)


@lru_cache(maxsize=8192)
def _slot(text: str, entity: str) -> tuple[str, str]:
    if not fold(text).startswith(fold(entity)) or possessor(text, entity):
        return "", ""
    rest = text[len(entity) :]
    for language in LANGUAGES:
        for slot in words_of("slots", language):
            for pattern in patterns(f"slots.{slot}", language):
                found = pattern.search(rest)
                if found and (value := found["value"].strip(" .。")):
                    return slot, value
    return "", ""


def same(one: Claim, other: Claim, embed: Embed | None) -> bool:
    """Whether two claims say the same of the same; ``embed`` compares two languages."""
    if fold(one.entity) != fold(other.entity) or one.entity_type != other.entity_type:
        return False
    (slot, value), (other_slot, other_value) = slot_of(one), slot_of(other)
    if slot and slot == other_slot:
        return _same_value(value, other_value)
    if one.aspect != other.aspect or not agree(one.text, other.text):
        return False
    first, second = _content(one), _content(other)
    if is_chinese(one.text) == is_chinese(other.text):
        return _share(first, second) >= SAME_WORDS or (
            not first and fold(one.text) == fold(other.text)
        )
    return embed is not None and _same_meaning(one, other, embed)


def opposed(newer: Claim, older: Claim) -> bool:
    """Whether both tell what one has only one of, with different values."""
    if fold(newer.entity) != fold(older.entity) or newer.entity_type != older.entity_type:
        return False
    (slot, value), (other_slot, other_value) = slot_of(newer), slot_of(older)
    return bool(slot) and slot == other_slot and not _same_value(value, other_value)


def agree(one: str, other: str) -> bool:
    """Whether two texts have the same numbers and names, and both say yes or both no."""
    return (
        numbers(one) == numbers(other)
        and names(one) == names(other)
        and says_no(one) == says_no(other)
    )


def says_no(text: str) -> bool:
    """Whether a text denies something, dislike included."""
    return _NEGATIVE.search(text) is not None


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[int]:
    """The numbers in a text, months by their number, in digits or words of both languages."""
    plain = fold(text)
    found = {int(it) for it in _DIGITS.findall(plain)}
    found.update(_ENGLISH[it] for it in re.findall(r"[a-z]+", plain) if it in _ENGLISH)
    found.update(_chinese_number(it) for it in _NUMERAL.findall(plain))
    return frozenset(found)


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Words with a capital in a text, folded, without months; a sentence's first word counts."""
    found = (fold(it) for it in _LATIN_NAME.findall(text))
    return frozenset(it for it in found if it not in _ENGLISH and it not in ("i", "the", "a"))


def _chinese_number(numeral: str) -> int:
    numeral = numeral.replace("两", "二")
    tens, mark, ones = numeral.partition("十")
    if not mark:
        return _NUMERALS.index(numeral[-1])
    tens_value = _NUMERALS.index(tens[-1]) if tens else 1
    return tens_value * 10 + (_NUMERALS.index(ones[0]) if ones else 0)


def _same_value(one: str, other: str) -> bool:
    if numbers(one) or numbers(other):
        return numbers(one) == numbers(other)
    return _share(frozenset(_words(one)), frozenset(_words(other))) >= SAME_WORDS


def _content(claim: Claim) -> frozenset[str]:
    return frozenset(_words(claim.text)) - frozenset(_words(claim.entity))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def _share(one: Iterable[str], other: Iterable[str]) -> float:
    """Jaccard: how many of all words both have."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def _same_meaning(one: Claim, other: Claim, embed: Embed) -> bool:
    first, second = sorted(_content(one)), sorted(_content(other))
    if not first or not second or language_of(one.text) == language_of(other.text):
        return False
    whole = embed([one.text, other.text])
    if float(whole[0] @ whole[1]) < SAME_MEANING:
        return False
    products = embed(first) @ embed(second).T
    return bool(min(products.max(axis=1).min(), products.max(axis=0).min()) >= SAME_MEANING)
