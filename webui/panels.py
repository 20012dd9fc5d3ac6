"""Gradio's application: the panels beside the talk, imported and built when one is first opened."""

import asyncio
import os
from functools import cache
from threading import Lock, Timer
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from .guard import PANELS
from .rendering import address

VIEWS = {"memories": ("memories",), "story": ("night", "story"), "companions": ("companions",)}
"""The views of each panel, from top to bottom; their events go to the routes of ``views.py``."""
WARM_AFTER_SECONDS = 8.0
"""Seconds after the first page, when its first message has mostly been answered."""
_LOCK = Lock()


class Panels:
    """Answers with Gradio's application (ASGI)."""

    def __init__(self) -> None:
        self._timer: Timer | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer; the first request waits until Gradio is loaded."""
        app = await run_in_threadpool(load)
        if scope["path"] == PANELS:
            scope = {**scope, "path": "/", "raw_path": b"/"}
        await app(scope, receive, send)

    def warm(self) -> None:
        """Import Gradio in the background after a delay, so that the first panel opens quickly."""
        if self._timer is None:
            self._timer = Timer(WARM_AFTER_SECONDS, load)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Cancel the delayed import."""
        if self._timer is not None:
            self._timer.cancel()


def load() -> Any:
    """Return Gradio's application, built at the first call."""
    with _LOCK:
        return _built()


@cache
def _built() -> Any:
    async def build() -> Any:
        # Set before the import: otherwise Gradio contacts hosts on the internet.
        os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
        import gradio as gr

        with gr.Blocks(analytics_enabled=False, fill_width=True) as blocks:
            for panel, views in VIEWS.items():
                with gr.Column(elem_id=f"panel-{panel}", elem_classes="sf-panel"):
                    for name in views:
                        gr.HTML(
                            html_template='<div class="sf-view"></div><div class="sf-status" role="status"></div>',
                            js_on_load=f"import(new URL('{address('view.js')}', document.baseURI))"
                            f".then((script) => script.start(element, '{name}', '{panel}'));",
                            elem_id=name,
                            elem_classes="sf-view-block",
                            apply_default_css=False,
                        )
        theme = gr.themes.Base(font=["inherit"], font_mono=["monospace"])
        how: Any = {"footer_links": [], "ssr_mode": False, "theme": theme}
        return gr.mount_gradio_app(FastAPI(openapi_url=None), blocks, "", **how)

    # Without a running loop Gradio makes one for each of its locks and closes none.
    return asyncio.run(build())
