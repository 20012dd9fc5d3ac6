"""Lay out the page: its panels as Gradio's blocks, and the HTML around them.

Gradio's own HTML is empty until its scripts run, and English; here it gets the header, the bar of
panels and the data of the scripts, in the visitor's language.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import Language, area

from . import companions, fading, memories, model, night, portrait
from .backend import USER, Backend
from .components import gr
from .log_in import asked_query
from .static import address, icon, template, token_colours
from .words import LANGUAGE_NAMES, LOCALES, plain, say, script_json

COLOURS_COOKIE = "sf-colours"
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
    """All panels; closing keeps what is being said before the server ends.

    Args:
        backend: of the page.
    """

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
    """Puts the shell around what Gradio answers at ``/``.

    Args:
        app: the next ASGI application.
        backend: of the page.
    """

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
            companion = self._backend.companion_of(request)
        except SiliconFriendError as error:
            return PlainTextResponse(error.message(self._backend.language_of(request)), 404)
        answer = await call_next(request)
        body = b"".join([part async for part in answer.body_iterator]).decode()
        page = _wrap(body, self._backend, request, companion)
        return HTMLResponse(page, answer.status_code, {"cache-control": "no-store"})


def _wrap(page: str, backend: Backend, connection: HTTPConnection, companion: str) -> str:
    language = backend.language_of(connection)
    name = companion_name(backend.settings, companion, language)
    colours = connection.cookies.get(COLOURS_COOKIE)
    chosen = f' data-colours="{colours}"' if colours in ("light", "dark") else ""
    page = page.replace('lang="en"', f'lang="{LOCALES[language]}" data-panel="chat"{chosen}', 1)
    page = re.sub(r"<meta\s+(?:property|name)=\"(?:og|twitter):[^>]*>", "", page)
    page = page.replace('<link rel="manifest" href="/manifest.json" />', "", 1)
    page = page.replace(
        "shrink-to-fit=no", "viewport-fit=cover, interactive-widget=resizes-content"
    )
    page = page.replace("<head>", f"<head>{_speaks(language)}", 1)
    page = page.replace("</head>", f"{_head(backend, name, connection)}</head>", 1)
    before, start, rest = page.partition("<gradio-app")
    inside, end, after = rest.partition("</gradio-app>")
    shell = _shell(backend, connection, companion, language)
    return f"{before}{shell}{start}{inside}{end}</div>{after}"


def _speaks(language: Language) -> str:
    """Let Gradio's own labels speak the page's language, and not the browser's."""
    locale = LOCALES[language]
    return (
        f'<script>for (const [name, value] of [["language", "{locale}"], '
        f'["languages", ["{locale}"]]]) Object.defineProperty(navigator, name, {{value}});</script>'
    )


def _head(backend: Backend, name: str, connection: HTTPConnection) -> str:
    light, dark = token_colours("surface")
    hidden = "".join(
        f'html:not([data-panel="{panel}"]) #panel-{panel} {{ display: none !important; }}'
        for panel in PANELS
    )
    return template(
        "head.html",
        name=plain(name),
        about=plain(say("install_about", backend.language_of(connection), companion=name)),
        light=light,
        dark=dark,
        files=address().rstrip("/"),
        hidden=hidden,
    )


def _shell(backend: Backend, connection: HTTPConnection, companion: str, language: Language) -> str:
    name = companion_name(backend.settings, companion, language)
    other: Language = "en" if language == "cn" else "cn"
    links = "".join(
        f'<a href="#/{panel}" data-panel="{panel}">{icon(panel)}'
        f"<span>{plain(say(f'tabs.{panel}', language))}</span></a>"
        for panel in PANELS
    )
    data = {
        "person": connection.scope[USER],
        "companion": companion,
        "name": name,
        "picture": companions.picture_address(backend, companion),
        "texts": area("web", language)["talk"],
    }
    words = {key: plain(value) for key, value in area("web", language)["shell"].items()}
    return template(
        "shell.html",
        **words,
        name=plain(name),
        person=plain(connection.scope[USER]),
        avatar=plain(data["picture"]),
        switch=LANGUAGE_NAMES[other],
        other=plain(asked_query(connection, language=other)),
        other_lang=LOCALES[other],
        links=links,
        data=script_json(data),
        notice="".join(f"<p>{plain(it)}</p>" for it in _notice(backend, name, language)),
        icon_colours=icon("day"),
        icon_about=icon("about"),
        icon_who=icon("portrait"),
    )


def _notice(backend: Backend, name: str, language: Language) -> list[str]:
    """Return who can read what is said, and which model hears it: this is an AI."""
    key = "notice_log_in" if backend.log_in else "notice"
    first = say(key, language, companion=name, home=backend.settings.home)
    return [first, backend.hears(language) or say("hears_offline", language)]
