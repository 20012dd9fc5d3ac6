"""The web page's panels, put together, and who uses them in which language.

Nothing here decides anything about memory; that is all done by the package's classes. A new
panel is a class with ``show``, ``inputs`` and ``outputs``, one entry in :data:`PANELS`, its name
under ``tabs`` in the texts and its icon in ``static/look/icons.svg``. What stands around the panels
is in :mod:`webui.shell.shell` and, in the browser, in ``static/shell/page.js``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .companions.panel import CompanionsPanel
from .fading.panel import FadingPanel
from .memories.panel import MemoriesPanel
from .night.panel import NightPanel
from .portrait.panel import PortraitPanel
from .privacy import PRIVATE, App, gr
from .talk.panel import ChatPanel
from .words.labels import LANGUAGE_NAMES, Labels

PANELS = {
    "chat": ChatPanel,
    "memories": MemoriesPanel,
    "portrait": PortraitPanel,
    "fading": FadingPanel,
    "night": NightPanel,
    "companions": CompanionsPanel,
}
"""The panels in the order of the bar, by the key in their address: ``#/memories``."""

ON_EVENT = """
document.addEventListener('NAME', (event) => trigger('click', event.detail || {}));
"""
"""Lets the page's own scripts call a handler by an event of the document."""

LAST = "always_last"
"""What is called again meanwhile is done once more afterwards, and not left out."""
READY = "() => { document.documentElement.dataset.ready = ''; document.dispatchEvent(new CustomEvent('sf:ready')); }"
"""Tells the page's own scripts that Gradio's handlers can be called."""
SETTLED = (
    "(person) => { document.dispatchEvent(new CustomEvent('sf:settled', {detail: {person}})); }"
)
"""Tells them whose the panels are now, or that they are in another language."""


PATIENCE_SECONDS = 5.0
"""How long each reply under way is waited for when the page closes."""


class _Blocks(gr.Blocks):
    """Gradio's blocks, which keep what is being said before they close."""

    def __init__(self, backend: Backend, **how: Any) -> None:
        self._backend = backend
        super().__init__(**how)

    def close(self, verbose: bool = True) -> None:
        """End the replies, then the server: who follows one would hold it up."""
        self._backend.replies.close(PATIENCE_SECONDS)
        super().close(verbose)


def build(backend: Backend) -> tuple[Any, Labels]:
    """Return the page as Gradio blocks, not yet served, and the labels of its components."""
    labels = Labels(backend.settings.language)
    with _no_application_yet():
        with _Blocks(
            backend,
            analytics_enabled=False,
            delete_cache=(3600, 3600),
            fill_width=True,
            fill_height=True,
        ) as page:
            _Page(backend, labels).lay_out()
            page.load(None, None, None, js=READY, **PRIVATE)
        page.queue(default_concurrency_limit=None)
    return page, labels


@contextmanager
def _no_application_yet() -> Iterator[None]:
    """Leave out the web applications that Gradio makes at three steps before the one it serves.

    Each of them costs the page half a second before it opens.
    """
    application: Any = App
    make = vars(application)["create_app"]
    application.create_app = staticmethod(lambda *_given, **_named: None)
    try:
        yield
    finally:
        application.create_app = make


class _Page:
    """The panels, and what happens when another person or language is settled on.

    Attributes:
        person: the name of whoever uses this tab; empty until they begin. The tab keeps and
            sends it, so that it outlives the server.
    """

    def __init__(self, backend: Backend, labels: Labels) -> None:
        self.backend, self.labels = backend, labels

    def lay_out(self) -> None:
        """Put all panels into the blocks that are open, and listen to the page's own events."""
        self.person = gr.Textbox(visible=False)
        self.language = self.labels.make(
            gr.Radio,
            {"value": "own_language"},
            choices=[(name, key) for key, name in LANGUAGE_NAMES.items()],
            visible=False,
        )
        given = (self.backend, self.labels, self.person, self.language)
        for key, kind in PANELS.items():
            with gr.Column(elem_id=f"panel-{key}", elem_classes="sf-panel"):
                panel: Any = kind(*given)
            called = _listener(f"sf:show:{key}")
            called.click(panel.show, panel.inputs, panel.outputs, trigger_mode=LAST, **PRIVATE)
        _listener("sf:settle").click(
            self.settle,
            [self.person],
            [self.person, *self.labels.personals, *self.labels.components],
            trigger_mode=LAST,
            **PRIVATE,
        ).then(None, [self.person], None, js=SETTLED, **PRIVATE)

    def settle(self, before: str, event: gr.EventData) -> list[Any]:
        """Take who uses this tab and in which language; nobody where that cannot be a name.

        What one person saw would else stand there for the next one who begins.
        """
        told = event._data if isinstance(event._data, dict) else {}
        language: Language = "cn" if told.get("language") == "cn" else "en"
        try:
            person = Scope.of(str(told.get("person", ""))).person if told.get("person") else ""
        except SiliconFriendError:
            person = ""
        personals = self.labels.personals
        own = [gr.skip()] * len(personals) if person == before else self.labels.blanks()
        return [person, *own, *self.labels.updates(language)]


def _listener(name: str) -> Any:
    """Return what is clicked when the document gets an event of that name; it shows nothing."""
    return gr.HTML(js_on_load=ON_EVENT.replace("NAME", name), elem_classes="sf-bridge")
