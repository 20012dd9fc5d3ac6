"""Serve an application over HTTP: the listening socket and the server of the page and of the API."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from siliconfriend.errors import ConfigurationError

if TYPE_CHECKING:
    from uvicorn import Server

PROXIES = "FORWARDED_ALLOW_IPS"
"""Environment variable with the proxies whose X-Forwarded headers are trusted."""
KEEP_ALIVE_SECONDS = 75
"""Longer than clients keep their idle connections."""


def listen(host: str, port: int, *, error: str = "serve_port") -> socket.socket:
    """Open a listening socket before the application is built; port 0 takes any free one.

    ConfigurationError: the port is taken, or there is no such host; ``error`` is its text.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except (OSError, TypeError) as cause:  # a TypeError is raised for an invalid host name
        raise ConfigurationError(error, host=host, port=port, cause=cause) from cause
    # asyncio sets this only on sockets it opened itself; without it an answer waits 40 ms for an ACK.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    return listening


def url_of(listening: socket.socket, host: str) -> str:
    """Return the URL of a socket that listens on ``host``, without a slash at the end."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"


def http_server(app: Any, before_end: Callable[[], None] = lambda: None) -> Server:
    """Return a server of an application; ``run(sockets=[...])`` serves until it is stopped.

    ``before_end`` is called when a signal ends it, before its connections close.
    X-Forwarded headers count only from the proxies named in ``FORWARDED_ALLOW_IPS``, since any
    local process could send them.
    """
    import uvicorn

    proxies = os.environ.get(PROXIES, "")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        use_colors=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=10,
    )

    class EndingServer(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            before_end()
            super().handle_exit(sig, frame)

    return EndingServer(config)
