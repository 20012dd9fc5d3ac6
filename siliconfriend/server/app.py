"""The application of ``serve``: routes, middleware, and the listening process.

Without a configured operator's key one is made at the first start; without keys the server
listens on this machine only.
"""

import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Any

import anyio.to_thread
from fastapi import Depends, FastAPI, Security
from fastapi.security import HTTPBearer
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request

from siliconfriend import __version__
from siliconfriend.errors import ConfigurationError
from siliconfriend.http_server import http_server, listen, url_of
from siliconfriend.installation.accounts import MIN_OPERATOR_KEY, Keys
from siliconfriend.models.base import model_label, second_sentence
from siliconfriend.origins import LOOPBACK
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.nights import Nights
from siliconfriend.server import access, api, errors, openai_door, operations, query
from siliconfriend.server.operations import Metrics, Observer
from siliconfriend.server.replies import Replies
from siliconfriend.texts import Language, text

THREADS = 64
"""Requests that are answered at once, besides replies, which have threads of their own."""
MCP_PATH = "/mcp"
ABOUT = """\
The companion and its memory for other programs. Send the key in the header
`Authorization: Bearer`. A person's key gives access to that person only: all other people's
paths return 404, whether they exist or not. The operator's key gives access to everyone.
Errors are problem details (RFC 9457); at OpenAI's paths they have OpenAI's format.
"""


class Api(FastAPI):
    """The application; its OpenAPI document includes the schema of problems."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document; FastAPI keeps what it made once."""
        document = super().openapi()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", errors.Problem.model_json_schema())
        return document


def create_app(
    bank: MemoryBank, keys: Keys | None, *, host: str = "127.0.0.1", mcp_only: bool = False
) -> FastAPI:
    """Build the application: the API, OpenAI's door, and MCP where its package is installed.

    ``keys`` and ``host`` as for the gate; ``mcp_only`` leaves out all but MCP and the health
    paths. The bank is closed when it ends.
    """
    settings = bank.settings
    app = Api(
        title="SiliconFriend",
        description=ABOUT,
        version=__version__,
        openapi_url="/v1/openapi.json",
        docs_url="/docs" if host in LOOPBACK or settings.serve_hosts else None,
        redoc_url=None,
        lifespan=_lifespan,
        # Generators of clients make methods of these names.
        generate_unique_id_function=lambda route: route.name,
    )
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=access.MOST_BYTES)
    app.add_middleware(access.Gate, bank=bank, keys=keys, host=host)
    if origins := [*access.names_in(settings.serve_origins)]:
        app.add_middleware(
            CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"]
        )
    replies = Replies()
    app.state.bank, app.state.replies, app.state.nights = bank, replies, Nights(bank)
    app.state.metrics = Metrics(bank, replies)
    observing = {"metrics": app.state.metrics, "logs": settings.log == "json"}
    app.add_middleware(Observer, **observing, under=settings.serve_path or "")
    errors.install(app, settings.language)
    app.include_router(operations.public)
    if not mcp_only:
        bearer = Security(HTTPBearer(auto_error=False, scheme_name="key"))
        strict = [bearer, Depends(access.refuse_unknown_parameters)]
        routers = (api.router, api.of_person, operations.router, operations.of_person)
        for router in (*routers, api.of_everyone, query.router):
            app.include_router(router, dependencies=strict)
        app.include_router(openai_door.router, dependencies=[bearer])
    app.state.run_mcp = nullcontext
    if mcp_only or find_spec("mcp") is not None:
        _add_mcp(app, settings.language)
    return app


def serve(
    bank: MemoryBank,
    *,
    host: str,
    port: int,
    with_keys: bool,
    say: Callable[[str], None],
    mcp_only: bool = False,
) -> None:
    """Serve until interrupted; ``say`` prints a line for the operator. Port 0 is any free port.

    Raises:
        ConfigurationError: a host that others could reach, with no keys; or a port that is taken.
    """
    if not with_keys and host not in LOOPBACK:
        raise ConfigurationError("serve_only_loopback", host=host)
    settings, listening = bank.settings, listen(host, port)
    keys = _keys(bank, say) if with_keys else None
    operations.log_warnings(as_json=settings.log == "json")
    app = create_app(bank, keys, host=host, mcp_only=mcp_only)
    sys.setswitchinterval(0.001)  # seconds after which a computing thread yields to others
    threading.Thread(target=bank.preload, daemon=True).start()
    path = MCP_PATH if mcp_only else "/v1"
    url = url_of(listening, host) + path
    say(text("server", "listens_at", settings.language, url=url))
    model = bank.chat
    if model is not None:
        named = {"model": model_label(model), "address": model.address}
        label = text("server", "model", settings.language, **named)
        say(label + second_sentence(model, settings.language))
    # Running replies end with an error event before their connections close.
    http_server(app, app.state.replies.stop).run(sockets=[listening])


def _add_mcp(app: FastAPI, language: Language) -> None:
    """Answer MCP clients, each with the memory of its key's person.

    With the operator's key the address has ``?user=NAME``; any client may add ``?companion=NAME``.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    from siliconfriend.server.mcp import MemoryTools, build_server

    reached: ContextVar[Person] = ContextVar("reached")
    server = build_server(MemoryTools(reached.get, language))
    # Requests are stateless, so any process can answer them; the gate checks hosts.
    gate = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    streamable = server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=gate
    )

    async def answer(request: Request) -> Any:
        asked = request.query_params
        access.refuse_unknown(asked, ("user", "companion"))
        reached.set(access.Client(request).reach(asked.get("user"), asked.get("companion")))
        return streamable

    app.router.add_route(MCP_PATH, answer, ["GET", "POST", "DELETE"], include_in_schema=False)
    app.state.run_mcp = server.session_manager.run


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    parts = app.state
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    async with parts.run_mcp():
        yield

    def close() -> None:
        parts.nights.close()  # a night can be resumed
        parts.replies.close()
        parts.bank.close()

    await anyio.to_thread.run_sync(close)


def _keys(bank: MemoryBank, say: Callable[[str], None]) -> Keys:
    keys, settings = bank.installation.keys, bank.settings
    if (made := keys.ensure_operator()) is not None:
        say(text("server", "operator_key", settings.language, key=made))
    least = MIN_OPERATOR_KEY
    if settings.operator_key and len(settings.operator_key) < least:
        say(text("server", "operator_key_short", settings.language, shortest=least))
    return keys
