"""What another program can read: a memory bank, the people in it, and word expansion.

Nothing here writes. Talking, and with it all writing, is :class:`siliconfriend.Companion`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.config import load_settings
from siliconfriend.memory.import_export import export_memorybank, export_native
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall import expansion
from siliconfriend.recall.association_table import AssociationTable
from siliconfriend.recall.expansion import Expansion, Strategy
from siliconfriend.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Person:
    """One person as one companion remembers them."""

    scope: Scope
    store: MemoryStore

    def memory(self) -> PersonMemory:
        """Load all that is remembered, as it is now.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        return self.store.load(self.scope)

    def turns(self) -> Iterator[Turn]:
        """All turns, oldest first, archived ones too."""
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
        self.store = store or Runtime(load_settings(home=home)).store

    def people(self) -> list[Scope]:
        """Everyone who is remembered, with each companion, sorted."""
        return self.store.scopes()

    def person(self, name: str, companion: str = DEFAULT_COMPANION) -> Person:
        """The person of this name; whether they are known shows when they are read.

        Raises:
            RefusedName: the name cannot be one.
        """
        return Person(Scope.of(name, companion), self.store)


def expand(
    sentence: str,
    limit: int = 100,
    strategy: Strategy = "first",
    filter_values: Collection[int] = (0,),
    *,
    table: AssociationTable | None = None,
) -> Expansion:
    """Expand a sentence, as :func:`siliconfriend.recall.expansion.expand` does.

    Args:
        sentence: in Chinese, English or both.
        limit: at most so many expanded words.
        strategy: how they are chosen, ``first``, ``second`` or ``mixed``.
        filter_values: levels of the table that are left out.
        table: where to look; by default the one of the settings: ``associations.tsv`` in the
            data directory, else what the memory of the person they name gives.

    Raises:
        UsageError: an argument cannot be what it is.
        ConfigurationError: the settings or the table cannot be read.
        ModelUnavailable: the embedder of the settings cannot be loaded.
    """
    if table is None:
        table = Runtime(load_settings()).association_table()
    return expansion.expand(sentence, limit, strategy, filter_values, table=table)
