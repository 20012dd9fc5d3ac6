"""What is found while much of a memory is still to be embedded: by words alone.

After an import of years embedding takes minutes, hours for ten years. Nobody should wait for it
to hear an answer: words find what they find at once, and the embedding goes on behind.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope

MOST_WAITED = 256
"""Texts that a recall embeds while somebody waits; a dozen seconds where each takes 50 ms."""


class EmbeddingBehind:
    """Runs one thread a scope that brings its index in step; ends with the process.

    Args:
        update: brings the index of a scope in step.
    """

    def __init__(self, update: Callable[[Scope], object]) -> None:
        self._update = update
        self._lock = threading.Lock()
        self._under_way: set[Scope] = set()

    def begin(self, scope: Scope) -> None:
        """Begin with a scope, unless that is under way."""
        with self._lock:
            if scope in self._under_way:
                return
            self._under_way.add(scope)
        threading.Thread(target=self._run, args=(scope,), name="embedding", daemon=True).start()

    def _run(self, scope: Scope) -> None:
        try:
            # An embedder that fails leaves the words; the night tells of it.
            with suppress(SiliconFriendError):
                self._update(scope)
        finally:
            with self._lock:
                self._under_way.discard(scope)
