"""The switches that keep Gradio from talking to anyone but the person.

Gradio asks hosts on the internet about itself when it is imported, keeps chats in the
browser's storage and offers to share them. All of that is turned off here, in one place;
the rest of the package takes ``gr`` from here, because the first switch works only before
the library's first import.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from .gradio_import import no_collection, no_stubs

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

with no_stubs(), no_collection():
    import gradio as gr
    from gradio.routes import App

__all__ = ["PRIVATE", "App", "gr", "launch_switches"]

PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
"""The switches of every event: no program is offered it, and nothing covers what it fills."""


CONTENT_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "frame-ancestors 'self'; form-action 'self'; base-uri 'self'; object-src 'none'"
)
"""What the browser may load: nothing that is not this page's own. Gradio needs inline code."""


class OwnContentOnly:
    """Adds to every answer that the browser may load nothing from elsewhere (ASGI)."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the request on, and the answer back with the headers."""

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", CONTENT_POLICY.encode()),
                    # With none at all a browser would name no origin of the log-in form.
                    (b"referrer-policy", b"same-origin"),
                    (b"x-content-type-options", b"nosniff"),
                    (b"x-frame-options", b"SAMEORIGIN"),
                    (b"cross-origin-opener-policy", b"same-origin"),
                    (b"permissions-policy", b"camera=(), geolocation=(), payment=(), usb=()"),
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers)


def launch_switches(
    home: Path, doors: Sequence[Middleware] = (), routes: Sequence[BaseRoute] = ()
) -> dict[str, Any]:
    """What ``Blocks.launch`` is told.

    Nothing is shared or kept in the browser, there are no API pages and no outside fonts,
    and the data directory is never served as files. ``doors`` stand before the page, and
    ``routes`` before Gradio's own.
    """
    return {
        "app_kwargs": {
            "middleware": [Middleware(OwnContentOnly), *doors],
            "routes": list(routes),
        },
        "share": False,
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "pwa": False,
        "mcp_server": False,
        "footer_links": [],
        "blocked_paths": [str(home.resolve())],
    }
