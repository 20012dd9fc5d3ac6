"""The numbered events of one talk, which any tab can follow from any number on.

A tab that loses its connection asks for what came after the last number it heard. What is no
longer kept is not guessed at: the tab is told so, and shows the talk anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TalkEvent:
    """Something that happened in a talk.

    Attributes:
        number: counts from 1 for as long as the server runs.
        name: ``waiting``, ``begun``, ``recalled``, ``piece``, ``ended`` or ``changed``.
        data: what is to be known of it, as JSON.
        tab: the only tab that may hear of it; empty for all of the person's.
    """

    number: int
    name: str
    data: Mapping[str, Any]
    tab: str = ""


class TalkEvents:
    """The events of the reply under way and of the one before; safe between threads.

    Attributes:
        last: number of the newest event.
        is_closed: nothing comes any more, since the server ends.
    """

    def __init__(self) -> None:
        self.last = 0
        self.is_closed = False
        self._lock = threading.Lock()
        self._events: list[TalkEvent] = []
        self._replies = [0, 0]  # the number before which each of the two began
        self._wakers: set[Callable[[], None]] = set()

    @property
    def is_followed(self) -> bool:
        """True if somebody waits for the next event."""
        return bool(self._wakers)

    def add(self, name: str, data: Mapping[str, Any], tab: str = "") -> None:
        """Add an event and wake whoever waits for one."""
        with self._lock:
            self.last += 1
            self._events.append(TalkEvent(self.last, name, data, tab))
            wakers = list(self._wakers)
        for wake in wakers:
            wake()

    def begin_reply(self) -> None:
        """Let go of what was before the last reply; called before another one's first event."""
        with self._lock:
            kept_from = self._replies[1]
            self._events = [it for it in self._events if it.number > kept_from]
            self._replies = [kept_from, self.last]

    def since(self, number: int) -> list[TalkEvent] | None:
        """Return the events after a number; None where some of them are no longer kept."""
        with self._lock:
            if not self._replies[0] <= number <= self.last:
                return None
            return [it for it in self._events if it.number > number]

    def let_go(self) -> None:
        """Let go of all that happened so far; a tab that asks for it shows the talk anew."""
        with self._lock:
            self._events = []
            self._replies = [self.last, self.last]

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake`` at each event, in the thread that adds it."""
        with self._lock:
            self._wakers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.discard(wake)

    def close(self) -> None:
        """Let all who follow go."""
        self.is_closed = True
        with self._lock:
            wakers = list(self._wakers)
        for wake in wakers:
            wake()
