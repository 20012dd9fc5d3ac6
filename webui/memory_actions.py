"""What the buttons of a memory do, wherever it is shown.

Pin, forget, restore and "don't remember this" happen at once and can be undone. Erasing
asks first and then shows the proof; editing opens a field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from siliconfriend.control import actions
from siliconfriend.control.edit import edit_memory
from siliconfriend.control.erasure.erase import erase
from siliconfriend.control.listing import words_of
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .labels import Labels, say
from .markup import plain, quiet
from .privacy import gr

PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}


def erase_now(backend: Backend, scope: Scope, identifier: str, language: Language) -> str:
    """Erase one memory with all that was made of it; returns the sentence that proves it."""
    done = erase(
        backend.store,
        scope,
        [identifier],
        home=backend.settings.home,
        rewrite_index=backend.runtime.rewrite_index,
    )
    return say("erased", language, searched=done.searched, left=done.left)


@dataclass
class MemoryActions:
    """The boxes under a list of cards that ask before erasing and take new words.

    Args:
        backend, labels, language, person: of the page.
        name: begins the ids of its elements.
    """

    backend: Backend
    labels: Labels
    language: Any
    person: Any
    name: str

    def __post_init__(self) -> None:
        make, transient = self.labels.make, self.labels.transient
        self.notice = transient(
            gr.HTML(elem_id=f"{self.name}-notice", elem_classes="sf-done"), value=""
        )
        self.pending = gr.State("")
        with gr.Group(visible=False, elem_classes="sf-ask") as self.erase_box:
            self.question = gr.HTML(elem_id=f"{self.name}-question")
            with gr.Row():
                self.sure = make(
                    gr.Button, {"value": "sure"}, variant="stop", elem_id=f"{self.name}-sure"
                )
                self.keep = make(gr.Button, {"value": "keep"}, elem_id=f"{self.name}-keep")
        with gr.Group(visible=False, elem_classes="sf-ask") as self.edit_box:
            self.first = make(
                gr.Textbox, {"label": "words"}, max_lines=8, elem_id=f"{self.name}-words"
            )
            self.second = make(gr.Textbox, {"label": "reply_words"}, max_lines=8)
            with gr.Row():
                self.save = make(
                    gr.Button, {"value": "save"}, variant="primary", elem_id=f"{self.name}-save"
                )
                self.cancel = make(gr.Button, {"value": "cancel"})
        for box in (self.erase_box, self.edit_box):
            transient(box, visible=False)
        self.fields = [
            self.notice,
            self.pending,
            self.erase_box,
            self.question,
            self.edit_box,
            self.first,
            self.second,
        ]

    def listen(
        self, cards: Sequence[Any], refresh: Callable[..., Any], inputs: Any, outputs: Any
    ) -> None:
        """Handle the buttons inside ``cards``, and refresh the list after each."""
        given = [self.person, self.language]
        clicks = [it.click for it in cards]
        events = [
            gr.on(clicks, self._act, given, self.fields, **PRIVATE),
            self.sure.click(self._erase, [self.pending, *given], self.fields, **PRIVATE),
            self.save.click(
                self._edit,
                [self.pending, self.first, self.second, *given],
                self.fields,
                **PRIVATE,
            ),
        ]
        gr.on([self.keep.click, self.cancel.click], self._close, None, self.fields, **PRIVATE)
        for event in events:
            event.then(refresh, inputs, outputs, **PRIVATE)

    def _close(self, notice: str = "") -> list[Any]:
        hidden = gr.update(visible=False)
        return [quiet(notice) if notice else "", "", hidden, "", hidden, gr.skip(), gr.skip()]

    def _act(
        self, person: str, language: Language, event: gr.EventData, request: gr.Request
    ) -> list[Any]:
        data = event._data if isinstance(event._data, dict) else {}
        verb, identifier = str(data.get("act", "")), str(data.get("id", ""))
        known = self.backend.known(person, request)
        if known is None or not verb:
            return self._close()
        scope, memory = known
        try:
            record, *_ = actions.find_memories(memory, identifier.split() or [identifier])
            if (action := _undoable(verb)) is not None:
                now = self.backend.clock.now(self.backend.settings.zone)
                actions.act(self.backend.store, scope, action, identifier.split(), now)
                return self._close(say(f"done.{verb}", language))
        except SiliconFriendError as error:
            return self._close(error.message(language))
        shown, hidden = gr.update(visible=True), gr.update(visible=False)
        if verb == "erase":
            asked = plain(say("sure_erase", language))
            words = f"<p>{asked}</p><p><b>{plain(words_of(record))}</b></p>"
            return ["", identifier, shown, words, hidden, gr.skip(), gr.skip()]
        if verb == "edit" and isinstance(record, Turn):
            second = gr.update(value=record.response, visible=True)
            return ["", identifier, hidden, "", shown, record.query, second]
        if verb == "edit":
            second = gr.update(value="", visible=False)
            return ["", identifier, hidden, "", shown, words_of(record), second]
        return self._close()

    def _erase(
        self, identifier: str, person: str, language: Language, request: gr.Request
    ) -> list[Any]:
        scope = self.backend.scope(person, request)
        if scope is None:
            return self._close()
        try:
            return self._close(erase_now(self.backend, scope, identifier, language))
        except SiliconFriendError as error:
            return self._close(error.message(language))

    def _edit(
        self,
        identifier: str,
        first: str,
        second: str,
        person: str,
        language: Language,
        request: gr.Request,
    ) -> list[Any]:
        known = self.backend.known(person, request)
        if known is None:
            return self._close()
        scope, memory = known
        try:
            new = self._new_words(memory, identifier, first, second)
            now = self.backend.now(memory)
            edit_memory(self.backend.store, scope, identifier, now, **new)
        except SiliconFriendError as error:
            return self._close(error.message(language))
        return self._close(say("done.edit", language))

    @staticmethod
    def _new_words(
        memory: PersonMemory, identifier: str, first: str, second: str
    ) -> dict[str, str]:
        (record,) = actions.find_memories(memory, [identifier])
        if not first.strip():
            raise UsageError("edit_words", id=identifier)
        if isinstance(record, Turn):
            return {"query": first, "response": second}
        return {"text": first}


def _undoable(verb: str) -> actions.Action | None:
    """The action of a button, if it is one that happens at once."""
    return next((action for action in actions.ACTIONS if action == verb), None)
