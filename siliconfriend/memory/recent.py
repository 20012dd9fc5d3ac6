"""What a process keeps at hand of people's memories: that of the few whom it read last.

A night passes through thousands of people; a store that kept what it read of each would grow until
the process dies. Every store that reads from outside the process keeps its snapshots here.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from siliconfriend.memory.scope import Scope

MOST_KEPT = 32
"""People."""

Kept = TypeVar("Kept")


class Recent(Generic[Kept]):
    """What is known of the scopes that were used last; safe between threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[Scope, Kept] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, scope: Scope) -> Kept | None:
        """What is known of a scope."""
        with self._guard:
            return self._known.get(scope)

    def keep(self, scope: Scope, known: Kept) -> None:
        """Keep what is known of a scope, and drop the scope that was not used for longest."""
        with self._guard:
            self._known[scope] = known
            self._known.move_to_end(scope)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)

    def forget(self, scope: Scope) -> None:
        """Keep nothing of a scope."""
        with self._guard:
            self._known.pop(scope, None)
