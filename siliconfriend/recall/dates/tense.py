"""The side of the day on which words were said that a date without its year lies on.

English says it by the verb, Chinese by 要, 打算, 了, 过. Only the part of the sentence that holds the date
counts, and where nothing but the date stands in it the part after it, else the one before. What was
booked or invited to, and what is of now, leaves the side open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.recall.dates.calendar import Side
from siliconfriend.texts import Language, lookup

PARTS_AWAY, LETTERS_AWAY = 10, 150
"""Parts of the sentence read on each side, and letters of each."""

_SENTENCE_END = re.compile(r"[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+")


class Tenses:
    """The sides that the dates of a text lie on."""

    def __init__(self, text: str) -> None:
        folded = fold(text)
        self._text = folded if len(folded) == len(text) else text
        self._language: Language = "cn" if is_chinese(self._text) else "en"
        self._parts: list[tuple[int, int, int]] = []

    def side(self, start: int, end: int) -> Side | None:
        """Find the side of the words from ``start`` to ``end``; None where nothing says it."""
        parts = self._parts = self._parts or _parts(self._text, self._language)
        here = bisect_right(parts, start, key=lambda part: part[1])
        near = [here, *range(here + 1, here + PARTS_AWAY), *range(here - 1, here - PARTS_AWAY, -1)]
        for at in near:
            if not 0 <= at < len(parts) or parts[at][2] != parts[here][2]:
                continue
            first, last, _ = parts[at]
            before = self._text[max(first, start - LETTERS_AWAY) : min(start, last)]
            after = self._text[max(end, first) : min(last, end + LETTERS_AWAY)]
            before, after = before if first < end else "", after if last > start else ""
            if self._is_bare(before + after):
                continue
            side = self._side(before, after)
            if side is not None or at == here:
                return side
        return None

    def _is_bare(self, words: str) -> bool:
        return re.fullmatch(rf"(?:{_pattern('bare', self._language).pattern})*", words) is not None

    def _side(self, before: str, after: str) -> Side | None:
        language = self._language
        if any(_pattern("ahead", language).search(words) for words in (before, after)):
            return "ahead"
        if language == "cn":  # a date stands before its verb
            before = ""
        rest = [
            _pattern("arranged", language).sub(" ", _pattern("open", language).sub(" ", words))
            for words in (before, after)
        ]
        return (
            "behind" if any(_pattern("behind", language).search(words) for words in rest) else None
        )


def tells_of_done(sentence: str) -> bool:
    """True if a sentence tells that something was done, and not only that it was arranged."""
    plain = fold(sentence)
    language: Language = "cn" if is_chinese(plain) else "en"
    rest = _pattern("arranged", language).sub(" ", plain)
    if _pattern("ahead", language).search(rest):
        return False
    return any(_pattern(key, language).search(rest) for key in ("behind", "done"))


def _parts(text: str, language: Language) -> list[tuple[int, int, int]]:
    """Return begin, end and sentence number of each part of a sentence."""
    found: list[tuple[int, int, int]] = []
    start = number = 0
    ends = [(match.end(), True) for match in _SENTENCE_END.finditer(text)]
    ends += [(match.end(), False) for match in _pattern("parts", language).finditer(text)]
    for end, is_sentence in sorted([*ends, (len(text), True)]):
        if end > start:
            found.append((start, end, number))
            start = end
        number += is_sentence
    return found


@cache
def _pattern(key: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(lookup("tense", key, language)))
