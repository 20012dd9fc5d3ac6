"""Compare words and phrases, perhaps of two languages: do they name the same thing?

Tea must never become coffee because their vectors lie near each other: where the dictionary
knows the words it decides, and vectors are asked only about what it does not know.

Vectors pass by numbers, days, names, and yes or no: "3 May" and 五月四号 lie nearer than many true
pairs. So these must agree before anything else is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from siliconfriend.extraction.patterns import compile_pattern
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import english_gloss, meanings, split_chinese
from siliconfriend.language.numbers import (
    CARDINALS,
    MONTHS,
    ORDINALS,
    numbers_in,
    ordinals_to_digits,
)
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import any_of
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.similarity import jaccard
from siliconfriend.texts import Language, lookup

WORD_OVERLAP_THRESHOLD = 0.8
"""Share of all the words of two texts of one language from which on they say the same."""
PHRASE_THRESHOLD = 0.905
"""Cosine from which on two short texts of two languages name the same thing, where the dictionary
knows none of it. Of 10,000 pairs of things that differ the bundled embedder puts none above it."""

_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_LEAP_YEAR = date(2024, 6, 1)
_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """All of a text that it is compared by, worked out once.

    ``words`` and ``cut`` are its words and, in Chinese, the parts that the dictionary finds;
    ``doing`` and ``rest`` are what is done and to what; ``is_known`` that the dictionary has
    all its parts.
    """

    text: str
    plain: str
    is_chinese: bool
    figures: tuple[frozenset[int], bool]
    words: frozenset[str]
    cut: tuple[str, ...]
    is_known: bool
    doing: frozenset[str]
    rest: str


def is_same_phrase(one: str, other: str, embed: Embed | None) -> bool:
    """True if both name the same, whatever is done with it ("drinking tea" and 茶 do).

    Numbers must be the same, and "not working" is not working.
    """
    first, second = _phrase(one), _phrase(other)
    if first.plain == second.plain:
        return True
    if first.figures != second.figures:
        return False
    if _is_same_whole(first, second, embed):
        return True
    both_do = first.doing and second.doing
    if not first.doing | second.doing or (both_do and not first.doing & second.doing):
        return False
    return _is_same_whole(_phrase(first.rest), _phrase(second.rest), embed)


def figures_agree(one: str, other: str) -> bool:
    """True if two texts have the same numbers and names, and both say yes or both no."""
    return (
        numbers_in(one) == numbers_in(other)
        and names_in(one) == names_in(other)
        and is_negated(one) == is_negated(other)
    )


def _is_same_whole(one: _Phrase, other: _Phrase, embed: Embed | None) -> bool:
    if one.is_chinese == other.is_chinese:
        return jaccard(one.words, other.words) >= WORD_OVERLAP_THRESHOLD
    english, chinese = (other, one) if one.is_chinese else (one, other)
    if chinese.is_known:
        return _is_translated(english_gloss(english.text), chinese.cut)
    if embed is None:
        return False
    vectors = embed([english.text, chinese.text])
    return float(vectors[0] @ vectors[1]) >= PHRASE_THRESHOLD


def _is_translated(english: frozenset[str], chinese: Sequence[str]) -> bool:
    """True if each Chinese word has a meaning among the English ones, and they say no more."""
    covered: set[str] = set()
    for word in chinese:
        fitting = [it for it in meanings(word) if it <= english]
        if not fitting:
            return False
        covered.update(*fitting)
    return bool(covered) and covered == english


@lru_cache(maxsize=8192)
def _phrase(text: str) -> _Phrase:
    plain = fold(text).strip(" .。!！")
    chinese = is_chinese(text)
    cut = split_chinese(plain) if chinese else ()
    doing, rest = split_leading_verb(text, "cn" if chinese else "en")
    return _Phrase(
        text=text,
        plain=plain,
        is_chinese=chinese,
        figures=(numbers_in(text), is_negated(text)),
        words=frozenset(tokenize(text)),
        cut=cut,
        is_known=chinese and all(meanings(it) for it in cut),
        doing=doing,
        rest=rest,
    )


def split_leading_verb(text: str, language: Language) -> tuple[frozenset[str], str]:
    """Split the leading verb from its object: the kinds of the verb, and the rest."""
    table = lookup("extraction", "doing", language)
    space = "" if language == "cn" else " "
    begins = any_of(word for kind in table.values() for word in kind)
    found = compile_pattern(f"^ ?({begins}){space}", language).match(fold(text))
    if found is None:
        return frozenset(), text
    kinds = frozenset(kind for kind, verbs in table.items() if found[1] in verbs)
    return kinds, text[found.end() :]


def is_negated(text: str) -> bool:
    """True if a text denies something, dislike included."""
    return _NEGATIVE.search(text) is not None


@lru_cache(maxsize=4096)
def month_and_day(text: str) -> tuple[int, int] | None:
    """The day of a year that a text names, the day 0 where it names a month; None where neither.

    "The fourth of May" and 五月四号 are (5, 4); "in three days" is no day of a year.
    """
    plain = re.sub(
        r"(?<=\d(?:st|nd|rd|th)) of (?=[a-z])",
        " ",
        ordinals_to_digits(text),
        flags=re.I,
    )
    for said in find_dates_said_on(plain, _LEAP_YEAR):
        if not said.relative and said.part_of_day is None and said.length <= 31:
            if said.length == 1:
                return said.first.month, said.first.day
            return (said.first.month, 0) if said.length >= 28 else None
    return None


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Words with a capital in a text, folded, without months; a sentence's first word counts."""
    found = (fold(it) for it in _LATIN_NAME.findall(text))
    return frozenset(
        it
        for it in found
        if it not in MONTHS
        and it not in CARDINALS
        and it not in ORDINALS
        and it not in ("i", "the", "a")
    )
