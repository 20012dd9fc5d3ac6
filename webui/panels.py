"""Gradio's application, imported and built when a panel is first opened."""

from __future__ import annotations

import asyncio
from threading import Lock, Timer
from typing import Any

from starlette.concurrency import run_in_threadpool

from .backend import Backend
from .guard import PANELS

WARM_AFTER_SECONDS = 8.0
"""Seconds after the first page, when its first message has mostly been answered."""


class Panels:
    """Answers with Gradio's application (ASGI)."""

    def __init__(self, backend: Backend) -> None:
        self._backend, self._lock = backend, Lock()
        self._built: tuple[Any, Any] | None = None
        self._app: Any = None
        self._timer: Timer | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer; the first request waits until Gradio is loaded."""
        if self._app is None:
            blocks, app = await run_in_threadpool(self._build)
            if self._app is None:  # on the serving event loop, which Gradio's queue requires
                blocks.run_startup_events()
                await blocks.run_extra_startup_events()
                self._app = app
        if scope["path"] == PANELS:
            scope = {**scope, "path": "/", "raw_path": b"/"}
        await self._app(scope, receive, send)

    def warm(self) -> None:
        """Import Gradio in the background after a delay, so that the first panel opens quickly."""
        if self._timer is None:
            self._timer = Timer(WARM_AFTER_SECONDS, _import_gradio)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Cancel the delayed import."""
        if self._timer is not None:
            self._timer.cancel()

    def _build(self) -> tuple[Any, Any]:
        with self._lock:
            if self._built is None:
                self._built = _import_gradio(self._backend)
            return self._built


def _import_gradio(backend: Backend | None = None) -> Any:
    """Import Gradio's panels, and build them for a backend."""

    async def load() -> Any:
        from . import gradio_panels

        return gradio_panels.build(backend) if backend else None

    # Without a running loop Gradio makes one for each of its locks and closes none.
    return asyncio.run(load())
