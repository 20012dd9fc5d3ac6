"""Streams whose end is heard only after what was asked is answered.

The SDK cancels every call that runs when its input ends. A script that pipes its calls in and
closes the pipe would then find its memories kept or not, and never an answer to tell which.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId

LONGEST_WAIT = 60.0
"""Seconds after the end of input until what is not answered by then never will be."""

Heard = MemoryObjectReceiveStream[SessionMessage | Exception]
Said = MemoryObjectSendStream[SessionMessage]


class _Open:
    """The calls that wait for their answer."""

    def __init__(self) -> None:
        self._ids: set[RequestId] = set()
        self._changed = anyio.Condition()

    async def hear(self, message: SessionMessage | Exception) -> None:
        """A call begins; one that is taken back will not be answered."""
        match message:
            case SessionMessage(message=JSONRPCRequest(id=identifier)):
                self._ids.add(identifier)
            case SessionMessage(
                message=JSONRPCNotification(method="notifications/cancelled", params=dict(params))
            ):
                await self._close(params.get("requestId"))

    async def say(self, message: SessionMessage) -> None:
        """A call ends with its answer."""
        match message.message:
            case JSONRPCResponse(id=identifier) | JSONRPCError(id=identifier):
                await self._close(identifier)

    async def none(self) -> None:
        """Return once every call is answered."""
        with anyio.move_on_after(LONGEST_WAIT):
            async with self._changed:
                while self._ids:
                    await self._changed.wait()

    async def _close(self, identifier: RequestId | None) -> None:
        async with self._changed:
            self._ids -= {identifier}
            self._changed.notify_all()


@asynccontextmanager
async def answered_first(heard: Heard, said: Said) -> AsyncIterator[tuple[Heard, Said]]:
    """The same two streams for a server; the first ends when all that it brought is answered."""
    inward, server_hears = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    server_says, outward = anyio.create_memory_object_stream[SessionMessage](0)
    calls = _Open()

    async def bring() -> None:
        async with inward:
            async for message in heard:
                await calls.hear(message)
                await inward.send(message)
            await calls.none()

    async def carry() -> None:
        async with said:
            async for message in outward:
                await said.send(message)
                await calls.say(message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bring)
        tasks.start_soon(carry)
        yield server_hears, server_says
