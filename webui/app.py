"""The web page, put together from its panels and served.

Nothing here decides anything about memory; that is all done by the package's classes.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, SiliconFriendError
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.passwords import Guard
from siliconfriend.texts import LANGUAGES, Language, text

from .backend import Backend
from .cards import plain, quiet
from .chat_panel import ChatPanel
from .fading import FadingPanel
from .import_export import ImportExportPanel
from .labels import Labels, say
from .memories import MemoriesPanel
from .memory_actions import PRIVATE
from .night import NightPanel
from .portrait import PortraitPanel
from .privacy import LOOPBACK, gr, launch_switches
from .request_guard import RequestGuard
from .style import CSS, HEAD

TITLES = {it: text("web", "title", it) for it in LANGUAGES}
TURN_PAGE = """
(language) => {
    document.documentElement.lang = language === 'cn' ? 'zh-CN' : 'en';
    document.title = TITLES[language];
}
""".replace("TITLES", json.dumps(TITLES))
"""Tells the browser which language the page is in, for its fonts and for screen readers."""

LANGUAGE_NAMES: list[tuple[str, Language]] = [("English", "en"), ("中文", "cn")]


def build(backend: Backend) -> Any:
    """The page as Gradio blocks, not yet served."""
    settings = backend.settings
    labels = Labels(settings.language)
    with gr.Blocks(
        title=text("web", "title", settings.language),
        analytics_enabled=False,
        delete_cache=(3600, 3600),
    ) as page:
        with gr.Row(elem_id="top"):
            labels.make(gr.Markdown, {"value": "heading"}, elem_id="heading")
            language = labels.make(
                gr.Radio,
                {"label": "language"},
                choices=LANGUAGE_NAMES,
                value=settings.language,
                show_label=False,
                container=False,
                elem_id="language",
                scale=0,
                min_width=220,
            )
        notice = gr.HTML(notice_of(backend, settings.language), elem_id="notice")
        person = gr.State("")
        # The name and the language alone stay in the browser, so that a reload goes on.
        kept = gr.BrowserState({"name": "", "language": settings.language}, storage_key="sf-who")
        labels.make(
            gr.Button,
            {"value": "log_out"},
            link="/logout",
            size="sm",
            visible=backend.log_in,
            elem_id="log-out",
        )
        with gr.Row(elem_id="person-row", visible=not backend.log_in):
            name = labels.make(
                gr.Textbox,
                {"label": "name", "placeholder": "name_hint"},
                value=settings.user or "",
                show_label=False,
                container=False,
                elem_id="name",
            )
            start = labels.make(
                gr.Button,
                {"value": "start"},
                variant="primary",
                elem_id="start",
                scale=0,
                min_width=110,
            )
        with gr.Tabs(overflow_behavior="wrap") as tabs:
            panels: list[tuple[Any, Any]] = []
            for key, kind in (
                ("chat", ChatPanel),
                ("memories", MemoriesPanel),
                ("portrait", PortraitPanel),
                ("fading", FadingPanel),
                ("night", NightPanel),
            ):
                with labels.make(
                    gr.Tab, {"label": f"tabs.{key}"}, id=key, elem_id=f"tab-{key}"
                ) as tab:
                    panel = kind(backend, labels, person, language)
                    if key == "memories":
                        import_export = ImportExportPanel(backend, labels, person, language)
                panels.append((tab, panel))
        labels.personal(tabs, selected="chat")
        _wire(page, backend, labels, _Header(name, start, person, language, kept, notice), panels)
        import_export.imported.then(
            panels[1][1].show, panels[1][1].inputs, panels[1][1].outputs, **PRIVATE
        )
    return page


class _Header:
    """The parts above the panels."""

    def __init__(
        self, name: Any, start: Any, person: Any, language: Any, kept: Any, notice: Any
    ) -> None:
        self.name, self.start, self.person = name, start, person
        self.language, self.kept, self.notice = language, kept, notice


def _wire(
    page: Any, backend: Backend, labels: Labels, header: _Header, panels: list[tuple[Any, Any]]
) -> None:
    chat = panels[0][1]
    show_chat = (chat.show, chat.inputs, chat.outputs)

    def begin(given: str, spoken: Language, before: str) -> list[Any]:
        try:
            clean = Scope.of(given).person
        except SiliconFriendError as error:
            gr.Warning(plain(error.message(spoken)), title="")
            clean = ""
        # Else what one person saw would stand there for the next one who begins.
        own = [gr.skip()] * len(labels.personals) if clean == before else labels.blanks()
        return [clean, clean or gr.skip(), {"name": clean, "language": spoken}, *own]

    def again(kept: dict[str, str] | None) -> tuple[Any, Any, Any]:
        kept = kept or {}
        name = str(kept.get("name") or "")
        spoken = kept.get("language")
        return name or gr.skip(), name or gr.skip(), spoken if spoken in ("en", "cn") else gr.skip()

    def turn(spoken: Language, kept: dict[str, str] | None) -> list[Any]:
        return [
            notice_of(backend, spoken),
            {**(kept or {}), "language": spoken},
            *labels.updates(spoken),
        ]

    gr.on(
        [header.start.click, header.name.submit],
        begin,
        [header.name, header.language, header.person],
        [header.person, header.name, header.kept, *labels.personals],
        **PRIVATE,
    ).then(*show_chat, **PRIVATE)
    page.load(again, [header.kept], [header.person, header.name, header.language], **PRIVATE).then(
        *show_chat, **PRIVATE
    )
    turned = header.language.change(
        turn,
        [header.language, header.kept],
        [header.notice, header.kept, *labels.components],
        **PRIVATE,
    )
    turned.then(chat.greet, chat.inputs, chat.outputs, **PRIVATE)
    turned.then(None, [header.language], None, js=TURN_PAGE, **PRIVATE)
    for tab, panel in panels[1:]:
        tab.select(panel.show, panel.inputs, panel.outputs, **PRIVATE)
        turned.then(panel.show, panel.inputs, panel.outputs, **PRIVATE)


def notice_of(backend: Backend, language: Language) -> str:
    """That this is an AI, who can read what is said, and what hears it."""
    key = "notice_log_in" if backend.log_in else "notice"
    name = companion_name(backend.settings, backend.settings.companion, language)
    told = say(key, language, companion=name, home=backend.settings.home)
    if backend.chat is None:
        hears = say("hears_offline", language)
    else:
        chat = backend.chat
        hears = say("hears_model", language, model=chat.name, address=chat.address)
    return quiet(f"{told}\n{hears}")


def launch(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    auth: Path | None = None,
    clock: Clock | None = None,
    chat: ChatModel | None = None,
    block: bool = True,
) -> tuple[Any, str]:
    """Serve the page; ``block`` waits until it is closed.

    ``chat`` is opened from the settings unless given. Port 0 is any free one; None the
    first free one from 7860 on. ``auth`` names a file of passwords.

    Returns:
        The Gradio blocks (``close()`` ends them) and the page's address.

    Raises:
        ConfigurationError: a host that others could reach, with no log-in; a file of
            passwords that cannot be read or is empty; or a port that is taken.
    """
    if host not in LOOPBACK and auth is None:
        raise ConfigurationError("web_only_loopback", host=host)
    guard = None if auth is None else Guard(auth)
    backend = Backend(settings, clock or SystemClock(), chat, log_in=auth is not None)
    page = build(backend)
    page.queue(default_concurrency_limit=None)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=free_port() if port == 0 else port,
            css=CSS,
            head=HEAD,
            auth=None if guard is None else one_by_one(guard),
            auth_message=say("log_in", settings.language),
            quiet=True,
            prevent_thread_lock=True,
            **launch_switches(
                settings.home, [Middleware(RequestGuard, language=settings.language, guard=guard)]
            ),
        )
    except OSError as error:
        raise ConfigurationError("web_port", host=host, port=port, cause=error) from error
    if block:
        print(text("web", "opens_at", settings.language, url=url), flush=True)
        page.block_thread()
    return page, url


def one_by_one(guard: Guard) -> Callable[[str, str], Awaitable[bool]]:
    """The guard as Gradio asks it: beside the page's own work, one log-in after the other."""
    import anyio.to_thread

    limiter = anyio.CapacityLimiter(1)

    async def lets_in(name: str, password: str) -> bool:
        return await anyio.to_thread.run_sync(guard.lets_in, name, password, limiter=limiter)

    return lets_in


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
