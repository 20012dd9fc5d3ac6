"""Tokenize a text into the words one finds it by, in Chinese, English and both mixed.

Stored texts and questions go through the same function, so that "Parks" finds "park",
full-width ＡＢＣ finds abc, and a question in a mixed sentence finds either half. Chinese
has no spaces: a run of it is cut into words by a dictionary, and longer words also into
the words they hold.

An operator's own words are cut as one. They count for the whole program, since everything that
is stored, asked and compared must be cut alike.

Whatever changes the tokens must change :func:`tokenizer_version`, by which stored indexes know
that they are out of date, and makes everyone's index be built anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from typing import Any

from siliconfriend.language.characters import HAN, fold
from siliconfriend.language.word_lists import stop_words

_LETTERS = rf"[^\W\d_{HAN}]+"
_RUN = re.compile(
    r"(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<chinese>[{HAN}]+)"
    rf"|(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)"
)
_GLUED = re.compile(r"^[我你您他她它]们?")
"""Who does something is no part of the word for it: the dictionary's guess for 我种 is one word."""
_ASKED = re.compile(r"(?=叫(?:什么|啥|谁))")
"""Where 我的猫叫什么 is cut before the dictionary finds 猫叫 in it, a mewing."""


@dataclass(frozen=True, slots=True)
class OwnWord:
    """A Chinese word that the segmenter's dictionary lacks.

    Attributes:
        word: folded, two characters or more.
        count: how often it occurs in the segmenter's count; None for as often as it takes.
        kind: its part of speech as the segmenter marks it ("n", "nr"); None for a noun.
    """

    word: str
    count: int | None = None
    kind: str | None = None


_own_words: tuple[OwnWord, ...] = ()


def use_own_words(words: Sequence[OwnWord]) -> None:
    """Cut these words as one from now on, in place of those that were given before."""
    global _own_words
    if tuple(words) != _own_words:
        _own_words = tuple(words)
        segmenter.cache_clear()
        tokenizer_version.cache_clear()


def tokenize(text: str) -> list[str]:
    """The words a text is indexed and searched by, in order, with repeats.

    Folded and without stop words: English stemmed, numbers whole, Chinese as segmented.
    """
    return [token for _, token in _pairs(text)]


def surface_forms(text: str) -> list[str]:
    """The words of :func:`tokenize` as they were said: folded, but not stemmed."""
    return [word for word, _ in _pairs(text)]


def token_pairs(text: str) -> list[tuple[str, str]]:
    """Each word as (surface form, token), in order, with repeats."""
    return list(_pairs(text))


def runs(text: str) -> Iterator[tuple[str, str]]:
    """Each number, run of Chinese characters and word of other letters as (kind, run), in order.

    The kinds are ``number``, ``chinese`` and ``word``.
    """
    for found in _RUN.finditer(text):
        yield found.lastgroup or "", found.group()


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem of an English word in lower case."""
    return str(_stemmer().stemWord(word.replace("'", "")))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    stop = stop_words()
    whole = {it.word for it in _own_words}
    for kind, run in runs(fold(text)):
        if kind == "number":
            yield run, run
        elif kind == "chinese":
            for word in _segment(run):
                own = word if word in whole else _GLUED.sub("", word)
                if own and (own not in stop or own in whole):
                    yield own, own
        else:
            word = run.replace("’", "'").removesuffix("'s")
            if word not in stop:
                yield word, stem(word)


def _segment(run: str) -> Iterator[str]:
    for part in _ASKED.split(run):
        yield from segmenter().cut_for_search(part)


@cache
def tokenizer_version() -> str:
    """A short mark of the rules by which texts are tokenized; another mark, other tokens."""
    versions = [metadata.version(package) for package in ("rjieba", "PyStemmer")]
    stated = [*versions, _RUN.pattern, _GLUED.pattern, _ASKED.pattern, *sorted(stop_words())]
    stated += [f"{it.word}/{it.count}" for it in _own_words]
    return hashlib.sha256(" ".join(stated).encode()).hexdigest()[:16]


@cache
def segmenter() -> Any:
    """The segmenter for Chinese: an object with the methods of ``rjieba.Jieba``."""
    import rjieba

    if not _own_words:
        return rjieba
    own = rjieba.Jieba()
    for it in _own_words:
        own.add_word(it.word, it.count, it.kind or "n")
    return own


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
