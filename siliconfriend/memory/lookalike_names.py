"""Names that look like one that is known: by letters of another alphabet, or by invisible ones.

Whoever types ``Аda`` with a Cyrillic А meets a companion that remembers nothing, and may tell it
what was meant for the memory of Ada. Names that differ in letter case are two, as they look.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from siliconfriend.errors import RefusedName
from siliconfriend.language.lookalikes import skeleton
from siliconfriend.memory.scope import Scope

if TYPE_CHECKING:
    from siliconfriend.memory.store import MemoryStore


def check_newcomer(store: MemoryStore, scope: Scope) -> None:
    """Refuse to begin with a name that looks like one the store knows; who is known passes.

    Raises:
        RefusedName: as :func:`check_new_name`.
    """
    if not store.exists(scope):
        check_new_name(scope, store.scopes())


def check_new_name(scope: Scope, known: Iterable[Scope]) -> None:
    """Refuse the name of somebody new that looks like a known one.

    Raises:
        RefusedName: naming the one it looks like, and which characters differ.
    """
    for other in known:
        if other.companion == scope.companion and _look_alike(scope.person, other.person):
            strange = sorted({it for it in scope.person if it not in other.person})
            raise RefusedName(
                "name_looks_like",
                name=ascii(scope.person),
                known=other.person,
                strange=", ".join(_called(it) for it in strange) or "-",
            )


def _look_alike(name: str, known: str) -> bool:
    return name.casefold() != known.casefold() and skeleton(name) == skeleton(known)


def _called(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
