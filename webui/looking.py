"""What the talk panel shows: the talk as it is on disk, and what was remembered beside it."""

from __future__ import annotations

from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .cards import quiet
from .chat_layout import SAME, Shown, Values
from .chat_lines import (
    Line,
    beside,
    earlier,
    greeted,
    has_earlier,
    line_at,
    messages,
    renewed,
    stored_lines,
)
from .exchange import Exchanges, tab_of
from .labels import say
from .privacy import gr


class Looking:
    """Looks at the talk for whoever asks; the lines that a tab holds come with the request."""

    def __init__(self, backend: Backend, exchanges: Exchanges) -> None:
        self._backend = backend
        self._exchanges = exchanges

    def show(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
    ) -> Values:
        """The talk as it is on disk now, with what this tab said off the record."""
        # A greeting stays where two looks overlap.
        return self._look(person, language, lines, owner, chosen, request, otherwise=SAME)

    def after_hand(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        chosen: str,
        request: gr.Request,
    ) -> Values:
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
    ) -> Values:
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
    ) -> Values:
        """The talk and the greeting; for who was greeted before ``otherwise`` in its place."""
        try:
            scope = self._backend.scope(person, request)
            memory = None if scope is None else self._exchanges.memory(scope)
        except SiliconFriendError as error:
            return nobodys(quiet(error.message(language)), language).values
        if self._exchanges.running.busy(tab_of(request)):
            return Shown().values
        if scope is None:
            told = SAME if otherwise is not None and not owner else ""
            return nobodys(told, language).values
        is_new = owner != scope.person
        lines = stored_lines(memory) if is_new else renewed(lines, memory)
        lines = greeted(lines, self._backend.greeting(scope, language))
        if is_new:
            self._backend.preloader.begin(scope)
        notice = otherwise
        if is_new or otherwise is None:
            notice = quiet(say(_meeting(lines), language, name=scope.person))
        return self.shown(scope, lines, language, notice, chosen="" if is_new else chosen)

    def shown(
        self,
        scope: Scope,
        lines: list[Line],
        language: Language,
        notice: Any,
        *,
        message: Any = SAME,
        chosen: str = "",
    ) -> Values:
        """Everything that the panel shows; of the lines the chosen or else the last stands out."""
        memory = self._exchanges.memory(scope)
        line = next((it for it in lines if it.id and it.id == chosen), None)
        line = line or next(iter(reversed(lines)), None)
        return Shown(
            message=message,
            chat=messages(lines, language),
            lines=lines,
            owner=scope.person,
            cards=beside(self._backend, memory, line, language),
            notice=notice,
            chosen=chosen,
            stop=gr.update(interactive=False),
            earlier=gr.update(visible=has_earlier(lines, memory)),
        ).values

    def earlier(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Values:
        """The exchanges before those that are shown, above them."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        memory = None if at is None else self._exchanges.memory(at.scope)
        if at is None or memory is None:
            return Shown().values
        lines = earlier(at.lines, memory)
        more = gr.update(visible=has_earlier(lines, memory))
        return Shown(chat=messages(lines, language), lines=lines, earlier=more).values

    def select(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        event: gr.SelectData,
        request: gr.Request,
    ) -> tuple[Any, Any]:
        """What was remembered for the line that is chosen."""
        at = self._exchanges.occasion(person, language, lines, owner, request)
        memory = None if at is None else self._exchanges.memory(at.scope)
        place = None if at is None else line_at(at.lines, event.index)
        if at is None or memory is None or place is None:
            return SAME, SAME
        line = at.lines[place]
        return line.id, beside(self._backend, memory, line, language)


def _meeting(lines: list[Line]) -> str:
    """The key of what a person is told who begins."""
    if not lines:
        return "new"
    return "begun" if all(line.is_greeting for line in lines) else "met"


def nobodys(notice: Any, language: Language) -> Shown:
    """The panel where nobody has begun: what is written in the message box stays there."""
    return Shown(
        chat=[],
        lines=[],
        owner="",
        cards=quiet(say("nothing_said_yet", language)),
        notice=notice,
        chosen="",
        earlier=gr.update(visible=False),
    )
