"""The composition root: every part of the program, opened once from the settings.

Sharing parts avoids duplicate caches and locks. A part is opened on first use; after a failure the
next use retries.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.config.loading import OWN_WORDS, read_own_words
from siliconfriend.errors import DamagedMemory, UsageError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.installation.installation import Installation, open_installation
from siliconfriend.language.characters import language_of
from siliconfriend.language.tokenizer import use_own_words
from siliconfriend.memory.atomic import sweep
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.snapshots import Recent
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model

if TYPE_CHECKING:
    from siliconfriend.characters.lore import Lore
    from siliconfriend.control.erasure.erase import Eraser, Resumed
    from siliconfriend.extraction.worker import Reader, Worker
    from siliconfriend.recall.embedders.base import Embedder
    from siliconfriend.recall.recaller import Recaller

LONGEST_READING = 5.0
"""Seconds that closing waits for a running batch; an unfinished batch stays pending."""

MOST_PASSAGES = 16
"""Number of vectors of stored texts in memory besides the indexes."""

MOST_TALKS = 64
"""Number of people whose talks are kept as they were last written for a model."""

Part = TypeVar("Part")


class _Part(Generic[Part]):
    """A lazy property, opened by the first thread while others wait."""

    def __init__(self, opens: Callable[[Any], Part]) -> None:
        self._opens, self._name = opens, opens.__name__
        self.__doc__ = opens.__doc__

    def __get__(self, runtime: Any, owner: type[Runtime]) -> Part:
        with runtime._locks[self._name]:
            if self._name not in runtime._parts:
                runtime._parts[self._name] = self._opens(runtime)
            part: Part = runtime._parts[self._name]
            return part


class Runtime:
    """The parts of a running program; thread-safe.

    Args:
        settings: choose the store, the model, the embedder and the policy.
        clock: the machine's own unless given.
        store, chat, embedder: used instead of those in the settings.
        answers_while_indexing: for a door where somebody talks: words find while much is still to be
            embedded (:class:`~siliconfriend.recall.recaller.Recaller`).

    Attributes:
        talks: of the people who spoke last, as they were written for a model.

    Raises:
        ConfigurationError: the operator's own words cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        *,
        store: MemoryStore | None = None,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
        answers_while_indexing: bool = False,
    ) -> None:
        self.settings, self.clock = settings, clock or SystemClock()
        self._answers_while_indexing, self._embedder_given = answers_while_indexing, embedder
        # Before the first text: all texts of a memory must be tokenized alike.
        use_own_words(read_own_words(settings.home / OWN_WORDS))
        given = {"store": store, "chat": chat, "night_chat": chat}
        self._parts: dict[str, Any] = {
            name: value for name, value in given.items() if value is not None
        }
        parts = (name for name, value in vars(Runtime).items() if isinstance(value, _Part))
        self._locks = {name: threading.Lock() for name in parts}
        self._lore: dict[str, Lore] = {}
        self.talks = Recent[Any](MOST_TALKS)
        self._locks["lore"] = threading.Lock()

    @property
    def policy(self) -> ForgettingPolicy:
        """The forgetting policy of the settings."""
        return ForgettingPolicy.named(self.settings.policy)

    @_Part
    def store(self) -> MemoryStore:
        """Store of memories."""
        return open_store(self.settings)

    @_Part
    def installation(self) -> Installation:
        """State shared by the processes of this installation."""
        return open_installation(self.settings, self.store)

    @_Part
    def chat(self) -> ChatModel | None:
        """Return the chat model; None for the offline companion."""
        return open_chat_model(self.settings)

    @_Part
    def night_chat(self) -> ChatModel | None:
        """The chat model for a night, which waits and asks again itself to count each call."""
        if self.settings.llm.startswith("gguf:"):  # loading the model twice would double its memory
            return self.chat
        return open_chat_model(self.settings, somebody_waits=False)

    @_Part
    def embedder(self) -> Embedder | None:
        """The embedder with a cache of recent vectors; None to recall by words only."""
        from siliconfriend.recall.embedders.cached import CachedEmbedder
        from siliconfriend.recall.embedders.factory import open_embedder

        embedder = self._embedder_given or open_embedder(self.settings)
        return None if embedder is None else CachedEmbedder(embedder, max_passages=MOST_PASSAGES)

    @_Part
    def recaller(self) -> Recaller:
        """Finds memories in every scope of the store."""
        from siliconfriend.recall.recaller import Recaller

        return Recaller(
            self.store,
            self.embedder,
            policy=self.policy,
            home=self.settings.home,
            answers_while_indexing=self._answers_while_indexing,
        )

    @_Part
    def worker(self) -> Worker | None:
        """Extracts facts and events from a conversation while it goes on; None to leave it to the night."""
        from siliconfriend.background_reading import open_reader, reading_model, subject_of
        from siliconfriend.extraction.ability import is_able
        from siliconfriend.extraction.worker import Worker

        model, settings, store = reading_model(self.chat), self.settings, self.store
        if model is None:
            return None

        def reader_of(scope: Scope) -> Reader:
            subject = subject_of(settings, scope, store.load(scope).profile)
            now = self.clock.now(settings.zone)
            writes = is_able(model, subject.language, self.installation.tables, now)
            return open_reader(settings, model if writes else None, subject)

        return Worker(store, reader_of, self.clock)

    def lore(self, companion: str) -> Lore | None:
        """Return the character and own story of a companion; None where nobody described it."""
        from siliconfriend.characters.companions import CompanionFolder
        from siliconfriend.characters.lore import Lore

        if not CompanionFolder(self.settings.home, companion).exists():
            return None
        embedder = self.embedder
        with self._locks["lore"]:
            if companion not in self._lore:
                self._lore[companion] = Lore(self.settings.home, companion, embedder)
            return self._lore[companion]

    def for_companion(self, companion: str) -> Runtime:
        """Return the same parts, opened once for both, with another companion's scopes."""
        other = copy.copy(self)
        other.settings = replace(self.settings, companion=clean_name(companion))
        return other

    def scope(self, user: str | None = None) -> Scope:
        """The memory of a user, or of the user in the settings, with the settings' companion."""
        user = self.settings.user if user is None else user
        if user is None:
            raise UsageError("user_missing")
        return Scope.of(user, self.settings.companion)

    def memory(self, scope: Scope, said: str = "") -> PersonMemory:
        """Load the newest memory; of a user not met yet an empty one, which is not stored.

        They begin as another companion of theirs knows them, else as the settings say, but in the
        language of ``said``, their first words, where the settings name none.
        """
        if self.store.exists(scope):
            return self.store.load(scope)
        settings, now = self.settings, self.clock.now(self.settings.zone)
        language, zone, about = settings.language, settings.timezone, dict[str, str]()
        if settings.sources.get("language", "default") == "default":
            language = language_of(said, language)
        for other in (known for known in self.store.scopes() if known.person == scope.person):
            with suppress(DamagedMemory):
                known = self.store.load(other).profile
                language, zone = known.language, known.timezone
                about = {} if known.called == scope.person else {"name": known.called}
        return PersonMemory(Profile(scope.person, language, zone, now, about))

    def now(self, memory: PersonMemory) -> datetime:
        """Return the present moment in UTC, as a clock that shows the user's own time tells it."""
        return self.clock.now(memory.profile.zone)

    def rewrite_index(self, scope: Scope) -> None:
        """Delete the vectors and analyses of texts that are no memory any more.

        Nothing is embedded for it: an erasure must not wait.
        """
        from siliconfriend.recall.analysis import passages_of

        self.store.forget_texts(scope, passages_of(self.store.load(scope)))
        self.talks.forget(scope)
        if "recaller" in self._parts:
            self.recaller.forget(scope)

    @property
    def eraser(self) -> Eraser:
        """Erases memories and people."""
        from siliconfriend.control.erasure.erase import Eraser

        home = self.settings.home
        return Eraser(self.store, home, self.rewrite_index, self.installation, self.clock)

    def resume_erasures(self) -> list[Resumed]:
        """Resume interrupted erasures, before the program serves any request.

        Temporary files of a killed restore or backup are removed too.
        """
        sweep(self.settings.home)
        return self.eraser.resume() if self.installation.jobs.unfinished() else []

    def close(self) -> None:
        """Stop the worker; a batch unfinished after :data:`LONGEST_READING` stays pending."""
        worker: Worker | None = self._parts.get("worker")
        if worker is not None:
            worker.close(wait=LONGEST_READING)
