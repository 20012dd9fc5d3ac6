"""Graceful shutdown: the end of the input reaches the server when every call is answered.

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

from siliconfriend.service.unreadable_requests import answer_unreadable

LONGEST_WAIT = 60.0
"""Seconds after the end of the input in which calls are still answered."""

Requests = MemoryObjectReceiveStream[SessionMessage | Exception]
Responses = MemoryObjectSendStream[SessionMessage]


class _PendingCalls:
    """The calls that wait for their answer."""

    def __init__(self) -> None:
        self._ids: set[RequestId] = set()
        self._changed = anyio.Condition()

    async def note_request(self, message: SessionMessage | Exception) -> None:
        """Note that a call begins; a cancelled one will not be answered."""
        match message:
            case SessionMessage(message=JSONRPCRequest(id=identifier)):
                self._ids.add(identifier)
            case SessionMessage(
                message=JSONRPCNotification(method="notifications/cancelled", params=dict(params))
            ):
                await self._close(params.get("requestId"))

    async def note_response(self, message: SessionMessage) -> None:
        """Note that a call ends with its answer."""
        match message.message:
            case JSONRPCResponse(id=identifier) | JSONRPCError(id=identifier):
                await self._close(identifier)

    async def wait_for_all(self) -> None:
        """Wait until every call is answered, for at most :data:`LONGEST_WAIT`."""
        with anyio.move_on_after(LONGEST_WAIT):
            async with self._changed:
                while self._ids:
                    await self._changed.wait()

    async def _close(self, identifier: RequestId | None) -> None:
        async with self._changed:
            self._ids -= {identifier}
            self._changed.notify_all()


@asynccontextmanager
async def answered_first(
    requests: Requests, responses: Responses
) -> AsyncIterator[tuple[Requests, Responses]]:
    """Wrap the two streams of a server: the first ends when all its requests are answered."""
    forward, server_requests = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    server_responses, backward = anyio.create_memory_object_stream[SessionMessage](0)
    calls = _PendingCalls()

    async def pass_requests() -> None:
        async with forward:
            async for message in requests:
                answer = answer_unreadable(message) if isinstance(message, Exception) else None
                if answer is not None:
                    await responses.send(answer)
                    continue
                await calls.note_request(message)
                await forward.send(message)
            await calls.wait_for_all()

    async def pass_responses() -> None:
        async with responses:
            async for message in backward:
                await responses.send(message)
                await calls.note_response(message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_requests)
        tasks.start_soon(pass_responses)
        yield server_requests, server_responses
