"""Tense: whether what was said of a day lies ahead of it or behind.

"On 14 February I fly to Oslo" and "On 14 February I flew to Oslo", both said in September, name
two days a year apart. Taking the nearer one would make a memory of what has yet to happen, or a
plan of what is over. So a day that is named without its year is looked for on the side that the
words around it say. Where they say nothing, the nearest one is meant.

English says it by the verb, Chinese by words such as 要, 打算, 了 and 那天. The words next to the
date decide: of its own part of the sentence, else of the part after it ("On 14 February, I
flew"), else of the one before ("I have booked the train, from 9 to 14 April").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, cached_property, lru_cache
from typing import Literal

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.texts import LANGUAGES, Language, area, lookup

Tense = Literal["ahead", "behind"]

PARTS_AWAY, LETTERS_AWAY = 10, 150
"""How far from a date its tense is looked for: in so many parts of the sentence to each side, and
in so many letters of each part. In a list of a thousand days each would else read all of it."""

_SENTENCE_END = re.compile(r"[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+")


class Tenses:
    """The tenses of a text, which is cut into the parts of its sentences once one is asked for."""

    def __init__(self, text: str) -> None:
        self._given = text

    @cached_property
    def text(self) -> str:
        """The text folded, if that leaves it its length: the places of dates are those of the text."""
        folded = fold(self._given)
        return folded if len(folded) == len(self._given) else self._given

    @cached_property
    def parts(self) -> list[tuple[int, int, int]]:
        """Where each part of a sentence begins and ends, and the number of its sentence."""
        return _parts(self.text)

    def at(self, start: int, end: int) -> Tense | None:
        """The tense of what is said of the words from ``start`` to ``end``; None where none is."""
        here = bisect_right(self.parts, start, key=lambda part: part[1])
        if here == len(self.parts):
            return None
        number = self.parts[here][2]
        near = [*range(here, here + PARTS_AWAY), *range(here - 1, here - PARTS_AWAY, -1)]
        for at in near:
            if not 0 <= at < len(self.parts) or self.parts[at][2] != number:
                continue
            first, last, _ = self.parts[at]
            before = self.text[max(first, start - LETTERS_AWAY) : min(start, last)]
            after = self.text[max(end, first) : min(last, end + LETTERS_AWAY)]
            before, after = before if at <= here else "", after if at >= here else ""
            tense = _nearest_tense(before, after)
            if tense is not None:
                return None if tense == "either" else tense
        return None


def tense_rules() -> str:
    """What tenses are told by, written down."""
    return " ".join(str(area("tense", language)) for language in LANGUAGES)


def _parts(text: str) -> list[tuple[int, int, int]]:
    language: Language = "cn" if is_chinese(text) else "en"
    found: list[tuple[int, int, int]] = []
    start = number = 0
    ends = [(it.end(), True) for it in _SENTENCE_END.finditer(text)]
    ends += [(it.end(), False) for it in _pattern("parts", language).finditer(text)]
    for end, is_sentence in sorted([*ends, (len(text), True)]):
        if end > start:
            found.append((start, end, number))
            start = end
        number += is_sentence
    return found


# A part of a sentence stands beside several dates, in a list of them beside very many.
@lru_cache(maxsize=256)
def _nearest_tense(before: str, after: str) -> Tense | Literal["either"] | None:
    """The tense of the last sign before a date, else of the first after it.

    A subject without a verb that says more counts only where there is no such sign.
    """
    signs = [_signs(before)[-1:], _signs(after)[:1]]
    for found in signs:
        if found:
            return found[0][1]
    somebody = any(_pattern("somebody", it).search(before + " " + after) for it in LANGUAGES)
    return "ahead" if somebody else None


def _signs(words: str) -> list[tuple[int, Tense | Literal["either"]]]:
    """What of some words says when it was or will be, in their order; plans hide other signs."""
    found: list[tuple[int, Tense | Literal["either"]]] = []
    for language in LANGUAGES:
        ahead = [it.start() for it in _pattern("ahead", language).finditer(words)]
        if ahead:
            return [(at, "ahead") for at in ahead]
        rest = words
        for it in _pattern("passive", language).finditer(words):
            found.append((it.start(), "ahead"))
            rest = rest[: it.start()] + " " * len(it.group()) + rest[it.end() :]
        for sign, tense in _SIGNS:
            found += [(it.start(), tense) for it in _pattern(sign, language).finditer(rest)]
    return sorted(found)


_SIGNS: tuple[tuple[str, Tense | Literal["either"]], ...] = (
    ("now", "ahead"),
    ("behind", "behind"),
    ("either", "either"),
)


@cache
def _pattern(key: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(lookup("tense", key, language)))
