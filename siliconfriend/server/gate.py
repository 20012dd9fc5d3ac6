"""The gate before the routes: a request without a right key costs nothing and learns nothing.

Plain ASGI, so that a stream is passed on piece by piece and a client that leaves is noticed.
The key is checked before a byte of the body is read.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from siliconfriend.body_limit import limit_body
from siliconfriend.errors import SiliconFriendError
from siliconfriend.server.context import ServerContext
from siliconfriend.server.problems import ProblemError, request_language, response_to

PUBLIC = frozenset(("/health", "/v1/health", "/ready", "/v1/ready", "/v1/openapi.json"))
"""Paths that need no key: they tell nothing of anybody."""


MOST_BYTES = 8 * 2**20
"""The longest body of a request; a client's history of years has some megabytes."""
MOST_IMPORT_BYTES = 256 * 2**20
"""The longest body of an import, which holds whole memories."""


class Gate:
    """ASGI middleware that lets a request through with its caller, or refuses it.

    Args:
        app: the next ASGI application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request here, and pass every other one on."""
        if scope["type"] == "http":
            context: ServerContext = scope["app"].state.context
            headers = Headers(scope=scope)
            try:
                _check_query(scope["query_string"])
                context.doorkeeper.check_origin(headers)
                receive = _limited(headers, scope["path"], receive)
                if scope["path"] not in PUBLIC:
                    address = (scope.get("client") or ("", 0))[0]
                    caller = await context.doorkeeper.identify(headers, address)
                    scope.setdefault("state", {})["caller"] = caller
            except (ProblemError, SiliconFriendError) as refused:
                language = request_language(headers, context.settings.language)
                await response_to(refused, scope["path"], language)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _check_query(query: bytes) -> None:
    """Refuse what is no URL, which no answer could name either.

    Raises:
        ProblemError: there are bytes in it that a client must escape.
    """
    if not query.isascii():
        raise ProblemError(400, "bad_request")


def _limited(headers: Headers, path: str, receive: Receive) -> Receive:
    """The body, which ends with an error where more comes than may.

    Raises:
        ProblemError: it says itself that it is too long.
    """
    return limit_body(
        receive,
        headers.get("content-length"),
        MOST_IMPORT_BYTES if path.endswith("/import") else MOST_BYTES,
        refused=ProblemError(413, "too_large"),
        # FastAPI passes on no other error that is met while it reads a body.
        cut=HTTPException(413),
    )
