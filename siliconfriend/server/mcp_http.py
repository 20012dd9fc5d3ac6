"""MCP over streamable HTTP, behind the same gate and with the same keys as the API.

A key says whose memory a call reaches. The operator's key names nobody, so its client adds
``?user=NAME`` to the address; without that it reaches the person of the settings.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from siliconfriend.keys import Caller
from siliconfriend.server.context import ServerContext
from siliconfriend.service.mcp_server import build_server
from siliconfriend.service.tools import Tools
from siliconfriend.texts import Language

PATH = "/mcp"


class McpEndpoint:
    """An ASGI application for MCP's one path; every request stands for itself.

    Args:
        language: of what is told before any person is known.
    """

    def __init__(self, language: Language) -> None:
        # No session to remember: any process behind one address can answer any request.
        self._manager = StreamableHTTPSessionManager(
            build_server(lambda request: request.state.tools, language),
            json_response=True,
            stateless=True,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests while the block runs; once in the life of an endpoint."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whose caller the gate has identified.

        Raises:
            RefusedName: the operator named somebody by what cannot be a name.
        """
        scope["state"]["tools"] = _tools_for(Request(scope))
        await self._manager.handle_request(scope, receive, send)


def _tools_for(request: Request) -> Tools:
    """The tools over the memory that the request may reach."""
    context: ServerContext = request.app.state.context
    caller: Caller = request.state.caller
    if not caller.is_operator:
        return context.tools.of(caller.person)
    return context.tools.of(request.query_params.get("user") or context.settings.user)
