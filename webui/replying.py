"""What is said in the talk panel: replies, and the last exchange in the hands of the person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from siliconfriend.texts import Language

from .backend import Backend
from .cards import quiet
from .chat_layout import SAME, Shown, Values
from .chat_lines import Line, messages
from .exchange import Exchanges, Heard, Occasion, tab_of, unkept_notice
from .labels import say
from .looking import Looking, nobodys
from .memory_actions import do_at_once
from .privacy import gr


class Replying:
    """Answers, and does what is done with the last exchange; what it shows, ``looking`` shows.

    What has nothing to do says that all stays as it is: Gradio empties the parts of an event
    that ends without a word.
    """

    def __init__(self, backend: Backend, exchanges: Exchanges, looking: Looking) -> None:
        self._backend = backend
        self._exchanges = exchanges
        self._looking = looking

    def answer(
        self,
        message: str,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Values]:
        """Say what stands in the message box."""
        if self._backend.scope(person, request) is None:
            yield nobodys(quiet(say("not_started", language)), language).values
            return
        at = self._exchanges.occasion(person, language, lines, owner, request)
        if at is not None and message.strip():
            yield from self._reply(at, message, off_record, message="")
        else:
            yield Shown().values

    def _reply(
        self, at: Occasion, words: str, off_record: bool, *, message: Any = SAME
    ) -> Iterator[Values]:
        heard = Heard(at.lines)
        more = Shown(
            message=message,
            owner=at.scope.person,
            notice="",
            chosen="",
            stop=gr.update(interactive=True),
        )
        for heard in self._exchanges.say(at, words, off_record=off_record):
            if not heard.is_last:
                if heard.notice is not None:
                    more = replace(more, notice=heard.notice)
                yield replace(more, chat=messages(heard.lines, at.language)).values
                # What is sent again is drawn again, and the next words would wait for it.
                more = Shown()
        yield self._looking.shown(at.scope, heard.lines, at.language, heard.notice or "")

    def again(
        self,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Values]:
        """Say the last message again; the first answer is erased."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        last = None if at is None else at.last
        if at is not None and last is not None:
            left = self._exchanges.without(at, len(at.lines) - 1)
            yield from self._reply(left, last.query, off_record or last.off_record)
        else:
            yield Shown().values

    def reworded(
        self,
        words: str,
        off_record: bool,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Iterator[Values]:
        """Say the last message in other words; the first exchange is erased."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        last = None if at is None else at.last
        if at is not None and last is not None and words.strip():
            left = self._exchanges.without(at, len(at.lines) - 1)
            yield from self._reply(left, words.strip(), off_record or last.off_record)
        else:
            yield Shown().values

    def open_words(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> tuple[Any, Any]:
        """The last message, to be put in other words."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        last = None if at is None else at.last
        if last is None:
            return SAME, SAME
        return gr.update(visible=True), last.query

    def undo(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Values:
        """Take the last exchange back for good; its words come back into the message box."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        last = None if at is None else at.last
        if at is None or last is None:
            return Shown().values
        left = self._exchanges.without(at, len(at.lines) - 1)
        notice = quiet(say("undone", language))
        return self._looking.shown(at.scope, left.lines, language, notice, message=last.query)

    def unkeep(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Values:
        """Mark the last exchange as not to be remembered."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        last = None if at is None else at.last
        if at is None or last is None or not last.id:
            return Shown().values
        do_at_once(self._backend, at.scope, "unkeep", [last.id])
        return self._looking.shown(
            at.scope, at.lines, language, unkept_notice((last.id,), language)
        )

    def stop(self, request: gr.Request) -> None:
        """End the reply of this tab; what was said so far is kept."""
        self._exchanges.running.stop(tab_of(request))
