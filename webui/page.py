"""The routes of the page itself, of its manifest and of its service worker."""

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import sentences

from .backend import Backend, Visit
from .rendering import FILES, WORKER
from .sample import sample_name
from .words import page_values

PANELS = ("chat", "memories", "story", "companions")
"""The panels in the order of the bar; all but the talk are Gradio's, loaded when opened."""


def page_routes(backend: Backend, drawn: Callable[[], None]) -> list[BaseRoute]:
    """Return the routes of the page, its manifest, its worker, and the check of the log-in.

    ``drawn`` is called with each page.
    """

    def page(request: Request) -> Response:
        try:
            visit = backend.visit(request)
            page = _draw(visit, request)
        except SiliconFriendError as error:  # there is no such companion
            return PlainTextResponse(error.message(backend.language_of(request)), 404)
        drawn()
        visit.prepare()
        return HTMLResponse(page)

    def session(_request: Request) -> Response:
        return Response(status_code=204)

    def manifest(request: Request) -> Response:
        drawn = backend.visit(request).draw("manifest.json")
        return Response(drawn, media_type="application/manifest+json")

    def worker(_request: Request) -> Response:
        return FileResponse(FILES / "worker.js")

    found = {"/": page, "/session": session, "/manifest.webmanifest": manifest, WORKER: worker}
    return [Route(path, answer) for path, answer in found.items()]


def _draw(visit: Visit, request: Request) -> str:
    backend, language = visit.backend, visit.language
    data: dict[str, Any] = {"person": visit.scope.person, "companion": visit.scope.companion}
    data["texts"] = sentences("web", language)["talk"]
    data["notices"] = backend.notices.key if backend.notices else ""
    # Tells who can read the messages and which model receives them: this is an AI.
    key = "notice_log_in" if backend.log_in else "notice"
    return visit.draw(
        "page.html",
        **page_values(request, language),
        manifest=f"./manifest.webmanifest?{request.url.query}",
        panels=PANELS,
        is_new=visit.memory is None or not any(visit.memory.days),
        sample=sample_name(language),
        data=json.dumps(data, ensure_ascii=False),
        notice=visit.say(key, companion=visit.companion_name, home=backend.settings.home),
        hears=visit.hears(),
    )
