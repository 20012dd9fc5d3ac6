"""The entry point for other programs: a memory bank, the people in it, and word expansion.

A bank opens the store, the model and the embedder once for all its people. A program that
made a runtime a person would load the embedder as often, and their caches would not agree.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Self

from siliconfriend.clock import Clock
from siliconfriend.config import Settings, load_settings
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.person import Person
from siliconfriend.recall import expansion
from siliconfriend.recall.association_table import AssociationTable
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.expansion import Expansion, Strategy
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.dialogue.companion import Companion


class MemoryBank:
    """The memories of a data directory, and the people in it; safe between threads.

    An erasing that was stopped in it is carried on first.

    Use it as a context manager, or :meth:`close` it: what a model still reads is waited for.

    Args:
        home: the directory; without it, the one that the settings name.
        settings: instead of ``home`` and of what the environment says.
        store, chat, embedder: used instead of what the settings name.
        clock: the machine's own unless given.

    Attributes:
        runtime: the parts of the program, opened once for everyone in the bank.
        store: where memories are kept.

    Raises:
        ConfigurationError, StoreError: a setting is bad, or the directory cannot be read.
    """

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        settings: Settings | None = None,
        store: MemoryStore | None = None,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> None:
        settings = settings or load_settings(home=home)
        self.runtime = Runtime(settings, clock, store=store, chat=chat, embedder=embedder)
        self.store = self.runtime.store
        if store is None:
            self.runtime.take_up_erasures()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def people(self) -> list[Scope]:
        """Everyone who is remembered, with each companion, sorted."""
        return self.store.scopes()

    def person(self, name: str, companion: str | None = None) -> Person:
        """The person of this name; whether they are known shows when they are read.

        Args:
            name: the person's.
            companion: whose memory of them; that of the settings unless given.

        Raises:
            RefusedName: one of them cannot be a name.
        """
        return Person(self._scope(name, companion), self.runtime)

    def companion(
        self, user: str, companion: str | None = None, *, language: Language | None = None
    ) -> Companion:
        """Somebody's companion to talk to; all of them share the model and the embedder.

        Args:
            user: the person's name.
            companion: which one; that of the settings unless given.
            language: for a person who is new; the settings' unless given.

        Raises:
            RefusedName: one of them cannot be a name.
            ConfigurationError: the model or the embedder cannot be opened.
        """
        from siliconfriend.dialogue.companion import Companion

        scope = self._scope(user, companion)
        runtime = self.runtime.for_companion(scope.companion)
        return Companion(scope.person, runtime=runtime, language=language)

    def expand(
        self,
        sentence: str,
        limit: int = 100,
        strategy: Strategy = "first",
        filter_values: Collection[int] = (0,),
    ) -> Expansion:
        """Expand a sentence by the table of this directory; else as :func:`expand`."""
        table = self.runtime.association_table()
        return expand(sentence, limit, strategy, filter_values, table=table)

    def close(self) -> None:
        """End what reads in the background; what it does not finish is left to the next night."""
        self.runtime.close()

    def _scope(self, name: str, companion: str | None) -> Scope:
        return Scope.of(name, companion or self.runtime.settings.companion)


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
            data directory, else what the memory of the person they name gives, beside what goes
            together for anybody.

    Raises:
        UsageError: an argument cannot be what it is.
        ConfigurationError: the settings or the table cannot be read.
        ModelUnavailable: the embedder of the settings cannot be loaded.
    """
    if table is None:
        table = Runtime(load_settings()).association_table()
    return expansion.expand(sentence, limit, strategy, filter_values, table=table)
