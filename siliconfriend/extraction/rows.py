"""Rows of things in one sentence: "painting, playing piano and tea tasting", 画画、弹钢琴和品茶.

A rule finds what stands before the first mark. What follows belongs to it only where it is
plainly more of the same; "I like tea, and coffee keeps me awake" is no row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from siliconfriend.extraction.patterns import matches_any, patterns_of
from siliconfriend.extraction.phrases import split_leading_verb
from siliconfriend.texts import Language

FEWEST = 3
"""Things that make a row: two are as often one thing, "fish and chips"."""
LONGEST_ITEM, LONGEST_PLAIN = 4, 2
"""Words of an English item, and of one that names nothing that is done."""
LONGEST_CHINESE_ITEM = 8

_ENGLISH = re.compile(r"(?:, (?!and |or )[^.,;:!?()\n]+)*,? (?:and|or|&) [^.,;:!?()\n]+")
_ENGLISH_SEPARATOR = re.compile(r",? (?:and|or|&) |, ")
_CHINESE = re.compile(r"[^，,。！；;：:（）\n]*")
_CHINESE_SEPARATOR = re.compile(r"、|(?:以及|还有|和|与|及)(?=[^、]*$)")
_GERUND = re.compile(r"\b\w{2,}ing\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it was said.

    Attributes:
        words: all of it.
        items: its things, at least :data:`FEWEST`.
        is_separable: each stands for itself; False for "eating apples, pears and plums".
    """

    words: str
    items: tuple[str, ...]
    is_separable: bool


def find_row(value: str, said: str, end: int, language: Language) -> Row | None:
    """Find the row that begins with a value; None where there is none.

    Args:
        value: what a rule found; it may be the row already.
        said: the sentence.
        end: where the value ends in it.
        language: of the sentence.
    """
    return _chinese_row(value, said[end:]) if language == "cn" else _english_row(value, said[end:])


def _english_row(value: str, rest: str) -> Row | None:
    more = _ENGLISH.match(rest)
    if more is None:
        return None
    words = f"{value}{_without_ending(more[0])}"
    items = tuple(it.strip() for it in _ENGLISH_SEPARATOR.split(words))
    if len(items) < FEWEST or not all(map(_is_english_item, items)):
        return None
    does = [_GERUND.search(it) is not None for it in items]
    governs = len(items[0].split()) > 1 and _GERUND.match(items[0]) is not None
    return Row(words, items, is_separable=all(does) or not governs)


def _without_ending(words: str) -> str:
    """Words without what only says when or why."""
    for ending in patterns_of("value_ends", "en"):
        found = ending.search(words)
        if found is not None:
            words = words[: found.start()]
    return words.rstrip()


def _is_english_item(words: str) -> bool:
    longest = LONGEST_ITEM if _GERUND.search(words) else LONGEST_PLAIN
    return 0 < len(words.split()) <= longest and not matches_any("row_none", "en", words)


def _chinese_row(value: str, rest: str) -> Row | None:
    more = _CHINESE.match(rest) if rest.startswith("、") else None
    words = value if more is None else f"{value}{more[0]}"
    if "、" not in words:
        return None
    words = re.sub(r"(?:等等?|什么的|之类的?)?[了啦呀啊哦呢吧的]*$", "", words)
    items = tuple(it.strip() for it in _CHINESE_SEPARATOR.split(words))
    too_long = any(not 0 < len(it) <= LONGEST_CHINESE_ITEM for it in items)
    if len(items) < FEWEST - 1 or too_long or matches_any("row_none", "cn", words):
        return None
    verbs = [_begins_with_verb(it) for it in items]
    governs = split_leading_verb(items[0], "cn")[1] not in ("", items[0])
    return Row(words, items, is_separable=all(verbs) or not governs)


def _begins_with_verb(words: str) -> bool:
    import rjieba

    tagged = rjieba.tag(words)
    return bool(tagged) and (
        tagged[0][1].startswith("v") or bool(split_leading_verb(words, "cn")[0])
    )
