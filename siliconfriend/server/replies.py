"""Make each reply in a thread of its own, and read or stream it from the event loop.

When a client leaves, the reply ends after the current piece, and what was said is stored.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable
from contextlib import aclosing, closing, suppress
from typing import Any, Generic, TypeVar

from fastapi.sse import format_sse_event

from siliconfriend.server.errors import ProblemError

MOST_REPLIES = 256
"""Most replies at once; further requests are refused until later."""
SILENCE_SECONDS = 15.0
"""After so long without a word an empty piece comes, which keeps proxies from hanging up."""
KEEP_ALIVE = format_sse_event(comment="")
Answer = TypeVar("Answer")
Produce = Callable[[], Generator[str, None, Answer]]


class Replies:
    """All replies under way in this process; use it in its event loop."""

    def __init__(self) -> None:
        self._running: set[Reply[Any]] = set()

    async def start(self, produce: Produce[Answer]) -> Reply[Answer]:
        """Begin a reply and wait for its first piece; ``produce`` yields pieces and returns the answer.

        Raises what ``produce`` raises before its first piece, and ProblemError where too many
        replies are under way.
        """
        if len(self._running) >= MOST_REPLIES:
            raise ProblemError(503, "busy")
        reply = Reply(produce, self._running)
        await reply.begin()
        return reply

    def close(self, seconds: float) -> None:
        """End all replies and wait until they are kept, at most so long for each."""
        running = self._running.copy()
        for reply in running:
            reply.is_stopped = True
        for reply in running:
            reply.thread.join(seconds)


class Reply(Generic[Answer]):
    """One reply under way; its ``thread`` calls, iterates and closes ``produce``.

    Where ``is_stopped`` is set, it ends after the piece that is being made.
    """

    answer: Answer  # once all pieces are read

    def __init__(self, produce: Produce[Answer], running: set[Reply[Any]]) -> None:
        self._produce, self._running = produce, running
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[str | BaseException | None] = asyncio.Queue()
        self._first: str | None = None
        self.is_stopped = False
        self.thread = threading.Thread(target=self._run, name="reply", daemon=True)

    async def begin(self) -> None:
        """Start the thread and wait for the first piece."""
        self._running.add(self)
        self.thread.start()
        self._first = await self._next()

    async def pieces(self) -> AsyncGenerator[str, None]:
        """Yield the pieces, an empty one for each :data:`SILENCE_SECONDS` without a word.

        Whoever stops reading ends the reply. Raises whatever ``produce`` raised.
        """
        try:
            piece = self._first
            while piece is not None:
                yield piece
                piece = await self._next()
        finally:
            self.is_stopped = True

    async def whole(self) -> Answer:
        """Wait for the end of the reply."""
        async for _ in self.pieces():
            pass
        return self.answer

    async def events(
        self,
        piece: Callable[[str], bytes],
        done: Callable[[Answer], Iterable[bytes]],
        failed: Callable[[Exception], bytes],
        *first: bytes,
    ) -> AsyncIterator[bytes]:
        """Yield the reply as server-sent events, written by the functions; ``first`` before it."""
        for opening in first:
            yield opening
        try:
            async with aclosing(self.pieces()) as pieces:
                async for words in pieces:
                    yield piece(words) if words else KEEP_ALIVE
        except Exception as error:  # the status is sent; the client must learn it all the same
            yield failed(error)
            return
        for ending in done(self.answer):
            yield ending

    async def _next(self) -> str | None:
        try:
            piece = await asyncio.wait_for(self._pieces.get(), SILENCE_SECONDS)
        except TimeoutError:
            return ""
        if isinstance(piece, BaseException):
            raise piece
        return piece

    def _run(self) -> None:
        try:
            with closing(self._produce()) as pieces:
                while not self.is_stopped:
                    self._put(next(pieces))
        except StopIteration as end:
            self.answer = end.value
        except BaseException as error:  # raised again where the pieces are read
            self._put(error)
        finally:
            self._running.discard(self)
            self._put(None)

    def _put(self, piece: str | BaseException | None) -> None:
        # The loop is closed where the server ended before the model did.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)


def event(data: Any, name: str | None = None) -> bytes:
    """Format a server-sent event with JSON as its data."""
    words = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return format_sse_event(data_str=words, event=name)
