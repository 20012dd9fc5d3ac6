"""Replies under way, one a tab, each of which can be stopped between two pieces.

A model may be silent for long, so a reply is produced in a thread of its own: the stop
button acts at once, while what was said so far is kept as soon as the model lets go.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from time import monotonic

PATIENCE_SECONDS = 0.5
"""How long a stopped reply is waited for before the page goes on without it."""

DRAW_INTERVAL = 0.08
"""Seconds between two updates of the page; a page that draws every word of a fast model falls
behind by whole sentences."""

SILENCE = 1.0
"""Seconds without a first word after which the page may say what it waits for."""


class RunningReply:
    """One reply under way: iterate over its pieces, then close it.

    An empty piece comes as soon as the reply is being made, so that it goes on while the page
    draws what was said, and one for each :data:`SILENCE` that passes before the first word.
    The first word comes at once; then what comes within :data:`DRAW_INTERVAL` comes together,
    and nothing waits for more than that while the model is silent.

    Args:
        stream: the reply; it is closed when this is.
        on_close: called once when the reply is over.

    Attributes:
        was_stopped: the user stopped the reply before its end.

    Raises:
        SiliconFriendError: while iterating, whatever ``stream`` raised.
    """

    def __init__(self, stream: Generator[str, None, None], on_close: Callable[[], None]) -> None:
        self.was_stopped = False
        self._stream, self._on_close = stream, on_close
        self._ended = threading.Event()
        self._pieces: queue.Queue[str | BaseException | None] = queue.Queue()
        self._thread = threading.Thread(target=self._produce, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces, joined to some updates a second."""
        yield ""
        drawn_at, words = -DRAW_INTERVAL, ""
        silence: float | None = SILENCE
        while True:
            wait = drawn_at + DRAW_INTERVAL - monotonic()
            if words and wait <= 0:
                yield words
                drawn_at, words, silence = monotonic(), "", None
            try:
                piece = self._pieces.get(timeout=wait if words else silence)
            except queue.Empty:
                if not words:
                    yield ""
                continue
            if isinstance(piece, str):
                words += piece
                continue
            if words:
                yield words
            if piece is not None:
                raise piece
            return

    def stop(self) -> None:
        """End the reply after the piece that is being made; the reader goes on at once."""
        self.was_stopped = True
        self._end()

    def close(self) -> None:
        """End the reply and free its tab; waits :data:`PATIENCE_SECONDS` at most."""
        self._end()
        self._thread.join(PATIENCE_SECONDS)
        self._on_close()

    def _end(self) -> None:
        self._ended.set()
        self._pieces.put(None)

    def _produce(self) -> None:
        try:
            with closing(self._stream):
                for piece in self._stream:
                    self._pieces.put(piece)
                    if self._ended.is_set():
                        break
        except BaseException as error:  # raised again where the pieces are read
            self._pieces.put(error)
        finally:
            self._pieces.put(None)


class RunningReplies:
    """The replies under way, by tab; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_tab: dict[str, RunningReply] = {}

    def is_busy(self, tab: str) -> bool:
        """True while a reply is under way in this tab."""
        with self._lock:
            return tab in self._by_tab

    def start(self, tab: str, stream: Generator[str, None, None]) -> RunningReply:
        """Begin a reply in a tab; the tab is busy until it is closed."""
        with self._lock:
            reply = RunningReply(stream, lambda: self._remove(tab, reply))
            self._by_tab[tab] = reply
        return reply

    def stop(self, tab: str) -> None:
        """Stop the reply of this tab, if there is one."""
        with self._lock:
            reply = self._by_tab.get(tab)
        if reply is not None:
            reply.stop()

    def _remove(self, tab: str, reply: RunningReply) -> None:
        with self._lock:
            if self._by_tab.get(tab) is reply:
                del self._by_tab[tab]
