"""Serving the web page: its address, its log-in and the port it listens on.

A host that others could reach is refused without a log-in, because whoever reaches the page
reads and changes the memories behind it.
"""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel
from siliconfriend.origins import LOOPBACK
from siliconfriend.passwords import Authenticator, PasswordFile
from siliconfriend.texts import text

from .access.log_in import LogIn
from .backend import Backend
from .look.theme import theme
from .own_routes import own_routes
from .page import PANELS, build
from .privacy import launch_switches
from .request_guard import RequestGuard
from .shell.first_paint import FirstPaint
from .shell.shell import Shell


def launch(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    auth: Path | None = None,
    clock: Clock | None = None,
    chat: ChatModel | None = None,
    block: bool = True,
) -> tuple[Any, str]:
    """Serve the page.

    Args:
        settings: name the data directory, the companion and the model.
        host: the address to listen on.
        port: 0 takes any free port; None the first free one from 7860 on.
        auth: a file of passwords; None serves without a log-in.
        clock: the machine's own unless given.
        chat: opened from the settings unless given.
        block: wait until the page is closed.

    Returns:
        The Gradio blocks (``close()`` ends them) and the page's address.

    Raises:
        ConfigurationError: a host that others could reach, with no log-in; a file of
            passwords that cannot be read or is empty; or a port that is taken.
    """
    guard = None if auth is None else Authenticator(PasswordFile(auth))
    backend = Backend(settings, clock or SystemClock(), chat, log_in=guard is not None)
    if host not in LOOPBACK and not backend.log_in:
        raise ConfigurationError("web_only_loopback", host=host)
    log_in = open_log_in(backend, guard)
    page, labels = build(backend)
    shell = Shell(backend, labels, tuple(PANELS), log_in)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=free_port() if port == 0 else port,
            theme=theme(),
            auth=None if log_in is None else _refuse_log_in,
            quiet=True,
            prevent_thread_lock=True,
            **launch_switches(
                settings.home,
                [
                    Middleware(RequestGuard, language=settings.language, log_in=log_in),
                    Middleware(FirstPaint, shell=shell),
                ],
                own_routes(backend, log_in),
            ),
        )
    except OSError as error:
        raise ConfigurationError("web_port", host=host, port=port, cause=error) from error
    if block:
        print(text("web", "opens_at", settings.language, url=url), flush=True)
        _wait_for_end()
        page.close(verbose=False)
    return page, url


def open_log_in(backend: Backend, guard: Authenticator | None) -> LogIn | None:
    """Return what logs people in; None where whoever reaches the page may use it.

    Args:
        backend: of the page.
        guard: checks passwords; those that all front ends share unless given.
    """
    if not backend.log_in:
        return None
    shared = backend.runtime.shared
    guard = guard or Authenticator(shared.passwords)
    return LogIn(guard, backend.settings.language, shared.sessions(), shared.login_limits)


def _wait_for_end() -> None:
    """Wait until the program is interrupted, or told to end as a service is."""
    over = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: over.set())
    try:
        while not over.wait(1):  # without end no interrupt would come through on Windows
            pass
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def _refuse_log_in(_name: str, _password: str) -> bool:
    """Refuse whoever logs in at Gradio's own form, which :class:`LogIn` stands before."""
    return False


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
