"""Refuses every request that the page itself does not make, and tabs that are another's.

Gradio serves more than a page needs: routes for programs, exports of a session's widgets,
streams that anyone may read who knows a session's number, and answers for any other site
when it is not on the loopback. All of that ends here, before Gradio sees the request.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from siliconfriend.body_limit import limit_body
from siliconfriend.errors import SiliconFriendError
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.texts import Language

from .access.log_in import LogIn
from .beginning import routes as beginning_routes
from .companions import routes as companion_routes
from .look import static_files
from .memories import routes as memory_routes
from .talk import routes as talk_routes
from .words.labels import say

PAGES = frozenset(
    f"/{it}"
    for it in (
        "",
        "login",
        "login/",
        "logout",
        "config",
        "theme.css",
        "favicon.ico",
        "manifest.json",
        "robots.txt",
        "gradio_api/app_id",
        "gradio_api/startup-events",
    )
)
LOG_IN = frozenset(("/login", "/login/"))
FREE = frozenset(
    (
        "/",
        *LOG_IN,
        "/theme.css",
        "/favicon.ico",
        "/manifest.json",
        "/robots.txt",
        "/gradio_api/app_id",
        "/gradio_api/startup-events",
    )
)
"""What also those are answered who are not logged in: the form, and what is the same for all."""
ASSETS = ("/assets/", "/static/", "/svelte/", static_files.PREFIX)
"""Beginnings of the addresses of files that are the same for everybody."""
OWN = (beginning_routes.PREFIX, companion_routes.PREFIX, memory_routes.PREFIX, talk_routes.PREFIX)
"""Beginnings of the addresses that the page itself answers, in :mod:`webui.own_routes`."""
EVENTS = frozenset(f"/gradio_api/{it}" for it in ("queue/join", "queue/data", "cancel", "reset"))
UPLOADS = frozenset((f"{memory_routes.PREFIX}import", f"{companion_routes.PREFIX}import"))
"""Where a file is taken."""
JOIN = "/gradio_api/queue/join"
ENDINGS = frozenset(("/gradio_api/cancel", "/gradio_api/reset"))
"""What ends an event, which Gradio looks up by its number alone, whatever session is named."""
STREAM = "/gradio_api/queue/data"
HEARTBEAT = "/gradio_api/heartbeat/"
MOST_BYTES = 8 * 2**20
"""The longest body of a request: a message, or what a click is told."""
MOST_UPLOADED = 64 * 2**20
"""The longest upload; the memories of ten years, as exported, have some 40 MB."""
MOST_SESSIONS = 10_000
"""As many as Gradio keeps the state of."""
MOST_EVENTS = 10_000
"""Events whose owners are known; of an older one nobody can ask for the end."""


class RefusedRequest(HTTPException):
    """A request that must not reach the page: an HTTP status, and the key of the sentence.

    It is an error that Gradio answers too, where one is met while Gradio reads a body.
    """


class RequestGuard:
    """ASGI middleware that lets a request through, refuses it, or answers who has to log in.

    A session of the page, which is one tab, belongs to the person who was logged in when
    it was first heard of. Nobody else can read its stream, act in it or end it. An event of
    it can be ended by that person alone, also in the name of another session.

    Args:
        app: the next ASGI application.
        language: of the sentence that a refusal says.
        log_in: the log-in; None where there is none, and then only this machine's own
            names are answered to, or any site could reach the page through a name of its
            own that leads here.
    """

    def __init__(self, app: Any, *, language: Language, log_in: LogIn | None) -> None:
        self._app, self._language, self._log_in = app, language, log_in
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._events: OrderedDict[str, str] = OrderedDict()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a refused request here, and pass every other one on."""
        if scope["type"] == "http":
            try:
                if self._log_in is not None and not scope["path"].startswith(ASSETS):
                    await self._log_in.meet(HTTPConnection(scope))
                receive = await self._validate(scope, receive)
            except RefusedRequest as refused:
                await self._refuse(refused.status_code, say(refused.detail, self._language), send)
                return
            except SiliconFriendError as error:  # who is logged in cannot be looked up
                await self._refuse(503, error.message(self._language), send)
                return
            log_in, path = self._log_in, scope["path"]
            if log_in is not None and path == "/logout":
                await anyio.to_thread.run_sync(log_in.log_out, HTTPConnection(scope))
            is_first = (
                path == "/" and log_in is not None and log_in.user(HTTPConnection(scope)) is None
            )
            if log_in is not None and (path in LOG_IN or is_first):
                answer = await log_in.answer(Request(scope, receive))
                await answer(scope, receive, send)
                return
            if log_in is not None and path == JOIN:
                send = self._hearing(send, log_in.user(HTTPConnection(scope)) or "")
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)

    async def _validate(self, scope: Any, receive: Any) -> Any:
        connection = HTTPConnection(scope)
        path = scope["path"]
        is_event = path in EVENTS or path.startswith(HEARTBEAT)
        if not (is_event or path in PAGES or path.startswith((*ASSETS, *OWN))):
            raise RefusedRequest(404, "refused_path")
        if "view" in connection.query_params:
            raise RefusedRequest(404, "refused_path")
        self._validate_origin(connection)
        most = MOST_UPLOADED if path in UPLOADS else MOST_BYTES
        declared = connection.headers.get("content-length")
        too_large = RefusedRequest(413, "refused_size")
        receive = limit_body(receive, declared, most, refused=too_large, cut=too_large)
        if self._log_in is None or path in FREE or path.startswith(ASSETS):
            return receive
        user = self._log_in.user(connection)
        if user is None:
            raise RefusedRequest(401, "refused_log_in")
        if not is_event:
            return receive
        body, receive = await _read(receive)
        session = _session(connection, path, body)
        if path in ENDINGS and self._events.get(_named(body, "event_id")) != user:
            raise RefusedRequest(403, "refused_session")
        if session and self._session_owner(session, user) != user:
            raise RefusedRequest(403, "refused_session")
        return receive

    def _validate_origin(self, connection: Any) -> None:
        """Refuse requests that another site sends, and host names that are not this machine's."""
        host = connection.headers.get("host", "")
        if self._log_in is None and host_name(host) not in LOOPBACK:
            raise RefusedRequest(403, "refused_host")
        origin = connection.headers.get("origin")
        forwarded = connection.headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(origin, host, forwarded_host=forwarded):
            raise RefusedRequest(403, "refused_origin")

    def _session_owner(self, session: str, user: str) -> str:
        owner = self._owners.pop(session, user)
        self._owners[session] = owner
        if len(self._owners) > MOST_SESSIONS:
            self._owners.popitem(last=False)
        return owner

    def _hearing(self, send: Any, user: str) -> Any:
        """Return a ``send`` that notes whose the event is whose number is answered."""
        parts: list[bytes] = []

        async def noting(message: Any) -> None:
            if message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
                # Before the last part is sent: an event can be ended as soon as it is known.
                if not message.get("more_body"):
                    self._note_event(_named(b"".join(parts), "event_id"), user)
            await send(message)

        return noting

    def _note_event(self, number: str, user: str) -> None:
        if number:
            self._events[number] = user
        if len(self._events) > MOST_EVENTS:
            self._events.popitem(last=False)

    async def _refuse(self, status: int, words: str, send: Any) -> None:
        kind = (b"content-type", b"text/plain; charset=utf-8")
        start = {"type": "http.response.start", "status": status, "headers": [kind]}
        await send(start)
        await send({"type": "http.response.body", "body": words.encode()})


async def _read(receive: Any) -> tuple[bytes, Any]:
    """Read the whole body; returns it and a ``receive`` that gives it out once more."""
    messages = []
    while True:
        messages.append(await receive())
        if not messages[-1].get("more_body"):
            break
    waiting = iter(messages)

    async def again() -> Any:
        found = next(waiting, None)
        return await receive() if found is None else found

    return b"".join(it.get("body", b"") for it in messages), again


def _session(connection: Any, path: str, body: bytes) -> str:
    """Return the session that a request names; empty where it names none."""
    if path.startswith(HEARTBEAT):
        return path.removeprefix(HEARTBEAT)
    if path == STREAM:
        return str(connection.query_params.get("session_hash", ""))
    return _named(body, "session_hash")


def _named(body: bytes, key: str) -> str:
    """Return what a JSON object holds by a key; empty where there is nothing to be read."""
    try:
        document = json.loads(body)
    except ValueError:
        return ""
    return str(document.get(key) or "") if isinstance(document, dict) else ""
