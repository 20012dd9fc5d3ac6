"""The replies under way in a server, and their server-sent events.

When a client leaves, the reply ends after the current piece, and what was said is stored.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from contextlib import ExitStack, aclosing
from dataclasses import dataclass
from typing import Any

from fastapi import Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.types import Receive

from siliconfriend.server.errors import ProblemError
from siliconfriend.threads import Answer, ReplyThread

MOST_REPLIES = 256
"""Most replies at once; further requests are refused until later."""
AT_ONCE, MOST_WAITING = 4, 128
"""Maximum concurrent recalls, and maximum replies waiting for one; more are refused at once."""
PATIENCE = 120.0
"""Seconds after which a reply ends if its client has stopped reading."""
LEFT = 499
"""Status in logs and metrics of a request whose client disconnected before the response."""
STREAMED: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
"""Describes streamed replies in the OpenAPI document."""
ProduceInTurn = Callable[[Callable[[], None]], Generator[str, None, Answer]]
"""Produces a reply, and calls its argument when the memories are recalled."""
KEEP_ALIVE = format_sse_event(comment="")


@dataclass(frozen=True)
class ReplyEvents:
    """Functions that format a reply as server-sent events; ``first`` is sent before its words."""

    piece: Callable[[str], bytes]
    done: Callable[[ReplyThread[Any]], Iterable[bytes]]
    failed: Callable[[Exception], bytes]
    first: bytes = b""


class Replies:
    """The running replies of this process; call it from the event loop.

    Recalling uses this process's own CPU time, so few replies do it at once, in order of arrival.
    Waiting for a model is not limited.
    """

    def __init__(self) -> None:
        self._running: set[ReplyThread[Any]] = set()
        self._waiting: set[ReplyThread[Any]] = set()
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    def __len__(self) -> int:
        """Return the number of running replies."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Number of replies that wait to recall."""
        return len(self._waiting)

    async def start(
        self, produce: ProduceInTurn[Answer], observed: dict[str, Any]
    ) -> ReplyThread[Answer]:
        """Begin a reply and wait for its first piece, so that a failure before it has a status.

        ``produce`` is called when it is its turn, and calls its argument when it has recalled.
        Milliseconds of the parts are written to ``observed``.
        Raises ProblemError where too many replies are under way or wait for their turn, and what
        ``produce`` raises.
        """
        if len(self._running) >= MOST_REPLIES or len(self._waiting) >= MOST_WAITING:
            raise ProblemError(503, "busy")

        def in_turn() -> Generator[str, None, Answer]:
            moments = [time.perf_counter()]

            def note(name: str) -> None:
                moments.append(time.perf_counter())
                observed[name] = round((moments[-1] - moments[-2]) * 1000, 1)

            with ExitStack() as turn:
                turn.enter_context(self._turns)
                self._waiting.discard(reply)
                note("wait_ms")
                turn.callback(note, "recall_ms")
                try:
                    return (yield from produce(turn.close))
                finally:
                    turn.close()
                    note("model_ms")

        reply = ReplyThread(in_turn, lambda: self._end(reply), PATIENCE)
        self._running.add(reply)
        self._waiting.add(reply)
        await reply.begin()
        return reply

    def _end(self, reply: ReplyThread[Any]) -> None:
        self._running.discard(reply)
        self._waiting.discard(reply)

    def stop(self) -> None:
        """End all replies; what was said is kept, and their clients are told."""
        for reply in list(self._running):
            reply.stop()

    def close(self) -> None:
        """End all replies and wait until they are kept, ten seconds for each."""
        self.stop()
        for reply in list(self._running):
            reply.join(10)


async def respond(
    replies: Replies,
    receive: Receive,
    produce: ProduceInTurn[Answer],
    observed: dict[str, Any],
    *,
    whole: Callable[[ReplyThread[Answer]], Any],
    events: ReplyEvents | None,
) -> Response:
    """Answer with a reply as one JSON document, or as server-sent events if they are given.

    When the client leaves, the reply ends.
    """

    async def answer() -> Response:
        reply = await replies.start(produce, observed)
        if events is not None:
            return EventSourceResponse(_events_of(reply, events))
        async for _ in reply.pieces():
            pass
        return JSONResponse(whole(reply))

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    making, leaving = asyncio.ensure_future(answer()), asyncio.ensure_future(leave())
    try:
        await asyncio.wait((making, leaving), return_when=asyncio.FIRST_COMPLETED)
        return await making if making.done() else Response(status_code=LEFT)
    finally:
        leaving.cancel()
        making.cancel()


async def _events_of(reply: ReplyThread[Any], events: ReplyEvents) -> AsyncIterator[bytes]:
    if events.first:
        yield events.first
    try:
        async with aclosing(reply.pieces()) as pieces:
            async for words in pieces:
                yield events.piece(words) if words else KEEP_ALIVE
        for ending in events.done(reply):
            yield ending
    except Exception as error:  # the status is sent; the client must learn it all the same
        yield events.failed(error)


def event(data: Any, name: str | None = None) -> bytes:
    """Format a server-sent event with JSON as its data."""
    words = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return format_sse_event(data_str=words, event=name)
