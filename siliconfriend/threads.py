"""Work in threads of its own: a reply that an event loop reads, and work that may be cut off.

What a reply waits for may be an asynchronous generator, such as a model's stream; it runs in the
process's event loop for such work, so that it can be cancelled while the reply's thread waits.
"""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import aclosing, closing, suppress
from contextvars import copy_context
from functools import cache, partial
from queue import SimpleQueue
from typing import Generic, TypeVar

SILENCE_SECONDS = 15.0
"""After so long without a word an empty piece comes, which keeps proxies from hanging up."""
_THREAD = threading.local()
"""``reply`` is the reply that the present thread makes."""
Answer = TypeVar("Answer")
Item = TypeVar("Item")
Produce = Callable[[], Generator[str, None, Answer]]


class ReplyStopped(Exception):
    """The reply was ended from outside before it was whole."""


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
        self._awaited: Future[None] | None = None
        run = partial(copy_context().run, self._run)
        self._thread = threading.Thread(target=run, name="reply", daemon=True)

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
        """End the reply: at once where it waits in :func:`iterate`, else after the present piece."""
        self._is_stopped = True
        if (awaited := self._awaited) is not None:
            awaited.cancel()
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

    def await_result(self, awaited: Future[None] | None) -> None:
        """Note what the reply's thread waits for, which ends with the reply."""
        self._awaited = awaited
        if self._is_stopped and awaited is not None:
            awaited.cancel()

    def _run(self) -> None:
        _THREAD.reply = self
        try:
            with closing(self._produce()) as pieces:
                while self._asked.acquire(timeout=self._patience) and not self._is_stopped:
                    self._call(self._made.put_nowait, next(pieces))
            self._call(self._made.put_nowait, ReplyStopped())
        except StopIteration as end:
            self.answer = end.value
        except GeneratorExit:
            self._call(self._made.put_nowait, ReplyStopped())
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


def iterate(make: Callable[[], AsyncGenerator[Item]]) -> Generator[Item]:
    """Yield what an asynchronous generator yields, and raise what it raises.

    Whoever stops reading cancels it. In the thread of a reply, the reply's end does so too, and is
    a GeneratorExit here.
    """
    made: SimpleQueue[tuple[Item] | None] = SimpleQueue()

    async def read() -> None:
        async with aclosing(make()) as items:
            async for item in items:
                made.put((item,))

    reading = asyncio.run_coroutine_threadsafe(read(), _event_loop())
    reading.add_done_callback(lambda _: made.put(None))
    reply: ReplyThread[object] | None = getattr(_THREAD, "reply", None)
    try:
        if reply is not None:
            reply.await_result(reading)
        while (item := made.get()) is not None:
            yield item[0]
        reading.result()
    except CancelledError:
        raise GeneratorExit from None
    finally:
        reading.cancel()
        if reply is not None:
            reply.await_result(None)


@cache
def _event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process for what threads wait for, which runs in a thread."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="event loop", daemon=True).start()
    return loop


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_event_loop.cache_clear)  # a child has no such thread


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
