"""The parts of the talk panel, and in which order they are told what to show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .cards import ON_CLICK
from .labels import Labels
from .privacy import CHAT_BUTTONS, gr

Values = tuple[Any, ...]
"""What the outputs get: :attr:`Shown.values`."""

MEASURE = """
(...given) => {
    const talk = document.querySelector('#chat .bubble-wrap');
    if (talk) talk.dataset.before = talk.scrollHeight;
    return given;
}
"""
"""Notes how long the talk is before earlier exchanges come in above it."""

GO_THERE = """
() => {
    const talk = document.querySelector('#chat .bubble-wrap');
    const go = () => {
        const added = talk.scrollHeight - talk.dataset.before;
        if (added > 0) talk.scrollTop = added - 0.8 * talk.clientHeight;
    };
    if (talk) requestAnimationFrame(() => requestAnimationFrame(go));
}
"""
"""Shows the last of them with the first line that stood there before."""

SAME: Any = gr.skip()
"""Leaves a part as it is; it is not drawn again either."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the parts are to show, in the order of :attr:`ChatLayout.outputs`.

    Attributes:
        message: words in the message box.
        chat: the lines, as Gradio's messages.
        lines, owner, chosen: what the tab holds: the lines, whose they are, and the id of the
            one that was chosen.
        cards: what stands beside the talk (HTML).
        notice: what stands below it (HTML).
        stop: updates of the button that stops a reply.
        earlier: updates of the button that shows earlier exchanges.
    """

    message: Any = field(default_factory=gr.skip)
    chat: Any = field(default_factory=gr.skip)
    lines: Any = field(default_factory=gr.skip)
    owner: Any = field(default_factory=gr.skip)
    cards: Any = field(default_factory=gr.skip)
    notice: Any = field(default_factory=gr.skip)
    chosen: Any = field(default_factory=gr.skip)
    stop: Any = field(default_factory=gr.skip)
    earlier: Any = field(default_factory=gr.skip)

    @property
    def values(self) -> Values:
        """For Gradio."""
        return tuple(getattr(self, name) for name in self.__slots__)


class ChatLayout:
    """The parts, put into the page that is being built.

    Attributes:
        outputs: the parts that :class:`Shown` is for; their column is the one that is open.
    """

    def __init__(self, labels: Labels) -> None:
        self._make = labels.make
        self.lines, self.owner, self.chosen = gr.State([]), gr.State(""), gr.State("")
        self._lay_out_lines()
        self._lay_out_message()
        labels.passing(self.edit_box, visible=False)

    @property
    def outputs(self) -> list[Any]:
        """In the order of the fields of :class:`Shown`; ``cards`` is laid out elsewhere."""
        return [getattr(self, name) for name in Shown.__slots__]

    def lay_out_cards(self) -> None:
        """Put what stands beside the talk into the column that is open now."""
        self.cards = gr.HTML(js_on_load=ON_CLICK, elem_id="remembered")

    def _lay_out_lines(self) -> None:
        self.earlier = self._make(
            gr.Button, {"value": "earlier"}, size="sm", visible=False, elem_id="earlier"
        )
        # Plain text, not Markdown: a reply can load no image, link or script.
        self.chat = self._make(
            gr.Chatbot,
            {"label": "chat", "placeholder": "chat_empty"},
            buttons=CHAT_BUTTONS,
            show_label=False,
            feedback_options=None,
            render_markdown=False,
            height="min(54vh, 34rem)",
            elem_id="chat",
        )
        self.notice = gr.HTML(js_on_load=ON_CLICK, elem_id="chat-notice")
        with gr.Group(visible=False, elem_classes="sf-ask") as self.edit_box:
            self.words = self._make(
                gr.Textbox, {"label": "reword_words"}, max_lines=8, elem_id="reword-words"
            )
            with gr.Row():
                self.resay = self._make(
                    gr.Button, {"value": "resay"}, variant="primary", elem_id="resay"
                )
                self.cancel = self._make(gr.Button, {"value": "cancel"}, elem_id="reword-cancel")

    def _lay_out_message(self) -> None:
        self.message = self._make(
            gr.Textbox,
            {"label": "message", "placeholder": "message_hint"},
            show_label=False,
            submit_btn=True,
            max_lines=8,
            elem_id="message",
        )
        with gr.Row(elem_id="talk-acts"):
            self.stop = self._button("stop", "stop", interactive=False)
            self.again = self._button("again", "again")
            self.reword = self._button("reword", "reword")
            self.undo = self._button("take_back", "undo")
            self.unkeep = self._button("verbs.unkeep", "unkeep")
        self.off_record = self._make(
            gr.Checkbox, {"label": "off_record", "info": "off_record_hint"}, elem_id="off-record"
        )

    def _button(self, key: str, name: str, **more: Any) -> Any:
        return self._make(gr.Button, {"value": key}, elem_id=name, size="sm", min_width=80, **more)
