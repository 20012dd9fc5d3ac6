"""Tells the tabs of a talk what other processes wrote in it.

All talks that are followed are asked for at once, each second. A notice of the database for each
change would come sooner, but every writer would wait for the one queue of all notices, and a
pooler between would need a connection of its own for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.replicas import Replicas, TalkState

from .running_replies import Talk

EVERY = 1.0
"""Seconds between two looks: as long as a message said elsewhere may stay unseen."""

_LOG = logging.getLogger(__name__)


class Watch:
    """Looks at the talks that are followed, in a thread that starts with the first note.

    Args:
        replicas: the other processes of the page.
        followed: returns the talks that a tab follows.
        every: seconds between two looks.
    """

    def __init__(
        self, replicas: Replicas, followed: Callable[[], Mapping[Scope, Talk]], every: float = EVERY
    ) -> None:
        self._replicas, self._followed, self._every = replicas, followed, every
        self._lock = threading.Lock()
        self._known: dict[Scope, TalkState] = {}
        self._is_closed = threading.Event()
        self._looker: threading.Thread | None = None

    def note(self, scope: Scope, state: TalkState) -> None:
        """Note what a tab is about to be shown; the oldest counts where several tabs follow."""
        with self._lock:
            self._known.setdefault(scope, state)
            if self._looker is None:
                self._looker = threading.Thread(target=self._run, name="watch", daemon=True)
                self._looker.start()

    def let_go(self, scope: Scope) -> None:
        """Forget what was shown: the tabs of the talk are about to be told by other ways."""
        with self._lock:
            self._known.pop(scope, None)

    def look(self) -> None:
        """Look once, and tell the tabs of talks that are others than they were shown.

        Raises:
            SiliconFriendError: the database cannot be asked.
        """
        followed = {scope: it for scope, it in self._followed().items() if it.running is None}
        states = self._replicas.states(followed) if followed else {}
        changed = []
        with self._lock:
            for scope in list(self._known.keys() - followed.keys()):
                del self._known[scope]
            for scope, state in states.items():
                if self._known.get(scope, state) != state:
                    changed.append(followed[scope])
                    self._known[scope] = state
        for talk in changed:
            talk.changed()

    def close(self) -> None:
        """Look no more."""
        self._is_closed.set()

    def _run(self) -> None:
        while not self._is_closed.wait(self._every):
            try:
                self.look()
            except SiliconFriendError as error:  # what changed meanwhile is seen when it is back
                _LOG.warning("talks cannot be looked at: %s", error.key)
