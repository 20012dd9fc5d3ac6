"""The base table of associated words: what goes together for anybody, before anyone has told anything.

A fresh home has no memories to learn from, and 红色 would bring nothing to mind. This table comes
with the program, so that no request leaves the machine; ``docs/make_associations.py`` writes it.
What a person told comes before it, and the operator's own table replaces it.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from siliconfriend.language.tokenizer import stem

FILE = "base_associations.tsv.xz"

Associated = tuple[str, int]
"""A word that comes to mind, and its level."""

_BEFORE = "inside"
"""Stands before a word while it is stemmed as the end of a longer one: "cheesecak" ends in "cak"."""

MOST_STEMMED = 2
"""Letters an end may lose: "balance" loses so many that it would be the end of "football"."""


def base_associations(token: str) -> tuple[Associated, ...]:
    """Look up what a word brings to mind for anybody, by its token; the highest level first."""
    line = _base().lines.get(token)
    return () if line is None else tuple(_associated(line))


def english_beginning(letters: str) -> str | None:
    """The token of an everyday English word, as a longer word may begin with it; None for no word."""
    return _base().beginnings.get(letters)


def english_endings(letters: str) -> tuple[str, ...]:
    """The tokens of everyday English words that stem like this at the end of a longer word."""
    return _base().endings.get(letters, ())


@dataclass(frozen=True, slots=True)
class _Base:
    """The table, its lines by token and not taken apart: most are never asked for."""

    lines: Mapping[str, str]
    beginnings: Mapping[str, str]
    endings: Mapping[str, tuple[str, ...]]


@cache
def _base() -> _Base:
    packed = (resources.files("siliconfriend.recall") / FILE).read_bytes()
    text = lzma.decompress(packed).decode("utf-8")
    words = [line.partition("\t") for line in text.splitlines() if not line.startswith("#")]
    english = {word: stem(word) for word, _, _ in words if word.isascii()}
    endings: dict[str, tuple[str, ...]] = {}
    for word, token in english.items():
        ending = stem(_BEFORE + word).removeprefix(_BEFORE)
        if len(word) - len(ending) <= MOST_STEMMED:
            endings[ending] = (*endings.get(ending, ()), token)
    lines = {english.get(word, word): others for word, _, others in words}
    return _Base(lines, english, endings)


def _associated(line: str) -> Iterable[Associated]:
    """The words of a line, each with its level as its last character."""
    return ((entry[:-1], int(entry[-1])) for entry in line.split("\t"))
