"""MCP over standard input and output, for a client that starts the server itself.

While it serves, it points descriptor 1 at standard error, so that whatever a library prints
can never break the protocol.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

import anyio
from mcp.server.stdio import stdio_server

from siliconfriend.service.context import ServiceContext
from siliconfriend.service.graceful_shutdown import answered_first
from siliconfriend.service.mcp_server import build_server
from siliconfriend.service.tools import Tools


def serve(context: ServiceContext) -> None:
    """Answer calls until standard input ends; every call that has begun is done first."""
    tools = Tools(context)
    _exit_after_calls(tools)
    anyio.run(_run, tools)
    context.runtime.close()


async def _run(tools: Tools) -> None:
    server = build_server(lambda _request: tools, tools.context.language)
    options = server.create_initialization_options()
    async with stdio_server() as streams, answered_first(*streams) as (requests, responses):
        await server.run(requests, responses, options)


def _exit_after_calls(tools: Tools) -> None:
    """On an interrupt wait for the calls that run, then exit.

    A thread that waits for input can neither be woken nor joined, so the interpreter's own
    way out would hang until the client says one more word.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        tools.wait()
        os._exit(128 + number)

    signal.signal(signal.SIGINT, leave)
    signal.signal(signal.SIGTERM, leave)
