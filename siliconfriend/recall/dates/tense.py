"""The side of the day on which words were said that a date without its year lies on.

English says it by the verb, Chinese by 要, 打算, 了, 过. Only the part of the sentence that holds the date
counts, and where nothing but the date stands in it the part after it, else the one before. What was
booked or invited to, and what is of now, leaves the side open.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.recall.dates.resolvers import Side
from siliconfriend.texts import Language, lookup

LETTERS_AWAY = 150  # letters read on each side of a date

_SENTENCE_END = re.compile(r"[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+")


class _Read(NamedTuple):
    """A text with the parts of its sentences, each by its begin and end."""

    text: str
    language: Language
    sentences: list[list[tuple[int, int]]]


def side_of(text: str, start: int, end: int) -> Side | None:
    """Find the side of the words from ``start`` to ``end`` of a text; None where nothing says it."""
    text, language, sentences = _read(text)
    parts = next((it for it in sentences if it[-1][1] > start), [(0, len(text))])
    here = sum(last <= start for _, last in parts)
    for at, (first, last) in enumerate([*parts[here:], *reversed(parts[:here])]):
        before = text[max(first, start - LETTERS_AWAY) : min(start, last)]
        after = text[max(end, first) : min(last, end + LETTERS_AWAY)]
        if not re.fullmatch(rf"(?:{_pattern('bare', language).pattern})*", before + after):
            side = _side(before, after, language)
            if side is not None or at == 0:
                return side
    return None


def _side(before: str, after: str, language: Language) -> Side | None:
    if any(_pattern("ahead", language).search(words) for words in (before, after)):
        return "ahead"
    for words in (
        (before, after) if language == "en" else (after,)
    ):  # a Chinese date stands before its verb
        rest = _pattern("arranged", language).sub(" ", _pattern("open", language).sub(" ", words))
        if _pattern("behind", language).search(rest):
            return "behind"
    return None


def tells_of_done(sentence: str) -> bool:
    """True if a sentence tells that something was done, and not only that it was arranged."""
    plain = fold(sentence)
    language: Language = "cn" if is_chinese(plain) else "en"
    rest = _pattern("arranged", language).sub(" ", plain)
    if _pattern("ahead", language).search(rest):
        return False
    return any(_pattern(key, language).search(rest) for key in ("behind", "done"))


@lru_cache(maxsize=16)
def _read(text: str) -> _Read:
    folded = fold(text)
    text = folded if len(folded) == len(text) else text
    language: Language = "cn" if is_chinese(text) else "en"
    ends = {match.end() for match in _SENTENCE_END.finditer(text)} | {len(text)}
    commas = {match.end() for match in _pattern("parts", language).finditer(text)}
    sentences: list[list[tuple[int, int]]] = [[]]
    for start, end in pairwise(sorted({0} | ends | commas)):
        sentences[-1].append((start, end))
        if end in ends:
            sentences.append([])
    return _Read(text, language, [parts for parts in sentences if parts])


@cache
def _pattern(key: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(lookup("tense", key, language)))
