"""Check requests to the page: paths, hosts, sites, sizes and log-in.

Of Gradio's own routes only its page and its files are served.
"""

from typing import Any

from starlette.datastructures import MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse

from siliconfriend.errors import SiliconFriendError
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.texts import LANGUAGES

from .backend import USER, Backend
from .log_in import PATHS, YEAR, LogIn
from .rendering import MOST_UPLOADED, WORKER
from .rendering import PREFIX as OWN_FILES
from .words import LANGUAGE_COOKIE, say

PANELS = "/panels"
"""Path of Gradio's page, from which the scripts take the panels."""
PAGES = frozenset(
    (*PATHS, "/logout", "/session", "/manifest.webmanifest", "/notices", WORKER, PANELS)
)
ASSETS = (OWN_FILES, "/assets/", "/static/", "/svelte/", "/theme.css")
"""Prefixes of the paths of files that are the same for everybody, and are served before log-in."""
OWN = ("/talk/", "/views/", "/companions/", "/export")
UPLOADS = ("/views/import", "/views/card")

MOST_BYTES = 8 * 2**20
LONGEST_FORM = 8 * 2**10
KEPT = f"Max-Age={YEAR}; Path=/; SameSite=lax"

HEADERS = {
    "content-security-policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "frame-ancestors 'self'; form-action 'self'; base-uri 'self'; object-src 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Content security policy of every answer: nothing from elsewhere. Gradio needs inline code."""


class Guard:
    """Passes a request on, rejects it, or answers with the log-in form (ASGI)."""

    def __init__(self, app: Any, *, backend: Backend, log_in: LogIn) -> None:
        self._app, self._backend, self._log_in = app, backend, log_in

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a rejected request; pass all others on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            most = dict.fromkeys(UPLOADS, MOST_UPLOADED) | dict.fromkeys(PATHS, LONGEST_FORM)
            limited = RequestBodyLimitMiddleware(self._answer, most.get(scope["path"], MOST_BYTES))

            async def sending(message: Any) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableHeaders(scope=message)
                    for name, value in HEADERS.items():
                        headers.setdefault(name, value)
                    if scope["path"].startswith(OWN_FILES) and message["status"] == 200:
                        headers["cache-control"] = "public, max-age=31536000, immutable"
                    elif not scope["path"].startswith(ASSETS):
                        headers.setdefault("cache-control", "no-store")
                    if (chosen := QueryParams(scope["query_string"]).get("language")) in LANGUAGES:
                        headers.append("set-cookie", f"{LANGUAGE_COOKIE}={chosen}; {KEPT}")
                await send(message)

            await limited(scope, receive, sending)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        connection, path = HTTPConnection(scope), scope["path"]
        language = self._backend.language_of(connection)
        try:
            self._check(connection, path)
            if path.startswith(ASSETS):
                await self._app(scope, receive, send)
                return
            user = await self._log_in.user(connection)
            scope[USER] = user
            is_form = user is None or scope["method"] == "POST"
            answer = self._app
            if path in ("/login", "/logout") or (path == "/" and is_form):
                answer = await self._log_in.answer(Request(scope, receive), user)
            elif user is None:
                answer = PlainTextResponse(say("refused_log_in", language), 401)
            await answer(scope, receive, send)
        except HTTPException as refused:
            is_own = refused.detail.startswith("refused_")  # else of the form of the log-in
            words = say(refused.detail, language) if is_own else refused.detail
            await PlainTextResponse(words, refused.status_code)(scope, receive, send)
        except ClientDisconnect:
            return  # the client has disconnected
        except SiliconFriendError as error:
            await PlainTextResponse(error.message(language), 503)(scope, receive, send)

    def _check(self, connection: HTTPConnection, path: str) -> None:
        if not (path in PAGES or path.startswith((*ASSETS, *OWN))):
            raise HTTPException(404, "refused_path")
        host = connection.headers.get("host", "")
        # Without passwords any site could reach the page by a name of its own that leads here.
        if not self._log_in.has_passwords and host_name(host) not in LOOPBACK:
            raise HTTPException(403, "refused_host")
        origin = connection.headers.get("origin")
        forwarded = connection.headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(origin, host, forwarded_host=forwarded):
            raise HTTPException(403, "refused_origin")
