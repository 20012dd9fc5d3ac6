"""Whether two words or phrases, perhaps of two languages, name the same thing.

Tea must never become coffee because their vectors lie near each other: where the dictionary
knows the words it decides, and vectors are asked only about what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.extraction.dictionary import meanings, parts, said
from siliconfriend.extraction.figures import numbers, says_no
from siliconfriend.extraction.wording import any_of, compiled, words_of
from siliconfriend.recall.words import fold, is_chinese, words
from siliconfriend.texts import Language

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of length 1 of texts: float32, shape (len(texts), dimension)."""

SAME_WORDS = 0.8
"""Share of all the words of two texts of one language from which on they say the same."""
SAME_THING = 0.905
"""Cosine from which on two short texts of two languages name the same thing, where the dictionary
knows none of it. Of 10,000 pairs of things that differ the bundled embedder puts none above it."""


def same_thing(one: str, other: str, embed: Embed | None) -> bool:
    """Whether both name the same, whatever is done with it ("drinking tea" and 茶 do).

    Numbers must be the same, and "not working" is not working.
    """
    if fold(one).strip(" .。!！") == fold(other).strip(" .。!！"):
        return True
    if numbers(one) != numbers(other) or says_no(one) != says_no(other):
        return False
    if _is_same(one, other, embed):
        return True
    (doing, thing), (other_doing, other_thing) = _doing(one), _doing(other)
    if (not doing and not other_doing) or (doing and other_doing and not doing & other_doing):
        return False
    return _is_same(thing, other_thing, embed)


def share(one: Iterable[str], other: Iterable[str]) -> float:
    """Jaccard: how many of all words both have."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def _is_same(one: str, other: str, embed: Embed | None) -> bool:
    if is_chinese(one) == is_chinese(other):
        return share(_words(one), _words(other)) >= SAME_WORDS
    english, chinese = (other, one) if is_chinese(one) else (one, other)
    cut = parts(fold(chinese).strip(" .。!！"))
    if all(meanings(it) for it in cut):
        return _is_translated(said(english), cut)
    if embed is None:
        return False
    vectors = embed([english, chinese])
    return float(vectors[0] @ vectors[1]) >= SAME_THING


def _is_translated(english: frozenset[str], chinese: Sequence[str]) -> bool:
    """Whether each Chinese word has a meaning among the English ones, and they say no more."""
    told: set[str] = set()
    for word in chinese:
        fitting = [it for it in meanings(word) if it <= english]
        if not fitting:
            return False
        told.update(*fitting)
    return bool(told) and told == english


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


@lru_cache(maxsize=4096)
def _doing(text: str) -> tuple[frozenset[str], str]:
    """What sorts of doing a text begins with, and the rest of it."""
    language: Language = "cn" if is_chinese(text) else "en"
    table = words_of("doing", language)
    space = "" if language == "cn" else " "
    begins = any_of(word for kind in table.values() for word in kind)
    found = compiled(f"^ ?({begins}){space}", language).match(fold(text))
    if found is None:
        return frozenset(), text
    kinds = frozenset(kind for kind, verbs in table.items() if found[1] in verbs)
    return kinds, text[found.end() :]
