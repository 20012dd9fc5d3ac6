"""What the buttons of a memory do, wherever it is shown.

Pin, forget, restore and "don't remember this" happen at once and can be undone. Erasing
asks first and then shows the proof; editing opens a dialog with the words.
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
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .dialogs import CLOSED, Choice, Dialog, Field, dialog_place
from .labels import Labels, say
from .markup import quiet
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
    """What a list of cards needs besides: its notices, and dialogs before erasing and for new words.

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
        self.notice = self.labels.transient(
            gr.HTML(elem_id=f"{self.name}-notice", elem_classes="sf-done"), value=""
        )
        self.dialog = dialog_place(self.labels)
        self.fields = [self.notice, self.dialog]

    def listen(
        self, cards: Sequence[Any], refresh: Callable[..., Any], inputs: Any, outputs: Any
    ) -> None:
        """Handle the buttons inside ``cards``, and refresh the list after each."""
        clicks = [it.click for it in (*cards, self.dialog)]
        acted = gr.on(clicks, self._act, [self.person, self.language], self.fields, **PRIVATE)
        acted.then(refresh, inputs, outputs, **PRIVATE)

    def _act(
        self, person: str, language: Language, event: gr.EventData, request: gr.Request
    ) -> tuple[str, str]:
        """Do what a button says, or open the dialog that it needs; returns notice and dialog."""
        data = event._data if isinstance(event._data, dict) else {}
        known = self.backend.known(person, request)
        if known is None or not data.get("act"):
            return "", CLOSED
        try:
            done = self._do(*known, {key: str(it) for key, it in data.items()}, language)
        except SiliconFriendError as error:
            done = error.message(language)
        return (quiet(done), CLOSED) if isinstance(done, str) else ("", done.opened())

    def _do(
        self, scope: Scope, memory: PersonMemory, data: dict[str, str], language: Language
    ) -> str | Dialog:
        verb, identifier = data["act"], data.get("id", "")
        record, *_ = actions.find_memories(memory, identifier.split() or [identifier])
        if (action := _undoable(verb)) is not None:
            now = self.backend.clock.now(self.backend.settings.zone)
            actions.act(self.backend.store, scope, action, identifier.split(), now)
            return say(f"done.{verb}", language)
        match verb:
            case "erase":
                return self._ask_erase(record, language)
            case "edit":
                return self._ask_words(record, language)
            case "sure":
                return erase_now(self.backend, scope, identifier, language)
            case "save":
                new = self._new_words(memory, identifier, data.get("words", ""), data.get("reply"))
                edit_memory(self.backend.store, scope, identifier, self.backend.now(memory), **new)
                return say("done.edit", language)
        return ""

    def _ask_erase(self, record: Memory, language: Language) -> Dialog:
        choices = (
            Choice("", say("keep", language)),
            Choice("sure", say("sure", language), "danger"),
        )
        title, words = say("sure_erase", language), words_of(record)
        return Dialog(self.name, record.id, title, choices, quote=words)

    def _ask_words(self, record: Memory, language: Language) -> Dialog:
        choices = (
            Choice("", say("cancel", language)),
            Choice("save", say("save", language), "primary"),
        )
        if isinstance(record, Turn):
            fields = [
                Field("words", say("words", language), record.query),
                Field("reply", say("reply_words", language), record.response),
            ]
        else:
            fields = [Field("words", say("words", language), words_of(record))]
        title = say("verbs.edit", language)
        return Dialog(self.name, record.id, title, choices, fields=fields)

    @staticmethod
    def _new_words(
        memory: PersonMemory, identifier: str, words: str, reply: str | None
    ) -> dict[str, str]:
        (record,) = actions.find_memories(memory, [identifier])
        if not words.strip():
            raise UsageError("edit_words", id=identifier)
        if isinstance(record, Turn):
            return {"query": words, "response": reply or ""}
        return {"text": words}


def _undoable(verb: str) -> actions.Action | None:
    """The action of a button, if it is one that happens at once."""
    return next((action for action in actions.ACTIONS if action == verb), None)
