"""The chat panel: replies that stream, and beside each what was remembered for it.

The panel keeps nothing itself but what was said off the record. What it shows comes from
the store, so a reload, another tab and the terminal all see the same talk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .cards import ON_CLICK, quiet
from .exchange import Exchanges, Heard, Occasion, unkept_notice
from .friends import Friends
from .hand import PRIVATE, Hand, do_at_once
from .labels import Labels, say
from .privacy import CHAT_BUTTONS, gr
from .talk import Line, beside, line_at, messages, renewed, stored_lines

Shown = tuple[Any, ...]
"""What the outputs get, in the order of :attr:`ChatPanel.outputs`."""


class ChatPanel:
    """The panel, put into the page that is being built.

    Attributes:
        inputs, outputs: of :meth:`show`.
    """

    def __init__(self, friends: Friends, labels: Labels, person: Any, language: Any) -> None:
        self._friends = friends
        self._exchanges = Exchanges(friends)
        make = labels.make
        self.lines, self.owner, self.chosen = gr.State([]), gr.State(""), gr.State("")
        with gr.Row():
            with gr.Column(scale=3, min_width=300):
                self._lay_out_talk(make)
            with gr.Column(scale=2, min_width=300):
                make(gr.Markdown, {"value": "remembered_title"})
                hand = Hand(friends, labels, language, person, "chat-hand")
                self.cards = gr.HTML(js_on_load=ON_CLICK, elem_id="remembered")
        self._given = [person, language]
        self._held = [self.lines, self.owner]
        self.inputs = [*self._given, *self._held, self.chosen]
        self.outputs = [
            *(self.message, self.chat, self.lines, self.owner, self.cards, self.notice),
            *(self.chosen, self.stop),
        ]
        hand.listen([self.cards, self.notice], self.after_hand, self.inputs, self.outputs)
        labels.passing(self.edit_box, visible=False)
        self._listen()

    def _lay_out_talk(self, make: Any) -> None:
        # Plain text, not Markdown: a reply can load no image, link or script.
        self.chat = make(
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
            self.words = make(
                gr.Textbox, {"label": "reword_words"}, max_lines=8, elem_id="reword-words"
            )
            with gr.Row():
                self.resay = make(gr.Button, {"value": "resay"}, variant="primary", elem_id="resay")
                self.cancel = make(gr.Button, {"value": "cancel"}, elem_id="reword-cancel")
        self.message = make(
            gr.Textbox,
            {"label": "message", "placeholder": "message_hint"},
            show_label=False,
            submit_btn=True,
            max_lines=8,
            elem_id="message",
        )
        with gr.Row(elem_id="talk-acts"):
            small = {"size": "sm", "min_width": 80}
            self.stop = make(
                gr.Button, {"value": "stop"}, elem_id="stop", interactive=False, **small
            )
            self.again = make(gr.Button, {"value": "again"}, elem_id="again", **small)
            self.reword = make(gr.Button, {"value": "reword"}, elem_id="reword", **small)
            self.undo = make(gr.Button, {"value": "take_back"}, elem_id="undo", **small)
            self.unkeep = make(gr.Button, {"value": "verbs.unkeep"}, elem_id="unkeep", **small)
        self.off_record = make(
            gr.Checkbox, {"label": "off_record", "info": "off_record_hint"}, elem_id="off-record"
        )

    def _listen(self) -> None:
        replying = {**PRIVATE, "concurrency_limit": None}
        said = [self.off_record, *self._given, *self._held]
        self.message.submit(self._answer, [self.message, *said], self.outputs, **replying)
        self.again.click(self._again, said, self.outputs, **replying)
        self.resay.click(self._reworded, [self.words, *said], self.outputs, **replying)
        hide = {"fn": lambda: gr.update(visible=False), "outputs": [self.edit_box], **PRIVATE}
        gr.on([self.resay.click, self.cancel.click], **hide)
        held = [*self._given, *self._held]
        self.reword.click(self._open_words, held, [self.edit_box, self.words], **PRIVATE)
        self.undo.click(self._undo, held, self.outputs, **PRIVATE)
        self.unkeep.click(self._unkeep, held, self.outputs, **PRIVATE)
        self.chat.select(self._select, held, [self.chosen, self.cards], **PRIVATE)
        self.stop.click(self._stop, None, None, **PRIVATE)

    def show(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
    ) -> Shown:
        """The talk as it is on disk now, with what this tab said off the record."""
        skip: Any = gr.skip()  # a greeting stays where two looks overlap
        return self._look(person, language, lines, owner, chosen, request, otherwise=skip)

    def after_hand(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
    ) -> Shown:
        """The same after a button of a memory, whose own words stand elsewhere."""
        return self._look(person, language, lines, owner, chosen, request, otherwise="")

    def greet(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
    ) -> Shown:
        """The same with the greeting, in the language that is chosen now."""
        return self._look(person, language, lines, owner, chosen, request)

    def _look(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
        *,
        otherwise: Any = None,
    ) -> Shown:
        """The talk and the greeting; for who was greeted before ``otherwise`` in its place."""
        try:
            scope = self._friends.scope(person, request)
            memory = None if scope is None else self._exchanges.memory(scope)
        except SiliconFriendError as error:
            told = quiet(error.message(language))
            return gr.skip(), [], [], "", "", told, "", gr.skip()
        if self._exchanges.speakers.busy(_tab(request)) or (scope is None and not owner):
            return (gr.skip(),) * len(self.outputs)
        if scope is None:
            return gr.skip(), [], [], "", "", "", "", gr.skip()
        is_new = owner != scope.person
        lines = stored_lines(memory) if is_new else renewed(lines, memory)
        if is_new:
            self._friends.warming.begin(scope)
        notice = otherwise
        if is_new or otherwise is None:
            key = "met" if memory is not None and lines else "new"
            notice = quiet(say(key, language, name=scope.person))
        return self._shown(scope, lines, language, notice, chosen="" if is_new else chosen)

    def _shown(
        self,
        scope: Scope,
        lines: list[Line],
        language: Language,
        notice: Any,
        *,
        message: Any = None,
        chosen: str = "",
    ) -> Shown:
        """Everything that the panel shows; of the lines the chosen or else the last stands out."""
        memory = self._exchanges.memory(scope)
        line = next((it for it in lines if it.id and it.id == chosen), None)
        line = line or next(iter(reversed(lines)), None)
        cards = "" if memory is None else beside(self._friends, memory, line, language)
        message = gr.skip() if message is None else message
        told = messages(lines, language)
        free = gr.update(interactive=False)
        return message, told, lines, scope.person, cards, notice, chosen, free

    def _occasion(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Occasion | None:
        """The lines of this tab as far as they are that person's; None while a reply is made."""
        scope = self._friends.scope(person, request)
        tab = _tab(request)
        if scope is None or self._exchanges.speakers.busy(tab):
            return None
        return Occasion(scope, tab, language, lines if scope.person == owner else [])

    def _answer(
        self,
        message: str,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Shown]:
        if self._friends.scope(person, request) is None:
            notice = quiet(say("not_started", language))
            yield message, [], [], "", "", notice, "", gr.skip()
            return
        at = self._occasion(person, language, lines, owner, request)
        if at is not None and message.strip():
            yield from self._reply(at, message, off_record, message="")

    def _reply(
        self, at: Occasion, words: str, off_record: bool, *, message: Any = None
    ) -> Iterator[Shown]:
        same, heard = gr.skip(), Heard(at.lines)
        first = "" if message == "" else same
        rest = (at.scope.person, same, "", "", gr.update(interactive=True))
        for heard in self._exchanges.say(at, words, off_record=off_record):
            if heard.notice is None:
                yield first, messages(heard.lines, at.language), same, *rest
                # What is sent again is drawn again, and the next words would wait for it.
                first, rest = same, (same,) * len(rest)
        yield self._shown(at.scope, heard.lines, at.language, heard.notice or "")

    def _again(
        self,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Shown]:
        """Say the last message again; the first answer is erased."""
        at = self._occasion(person, language, lines, owner, request)
        if at is not None and at.lines:
            last = at.lines[-1]
            left = self._exchanges.without(at, len(at.lines) - 1)
            yield from self._reply(left, last.query, off_record or last.off_record)

    def _reworded(
        self,
        words: str,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Shown]:
        """Say the last message in other words; the first exchange is erased."""
        at = self._occasion(person, language, lines, owner, request)
        if at is not None and at.lines and words.strip():
            last = at.lines[-1]
            left = self._exchanges.without(at, len(at.lines) - 1)
            yield from self._reply(left, words.strip(), off_record or last.off_record)

    def _open_words(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> tuple[Any, Any]:
        at = self._occasion(person, language, lines, owner, request)
        if at is None or not at.lines:
            return gr.skip(), gr.skip()
        return gr.update(visible=True), at.lines[-1].query

    def _undo(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Shown:
        """Take the last exchange back for good; its words come back into the message box."""
        at = self._occasion(person, language, lines, owner, request)
        if at is None or not at.lines:
            return (gr.skip(),) * len(self.outputs)
        words = at.lines[-1].query
        left = self._exchanges.without(at, len(at.lines) - 1)
        notice = quiet(say("undone", language))
        return self._shown(at.scope, left.lines, language, notice, message=words)

    def _unkeep(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Shown:
        """Mark the last exchange as not to be remembered."""
        at = self._occasion(person, language, lines, owner, request)
        if at is None or not at.lines or not at.lines[-1].id:
            return (gr.skip(),) * len(self.outputs)
        last = at.lines[-1]
        do_at_once(self._friends, at.scope, "unkeep", [last.id])
        return self._shown(at.scope, at.lines, language, unkept_notice((last.id,), language))

    def _stop(self, request: gr.Request) -> None:
        self._exchanges.speakers.stop(_tab(request))

    def _select(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.SelectData,
        request: gr.Request,
    ) -> tuple[Any, Any]:
        at = self._occasion(person, language, lines, owner, request)
        memory = None if at is None else self._exchanges.memory(at.scope)
        place = None if at is None else line_at(at.lines, event.index)
        if at is None or memory is None or place is None:
            return gr.skip(), gr.skip()
        line = at.lines[place]
        return line.id, beside(self._friends, memory, line, language)


def _tab(request: gr.Request) -> str:
    return request.session_hash or ""
