"""Extract from pending turns in the background, without delaying replies.

Turns are pending on disk: a worker that fails or ends leaves them for the next worker or night.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from siliconfriend.clock import Clock
from siliconfriend.errors import ModelUnavailable, SiliconFriendError
from siliconfriend.extraction.extractor import Extracted, Extractor, Subject, related_memories
from siliconfriend.extraction.queue import Batch, pending_batches
from siliconfriend.extraction.store_facts import is_still_unread, store_extracted
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

_LOG = logging.getLogger(__name__)


class Reader(NamedTuple):
    """Extractor and people of one talk."""

    extractor: Extractor
    subject: Subject


class Worker:
    """Reads pending batches in threads of its own, one at a time for each scope.

    ``reader_for`` returns who reads the talk of a scope; it is called in the thread.
    """

    def __init__(
        self, store: MemoryStore, reader_for: Callable[[Scope], Reader], clock: Clock
    ) -> None:
        self._store = store
        self._reader_for = reader_for
        self._clock = clock
        self._lock = threading.Lock()
        self._running: dict[Scope, threading.Thread] = {}
        self._woken: set[Scope] = set()
        self.is_closed = False

    def wake(self, scope: Scope) -> None:
        """Schedule the pending turns of a scope; returns at once. No effect after :meth:`close`."""
        with self._lock:
            if self.is_closed:
                return
            self._woken.add(scope)
            if scope not in self._running:
                thread = threading.Thread(None, self._run, "extraction", (scope,), daemon=True)
                self._running[scope] = thread
                thread.start()

    def close(self, wait: float | None = None) -> None:
        """Stop starting batches and wait for running ones, at most ``wait`` seconds each."""
        with self._lock:
            self.is_closed = True
            running = list(self._running.values())
        for thread in running:
            thread.join(wait)

    def _run(self, scope: Scope) -> None:
        while True:
            with self._lock:
                if scope not in self._woken or self.is_closed:
                    del self._running[scope]
                    return
                self._woken.discard(scope)
            try:
                self._read_all(scope)
            except Exception as error:  # the conversation continues after any error
                _LOG.debug("a reading ended; its turns wait: %s", type(error).__name__)

    def _read_all(self, scope: Scope) -> None:
        memory = self._store.load(scope)
        zone = memory.profile.zone
        batches = pending_batches(memory, self._clock.now(zone), over=False)
        if not batches:
            return
        reader = self._reader_for(scope)
        for batch in batches:
            if self.is_closed:
                return
            try:
                read_batch(self._store, scope, reader, batch, self._clock.now(zone))
            except ModelUnavailable:
                raise  # the other batches would fail the same way
            except SiliconFriendError as error:
                _LOG.debug("a batch stays unread: %s", error.key)


def read_batch(
    store: MemoryStore, scope: Scope, reader: Reader, batch: Batch, now: datetime
) -> Extracted | None:
    """Extract from a batch and store the result; errors of both steps.

    Return an empty extraction if the batch was already read, None if it changed meanwhile.
    """
    memory = store.load(scope)
    if not is_still_unread(memory, batch):
        return Extracted()
    # The rules do not use known facts, and finding them scans all facts.
    related = [] if reader.extractor.made_by == OFFLINE else related_memories(memory, batch)
    extracted = reader.extractor.extract(reader.subject, batch, related)
    made_by = reader.extractor.made_by
    is_stored = store_extracted(store, scope, batch, extracted, now=now, made_by=made_by)
    return extracted if is_stored else None
