"""Gives every first HTML of the page its shell, on its way out of Gradio (ASGI)."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response

from siliconfriend.errors import RefusedName

from ..access.chosen_language import chosen_language
from .shell import Shell


class FirstPaint:
    """Rewrites what is answered at ``/`` when it is the page.

    Args:
        app: the next ASGI application.
        shell: is put around Gradio's HTML.
    """

    def __init__(self, app: Any, *, shell: Shell) -> None:
        self._app, self._shell = app, shell

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass every other request on as it is."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        if (refused := self._refusal(HTTPConnection(scope))) is not None:
            await refused(scope, receive, send)
            return
        started: dict[str, Any] = {}
        body = b""

        async def hold(message: Any) -> None:
            nonlocal started, body
            if message["type"] == "http.response.start":
                started = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            if started["status"] == 200:
                body = self._shell.wrap(body.decode(), HTTPConnection(scope)).encode()
            kept = [
                it
                for it in started["headers"]
                if it[0].lower() not in (b"content-length", b"cache-control", b"etag")
            ]
            # In the language of one browser and, with log-in, for one person: nobody keeps it.
            kept += [
                (b"content-length", str(len(body)).encode()),
                (b"cache-control", b"no-store"),
            ]
            await send({**started, "headers": kept})
            await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, hold)

    def _refusal(self, connection: HTTPConnection) -> Response | None:
        """Return what is answered where the address names a companion that is none."""
        backend = self._shell.backend
        try:
            backend.chosen_companion(connection.query_params)
        except RefusedName as error:
            language = chosen_language(connection, backend.settings.language)
            return PlainTextResponse(error.message(language), 404)
        return None
