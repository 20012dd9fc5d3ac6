"""Loads what the next reply would else wait for, while a person reads and writes.

A library takes most of a second to load and a person's search index a tenth, and what the
companion just said is read with the next message. Loaded in the reply itself they would be
a silence before the first word; nothing but time is lost
where this fails, since the reply does it then and tells what is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel, ServedModel
from siliconfriend.recall.cue import context_text
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index_pool import preload
from siliconfriend.recall.recaller import Recaller

from .rehearsal import rehearse


class Preloader:
    """Loads in threads of its own: the libraries once, and the index of each person who begins.

    Args:
        store, recaller, chat: of the page.
    """

    def __init__(self, store: MemoryStore, recaller: Recaller, chat: ChatModel | None) -> None:
        self._store, self._recaller = store, recaller
        self._lock = threading.Lock()
        self._under_way: dict[Scope, threading.Thread] = {}
        self._chat = chat
        _behind(self._load).start()

    def begin(self, scope: Scope) -> threading.Thread:
        """Update a person's search index in a thread, one at a time; returns the thread."""
        with self._lock:
            worker = self._under_way.get(scope)
            if worker is None:
                worker = self._under_way[scope] = _behind(lambda: self._level(scope))
                worker.start()
        return worker

    def embed_reply(self, words: str) -> None:
        """Embed in a thread what the companion said, as the next message's cue asks for it."""
        embedder, text = self._recaller.embedder, context_text(words)
        if embedder is not None and text:
            _behind(lambda: _embed(embedder, text)).start()

    def _load(self) -> None:
        preload(vectors=self._recaller.embedder is not None)
        # Whoever cannot write there will hear of it from the reply.
        with suppress(SiliconFriendError, OSError):
            rehearse()
        if isinstance(self._chat, ServedModel):
            self._chat.load()

    def _level(self, scope: Scope) -> None:
        try:
            # What is wrong with the memory or the embedder is told by the reply.
            with suppress(SiliconFriendError):
                if self._store.exists(scope):
                    self._recaller.associations(scope)
        finally:
            with self._lock:
                self._under_way.pop(scope)


def _embed(embedder: Embedder, text: str) -> None:
    with suppress(SiliconFriendError):
        embedder.queries([text])


def _behind(work: Callable[[], object]) -> threading.Thread:
    return threading.Thread(target=work, name="warming", daemon=True)
