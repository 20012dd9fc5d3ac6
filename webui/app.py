"""Serve the page: address, log-in and Gradio's settings.

A host that others could reach is refused without a log-in.
"""

from __future__ import annotations

import signal
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, SiliconFriendError
from siliconfriend.installation.installation import installation_in
from siliconfriend.models.base import ChatModel
from siliconfriend.origins import LOOPBACK

from .backend import USER, Backend
from .carrying import export_route
from .companions import companion_routes
from .components import LABELS, gr
from .guard import MOST_UPLOADED, Guard
from .log_in import LogIn
from .page import FirstHtml, Page
from .static import static_route
from .talk import talk_routes
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
    guard = None if auth is None else installation_in(auth.parent, auth.name).passwords.check()
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
            theme=_theme(),
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
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as a service is ended
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
        page.close(verbose=False)
    return page, url


_COLOURS = {
    "surface": "background_fill_primary input_background_fill input_background_fill_focus "
    "checkbox_background_color button_secondary_background_fill",
    "raised": "button_secondary_background_fill_hover",
    "ink": "body_text_color button_secondary_text_color",
    "soft": "body_text_color_subdued block_title_text_color input_placeholder_color",
    "line": "border_color_primary",
    "edge": "input_border_color checkbox_border_color "
    "button_secondary_border_color button_secondary_border_color_hover",
    "accent": "color_accent input_border_color_focus slider_color "
    "checkbox_background_color_selected checkbox_border_color_selected "
    "checkbox_border_color_hover button_primary_background_fill button_primary_border_color",
    "accent-strong": "button_primary_background_fill_hover",
    "on-accent": "button_primary_text_color",
    "radius-m": "block_radius input_radius button_large_radius",
}
_PLAIN = {
    "none": "block_background_fill",
    "0px": "block_border_width block_padding form_gap_width",
    "1px": "input_border_width checkbox_border_width button_border_width",
    "1rem": "input_text_size",
}


def _theme() -> Any:
    """Return Gradio's plainest theme with the page's tokens, the same by day and by night."""
    steps = (50, *range(100, 1000, 100), 950)
    greys = {f"c{it}": f"var(--sf-{'line' if it < 400 else 'soft'})" for it in steps}
    neutral = gr.themes.Color(**greys)
    accent = gr.themes.Color(**{f"c{it}": "var(--sf-accent)" for it in steps})
    theme: Any = gr.themes.Base(
        primary_hue=accent, secondary_hue=accent, neutral_hue=neutral, font=["var(--sf-font)"]
    )
    values = {f"var(--sf-{token})": names for token, names in _COLOURS.items()} | _PLAIN
    theme.set(**{name: value for value, names in values.items() for name in names.split()})
    for name, value in list(vars(theme).items()):
        if not name.startswith("_") and hasattr(theme, f"{name}_dark"):
            is_own = isinstance(value, str) and f"*{name}" in value
            setattr(theme, f"{name}_dark", None if is_own else value)
    return theme


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
