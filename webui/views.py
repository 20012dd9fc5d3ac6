"""The views whose events go to a route of the page itself, so that they need no panel of Gradio's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.routing import APIRoute
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from . import companions, curve, importing, model_choice, sample, search, you
from .backend import Backend
from .components import View, answers

PREFIX = "/views/"
VIEWS: dict[str, View] = {
    "model": model_choice.view,
    "search": search.view,
    "you": you.view,
    "sample": sample.view,
    "import": importing.view,
    "card": companions.card_view,
    "curve": curve.view,
}
"""The views by the id of their element."""


def view_routes(backend: Backend) -> list[BaseRoute]:
    """Return one route for each view; it answers one JSON document a line."""

    def responding(view: View) -> Any:
        async def respond(request: Request) -> Response:
            async with request.form(max_files=1) as form:
                event = json.loads(str(form.get("event") or "{}"))
                if (file := form.get("file")) is not None and not isinstance(file, str):
                    event["file"], event["file_name"] = await file.read(), file.filename or ""
            backend.visit(request, event.get("person", ""))

            async def lines() -> AsyncIterator[str]:
                steps = await run_in_threadpool(answers, backend, request, view, event)
                async for told in iterate_in_threadpool(steps):
                    yield f"{json.dumps(told, ensure_ascii=False)}\n"

            return StreamingResponse(lines(), media_type="application/x-ndjson")

        return respond

    return [
        APIRoute(PREFIX + name, responding(view), methods=["POST"]) for name, view in VIEWS.items()
    ]
