"""Gradio's application, imported and built when a panel is first opened."""

import asyncio
from functools import cache
from threading import Lock, Timer
from typing import Any

# Whole before any reply: OpenAI's client asks for it while it streams, and Gradio imports it late.
import httpx  # noqa: F401
from starlette.concurrency import run_in_threadpool

from .guard import PANELS

WARM_AFTER_SECONDS = 8.0
"""Seconds after the first page, when its first message has mostly been answered."""
_LOCK = Lock()


class Panels:
    """Answers with Gradio's application (ASGI)."""

    def __init__(self) -> None:
        self._timer: Timer | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer; the first request waits until Gradio is loaded."""
        app = await run_in_threadpool(_load)
        if scope["path"] == PANELS:
            scope = {**scope, "path": "/", "raw_path": b"/"}
        await app(scope, receive, send)

    def warm(self) -> None:
        """Import Gradio in the background after a delay, so that the first panel opens quickly."""
        if self._timer is None:
            self._timer = Timer(WARM_AFTER_SECONDS, _load)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Cancel the delayed import."""
        if self._timer is not None:
            self._timer.cancel()


def _load() -> Any:
    with _LOCK:
        return _build()


@cache
def _build() -> Any:
    async def load() -> Any:
        from . import gradio_panels

        return gradio_panels.build()

    # Without a running loop Gradio makes one for each of its locks and closes none.
    return asyncio.run(load())
