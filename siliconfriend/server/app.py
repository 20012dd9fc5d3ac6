"""The application: its routes, what stands before them, and its OpenAPI document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Security
from fastapi.security import HTTPBearer
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

from siliconfriend import __version__
from siliconfriend.server import problems, tracing
from siliconfriend.server.context import ServerContext
from siliconfriend.server.gate import Gate
from siliconfriend.server.metrics import Measuring
from siliconfriend.server.openai_door import routes as openai_door
from siliconfriend.server.routes import (
    chat,
    health,
    import_export,
    memories,
    nights,
    people,
    portrait,
    query,
    recall,
    turns,
)

THREADS = 64
"""Requests that are answered at once, besides replies, which have threads of their own."""

GUARDED: tuple[APIRouter, ...] = (
    health.guarded,
    people.router,
    turns.router,
    chat.router,
    recall.router,
    memories.router,
    portrait.router,
    nights.of_person,
    nights.of_everyone,
    import_export.router,
    query.router,
    openai_door.router,
)
"""The routes that need a key, in the order of the document."""

ABOUT = """\
The companion and its memory for other programs. A key goes into the header
`Authorization: Bearer`. A person's key reaches that person alone, and of everyone else it
learns nothing: their paths answer 404 whether they exist or not. The operator's key reaches
everyone. Errors are problem details (RFC 9457), at OpenAI's paths OpenAI's own form.
"""


class Api(FastAPI):
    """The application, whose OpenAPI document also names the form of problems.

    No route returns a problem by itself, so FastAPI alone would leave its form out.
    """

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document; FastAPI keeps what it made once."""
        document = super().openapi()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", problems.Problem.model_json_schema())
        return document


def create_app(
    context: ServerContext, origins: Collection[str] = (), *, mcp_only: bool = False
) -> FastAPI:
    """Build the application: the API, OpenAI's door, and MCP where its package is installed.

    Args:
        context: the parts it works with; they are closed when it ends.
        origins: sites whose pages may ask.
        mcp_only: leave out all but MCP and the health routes.
    """
    app = Api(
        title="SiliconFriend",
        description=ABOUT,
        version=__version__,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        # FastAPI's own spans hold whole paths, and with them names of people.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        middleware=_middleware(origins),
    )
    app.state.context = context
    problems.install(app, context.settings.language)
    app.include_router(health.public)
    bearer = Security(HTTPBearer(auto_error=False, scheme_name="key"))
    for router in () if mcp_only else GUARDED:
        app.include_router(router, dependencies=[bearer])
    if mcp_only or find_spec("mcp") is not None:
        from siliconfriend.server.mcp_http import PATH, McpEndpoint

        app.state.mcp = McpEndpoint(context.settings.language)
        app.router.routes.append(Route(PATH, app.state.mcp))
    return app


def _middleware(origins: Collection[str]) -> list[Middleware]:
    """The middleware, the outermost first."""
    before = [Middleware(Measuring)]
    if tracing.is_installed():
        before.append(Middleware(tracing.Tracing))
    if origins:
        before.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(origins),
                allow_methods=["*"],
                allow_headers=["*"],
            )
        )
    return [*before, Middleware(Gate)]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    context: ServerContext = app.state.context
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    async with AsyncExitStack() as stack:
        if (endpoint := getattr(app.state, "mcp", None)) is not None:
            await stack.enter_async_context(endpoint.running())
        yield
    await anyio.to_thread.run_sync(context.close)
