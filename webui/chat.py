"""The chat panel: replies that stream, and beside each what was remembered for it.

The panel keeps nothing itself but what was said off the record. What it shows comes from
the store, so a reload, another tab and the terminal all see the same talk.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from siliconfriend.control.actions import edit
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .cards import ON_CLICK, quiet
from .friends import Friends
from .hand import PRIVATE, Hand, erase_now
from .labels import Labels, say
from .privacy import CHAT_BUTTONS, gr
from .talk import Line, line_at, messages, remembered, renewed, stored_lines

Shown = tuple[Any, ...]
"""What the outputs get: the message box, the chat, the lines, the cards, the notice."""


class ChatPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, friends: Friends, labels: Labels, person: Any, language: Any) -> None:
        self._friends = friends
        make = labels.make
        self.lines = gr.State([])
        self.owner = gr.State("")
        with gr.Row():
            with gr.Column(scale=3, min_width=300):
                # Plain text, not Markdown: a reply can load no image, link or script.
                self.chat = make(
                    gr.Chatbot,
                    {"label": "chat"},
                    buttons=CHAT_BUTTONS,
                    feedback_options=None,
                    render_markdown=False,
                    editable="user",
                    height=480,
                    elem_id="chat",
                )
                self.notice = gr.HTML(elem_id="chat-notice")
                self.message = make(
                    gr.Textbox,
                    {"label": "message", "placeholder": "message_hint"},
                    submit_btn=True,
                    elem_id="message",
                )
                with gr.Row():
                    self.off_record = make(
                        gr.Checkbox,
                        {"label": "off_record", "info": "off_record_hint"},
                        elem_id="off-record",
                    )
                    self.stop = make(gr.Button, {"value": "stop"}, elem_id="stop")
            with gr.Column(scale=2, min_width=300):
                self.title = make(gr.Markdown, {"value": "remembered_title"})
                self.cards = gr.HTML(js_on_load=ON_CLICK, elem_id="remembered")
                self.chosen = gr.State(-1)
                hand = Hand(friends, labels, language, person, "chat-hand")
        self._given = [person, language]
        self.outputs = [self.message, self.chat, self.lines, self.owner, self.cards, self.notice]
        hand.listen(self.cards, self.show, [*self._given, self.lines, self.owner], self.outputs)
        self._listen()

    def _listen(self) -> None:
        held = [self.lines, self.owner]
        said = [self.message, self.off_record, *self._given, *held]
        switches = {**PRIVATE, "concurrency_limit": None}
        replying = [
            self.message.submit(self._answer, said, self.outputs, **switches),
            self.chat.retry(
                self._again, [self.off_record, *self._given, *held], self.outputs, **switches
            ),
            self.chat.edit(
                self._edited, [self.off_record, *self._given, *held], self.outputs, **switches
            ),
        ]
        self.chat.undo(self._undo, [*self._given, *held], self.outputs, **PRIVATE)
        self.chat.select(self._select, [*self._given, *held], [self.cards], **PRIVATE)
        self.stop.click(None, cancels=replying, **PRIVATE).then(
            self.show, [*self._given, *held], self.outputs, **PRIVATE
        )

    def show(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Shown:
        """The talk as it is on disk now, with what this tab said off the record."""
        try:
            scope = self._friends.scope(person, request)
        except SiliconFriendError as error:
            return "", [], [], "", "", quiet(error.message(language))
        if scope is None:
            return "", [], [], "", "", ""
        memory = self._memory(scope)
        is_new = owner != scope.person
        lines = stored_lines(memory) if is_new else renewed(lines, memory)
        notice: Any = gr.skip()  # a greeting stays where two looks overlap
        if is_new:
            key = "met" if memory is not None and lines else "new"
            notice = quiet(say(key, language, name=scope.person))
        return self._shown(scope, lines, language, notice)

    def _memory(self, scope: Scope) -> PersonMemory | None:
        store = self._friends.store
        return store.load(scope) if store.exists(scope) else None

    def _shown(
        self, scope: Scope, lines: list[Line], language: Language, notice: Any, message: Any = ""
    ) -> Shown:
        memory = self._memory(scope)
        last = next((line for line in reversed(lines) if line.response), None)
        cards = "" if memory is None else remembered(self._friends, memory, last, language)
        return message, messages(lines), lines, scope.person, cards, notice

    def _begin(
        self, person: str, lines: list[Line], owner: str, request: gr.Request
    ) -> tuple[Scope | None, list[Line]]:
        """The scope, and the lines of this tab as far as they are that person's."""
        scope = self._friends.scope(person, request)
        return scope, [] if scope is None or scope.person != owner else lines

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
        scope, lines = self._begin(person, lines, owner, request)
        if scope is None:
            yield message, [], [], "", "", quiet(say("not_started", language))
        elif message.strip():
            yield from self._reply(scope, lines, message, off_record, language, request)

    def _reply(
        self,
        scope: Scope,
        lines: list[Line],
        message: str,
        off_record: bool,
        language: Language,
        request: gr.Request,
    ) -> Iterator[Shown]:
        same = gr.skip()
        companion = self._friends.of(scope, request.session_hash or "", language)
        said, told = Line(message), messages(lines)
        yield "", [*told, *messages([said])], same, scope.person, same, ""
        error_sentence = ""
        try:
            with closing(companion.stream(message, off_record=off_record)) as pieces:
                for piece in pieces:
                    said = replace(said, response=said.response + piece)
                    yield same, [*told, *messages([said])], same, same, same, same
        except SiliconFriendError as error:
            error_sentence = f"⚠ {error.message(language)}"
        reply = companion.last_reply
        if off_record:
            lines = [*lines, replace(said, used=reply.used if reply else ())]
        else:
            lines = renewed(lines, self._memory(scope))
        notice = quiet(error_sentence or companion.notice)
        yield self._shown(scope, lines, language, notice, same)

    def _again(
        self,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.RetryData,
        request: gr.Request,
    ) -> Iterator[Shown]:
        """Say the last message again; the first answer is erased."""
        scope, lines = self._begin(person, lines, owner, request)
        place = line_at(lines, event.index)
        if scope is not None and place is not None:
            words = lines[place].query
            left = self._without(scope, lines, place, language)
            yield from self._reply(scope, left, words, off_record, language, request)

    def _edited(
        self,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.EditData,
        request: gr.Request,
    ) -> Iterator[Shown]:
        """The last message is said again in the new words; of an earlier one they are mended."""
        scope, lines = self._begin(person, lines, owner, request)
        place = line_at(lines, event.index)
        words = html.unescape(str(event.value)).strip()
        if scope is None or place is None or not words:
            return
        line = lines[place]
        if place == len(lines) - 1:
            left = self._without(scope, lines, place, language)
            yield from self._reply(scope, left, words, off_record, language, request)
        elif line.id:
            now = self._friends.clock.now(self._friends.settings.zone)
            edit(self._friends.store, scope, line.id, now, query=words)
            lines = renewed(lines, self._memory(scope))
            yield self._shown(scope, lines, language, quiet(say("done.edit", language)))

    def _undo(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.UndoData,
        request: gr.Request,
    ) -> Shown:
        """Take the last exchange back for good; its words come back into the message box."""
        scope, lines = self._begin(person, lines, owner, request)
        place = line_at(lines, event.index)
        if scope is None or place is None:
            return (gr.skip(),) * len(self.outputs)
        words = lines[place].query
        left = self._without(scope, lines, place, language)
        return self._shown(scope, left, language, quiet(say("undone", language)), words)

    def _without(
        self, scope: Scope, lines: list[Line], place: int, language: Language
    ) -> list[Line]:
        """The lines without that one, which is erased where it was stored."""
        line = lines[place]
        if line.id:
            erase_now(self._friends, scope, line.id, language)
        return lines[:place] + lines[place + 1 :]

    def _select(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.SelectData,
        request: gr.Request,
    ) -> str:
        scope, lines = self._begin(person, lines, owner, request)
        memory = None if scope is None else self._memory(scope)
        place = line_at(lines, event.index)
        if memory is None or place is None:
            return ""
        return remembered(self._friends, memory, lines[place], language)
