"""The chat panel: replies that stream, and beside each what was remembered for it.

The panel keeps nothing itself but what was said off the record. What it shows comes from
the store, so a reload, another tab and the terminal all see the same talk.
"""

from __future__ import annotations

from typing import Any

from .backend import Backend
from .chat_layout import GO_THERE, MEASURE, ChatLayout
from .exchange import Exchanges
from .labels import Labels
from .looking import Looking
from .memory_actions import PRIVATE, MemoryActions
from .privacy import gr
from .replying import Replying


class ChatPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, greet: look at the talk for its outputs.
        inputs, outputs: of both.
    """

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        exchanges = Exchanges(backend)
        self._looking = Looking(backend, exchanges)
        self._replying = Replying(backend, exchanges, self._looking)
        self.show, self.greet = self._looking.show, self._looking.greet
        with gr.Row():
            with gr.Column(scale=3, min_width=300):
                parts = ChatLayout(labels)
            with gr.Column(scale=2, min_width=300):
                labels.make(gr.Markdown, {"value": "remembered_title"})
                actions = MemoryActions(backend, labels, language, person, "chat-hand")
                parts.lay_out_cards()
        self._given = [person, language]
        self._held = [*self._given, parts.lines, parts.owner]
        self.inputs = [*self._held, parts.chosen]
        self.outputs = parts.outputs
        actions.listen(
            [parts.cards, parts.notice], self._looking.after_hand, self.inputs, self.outputs
        )
        self._listen(parts)

    def _listen(self, parts: ChatLayout) -> None:
        unlimited = {**PRIVATE, "concurrency_limit": None}
        held, outputs = self._held, self.outputs
        looking, replying = self._looking, self._replying
        said = [parts.off_record, *held]
        parts.message.submit(replying.answer, [parts.message, *said], outputs, **unlimited)
        parts.again.click(replying.again, said, outputs, **unlimited)
        parts.resay.click(replying.reworded, [parts.words, *said], outputs, **unlimited)
        hide = {"fn": lambda: gr.update(visible=False), "outputs": [parts.edit_box], **PRIVATE}
        gr.on([parts.resay.click, parts.cancel.click], **hide)
        parts.reword.click(replying.open_words, held, [parts.edit_box, parts.words], **PRIVATE)
        parts.undo.click(replying.undo, held, outputs, **PRIVATE)
        parts.unkeep.click(replying.unkeep, held, outputs, **PRIVATE)
        parts.earlier.click(looking.earlier, held, outputs, js=MEASURE, **PRIVATE).then(
            None, None, None, js=GO_THERE, **PRIVATE
        )
        parts.chat.select(looking.select, held, [parts.chosen, parts.cards], **PRIVATE)
        parts.stop.click(replying.stop, None, None, **PRIVATE)
