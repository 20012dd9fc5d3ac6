"""Names that were probably meant when a new one was typed: "Emily" for emily, or for Emliy.

Whoever misspells their own name meets a companion that remembers nothing. Nobody is refused for
it, as a lookalike is: they are asked, since two people may be called nearly the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

SHORTEST_LATIN, SHORTEST_HAN = 4, 3
"""Names of fewer characters differ by one character in too many ways."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that were probably meant, the nearest first, then by their letters.

    A name is near that differs in letter case, accents or spaces alone, or in one character that
    is missing, too many, another, or in the other order. A known name itself is near to nothing.
    """
    typed = _plain(name)
    found = []
    for other in known:
        plain = _plain(other)
        if other == name:
            return []
        if plain == typed:
            found.append((0, other))
        elif min(len(plain), len(typed)) >= _shortest(plain) and _one_apart(typed, plain):
            found.append((1, other))
    return [other for _, other in sorted(found)]


def _plain(name: str) -> str:
    """The name without case, accents, spaces and marks."""
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(it for it in parts if it.isalnum())


def _shortest(name: str) -> int:
    return SHORTEST_LATIN if name.isascii() else SHORTEST_HAN


def _one_apart(one: str, other: str) -> bool:
    """True if one step makes one out of the other."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    start = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one)
    )
    left, right = one[start:], other[start:]
    if len(one) < len(other):
        return left == right[1:]
    return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
