"""Names that look alike, and names that are nearly those of somebody known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from siliconfriend.errors import RefusedName
from siliconfriend.language.lookalikes import skeleton
from siliconfriend.memory.scope import Scope

if TYPE_CHECKING:
    from siliconfriend.memory.store import MemoryStore


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


def check_newcomer(store: MemoryStore, scope: Scope) -> None:
    """Refuse to begin with a name that looks like one the store knows; who is known passes.

    Raises:
        RefusedName: as :func:`check_newcomers`.
    """
    if not store.exists(scope):
        check_newcomers([scope], store.scopes())


def check_newcomers(scopes: Iterable[Scope], known: Iterable[Scope]) -> None:
    """Refuse the name of somebody new that looks like a known one, or like another new one.

    Raises:
        RefusedName: naming the one it looks like, and which characters differ.
    """
    names: dict[tuple[str, str], list[str]] = {}
    for scope in known:
        names.setdefault(_look(scope), []).append(scope.person)
    for scope in scopes:
        alike = names.setdefault(_look(scope), [])
        if scope.person in alike:
            continue
        for other in alike:
            _check(scope.person, other)
        alike.append(scope.person)


def _look(scope: Scope) -> tuple[str, str]:
    return scope.companion, skeleton(scope.person)


def _check(name: str, known: str) -> None:
    """Refuse a name that looks like a known one and differs in more than letter case."""
    if name.casefold() != known.casefold():
        strange = sorted({it for it in name if it not in known})
        raise RefusedName(
            "name_looks_like",
            name=ascii(name),
            known=known,
            strange=", ".join(_called(it) for it in strange) or "-",
        )


def _called(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
