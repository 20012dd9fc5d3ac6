"""Tense: whether what was said of a day lies ahead of it or behind.

"On 14 February I fly to Oslo" and "On 14 February I flew to Oslo", both said in September, name
two days a year apart. Taking the nearer one would make a memory of what has yet to happen, or a
plan of what is over. So a day that is named without its year is looked for on the side that the
words around it say. Where they say nothing, the nearest one is meant.

English says it by the verb, Chinese by words such as 要, 打算, 了 and 那天. Only the part of the
sentence that holds the date can be sure of it; a date that stands alone there belongs to the part
after it ("On 14 February, I flew"), else to the one before ("I flew, on 14 February"). What was
arranged ("I got tickets for 3 March", 我约了牙医), what is now and what another part says make a
side only likely: against a day of the other side that is near they count for nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.texts import LANGUAGES, Language, area, lookup

Tense = Literal["ahead", "behind"]

PARTS_AWAY, LETTERS_AWAY = 10, 150
"""How far from a date its tense is looked for: in so many parts of the sentence to each side, and
in so many letters of each part. In a list of a thousand days each would else read all of it."""

_SENTENCE_END = re.compile(r"[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+")


class Evidence(NamedTuple):
    """On which side of the day it was said on a day lies.

    Attributes:
        tense: ``ahead`` or ``behind``.
        is_sure: the words leave no other side; otherwise it is only the likelier one.
    """

    tense: Tense
    is_sure: bool


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
    def language(self) -> Language:
        """The language that the text is written in."""
        return "cn" if is_chinese(self.text) else "en"

    @cached_property
    def parts(self) -> list[tuple[int, int, int]]:
        """Where each part of a sentence begins and ends, and the number of its sentence."""
        return _parts(self.text, self.language)

    def at(self, start: int, end: int) -> Evidence | None:
        """On which side the words from ``start`` to ``end`` lie; None where nothing says it."""
        here = bisect_right(self.parts, start, key=lambda part: part[1])
        if here == len(self.parts):
            return None
        before, after = self._beside(here, start, end)
        own = _nearest_sign(before, after, self.language)
        if own is not None:
            return own.evidence
        is_bare = _is_bare(before + after, self.language)
        following = self._first_sign(range(here + 1, here + PARTS_AWAY), here, start, end)
        other = following or self._first_sign(
            range(here - 1, here - PARTS_AWAY, -1), here, start, end
        )
        found = other.evidence if other else None
        if found is not None and not is_bare:
            # What went before is no more of the day: "I signed up, the first lesson is 3 March".
            is_of_day = following is not None or found.tense == "ahead"
            found = Evidence(found.tense, False) if is_of_day else None
        if _matches("occasion", before + after):
            return None if found and found.tense == "behind" else found or LIKELY
        return found or (LIKELY if _matches("coming", before + after) else None)

    def _first_sign(self, near: range, here: int, start: int, end: int) -> _Sign | None:
        """The first sign of some parts of the sentence that the part ``here`` is of."""
        for at in near:
            if not 0 <= at < len(self.parts) or self.parts[at][2] != self.parts[here][2]:
                continue
            before, after = self._beside(at, start, end)
            found = _nearest_sign(before, after, self.language)
            if found is not None:
                return found
        return None

    def _beside(self, part: int, start: int, end: int) -> tuple[str, str]:
        """What a part of the sentence holds before the words from ``start`` to ``end``, and after."""
        first, last, _ = self.parts[part]
        before = self.text[max(first, start - LETTERS_AWAY) : min(start, last)]
        after = self.text[max(end, first) : min(last, end + LETTERS_AWAY)]
        return before if first < end else "", after if last > start else ""


def tense_rules() -> str:
    """What tenses are told by, written down."""
    return " ".join(str(area("tense", language)) for language in LANGUAGES)


def _parts(text: str, language: Language) -> list[tuple[int, int, int]]:
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


class _Sign(NamedTuple):
    """A word that says on which side a day lies, and where it stands; either side without evidence."""

    at: int
    evidence: Evidence | None


# A part of a sentence stands beside several dates, in a list of them beside very many.
@lru_cache(maxsize=256)
def _nearest_sign(before: str, after: str, language: Language) -> _Sign | None:
    """The last sign before a date, else the first after it; plans before it hide other signs.

    A Chinese date stands before its verb: what is over before it is of another one. A subject
    without a verb that says more counts only where there is no such sign.
    """
    earlier, later = _signs(before), _signs(after)
    last = _plans(earlier)[-1:] or earlier[-1:]
    if language == "cn":
        later = _plans(later) or later
        if last and last[0].evidence != AHEAD:
            last = [sign if sign.evidence != BEHIND else _Sign(sign.at, None) for sign in last]
            last, later = later, last
    for sign in (*last, *later):
        return sign
    words = before + " " + after
    return _Sign(0, LIKELY) if _matches("somebody", words) else None


def _signs(words: str) -> list[_Sign]:
    """What of some words says when it was or will be, in their order."""
    found: list[_Sign] = []
    for language in LANGUAGES:
        rest = words
        for kind, evidence in _SIGNS:
            for it in _pattern(kind, language).finditer(rest):
                found.append(_Sign(it.start(), evidence))
                rest = rest[: it.start()] + " " * len(it.group()) + rest[it.end() :]
    return sorted(found, key=lambda sign: sign.at)


def _plans(signs: list[_Sign]) -> list[_Sign]:
    return [sign for sign in signs if sign.evidence == AHEAD]


AHEAD, LIKELY, BEHIND = Evidence("ahead", True), Evidence("ahead", False), Evidence("behind", True)

_SIGNS = (
    ("ahead", AHEAD),
    ("either", None),
    ("arranged", LIKELY),
    ("passive", LIKELY),
    ("now", LIKELY),
    ("behind", BEHIND),
)
"""The kinds of signs; what is of an earlier one is of no later one."""


def _is_bare(words: str, language: Language) -> bool:
    """True if words beside a date say nothing of it: "and on", 早上."""
    return re.fullmatch(rf"(?:{_pattern('bare', language).pattern})*", words) is not None


def _matches(kind: str, words: str) -> bool:
    return any(_pattern(kind, language).search(words) for language in LANGUAGES)


@cache
def _pattern(key: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(lookup("tense", key, language)))
