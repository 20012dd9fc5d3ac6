"""MCP over standard input and output, for one person: every call that was read is answered."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from siliconfriend.errors import UsageError
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server.mcp import MemoryTools, build_server

LONGEST_WAIT = 60.0
"""Seconds after the end of the input in which calls are still answered."""


def serve_stdio(bank: MemoryBank) -> None:
    """Answer calls over standard input and output until the input ends; running calls are done.

    The person and the companion are those of the settings.
    """

    def find() -> Person:
        if bank.settings.user is None:
            raise UsageError("service_nobody")
        return bank.person(bank.settings.user)

    tools = MemoryTools(find)

    def leave(number: int, _frame: FrameType | None) -> None:
        # A thread that waits for input can neither be woken nor joined.
        tools.wait()
        os._exit(128 + number)

    signal.signal(signal.SIGINT, leave)
    signal.signal(signal.SIGTERM, leave)
    anyio.run(_run_stdio, build_server(tools, bank.settings.language))
    bank.close()


async def _run_stdio(server: MCPServer[Any]) -> None:
    inner = server._lowlevel_server
    async with stdio_server() as streams, _answered_first(*streams) as (requests, responses):
        await inner.run(requests, responses, inner.create_initialization_options())


@asynccontextmanager
async def _answered_first(requests: Any, responses: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Wrap a server's two streams: the first ends when all its requests are answered.

    The SDK cancels the running calls when its input ends, and a script that pipes its calls in
    would never learn whether they were kept.
    """
    forward, requests_out = anyio.create_memory_object_stream[Any](0)
    responses_in, backward = anyio.create_memory_object_stream[Any](0)
    waiting: set[Any] = set()
    changed = anyio.Condition()

    async def pass_requests() -> None:
        async with forward, requests:
            async for message in requests:
                if isinstance(message, SessionMessage) and isinstance(
                    message.message, JSONRPCRequest
                ):
                    waiting.add(message.message.id)
                await forward.send(message)
            with anyio.move_on_after(LONGEST_WAIT):
                async with changed:
                    while waiting:
                        await changed.wait()

    async def pass_responses() -> None:
        async with backward, responses:
            async for message in backward:
                await responses.send(message)
                if isinstance(message.message, JSONRPCResponse | JSONRPCError):
                    async with changed:
                        waiting.discard(message.message.id)
                        changed.notify_all()

    async with anyio.create_task_group() as group:
        group.start_soon(pass_requests)
        group.start_soon(pass_responses)
        yield requests_out, responses_in
