"""The routes of the views: each gets the events of one element, and answers with what to show."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import File, Form, UploadFile
from fastapi.routing import APIRoute
from pydantic import Json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from siliconfriend.errors import SiliconFriendError

from . import companions, curve, importing, memories, model_choice, sample, story, you
from .backend import Backend
from .components import STEPS, View, ViewEvent, shown
from .words import error_words

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
    def respond(
        request: Request,
        event: Annotated[Json[ViewEvent], Form()],
        file: Annotated[Sequence[UploadFile], File()] = (),
    ) -> Response:
        visit = backend.visit(request, event.get("person", ""))
        event["files"] = [(each.filename or "", each.file.read()) for each in file]

        def refused(error: SiliconFriendError) -> str:
            return _line(shown(status=error_words(error, visit.language)))

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

        return StreamingResponse(lines(), media_type=STEPS)

    return respond


def _line(told: dict[str, Any]) -> str:
    return f"{json.dumps(told, ensure_ascii=False)}\n"
