"""The chat panel: where ``static/talk/talk.js`` draws the chat view, and its memories beside it.

The talk itself is no component of Gradio's: it goes over routes of its own (``talk_routes.py``)
and does not end where a connection or a session of Gradio's ends.
"""

from __future__ import annotations

from typing import Any

from ..backend import Backend
from ..privacy import gr
from ..words.labels import Labels

CARDS = '<div class="talk-remembered"></div>'
MOVE_IN = "document.dispatchEvent(new CustomEvent('sf-talk-place'));"
"""Tells the view that its panel was drawn, also where Gradio draws it anew."""


class ChatPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, inputs, outputs: nothing, since the view shows itself.
    """

    show = None

    def __init__(self, _backend: Backend, labels: Labels, _person: Any, _language: Any) -> None:
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        with gr.Column(elem_id="talk-aside"):
            labels.make(gr.Markdown, {"value": "remembered_title"})
            gr.HTML(CARDS, js_on_load=MOVE_IN, elem_id="remembered", apply_default_css=False)
