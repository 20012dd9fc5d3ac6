"""The chat panel: where ``static/talk.js`` draws the chat view, and its memories beside it.

The talk itself is no component of Gradio's: it goes over routes of its own (``talk_routes.py``)
and does not end where a connection or a session of Gradio's ends. Gradio keeps the boxes that ask
before a memory is erased or edited.
"""

from __future__ import annotations

from typing import Any

from .backend import Backend
from .cards import ON_CLICK
from .labels import Labels
from .memory_actions import MemoryActions
from .privacy import gr

CARDS = '<div class="talk-remembered"></div>'
MOVE_IN = "document.dispatchEvent(new CustomEvent('sf-talk-place'));"
"""Tells the view that its panel was drawn, also where Gradio draws it anew."""


class ChatPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, inputs, outputs: nothing, since the view shows itself.
    """

    show = None

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        with gr.Column(elem_id="talk-aside"):
            labels.make(gr.Markdown, {"value": "remembered_title"})
            actions = MemoryActions(backend, labels, language, person, "chat-hand")
            cards = gr.HTML(CARDS, js_on_load=ON_CLICK + MOVE_IN, elem_id="remembered")
        actions.listen([cards], self._tell_changed, [person], None)

    def _tell_changed(self, person: str, request: gr.Request) -> None:
        """Tell the person's tabs that something of the talk was changed on disk."""
        scope = self._backend.scope(person, request)
        if scope is not None:
            self._backend.replies.changed(scope)
