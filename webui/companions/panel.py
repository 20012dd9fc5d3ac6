"""The panel of companions: a place in the page, which the page's own script fills."""

from __future__ import annotations

from typing import Any

from ..backend import Backend
from ..look.static_files import address
from ..privacy import gr
from ..words.labels import Labels

START = """
import(new URL('ADDRESS', document.baseURI)).then(
    (panel) => panel.start(element.querySelector('#companions')));
""".replace("ADDRESS", address("companions/companions.js"))


class CompanionsPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, inputs, outputs: nothing, since the script shows the panel itself.
    """

    show = None

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        gr.HTML('<div id="companions"></div>', js_on_load=START, apply_default_css=False)
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
