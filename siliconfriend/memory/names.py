"""Names that look alike, and names that are nearly those of somebody known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from siliconfriend.errors import RefusedName
from siliconfriend.language.characters import skeleton
from siliconfriend.memory.scope import Scope

if TYPE_CHECKING:
    from siliconfriend.memory.store import MemoryStore


MIN_LIKENESS_LATIN, MIN_LIKENESS = 0.8, 0.66
"""Share of common characters from which a name may have been meant; Han names have few."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that were probably meant, the nearest first, then by their letters.

    A name is near that differs in letter case, accents or spaces alone, or in few of its
    characters. A known name itself is near to nothing.
    """
    known, typed = list(known), _plain(name)
    if name in known:
        return []
    least = MIN_LIKENESS_LATIN if typed.isascii() else MIN_LIKENESS
    likeness = {
        name: SequenceMatcher(None, typed, _plain(name), autojunk=False).ratio() for name in known
    }
    return sorted((it for it in known if likeness[it] >= least), key=lambda it: (-likeness[it], it))


def _plain(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(it for it in parts if it.isalnum())


def check_newcomer(store: MemoryStore, scope: Scope) -> None:
    """Refuse to begin with a name that looks like one the store knows; who is known passes."""
    if not store.exists(scope):
        check_newcomers([scope], store.scopes())


def check_newcomers(scopes: Iterable[Scope], known: Iterable[Scope]) -> None:
    """Refuse the name of somebody new that looks like a known one, or like another new one.

    Raises:
        RefusedName: naming the one it looks like, and which characters differ.
    """
    names: dict[tuple[str, str], list[str]] = {}
    known = set(known)
    for scope in (*known, *scopes):
        alike = names.setdefault((scope.companion, skeleton(scope.person)), [])
        for other in () if scope in known or scope.person in alike else alike:
            _check(scope.person, other)
        alike.append(scope.person)


def _check(name: str, known: str) -> None:
    if name.casefold() != known.casefold():
        strange = sorted({it for it in name if it not in known})
        named = (f"U+{ord(it):04X} {unicodedata.name(it, '')}".strip() for it in strange)
        details = {"known": known, "strange": ", ".join(named) or "-"}
        raise RefusedName("name_looks_like", name=ascii(name), **details)
