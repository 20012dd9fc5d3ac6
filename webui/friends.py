"""One companion for each person who has the page open.

A companion keeps its recall index in memory, so that making one anew for every message
would load it every time. What was said lives in the store alone: dropping a companion
from here loses nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.recall.embedders.factory import open_embedder

MOST_AT_ONCE = 64


class Friends:
    """The companions in use, at most :data:`MOST_AT_ONCE`; the least lately used goes first."""

    def __init__(self, settings: Settings, clock: Clock, chat: ChatModel | None = None) -> None:
        self.settings = settings
        self.clock = clock
        self.store = open_store(settings)
        self.chat = open_chat_model(settings) if chat is None else chat
        self.embedder = open_embedder(settings)
        self._lock = threading.Lock()
        self._open: OrderedDict[Scope, Companion] = OrderedDict()

    def of(self, name: str) -> Companion:
        """The companion of the person called ``name``.

        Raises:
            RefusedName: where that cannot be a name.
        """
        scope = Scope.of(name, self.settings.companion)
        with self._lock:
            companion = self._open.pop(scope, None) or Companion(
                scope.person,
                settings=self.settings,
                store=self.store,
                chat=self.chat,
                embedder=self.embedder,
                clock=self.clock,
            )
            self._open[scope] = companion
            while len(self._open) > MOST_AT_ONCE:
                self._open.popitem(last=False)
        return companion
