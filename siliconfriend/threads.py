"""Work in threads of its own: a reply that an event loop reads, and work that may be cut off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import Generic, TypeVar

SILENCE_SECONDS = 15.0
"""After so long without a word an empty piece comes, which keeps proxies from hanging up."""
Answer = TypeVar("Answer")
Produce = Callable[[], Generator[str, None, Answer]]


class ReplyThread(Generic[Answer]):
    """One reply under way, each piece made when it is asked for.

    Make and use it in the event loop that reads it.

    Args:
        produce: called, iterated and closed in the thread; it yields pieces, returns the answer.
        on_end: called in the thread when the reply has ended.
        patience: seconds after which a reply that nobody reads ends; None for any time.

    Attributes:
        answer: what ``produce`` returned, once all pieces are read.
        said: the pieces that were read, as one text.
    """

    answer: Answer

    def __init__(
        self,
        produce: Produce[Answer],
        on_end: Callable[[], object] = lambda: None,
        patience: float | None = None,
    ) -> None:
        self._produce, self._on_end, self._patience = produce, on_end, patience
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._made: asyncio.Queue[str | BaseException | None] = asyncio.Queue()
        self._first: str | None = None
        self.said = ""
        self._asked, self._is_waiting, self._is_stopped = threading.Semaphore(0), False, False
        self._thread = threading.Thread(target=self._run, name="reply", daemon=True)

    async def begin(self) -> None:
        """Wait for the first piece, and raise what ``produce`` raised before it."""
        try:
            self._thread.start()
            self._first = await self._next()
        except BaseException:
            self.stop()
            raise

    async def pieces(self) -> AsyncGenerator[str, None]:
        """Yield the pieces, empty ones where nothing is said for :data:`SILENCE_SECONDS`.

        Whoever stops reading ends the reply, and waits for its end. Raises what ``produce`` raised.
        """
        if self._thread.ident is None:
            await self.begin()
        try:
            piece = self._first
            while piece is not None:
                self.said += piece
                yield piece
                piece = await self._next()
        finally:
            self.stop()
            await asyncio.shield(self._ended.wait())

    def stop(self) -> None:
        """End the reply after the piece that is being made."""
        self._is_stopped = True
        self._asked.release()

    def join(self, seconds: float) -> None:
        """Wait until the reply has ended, at most so long."""
        self._thread.join(seconds)

    async def _next(self) -> str | None:
        if not self._is_waiting:
            self._is_waiting = True
            self._asked.release()
        try:
            piece = await asyncio.wait_for(self._made.get(), SILENCE_SECONDS)
        except TimeoutError:
            return ""
        self._is_waiting = False
        if isinstance(piece, BaseException):
            raise piece
        return piece

    def _run(self) -> None:
        try:
            with closing(self._produce()) as pieces:
                while self._asked.acquire(timeout=self._patience) and not self._is_stopped:
                    self._call(self._made.put_nowait, next(pieces))
        except StopIteration as end:
            self.answer = end.value
        except BaseException as error:  # raised again where the pieces are read
            self._call(self._made.put_nowait, error)
        finally:
            self._on_end()
            self._call(self._made.put_nowait, None)
            self._call(self._ended.set)

    def _call(self, function: Callable[..., object], *given: object) -> None:
        # The loop is closed where its program ended before the model did.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *given)


def in_background(work: Callable[[], object]) -> Future[object]:
    """Start work beside the calling thread that may be cut off when the program ends."""
    future: Future[object] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
