"""An application of JSON routes of the page: who is logged in, and every error as a sentence.

It is mounted before Gradio's own routes. The log-in is asked here, where the application around
is Gradio's, which holds the sessions; a route that asked nobody would open what a name in the
request says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Mount

from siliconfriend.errors import RefusedName, SiliconFriendError, UsageError
from siliconfriend.texts import Language

from ..words.labels import say
from .log_in import LogIn

USER = "siliconfriend.user"
"""The key of a request's scope that holds who is logged in."""


class JsonRoutes(Protocol):
    """Routes that answer with JSON; they set ``request.state.language`` to the page's."""

    def add_to(self, app: FastAPI) -> None:
        """Add a route for each thing that can be asked for."""


def json_app(routes: Iterable[JsonRoutes], usual: Language) -> FastAPI:
    """Return the application; ``usual`` is the language where a request says none."""
    app = FastAPI(openapi_url=None)

    async def refuse(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, SiliconFriendError)
        language: Language = getattr(request.state, "language", usual)
        status = 400 if isinstance(error, RefusedName) else 409
        status = status if isinstance(error, UsageError) else 500
        return JSONResponse({"error": error.key, "message": error.message(language)}, status)

    async def refuse_form(_request: Request, _error: Exception) -> JSONResponse:
        words = say("refused_request", usual)
        return JSONResponse({"error": "bad_request", "message": words}, 422)

    app.add_exception_handler(SiliconFriendError, refuse)
    app.add_exception_handler(RequestValidationError, refuse_form)
    for it in routes:
        it.add_to(app)
    return app


def json_mount(
    prefix: str, routes: Iterable[JsonRoutes], usual: Language, log_in: LogIn | None
) -> BaseRoute:
    """Return the route of all that is below a prefix, to stand before Gradio's own.

    Args:
        prefix: with a slash at its end.
        routes: what answers.
        usual: the language where a request says none.
        log_in: None where nobody logs in.
    """
    app = json_app(routes, usual)

    async def with_user(scope: Any, receive: Any, send: Any) -> None:
        if log_in is not None:
            user = log_in.user(HTTPConnection(scope))
            if user is None:
                words = say("refused_log_in", usual)
                answer = JSONResponse({"error": "refused_log_in", "message": words}, 401)
                await answer(scope, receive, send)
                return
            scope[USER] = user
        await app(scope, receive, send)

    return Mount(prefix.rstrip("/"), app=with_user)
