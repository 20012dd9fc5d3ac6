"""Serve the page: its address, its routes and its server.

A host that others could reach is refused without a log-in.
"""

import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import Mount
from uvicorn import Server

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, SiliconFriendError
from siliconfriend.http_server import http_server, listen, url_of
from siliconfriend.installation.accounts import Passwords
from siliconfriend.models.base import ChatModel
from siliconfriend.origins import LOOPBACK
from siliconfriend.person import administration

from .backend import Backend
from .companions import companion_routes
from .components import STEPS
from .guard import Guard
from .importing import export_route
from .log_in import LogIn
from .page import page_routes
from .panels import Panels
from .rendering import static_route
from .talk import talk_routes
from .views import view_routes
from .words import say
from .you import notice_routes

FIRST_PORT, PORTS = 7860, 100
"""The first port that is tried where none is named, and how many are."""
PATIENCE_SECONDS = 5.0
"""Seconds to wait for each running reply when the page closes."""


class ServedPage:
    """A running page with its own server thread."""

    def __init__(
        self, backend: Backend, panels: Panels, server: Server, listening: socket.socket
    ) -> None:
        self._backend, self._panels, self._server = backend, panels, server
        self._thread = threading.Thread(
            target=server.run, args=([listening],), name="page server", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the replies, keep what was said, then end the server, which waits for its clients."""
        self._panels.close()
        self._backend.close(PATIENCE_SECONDS)
        self._server.should_exit = True
        self._thread.join()


def launch(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    auth: Path | None = None,
    notices: str = "",
    clock: Clock | None = None,
    chat: ChatModel | None = None,
    block: bool = True,
) -> tuple[ServedPage, str]:
    """Serve the page.

    Args:
        settings: name the data directory, the companion and the model.
        host: the address to listen on.
        port: 0 takes any free port; None the first free one from 7860 on.
        auth: a file of passwords; None serves without a log-in.
        notices: e-mail address of the operator, with which push services are contacted; without
            it nobody gets notices.
        clock: the machine's own unless given.
        chat: opened from the settings unless given.
        block: wait until the page is closed.

    Returns:
        The page (``close()`` ends it) and its address.

    Raises:
        ConfigurationError: a host that others could reach, with no log-in; a file of
            passwords that cannot be read or is empty; or a port that is taken.
    """
    guard = None if auth is None else administration.passwords(settings, auth).check()
    backend = Backend(
        settings, clock or SystemClock(), chat, log_in=guard is not None, contact=notices
    )
    if host not in LOOPBACK and not backend.log_in:
        raise ConfigurationError("web_only_loopback", host=host)
    if backend.log_in and guard is None:
        guard = backend.installation.passwords.check()
    listening = _listen(host, port)
    if backend.notices:
        backend.notices.start()
    sys.setswitchinterval(0.001)  # seconds after which a computing thread yields to others
    panels = Panels()
    server = http_server(application(backend, guard, panels))
    page = ServedPage(backend, panels, server, listening)
    url = f"{url_of(listening, host)}/"
    if block:
        print(say("opens_at", settings.language, url=url), flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as a service is ended
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
        page.close()
    return page, url


def application(backend: Backend, passwords: Passwords | None, panels: Panels) -> FastAPI:
    """Return the page's routes behind its guard; other paths go to Gradio's ``panels``."""
    backend.passwords = passwords
    guard = Middleware(Guard, backend=backend, log_in=LogIn(backend, passwords))
    plain = (*DEFAULT_EXCLUDED_CONTENT_TYPES, STEPS)
    handlers: Any = {SiliconFriendError: backend.refuse}
    return FastAPI(
        openapi_url=None,
        routes=[
            static_route(),
            *page_routes(backend, panels.warm),
            *talk_routes(backend),
            *view_routes(backend),
            *notice_routes(backend),
            export_route(backend),
            *companion_routes(backend),
            Mount("", panels),
        ],
        middleware=[
            guard,
            Middleware(GZipMiddleware, minimum_size=2000, exclude_content_types=plain),
        ],
        exception_handlers=handlers,
    )


def _listen(host: str, port: int | None) -> socket.socket:
    if port is not None:
        return listen(host, port, error="web_port")
    for tried in range(FIRST_PORT, FIRST_PORT + PORTS):
        with suppress(ConfigurationError):
            return listen(host, tried, error="web_port")
    return listen(host, FIRST_PORT, error="web_port")  # raises
