"""Lay out the page: its panels as Gradio's blocks, and the HTML around them.

Gradio's own HTML is empty until its scripts run, and English; here it gets the header, the bar of
panels and the data of the scripts, in the visitor's language.
"""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import area

from . import companions, fading, memories, model, night, portrait
from .backend import Backend, Visit
from .components import gr
from .log_in import language_link
from .static import address, icon, template
from .words import LOCALES, html_attributes, plain

PATIENCE_SECONDS = 5.0
"""Seconds to wait for each running reply when the page closes."""
PANELS = {
    "chat": model.lay_out,
    "memories": memories.lay_out,
    "portrait": portrait.lay_out,
    "fading": fading.lay_out,
    "night": night.lay_out,
    "companions": companions.lay_out,
}
"""Layout functions of the panels, in the order of the bar."""


class Page(gr.Blocks):
    """All panels; closing keeps what is being said before the server ends."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        super().__init__(analytics_enabled=False, delete_cache=(3600, 3600), fill_width=True)
        with self:
            for panel, lay_out in PANELS.items():
                with gr.Column(elem_id=f"panel-{panel}", elem_classes="sf-panel"):
                    lay_out(backend)
        self.queue(default_concurrency_limit=None)

    def close(self, verbose: bool = True) -> None:
        """End the replies, then the server, which waits for those who follow."""
        self._backend.close(PATIENCE_SECONDS)
        super().close(verbose)


class FirstHtml(BaseHTTPMiddleware):
    """Puts the shell around what Gradio answers at ``/``."""

    def __init__(self, app: Any, *, backend: Backend) -> None:
        super().__init__(app)
        self._backend = backend

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass every other request on as it is."""
        is_page = scope["type"] == "http" and (scope["method"], scope["path"]) == ("GET", "/")
        await (super().__call__ if is_page else self.app)(scope, receive, send)

    async def dispatch(self, request: Request, call_next: Any) -> Response:
        """Answer with the page, or that there is no such companion."""
        try:
            visit = self._backend.visit(request)
        except SiliconFriendError as error:
            return PlainTextResponse(error.message(self._backend.language_of(request)), 404)
        answer = await call_next(request)
        body = b"".join([part async for part in answer.body_iterator]).decode()
        page = _wrap(body, visit, request)
        return HTMLResponse(page, answer.status_code)


def _wrap(page: str, visit: Visit, request: Request) -> str:
    locale, name = LOCALES[visit.language], visit.companion_name
    page = page.replace(
        'lang="en"', f'{html_attributes(request, visit.language)} data-panel="chat"', 1
    )
    page = re.sub(r"<meta\s+(?:property|name)=\"(?:og|twitter):[^>]*>", "", page)
    # They would take ?companion away, and give the page Gradio's title.
    page = re.sub(r'<link rel="manifest"[^>]*>|<base [^>]*>|control_page_title="true"', "", page)
    page = page.replace(
        "shrink-to-fit=no", "viewport-fit=cover, interactive-widget=resizes-content"
    )
    about, files = visit.html("install_about", companion=name), address().rstrip("/")
    head = template("head.html", name=plain(name), about=about, files=files, locale=locale)
    page = page.replace("</head>", f"{head}</head>", 1)
    page = page.replace("<gradio-app", f"{_shell(visit, request, name)}<gradio-app", 1)
    return page.replace("</gradio-app>", "</gradio-app></div>", 1)


def _shell(visit: Visit, request: Request, name: str) -> str:
    backend, language, person = visit.backend, visit.language, visit.scope.person
    texts = area("web", language)
    links = "".join(
        f'<a href="#/{panel}" data-panel="{panel}">{icon(panel)}'
        f"<span>{visit.html(f'tabs.{panel}')}</span></a>"
        for panel in PANELS
    )
    data = {"person": person, "companion": visit.scope.companion, "texts": texts["talk"]}
    # Who can read what is said, and which model hears it: this is an AI.
    key = "notice_log_in" if backend.log_in else "notice"
    notice = visit.html(key, companion=name, home=backend.settings.home)
    hears = backend.hears(language) or visit.say("hears_offline")
    return template(
        "shell.html",
        **{key: plain(value) for key, value in texts["shell"].items()},
        **{f"talk_{key}": plain(value) for key, value in texts["talk"].items()},
        name=plain(name),
        person=plain(person),
        avatar=plain(visit.picture),
        switch=language_link(request, language, 'id="sf-language"'),
        links=links,
        data=plain(json.dumps(data, ensure_ascii=False)),
        notice=f"<p>{notice}</p><p>{plain(hears)}</p>",
        **{f"icon_{it}": icon(it) for it in ("day", "about", "aside", "portrait")},
    )
