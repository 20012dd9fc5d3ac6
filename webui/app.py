"""Serve the page: address, log-in and Gradio's settings.

A host that others could reach is refused without a log-in.
"""

from __future__ import annotations

import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, SiliconFriendError
from siliconfriend.installation.installation import accounts_in
from siliconfriend.models.base import ChatModel
from siliconfriend.origins import LOOPBACK

from .backend import USER, Backend
from .carrying import export_route
from .companions import companion_routes
from .components import LABELS
from .guard import MOST_UPLOADED, Guard
from .log_in import LogIn
from .page import FirstHtml, Page
from .static import static_route
from .talk import talk_routes
from .theme import theme
from .words import say


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
    guard = None if auth is None else accounts_in(auth).passwords.check()
    backend = Backend(settings, clock or SystemClock(), chat, log_in=guard is not None)
    if host not in LOOPBACK and not backend.log_in:
        raise ConfigurationError("web_only_loopback", host=host)
    if backend.log_in and guard is None:
        guard = backend.installation.passwords.check()
    log_in, page = LogIn(backend, guard), Page(backend)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=_free_port() if port == 0 else port,
            theme=theme(),
            i18n=LABELS,
            auth_dependency=lambda request: request.scope.get(USER),
            app_kwargs={
                "exception_handlers": {SiliconFriendError: backend.refuse},
                "middleware": [
                    Middleware(Guard, backend=backend, log_in=log_in),
                    Middleware(FirstHtml, backend=backend),
                ],
                "routes": [
                    static_route(),
                    export_route(backend),
                    *talk_routes(backend),
                    *companion_routes(backend),
                ],
            },
            blocked_paths=[str(settings.home.resolve())],
            max_file_size=MOST_UPLOADED,
            quiet=True,
            prevent_thread_lock=True,
            share=False,
            run_history=False,
            enable_monitoring=False,
            ssr_mode=False,
            pwa=False,
            mcp_server=False,
            footer_links=[],
        )
    except OSError as error:
        raise ConfigurationError("web_port", host=host, port=port, cause=error) from error
    if block:
        print(say("opens_at", settings.language, url=url), flush=True)
        _wait_for_end()
        page.close(verbose=False)
    return page, url


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _wait_for_end() -> None:
    """Wait until the program is interrupted, or told to end as a service is."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        while True:
            time.sleep(1)
