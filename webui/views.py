"""The routes of the views: each gets the events of one element, and answers with what to show."""

import json
from typing import Any

from fastapi.routing import APIRoute
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from siliconfriend.errors import SiliconFriendError

from . import companions, curve, importing, memories, model_choice, sample, story, you
from .backend import Backend
from .components import STEPS, View, ViewEvent, shown

PREFIX = "/views/"
VIEWS: dict[str, View] = {
    "memories": memories.view,
    "night": story.night_view,
    "story": story.view,
    "companions": companions.view,
    "model": model_choice.view,
    "search": memories.search_view,
    "you": you.view,
    "sample": sample.view,
    "import": importing.view,
    "card": companions.card_view,
    "curve": curve.view,
}
"""The views by the id of their element."""


def view_routes(backend: Backend) -> list[BaseRoute]:
    """Return one route for each view; it answers with a JSON document, or one a line."""
    return [
        APIRoute(PREFIX + name, _responding(backend, view), methods=["POST"])
        for name, view in VIEWS.items()
    ]


def _responding(backend: Backend, view: View) -> Any:
    def respond(request: Request, event: ViewEvent) -> Response:
        visit = backend.visit(request, event.get("person", ""))

        def refused(error: SiliconFriendError) -> str:
            return _line(shown(status=error.message(visit.language)))

        try:
            told = view(visit, event)
        except SiliconFriendError as error:
            return Response(refused(error), media_type="application/json")
        if isinstance(told, dict):
            return Response(_line(told), media_type="application/json")

        def lines() -> Any:
            try:
                yield from map(_line, told)
            except SiliconFriendError as error:
                yield refused(error)

        return StreamingResponse(iterate_in_threadpool(lines()), media_type=STEPS)

    async def answer(request: Request) -> Response:
        async with request.form(max_files=1) as form:
            event = json.loads(str(form.get("event") or "{}"))
            if (file := form.get("file")) is not None and not isinstance(file, str):
                event["file"], event["file_name"] = await file.read(), file.filename or ""
        return await run_in_threadpool(respond, request, event)

    return answer


def _line(told: dict[str, Any]) -> str:
    return f"{json.dumps(told, ensure_ascii=False)}\n"
