"""Replies under way, one a tab, each of which can be stopped between two pieces.

A model may be silent for long, so the reply is drawn in a thread of its own: the stop
button is heard at once, while what was said so far is kept as soon as the model lets go.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from time import monotonic

PATIENCE_SECONDS = 0.5
"""How long a stopped reply is waited for before the page goes on without it."""

DRAWN_EVERY = 0.08
"""Seconds between two drawings of a reply; a page that draws every word of a fast model falls
behind by whole sentences."""

SILENCE = 1.0
"""Seconds without a first word after which the page may say what it waits for."""

Told = queue.Queue["str | BaseException | None"]
"""Pieces; what broke the reply off; None at its end."""


@dataclass
class RunningReply:
    """One reply under way."""

    told: Told = field(default_factory=queue.Queue)
    stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """End it after the piece that is being made; who listens goes on at once."""
        self.stopped.set()
        self.told.put(None)


class RunningReplies:
    """The replies under way, by tab."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_tab: dict[str, RunningReply] = {}

    def busy(self, tab: str) -> bool:
        """Whether a reply is under way in this tab."""
        with self._lock:
            return tab in self._by_tab

    def stop(self, tab: str) -> None:
        """Stop the reply of this tab, if there is one."""
        with self._lock:
            speaking = self._by_tab.get(tab)
        if speaking is not None:
            speaking.stop()

    def pieces(self, tab: str, stream: Generator[str, None, None]) -> Generator[str, None, bool]:
        """The words of a reply; closing this early stops the reply too.

        An empty piece comes as soon as the reply is being made, so that it goes on while the
        page draws what was said, and one for each :data:`SILENCE` that passes before the
        first word. That comes at once; then what comes within :data:`DRAWN_EVERY` comes
        together, and nothing waits for more than that while the model is silent.

        Returns:
            Whether it was stopped.

        Raises:
            SiliconFriendError: what the reply raised.
        """
        speaking = RunningReply()
        with self._lock:
            self._by_tab[tab] = speaking
        worker = threading.Thread(target=_draw, args=(stream, speaking), daemon=True)
        worker.start()
        try:
            yield ""
            yield from _gathered(speaking.told)
        finally:
            was_stopped = speaking.stopped.is_set()
            speaking.stop()
            worker.join(PATIENCE_SECONDS)
            with self._lock:
                if self._by_tab.get(tab) is speaking:
                    del self._by_tab[tab]
        return was_stopped


def _gathered(told: Told) -> Generator[str, None, None]:
    """What is told until its end, joined to some drawings a second; raises what broke it."""
    shown, words = -DRAWN_EVERY, ""
    silence: float | None = SILENCE
    while True:
        wait = shown + DRAWN_EVERY - monotonic()
        if words and wait <= 0:
            yield words
            shown, words, silence = monotonic(), "", None
        try:
            piece = told.get(timeout=wait if words else silence)
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


def _draw(stream: Generator[str, None, None], speaking: RunningReply) -> None:
    try:
        with closing(stream):
            for piece in stream:
                speaking.told.put(piece)
                if speaking.stopped.is_set():
                    break
    except BaseException as error:  # raised again where the pieces are read
        speaking.told.put(error)
    finally:
        speaking.told.put(None)
