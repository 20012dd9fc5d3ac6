"""Columns that stand below one another, also where Chinese characters are twice as wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

GAP = 2
WIDEST = 44
"""Cells: a longer value pushes what follows it to the right in its own row alone."""


def width(words: str) -> int:
    """How many cells of a terminal the words take: wide characters two, combining marks none."""
    return sum(_cells(character) for character in words)


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Format rows of as many parts each; every part but the last is padded to its column."""
    columns = list(zip(*rows, strict=True))[:-1]
    widths = [
        max((it for part in column if (it := width(part)) <= WIDEST), default=0)
        for column in columns
    ]
    for *parts, last in rows:
        padded = (
            part + " " * (max(room - width(part), 0) + GAP)
            for part, room in zip(parts, widths, strict=True)
        )
        yield "".join(padded) + last


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
