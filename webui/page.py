"""The web page, put together from its header and its panels.

Nothing here decides anything about memory; that is all done by the package's classes. A new
panel is a class with ``show``, ``inputs`` and ``outputs``, one entry in :data:`PANELS` and its
tab's label in the texts.
"""

from __future__ import annotations

import json
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.scope import Scope
from siliconfriend.models.fallback import second_sentence
from siliconfriend.texts import LANGUAGES, Language, text

from .backend import Backend
from .chat_panel import ChatPanel
from .fading import FadingPanel
from .import_export import ImportExportPanel
from .labels import LANGUAGE_NAMES, Labels, say
from .markup import plain, quiet
from .memories import MemoriesPanel
from .memory_actions import PRIVATE
from .night import NightPanel
from .portrait import PortraitPanel
from .privacy import gr

PANELS = {
    "chat": ChatPanel,
    "memories": MemoriesPanel,
    "portrait": PortraitPanel,
    "fading": FadingPanel,
    "night": NightPanel,
}
"""The panels in the order of their tabs; the first is shown when somebody begins."""

TITLES = {language: text("web", "title", language) for language in LANGUAGES}
SET_DOCUMENT_LANGUAGE = """
(language) => {
    document.documentElement.lang = language === 'cn' ? 'zh-CN' : 'en';
    document.title = TITLES[language];
}
""".replace("TITLES", json.dumps(TITLES))
"""Tells the browser which language the page is in, for its fonts and for screen readers."""


def build(backend: Backend) -> Any:
    """Return the page as Gradio blocks, not yet served."""
    title = text("web", "title", backend.settings.language)
    with gr.Blocks(title=title, analytics_enabled=False, delete_cache=(3600, 3600)) as page:
        _Page(backend).lay_out(page)
    return page


class _Page:
    """The components of the page and what their events do.

    Attributes:
        person: the name of whoever uses this tab; empty until they begin.
        remembered: kept in the browser, so that a reload goes on: name and language alone.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.labels = Labels(backend.settings.language)

    def lay_out(self, page: Any) -> None:
        """Put all components into the blocks that are open, and listen to their events."""
        self._lay_out_header()
        self._lay_out_beginning()
        panels = self._lay_out_panels()
        chat, others = panels["chat"][1], [panels[key] for key in PANELS if key != "chat"]
        gr.on(
            [self.start.click, self.name.submit],
            self.begin,
            [self.name, self.language, self.person],
            [self.person, self.name, self.remembered, *self.labels.personals],
            **PRIVATE,
        ).then(chat.show, chat.inputs, chat.outputs, **PRIVATE)
        page.load(
            self.resume, [self.remembered], [self.person, self.name, self.language], **PRIVATE
        ).then(chat.show, chat.inputs, chat.outputs, **PRIVATE)
        changed = self.language.change(
            self.change_language,
            [self.language, self.remembered],
            [self.notice, self.remembered, *self.labels.components],
            **PRIVATE,
        )
        changed.then(chat.greet, chat.inputs, chat.outputs, **PRIVATE)
        changed.then(None, [self.language], None, js=SET_DOCUMENT_LANGUAGE, **PRIVATE)
        for tab, panel in others:
            tab.select(panel.show, panel.inputs, panel.outputs, **PRIVATE)
            changed.then(panel.show, panel.inputs, panel.outputs, **PRIVATE)

    def _lay_out_header(self) -> None:
        settings, make = self.backend.settings, self.labels.make
        with gr.Row(elem_id="top"):
            make(gr.Markdown, {"value": "heading"}, elem_id="heading")
            self.language = make(
                gr.Radio,
                {"label": "language"},
                choices=[(name, key) for key, name in LANGUAGE_NAMES.items()],
                value=settings.language,
                show_label=False,
                container=False,
                elem_id="language",
                scale=0,
                min_width=220,
            )
        self.notice = gr.HTML(privacy_notice(self.backend, settings.language), elem_id="notice")

    def _lay_out_beginning(self) -> None:
        settings, make = self.backend.settings, self.labels.make
        log_in = self.backend.log_in
        self.person = gr.State("")
        self.remembered = gr.BrowserState(
            {"name": "", "language": settings.language}, storage_key="sf-who"
        )
        make(
            gr.Button,
            {"value": "log_out"},
            link="/logout",
            size="sm",
            visible=log_in,
            elem_id="log-out",
        )
        with gr.Row(elem_id="person-row", visible=not log_in):
            self.name = make(
                gr.Textbox,
                {"label": "name", "placeholder": "name_hint"},
                value=settings.user or "",
                show_label=False,
                container=False,
                elem_id="name",
            )
            self.start = make(
                gr.Button,
                {"value": "start"},
                variant="primary",
                elem_id="start",
                scale=0,
                min_width=110,
            )

    def _lay_out_panels(self) -> dict[str, tuple[Any, Any]]:
        """Lay out a tab for each panel; returns tab and panel by key."""
        given = (self.backend, self.labels, self.person, self.language)
        panels: dict[str, tuple[Any, Any]] = {}
        with gr.Tabs(overflow_behavior="wrap") as tabs:
            for key, kind in PANELS.items():
                with self.labels.make(
                    gr.Tab, {"label": f"tabs.{key}"}, id=key, elem_id=f"tab-{key}"
                ) as tab:
                    panel: Any = kind(*given)
                    if key == "memories":
                        imported = ImportExportPanel(*given).imported
                        imported.then(panel.show, panel.inputs, panel.outputs, **PRIVATE)
                panels[key] = (tab, panel)
        self.labels.personal(tabs, selected=next(iter(PANELS)))
        return panels

    def begin(self, name: str, language: Language, before: str) -> list[Any]:
        """Take the name of whoever begins; empty where it cannot be one."""
        try:
            person = Scope.of(name).person
        except SiliconFriendError as error:
            gr.Warning(plain(error.message(language)), title="")
            person = ""
        # Else what one person saw would stand there for the next one who begins.
        personals = self.labels.personals
        own = [gr.skip()] * len(personals) if person == before else self.labels.blanks()
        return [person, person or gr.skip(), {"name": person, "language": language}, *own]

    def resume(self, remembered: dict[str, str] | None) -> tuple[Any, Any, Any]:
        """Take name and language from the browser after a reload."""
        remembered = remembered or {}
        name = str(remembered.get("name") or "")
        language = remembered.get("language")
        return (
            name or gr.skip(),
            name or gr.skip(),
            language if language in LANGUAGES else gr.skip(),
        )

    def change_language(self, language: Language, remembered: dict[str, str] | None) -> list[Any]:
        """Return the notice, what the browser keeps and every label in another language."""
        return [
            privacy_notice(self.backend, language),
            {**(remembered or {}), "language": language},
            *self.labels.updates(language),
        ]


def privacy_notice(backend: Backend, language: Language) -> str:
    """Return HTML that says this is an AI, who can read what is said, and which model hears it."""
    key = "notice_log_in" if backend.log_in else "notice"
    name = companion_name(backend.settings, backend.settings.companion, language)
    notice = say(key, language, companion=name, home=backend.settings.home)
    if backend.chat is None:
        hears = say("hears_offline", language)
    else:
        model, address = backend.chat.name, backend.chat.address
        hears = say("hears_model", language, model=model, address=address)
        hears += second_sentence(backend.chat, language)
    return quiet(f"{notice}\n{hears}")
