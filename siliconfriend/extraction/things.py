"""Whether two words or phrases, perhaps of two languages, name the same thing.

Tea must never become coffee because their vectors lie near each other: where the dictionary
knows the words it decides, and vectors are asked only about what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.extraction.dictionary import meanings, parts, said
from siliconfriend.extraction.figures import numbers, says_no
from siliconfriend.extraction.wording import any_of, compiled, words_of
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.texts import Language

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of length 1 of texts: float32, shape (len(texts), dimension)."""

SAME_WORDS = 0.8
"""Share of all the words of two texts of one language from which on they say the same."""
SAME_THING = 0.905
"""Cosine from which on two short texts of two languages name the same thing, where the dictionary
knows none of it. Of 10,000 pairs of things that differ the bundled embedder puts none above it."""


@dataclass(frozen=True, slots=True)
class _Thing:
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


def same_thing(one: str, other: str, embed: Embed | None) -> bool:
    """Whether both name the same, whatever is done with it ("drinking tea" and 茶 do).

    Numbers must be the same, and "not working" is not working.
    """
    first, second = _thing(one), _thing(other)
    if first.plain == second.plain:
        return True
    if first.figures != second.figures:
        return False
    if _is_same(first, second, embed):
        return True
    both_do = first.doing and second.doing
    if not first.doing | second.doing or (both_do and not first.doing & second.doing):
        return False
    return _is_same(_thing(first.rest), _thing(second.rest), embed)


def share(one: Iterable[str], other: Iterable[str]) -> float:
    """Jaccard: how many of all words both have."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def _is_same(one: _Thing, other: _Thing, embed: Embed | None) -> bool:
    if one.is_chinese == other.is_chinese:
        return share(one.words, other.words) >= SAME_WORDS
    english, chinese = (other, one) if one.is_chinese else (one, other)
    if chinese.is_known:
        return _is_translated(said(english.text), chinese.cut)
    if embed is None:
        return False
    vectors = embed([english.text, chinese.text])
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
def _thing(text: str) -> _Thing:
    plain = fold(text).strip(" .。!！")
    chinese = is_chinese(text)
    cut = parts(plain) if chinese else ()
    doing, rest = _doing(text, "cn" if chinese else "en")
    return _Thing(
        text=text,
        plain=plain,
        is_chinese=chinese,
        figures=(numbers(text), says_no(text)),
        words=frozenset(tokenize(text)),
        cut=cut,
        is_known=chinese and all(meanings(it) for it in cut),
        doing=doing,
        rest=rest,
    )


def _doing(text: str, language: Language) -> tuple[frozenset[str], str]:
    """What sorts of doing a text begins with, and the rest of it."""
    table = words_of("doing", language)
    space = "" if language == "cn" else " "
    begins = any_of(word for kind in table.values() for word in kind)
    found = compiled(f"^ ?({begins}){space}", language).match(fold(text))
    if found is None:
        return frozenset(), text
    kinds = frozenset(kind for kind, verbs in table.items() if found[1] in verbs)
    return kinds, text[found.end() :]
