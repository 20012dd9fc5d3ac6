"""The chat panel: its components, and which handler each of their events calls.

Every handler gets the same five values (user, language, lines, their owner, the chosen line)
and updates the same outputs, so that adding a button is one component and one line here.
"""

from __future__ import annotations

import inspect
from typing import Any

from .backend import Backend
from .cards import ON_CLICK
from .chat_handlers import ChatHandlers, ChatUpdate
from .labels import Labels
from .memory_actions import PRIVATE, MemoryActions
from .privacy import CHAT_BUTTONS, gr

MEASURE = """
(...given) => {
    const talk = document.querySelector('#chat .bubble-wrap');
    if (talk) talk.dataset.before = talk.scrollHeight;
    return given;
}
"""
"""Notes the height of the chat before earlier lines come in above it."""

GO_THERE = """
() => {
    const talk = document.querySelector('#chat .bubble-wrap');
    if (!talk) return;
    const end = performance.now() + 5000;
    let height = -1, still = 0;
    const go = () => {
        const added = talk.scrollHeight - talk.dataset.before;
        if (added > 0) talk.scrollTop = added - 0.8 * talk.clientHeight;
        still = added > 0 && talk.scrollHeight === height ? still + 1 : 0;
        height = talk.scrollHeight;
        if (still < 10 && performance.now() < end) requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
}
"""
"""Scrolls to where the earlier lines end, until they are drawn to their end: a slow machine
takes many frames for that."""


class ChatPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, greet: handlers that show the chat; ``greet`` welcomes the user again.
        inputs, outputs: of both.
    """

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._make = labels.make
        self._handlers = ChatHandlers(backend)
        self._lines, self._owner, self._chosen = gr.State([]), gr.State(""), gr.State("")
        with gr.Row():
            with gr.Column(scale=3, min_width=300):
                self._lay_out_lines()
                self._lay_out_message()
            with gr.Column(scale=2, min_width=300):
                self._make(gr.Markdown, {"value": "remembered_title"})
                actions = MemoryActions(backend, labels, language, person, "chat-hand")
                self._cards = gr.HTML(js_on_load=ON_CLICK, elem_id="remembered")
        labels.transient(self._reword_box, visible=False)
        self.inputs = [person, language, self._lines, self._owner, self._chosen]
        self.outputs = [getattr(self, f"_{name}") for name in ChatUpdate.__slots__]
        # A greeting stays where two refreshes overlap.
        self.show = self._handlers.showing(gr.skip())
        self.greet = self._handlers.showing()
        after_action = self._handlers.showing("")
        actions.listen([self._cards, self._notice], after_action, self.inputs, self.outputs)
        self._listen()

    def _lay_out_lines(self) -> None:
        self._earlier = self._make(
            gr.Button, {"value": "earlier"}, size="sm", visible=False, elem_id="earlier"
        )
        # Plain text, not Markdown: a reply can load no image, link or script.
        self._chat = self._make(
            gr.Chatbot,
            {"label": "chat", "placeholder": "chat_empty"},
            buttons=CHAT_BUTTONS,
            show_label=False,
            feedback_options=None,
            render_markdown=False,
            height="min(54vh, 34rem)",
            elem_id="chat",
        )
        self._notice = gr.HTML(js_on_load=ON_CLICK, elem_id="chat-notice")
        with gr.Group(visible=False, elem_classes="sf-ask") as self._reword_box:
            self._reword_words = self._make(
                gr.Textbox, {"label": "reword_words"}, max_lines=8, elem_id="reword-words"
            )
            with gr.Row():
                self._resay = self._make(
                    gr.Button, {"value": "resay"}, variant="primary", elem_id="resay"
                )
                self._cancel = self._make(gr.Button, {"value": "cancel"}, elem_id="reword-cancel")

    def _lay_out_message(self) -> None:
        self._message = self._make(
            gr.Textbox,
            {"label": "message", "placeholder": "message_hint"},
            show_label=False,
            submit_btn=True,
            max_lines=8,
            elem_id="message",
        )
        with gr.Row(elem_id="talk-acts"):
            self._stop = self._button("stop", "stop", interactive=False)
            self._again = self._button("again", "again")
            self._reword = self._button("reword", "reword")
            self._undo = self._button("take_back", "undo")
            self._unkeep = self._button("verbs.unkeep", "unkeep")
        self._off_record = self._make(
            gr.Checkbox, {"label": "off_record", "info": "off_record_hint"}, elem_id="off-record"
        )

    def _button(self, key: str, name: str, **more: Any) -> Any:
        return self._make(gr.Button, {"value": key}, elem_id=name, size="sm", min_width=80, **more)

    def _listen(self) -> None:
        handlers = self._handlers
        self._on(self._message.submit, handlers.answer, self._message, self._off_record)
        self._on(self._again.click, handlers.again, self._off_record)
        self._on(self._resay.click, handlers.reword, self._reword_words, self._off_record)
        self._on(self._reword.click, handlers.open_reword)
        self._on(self._undo.click, handlers.undo)
        self._on(self._unkeep.click, handlers.unkeep)
        self._on(self._earlier.click, handlers.show_earlier, js=MEASURE).then(
            None, None, None, js=GO_THERE, **PRIVATE
        )
        self._chat.select(handlers.select, self.inputs, self.outputs, **PRIVATE)
        self._stop.click(handlers.stop, None, None, **PRIVATE)
        hide = {"fn": lambda: gr.update(visible=False), "outputs": [self._reword_box], **PRIVATE}
        gr.on([self._resay.click, self._cancel.click], **hide)

    def _on(self, event: Any, handler: Any, *values: Any, **more: Any) -> Any:
        """Call a handler on an event, with the panel's inputs and values of its own."""
        inputs = [*self.inputs, *values]
        if inspect.isgeneratorfunction(handler):
            # However many reply at once, none of them waits for another.
            streaming = self._handlers.streaming(handler)
            return event(streaming, inputs, self.outputs, concurrency_limit=None, **PRIVATE)
        returning = self._handlers.returning(handler)
        return event(returning, inputs, self.outputs, **PRIVATE, **more)
