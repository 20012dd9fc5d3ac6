"""The one user a service is for, and what its tools share from call to call."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from datetime import datetime

from siliconfriend.config import Settings
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.lore.lore import Lore
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.recaller import Recaller
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

_LOG = logging.getLogger(__name__)


class ServiceContext:
    """Whose memory the tools read and write; safe between threads.

    Args:
        runtime: its settings name the user; its parts are opened by the first call that needs
            them, since a client waits for the server to start.

    Attributes:
        runtime: as given.
        last_recalled: what the last recall gave; the next exchange is an answer to it.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.last_recalled: tuple[Memory, ...] = ()
        self._language: Language | None = None
        self._lock = threading.Lock()

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.runtime.settings

    @property
    def scope(self) -> Scope:
        """The user and the companion.

        Raises:
            UsageError: no user is set.
            RefusedName: what is set cannot be a name.
        """
        if self.settings.user is None:
            raise UsageError("service_nobody")
        return self.runtime.scope()

    @property
    def store(self) -> MemoryStore:
        """As :attr:`Runtime.store`."""
        return self.runtime.store

    @property
    def recaller(self) -> Recaller:
        """As :attr:`Runtime.recaller`."""
        return self.runtime.recaller

    @property
    def lore(self) -> Lore | None:
        """The lore of the companion, as :meth:`Runtime.lore`."""
        return self.runtime.lore(self.scope.companion)

    @property
    def known_language(self) -> Language:
        """The user's language as it was last read, else that of the settings; never waits."""
        return self._language or self.settings.language

    @property
    def language(self) -> Language:
        """The user's language, read first if it never was: an error message must not wait for a lock."""
        # What is wrong with the memory is told by the call that needs it.
        with suppress(SiliconFriendError):
            if self._language is None:
                self.memory()
        return self.known_language

    def memory(self) -> PersonMemory:
        """The newest memory of the user, as :meth:`Runtime.memory`.

        Raises:
            UsageError: no user is set, or the name is refused.
            StoreError: the memory cannot be read.
        """
        memory = self.runtime.memory(self.scope)
        self._language = memory.profile.language
        return memory

    def now(self, memory: PersonMemory) -> datetime:
        """The present moment in UTC."""
        return self.runtime.now(memory)

    def extract_soon(self) -> None:
        """Have the worker extract what left the conversation; where it cannot, the next night does."""
        try:
            worker = self.runtime.worker
        except SiliconFriendError as error:
            _LOG.warning("%s", error.message(self.known_language))
            return
        if worker is not None:
            worker.wake(self.scope)

    def pop_last_recalled(self) -> tuple[Memory, ...]:
        """Take the memories of the last recall, once: only the next exchange is an answer to it."""
        with self._lock:
            last_recalled, self.last_recalled = self.last_recalled, ()
            return last_recalled
