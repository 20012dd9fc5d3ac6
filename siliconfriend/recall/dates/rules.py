"""What a form of words is made of: a pattern, and what it means on a given day."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from siliconfriend.recall.dates.almanac import Almanac, Meaning, PartOfDay, Third, Unit

Resolve = Callable[[re.Match[str], Almanac], Meaning | None]

FEW: Mapping[Unit, tuple[int, int]] = {
    "day": (10, 2),
    "week": (42, 14),
    "month": (183, 61),
    "year": (2192, 731),
}
"""The days that "a few" units ago (几天前) may lie back: two units to six, of days to ten, since
a few days ago is said of anything that is not yet counted in weeks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of words and what it means; a meaning of None says: here it is no date.

    ``relative`` words mean something only on the day they are said ("last night").
    """

    pattern: re.Pattern[str]
    resolve: Resolve
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """The rules of one language, and how it names the part of a day beside a date.

    Attributes:
        alphabet: a character without which nothing of the language is a date.
        rules: tried everywhere in a text; of those that meet, the earliest and longest stands.
        part_after, part_before: words beside a date, the part in the group ``part``.
        parts: what each of those words means.
    """

    alphabet: re.Pattern[str]
    rules: tuple[Rule, ...]
    part_after: re.Pattern[str]
    part_before: re.Pattern[str]
    parts: Mapping[str, PartOfDay]


def told(make: Callable[[Almanac], Meaning | None]) -> Resolve:
    """The meaning of fixed words, which the day alone decides."""

    def resolve(_match: re.Match[str], almanac: Almanac) -> Meaning | None:
        return make(almanac)

    return resolve


def stretch(furthest: int, nearest: int) -> Resolve:
    """The meaning of vague words ("recently", 前几天): a stretch before today, in days."""
    return told(lambda almanac: almanac.between(furthest, nearest))


def group(match: re.Match[str], name: str) -> str | None:
    """What a named group holds; None too where the pattern has no such group."""
    return match.groupdict().get(name)


def third_of(match: re.Match[str], whole: Meaning, thirds: Mapping[str, Third]) -> Meaning:
    """The third of ``whole`` that the group ``third`` names, or all of it."""
    which = group(match, "third")
    return whole.third(thirds[which.lower()]) if which else whole
