"""The one person a service is for, and what is opened for them.

Everything is opened at the first call that needs it: a client waits for the server to
start, and one that only writes needs no embedder at all. A call that fails to open a
thing leaves it closed, so that the next one tries again.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.people import new_profile
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.extraction.worker import Worker
    from siliconfriend.lore.lore import Lore
    from siliconfriend.models.base import ChatModel
    from siliconfriend.recall.recaller import Recaller

LONGEST_READING = 5.0
"""Seconds that what is being read holds the end up; a batch that is not done stays pending."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class ServiceContext:
    """Whose memory is served, from which settings; safe between threads.

    Attributes:
        settings: name the data directory, the person, the companion and the embedder.
        clock: the machine's own unless given.
        chat: who reads what leaves the talk; without one the next night does.
        last_recalled: what the last recall gave; the next exchange is an answer to it.
    """

    settings: Settings
    clock: Clock = field(default_factory=SystemClock)
    chat: ChatModel | None = None
    last_recalled: tuple[Memory, ...] = ()
    _store: MemoryStore | None = None
    _recaller: Recaller | None = None
    _worker: Worker | None = None
    _lore: Lore | None = None
    _language: Language | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def scope(self) -> Scope:
        """The person and the companion.

        Raises:
            UsageError: no person is set.
            RefusedName: what is set cannot be a name.
        """
        if self.settings.user is None:
            raise UsageError("service_nobody")
        return Scope.of(self.settings.user, self.settings.companion)

    @property
    def store(self) -> MemoryStore:
        """The store of the settings.

        Raises:
            ConfigurationError: there is no such store.
        """
        from siliconfriend.memory.factory import open_store

        with self._lock:
            self._store = self._store or open_store(self.settings)
            return self._store

    @property
    def recaller(self) -> Recaller:
        """What finds memories.

        Raises:
            ConfigurationError, ModelUnavailable: the embedder cannot be had.
        """
        from siliconfriend.recall.factory import open_recaller

        store = self.store
        with self._lock:
            self._recaller = self._recaller or open_recaller(self.settings, store)
            return self._recaller

    @property
    def lore(self) -> Lore | None:
        """Who the companion is; None where nobody described it.

        Raises:
            ConfigurationError, ModelUnavailable: the embedder cannot be had.
        """
        from siliconfriend.lore.companions import Companions
        from siliconfriend.lore.lore import Lore

        home, companion = self.settings.home, self.scope.companion
        if not Companions(home).exists(companion):
            return None
        embedder = self.recaller.embedder
        with self._lock:
            self._lore = self._lore or Lore(home, companion, embedder)
            return self._lore

    @property
    def worker(self) -> Worker | None:
        """Reads what leaves the talk; None where only the night does.

        Raises:
            ConfigurationError, ModelUnavailable: the embedder cannot be had.
        """
        if self.chat is None:
            return None
        from siliconfriend.dialogue.reading import open_worker

        store, recaller = self.store, self.recaller
        with self._lock:
            if self._worker is None:
                self._worker = open_worker(self.settings, store, self.chat, recaller, self.clock)
            return self._worker

    def extract_soon(self) -> None:
        """Have what left the talk read behind the calls; where it cannot be, the next night does."""
        try:
            worker = self.worker
        except SiliconFriendError as error:
            _LOG.warning("%s", error.message(self.known_language))
            return
        if worker is not None:
            worker.wake(self.scope)

    def close(self) -> None:
        """End the reading; what is not read within :data:`LONGEST_READING` stays pending."""
        if self._worker is not None:
            self._worker.close(wait=LONGEST_READING)

    @property
    def known_language(self) -> Language:
        """The person's language as it was last read, else that of the settings; never waits."""
        return self._language or self.settings.language

    @property
    def language(self) -> Language:
        """The same, read first where it never was: a word of complaint must not wait for a lock."""
        # What is wrong with the memory is told by the call that needs it.
        with suppress(SiliconFriendError):
            if self._language is None:
                self.memory()
        return self.known_language

    def memory(self) -> PersonMemory:
        """The newest memory; of a person not met yet an empty one that is not stored.

        Raises:
            UsageError: no person is set, or the name is refused.
            StoreError: the memory cannot be read.
        """
        scope, store = self.scope, self.store
        if store.exists(scope):
            memory = store.load(scope)
        else:
            now = self.clock.now(self.settings.zone)
            language, timezone = self.settings.language, self.settings.timezone
            memory = PersonMemory(new_profile(scope, language=language, timezone=timezone, now=now))
        self._language = memory.profile.language
        return memory

    def now(self, memory: PersonMemory) -> datetime:
        """The present moment in UTC."""
        return self.clock.now(memory.profile.zone)

    def pop_last_recalled(self) -> tuple[Memory, ...]:
        """What the last recall gave, once: an exchange after the next one is no answer to it."""
        with self._lock:
            last_recalled, self.last_recalled = self.last_recalled, ()
            return last_recalled
