"""Make each reply in a thread of its own, and read it from the event loop.

When a client leaves, the reply ends after the current piece, and what was said is stored.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing, suppress

from siliconfriend.server.errors import ProblemError

MOST_REPLIES = 256
"""Most replies at once; further requests are refused until later."""
SILENCE_SECONDS = 15.0
"""After so long without a word an empty piece comes, which keeps proxies from hanging up."""
MOST_UNREAD = 256
"""Pieces that a reply may be ahead of its reader; a fast model waits for a slow client."""
Produce = Callable[[], Generator[str, None, None]]


class Replies:
    """All replies under way in this process; use it in its event loop."""

    def __init__(self) -> None:
        self._running: set[Reply] = set()

    def start(self, produce: Produce) -> Reply:
        """Begin a reply, whose pieces ``produce`` makes in a thread, unless too many are under way."""
        if len(self._running) >= MOST_REPLIES:
            raise ProblemError(503, "busy")
        reply = Reply(produce, self._running.discard)
        self._running.add(reply)
        reply.thread.start()
        return reply

    def close(self, seconds: float) -> None:
        """End all replies and wait until they are kept, at most so long for each."""
        running = self._running.copy()
        for reply in running:
            reply.stop()
        for reply in running:
            reply.thread.join(seconds)


class Reply:
    """One reply under way; its ``thread`` calls, iterates and closes ``produce``."""

    def __init__(self, produce: Produce, on_end: Callable[[Reply], None]) -> None:
        self._produce, self._on_end = produce, on_end
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[str | BaseException | None] = asyncio.Queue()
        self._stopped = threading.Event()
        self._room = threading.Semaphore(MOST_UNREAD)
        self.thread = threading.Thread(target=self._run, name="reply", daemon=True)

    async def pieces(self) -> AsyncGenerator[str, None]:
        """Yield the pieces, an empty one for each :data:`SILENCE_SECONDS` without a word.

        Whoever stops reading ends the reply. Raises whatever ``produce`` raised.
        """
        try:
            while True:
                try:
                    piece = await asyncio.wait_for(self._pieces.get(), SILENCE_SECONDS)
                except TimeoutError:
                    yield ""
                    continue
                self._room.release()
                if piece is None:
                    return
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self.stop()

    async def begun(self) -> AsyncGenerator[str, None]:
        """Stream :meth:`pieces` from the first on; a failure before it has a status of its own."""
        pieces = self.pieces()
        first = await anext(pieces, None)

        async def joined() -> AsyncGenerator[str, None]:
            async with aclosing(pieces):
                if first is not None:
                    yield first
                async for piece in pieces:
                    yield piece

        return joined()

    async def text(self) -> str:
        """Wait for the whole reply."""
        async with aclosing(self.pieces()) as pieces:
            return "".join([piece async for piece in pieces])

    def stop(self) -> None:
        """End the reply after the piece that is being made."""
        self._stopped.set()
        self._room.release()

    def _run(self) -> None:
        try:
            with closing(self._produce()) as pieces:
                for piece in pieces:
                    self._room.acquire()
                    if self._stopped.is_set():
                        break
                    self._put(piece)
        except BaseException as error:  # raised again where the pieces are read
            self._put(error)
        finally:
            self._on_end(self)
            self._put(None)

    def _put(self, piece: str | BaseException | None) -> None:
        # The loop is closed where the server ended before the model did.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)
