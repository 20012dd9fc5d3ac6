"""The HTML of the page: the header, the bar of panels and the talk, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import sentences

from . import model_choice
from .backend import Backend, Visit
from .log_in import language_link
from .static import FOLDER, WORKER, address, icon, template
from .words import html_attributes, plain

PANELS = ("chat", "memories", "story", "companions")
"""The panels in the order of the bar; all but the talk are Gradio's, loaded when opened."""


def page_routes(backend: Backend, drawn: Callable[[], None]) -> list[BaseRoute]:
    """Return the routes of the page, of its manifest, and of who is logged in.

    ``drawn`` is called with each page.
    """

    def page(request: Request) -> Response:
        try:
            page = _draw(backend.visit(request), request)
        except SiliconFriendError as error:  # there is no such companion
            return PlainTextResponse(error.message(backend.language_of(request)), 404)
        drawn()
        return HTMLResponse(page)

    def session(_request: Request) -> Response:
        return Response(status_code=204)

    def manifest(request: Request) -> Response:
        visit = backend.visit(request)
        name, query = visit.companion_name, request.url.query
        files = address()
        icons = [
            {"src": f"{files}icon-{size}.png", "sizes": f"{size}x{size}", "purpose": purpose}
            for size in (192, 512)
            for purpose in ("any", "maskable")
        ]
        told = {
            "name": name,
            "short_name": name,
            "description": visit.say("install_about", companion=name),
            "start_url": f"./?{query}",
            "scope": "./",
            "display": "standalone",
            "background_color": "#faf6ef",
            "theme_color": "#fffdf9",
            "icons": icons,
        }
        return JSONResponse(told, media_type="application/manifest+json")

    def worker(_request: Request) -> Response:
        return FileResponse(FOLDER / "worker.js")

    found = {"/": page, "/session": session, "/manifest.webmanifest": manifest, WORKER: worker}
    return [Route(path, answer) for path, answer in found.items()]


def _draw(visit: Visit, request: Request) -> str:
    backend, language, person = visit.backend, visit.language, visit.scope.person
    texts, name = sentences("web", language), visit.companion_name
    links = "".join(
        f'<a href="#/{panel}" data-panel="{panel}">{icon(panel)}'
        f"<span>{visit.html(f'tabs.{panel}')}</span></a>"
        for panel in PANELS
    )
    data = {"person": person, "companion": visit.scope.companion, "texts": texts["talk"]}
    data["notices"] = backend.notices.key if backend.notices else ""
    # Who can read what is said, and which model hears it: this is an AI.
    key = "notice_log_in" if backend.log_in else "notice"
    notice = visit.html(key, companion=name, home=backend.settings.home)
    hears = backend.hears(language) or visit.say("hears_offline")
    icons = ("day", "about", "aside", "portrait", "search", "down")
    return template(
        "page.html",
        **{key: plain(value) for key, value in texts["shell"].items()},
        **{f"talk_{key}": plain(value) for key, value in texts["talk"].items()},
        lang=html_attributes(request, language),
        files=address().rstrip("/"),
        manifest=plain(f"./manifest.webmanifest?{request.url.query}"),
        name=plain(name),
        person=plain(person),
        avatar=plain(visit.picture),
        install_about=visit.html("install_about", companion=name),
        model=model_choice.button_of(visit),
        switch=language_link(request, language, 'id="sf-language"'),
        links=links,
        data=plain(json.dumps(data, ensure_ascii=False)),
        notice=f"<p>{notice}</p><p>{plain(hears)}</p>",
        **{f"icon_{name}": icon(name) for name in icons},
    )
