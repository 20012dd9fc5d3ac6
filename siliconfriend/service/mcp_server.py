"""The server of the Model Context Protocol (MCP), by its official SDK, on standard input and output.

Only here is the SDK imported. While it serves, it points descriptor 1 at standard error, so
that whatever a library prints can never break the protocol.
"""

from __future__ import annotations

import json
import os
import signal
from functools import partial
from types import FrameType
from typing import Any

import anyio
from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from siliconfriend import __version__
from siliconfriend.service.arguments import BY_TOOL
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.graceful_shutdown import answered_first
from siliconfriend.service.tools import Tools
from siliconfriend.texts import text

NAME = "siliconfriend"
ANSWER = {
    "type": "object",
    "properties": {"status": {"type": "string", "enum": ["success", "error"]}},
    "required": ["status"],
}


def serve(context: ServiceContext) -> None:
    """Answer calls until standard input ends; every call that has begun is done first."""
    tools = Tools(context)
    _exit_after_calls(tools)
    anyio.run(_run, tools, text("service", "instructions", context.language))
    context.runtime.close()


async def _run(tools: Tools, instructions: str) -> None:
    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(*described) for described in tools.describe()])

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in BY_TOOL:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        answer = await to_thread.run_sync(partial(tools.call, params.name, params.arguments or {}))
        words = json.dumps(answer, ensure_ascii=False, indent=2)
        return CallToolResult(
            content=[TextContent(type="text", text=words)], structured_content=answer
        )

    server: Server[Any] = Server(
        NAME,
        version=__version__,
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    options = server.create_initialization_options()
    async with stdio_server() as streams, answered_first(*streams) as (requests, responses):
        await server.run(requests, responses, options)


def _tool(name: str, description: str, schema: dict[str, Any]) -> Tool:
    is_read_only = name == "get_user_profile"
    return Tool(
        name=name,
        description=description,
        input_schema=schema,
        output_schema=ANSWER,
        annotations=ToolAnnotations(
            read_only_hint=is_read_only, destructive_hint=False, open_world_hint=False
        ),
    )


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
