"""The way in for a program of one's own: a memory bank and the people in it.

It only reads. Talking, and with it all writing, is :class:`siliconfriend.Companion`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.config import load_settings
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.interchange import export_memorybank, export_native
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope
from siliconfriend.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class Person:
    """One person as one companion remembers them."""

    scope: Scope
    store: MemoryStore

    def memory(self) -> PersonMemory:
        """All that is remembered, as it is now.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        return self.store.load(self.scope)

    def turns(self) -> Iterator[Turn]:
        """What was said, oldest first, archived turns too."""
        return self.memory().turns()

    def export(self, *, native: bool = False) -> dict[str, Any]:
        """Everything as JSON: in MemoryBank's form, or in our own with nothing left out."""
        if native:
            return export_native(self.memory(), self.scope.companion)
        return export_memorybank(self.memory())


class MemoryBank:
    """The memories of a data directory.

    Args:
        home: the directory; without it, the one that the settings name.
        store: a store that is open already, instead of a directory.
    """

    def __init__(self, home: Path | str | None = None, *, store: MemoryStore | None = None) -> None:
        self.store = store or open_store(load_settings(home=home))

    def people(self) -> list[Scope]:
        """Everyone who is remembered, with each companion, sorted."""
        return self.store.scopes()

    def person(self, name: str, companion: str = DEFAULT_COMPANION) -> Person:
        """The person of this name; whether they are known shows when they are read.

        Raises:
            RefusedName: the name cannot be one.
        """
        return Person(Scope.of(name, companion), self.store)
