"""What the events of the chat panel do: show the chat, answer, and change the last line.

A handler takes the :class:`ChatContext` of its request and returns a :class:`ChatUpdate`, or
yields one for each piece of a reply. Nothing is kept here but the replies that are running:
what is shown comes from the store, so a reload, another tab and the terminal see the same chat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from siliconfriend.control.opt_out import mark_unkept
from siliconfriend.errors import RefusedName, SiliconFriendError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

from .backend import Backend
from .chat_lines import (
    ChatLine,
    has_earlier,
    line_cards,
    line_of_message,
    newest_lines,
    refresh_lines,
    to_messages,
    unkept_notice,
    welcome_key,
    with_earlier,
    with_greeting,
)
from .labels import say
from .markup import plain, quiet
from .memory_actions import erase_now
from .privacy import gr
from .running_replies import RunningReplies

UNCHANGED: Any = gr.skip()
"""Leaves a component as it is; it is not drawn again either."""


@dataclass(frozen=True, slots=True)
class ChatUpdate:
    """What the components of the panel are to show; unchanged where nothing is said.

    The fields are in the order of the panel's outputs and have the names of its components.

    Attributes:
        message: words in the message box.
        chat: the lines as Gradio's messages.
        lines, owner, chosen: kept by the tab: the lines, whose they are, the chosen line's id.
        cards: HTML beside the chat.
        notice: HTML below the chat.
        stop: the button that stops a reply.
        earlier: the button that shows earlier lines.
        reword_box, reword_words: the box in which the last message is reworded.
    """

    message: Any = field(default_factory=gr.skip)
    chat: Any = field(default_factory=gr.skip)
    lines: Any = field(default_factory=gr.skip)
    owner: Any = field(default_factory=gr.skip)
    chosen: Any = field(default_factory=gr.skip)
    cards: Any = field(default_factory=gr.skip)
    notice: Any = field(default_factory=gr.skip)
    stop: Any = field(default_factory=gr.skip)
    earlier: Any = field(default_factory=gr.skip)
    reword_box: Any = field(default_factory=gr.skip)
    reword_words: Any = field(default_factory=gr.skip)

    @property
    def values(self) -> tuple[Any, ...]:
        """The fields in order, as Gradio takes them."""
        return tuple(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class ChatContext:
    """Who asks, from which tab, and what that tab shows.

    Attributes:
        scope, tab, language: of the request.
        lines: the lines of the tab; empty where they are another user's.
        is_new: the tab showed nothing of this user before.
        chosen: id of the line that was chosen; empty for the last.
    """

    scope: Scope
    tab: str
    language: Language
    lines: list[ChatLine]
    is_new: bool = False
    chosen: str = ""

    @property
    def last(self) -> ChatLine | None:
        """The last line; None where the user has said nothing yet."""
        line = self.lines[-1] if self.lines else None
        return None if line is None or line.is_greeting else line


Handler = Callable[..., ChatUpdate]
StreamingHandler = Callable[..., Iterator[ChatUpdate]]


class ChatHandlers:
    """The handlers of everybody who uses the page."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.running = RunningReplies()

    # Gradio passes values by position and finds the request by its annotation: built once here.

    def returning(self, handler: Handler) -> Callable[..., tuple[Any, ...]]:
        """Wrap a handler for Gradio; it is not called without a user or while a reply runs."""

        def handle(request: gr.Request, *given: Any) -> tuple[Any, ...]:
            try:
                context, values = self._context(request, *given)
            except RefusedName as error:
                return _without_user(quiet(error.message(given[1])), given[1]).values
            if context is None or self.running.is_busy(context.tab):
                return ChatUpdate().values
            return handler(context, *values).values

        handle.__name__ = handler.__name__
        return handle

    def streaming(self, handler: StreamingHandler) -> Callable[..., Iterator[tuple[Any, ...]]]:
        """Wrap a handler that answers piece by piece, under the same conditions."""

        def handle(request: gr.Request, *given: Any) -> Iterator[tuple[Any, ...]]:
            language = given[1]
            try:
                context, values = self._context(request, *given)
            except RefusedName as error:
                yield _without_user(quiet(error.message(language)), language).values
                return
            if context is None:
                yield _without_user(quiet(say("not_started", language)), language).values
            elif self.running.is_busy(context.tab):
                yield ChatUpdate().values
            else:
                for update in handler(context, *values):
                    yield update.values

        handle.__name__ = handler.__name__
        return handle

    def showing(self, notice: Any = None) -> Callable[..., tuple[Any, ...]]:
        """Return a handler that shows the chat as it is on disk now.

        Args:
            notice: stands below the chat of a user who was greeted before; None greets again.
        """

        def handle(request: gr.Request, *given: Any) -> tuple[Any, ...]:
            language, owner = given[1], given[3]
            try:
                context, _ = self._context(request, *given)
                memory = None if context is None else self._memory(context.scope)
            except SiliconFriendError as error:
                return _without_user(quiet(error.message(language)), language).values
            if self.running.is_busy(request.session_hash or ""):
                return ChatUpdate().values
            if context is None:
                kept = UNCHANGED if notice is not None and not owner else ""
                return _without_user(kept, language).values
            return self._show(context, memory, notice).values

        handle.__name__ = "show"
        return handle

    def select(self, event: gr.SelectData, request: gr.Request, *given: Any) -> tuple[Any, ...]:
        """Show the memories of the line that was chosen."""

        def choose(context: ChatContext) -> ChatUpdate:
            memory = self._memory(context.scope)
            line = line_of_message(context.lines, event.index)
            if memory is None or line is None:
                return ChatUpdate()
            cards = self._cards(memory, line, context.language)
            return ChatUpdate(chosen=line.id, cards=cards)

        return self.returning(choose)(request, *given)

    def answer(self, context: ChatContext, message: str, off_record: bool) -> Iterator[ChatUpdate]:
        """Answer what stands in the message box."""
        if message.strip():
            yield from self._reply(context, message, off_record, message="")
        else:
            yield ChatUpdate()

    def again(self, context: ChatContext, off_record: bool) -> Iterator[ChatUpdate]:
        """Answer the last message again; the first answer is erased."""
        if (last := context.last) is None:
            yield ChatUpdate()
        else:
            rest = self._erase_last(context)
            yield from self._reply(rest, last.query, off_record or last.off_record)

    def reword(self, context: ChatContext, words: str, off_record: bool) -> Iterator[ChatUpdate]:
        """Answer the last message in other words; the first line is erased."""
        if (last := context.last) is None or not words.strip():
            yield ChatUpdate()
        else:
            rest = self._erase_last(context)
            yield from self._reply(rest, words.strip(), off_record or last.off_record)

    def open_reword(self, context: ChatContext) -> ChatUpdate:
        """Open the box in which the last message is reworded."""
        if context.last is None:
            return ChatUpdate()
        return ChatUpdate(reword_box=gr.update(visible=True), reword_words=context.last.query)

    def undo(self, context: ChatContext) -> ChatUpdate:
        """Erase the last line for good; its words come back into the message box."""
        if (last := context.last) is None:
            return ChatUpdate()
        rest = self._erase_last(context)
        notice = quiet(say("undone", context.language))
        return replace(self._show_lines(rest, rest.lines, notice), message=last.query)

    def unkeep(self, context: ChatContext) -> ChatUpdate:
        """Mark the last line as not to be remembered."""
        if (last := context.last) is None or not last.id:
            return ChatUpdate()
        mark_unkept(self._backend.store, context.scope, [last.id])
        notice = unkept_notice((last.id,), context.language)
        return self._show_lines(context, context.lines, notice)

    def show_earlier(self, context: ChatContext) -> ChatUpdate:
        """Show earlier lines above the others."""
        memory = self._memory(context.scope)
        if memory is None:
            return ChatUpdate()
        lines = with_earlier(context.lines, memory)
        return ChatUpdate(
            chat=to_messages(lines, context.language),
            lines=lines,
            earlier=gr.update(visible=has_earlier(lines, memory)),
        )

    def stop(self, request: gr.Request) -> None:
        """End the running reply of this tab; the words so far are kept."""
        self.running.stop(request.session_hash or "")

    def _context(
        self,
        request: gr.Request,
        person: str,
        language: Language,
        lines: list[ChatLine],
        owner: str,
        chosen: str,
        *values: Any,
    ) -> tuple[ChatContext | None, tuple[Any, ...]]:
        """Return the context, None where nobody has given a name, and the event's own values."""
        scope = self._backend.scope(person, request)
        if scope is None:
            return None, values
        self._backend.check_newcomer(scope)
        tab = request.session_hash or ""
        is_new = owner != scope.person
        if is_new:
            lines, chosen = [], ""
        return ChatContext(scope, tab, language, lines, is_new, chosen), values

    def _memory(self, scope: Scope) -> PersonMemory | None:
        """Load the newest memory; None of a user not met yet."""
        store = self._backend.store
        return store.load(scope) if store.exists(scope) else None

    def _cards(self, memory: PersonMemory | None, line: ChatLine | None, language: Language) -> str:
        if memory is None or line is None or line.is_greeting:
            return quiet(say("nothing_said_yet", language))
        now = self._backend.now(memory)
        return line_cards(line, memory, self._backend.policy, now, language)

    def _show(self, context: ChatContext, memory: PersonMemory | None, notice: Any) -> ChatUpdate:
        if context.is_new:
            unasked = self._backend.first_words(context.scope)
            lines = newest_lines(memory)
            lines += [ChatLine("", unasked, is_greeting=True, is_unasked=True)] if unasked else []
            self._backend.preloader.begin(context.scope)
        else:
            lines = refresh_lines(context.lines, memory)
        greeting = self._backend.greeting(context.scope, context.language)
        lines = with_greeting(lines, greeting)
        if context.is_new or notice is None:
            key = welcome_key(lines)
            notice = quiet(say(key, context.language, name=context.scope.person))
        return self._show_lines(context, lines, notice, chosen=context.chosen)

    def _show_lines(
        self, context: ChatContext, lines: list[ChatLine], notice: Any, *, chosen: str = ""
    ) -> ChatUpdate:
        """Update everything that the panel shows; the cards are of the chosen or the last line."""
        memory = self._memory(context.scope)
        last = lines[-1] if lines else None
        line = next((line for line in lines if line.id and line.id == chosen), last)
        return ChatUpdate(
            chat=to_messages(lines, context.language),
            lines=lines,
            owner=context.scope.person,
            chosen=chosen,
            cards=self._cards(memory, line, context.language),
            notice=notice,
            stop=gr.update(interactive=False),
            earlier=gr.update(visible=has_earlier(lines, memory)),
        )

    def _reply(
        self, context: ChatContext, words: str, off_record: bool, *, message: Any = UNCHANGED
    ) -> Iterator[ChatUpdate]:
        """Answer piece by piece; the last update shows the chat as it is stored then."""
        companion = self._backend.companion(context.scope, context.tab, context.language)
        line = ChatLine(words, off_record=off_record)
        update = ChatUpdate(
            message=message,
            owner=context.scope.person,
            notice="",
            chosen="",
            stop=gr.update(interactive=True),
        )
        reply = self.running.start(context.tab, companion.stream(words, off_record=off_record))
        shown = notice = ""
        try:
            for piece in reply:
                line = replace(line, response=line.response + piece)
                waiting = "" if piece else self._waiting_notice(context)
                if waiting != shown:
                    update, shown = replace(update, notice=waiting), waiting
                yield replace(update, chat=to_messages([*context.lines, line], context.language))
                # What is sent again is drawn again, and the next words would wait for it.
                update = ChatUpdate()
            if reply.was_stopped:
                key = "stopped_off_record" if off_record else "stopped"
                notice = quiet(say(key, context.language))
            notice += "".join(quiet(f"⚠ {trouble}") for trouble in companion.troubles)
        except SiliconFriendError as error:
            notice = quiet(f"⚠ {error.message(context.language)}")
        finally:
            reply.close()
        if off_record:
            used = companion.last_reply.used if companion.last_reply else ()
            lines = [*context.lines, replace(line, used=used)]
        else:
            lines = self._stored_lines(context, line)
        notice += unkept_notice(companion.last_unkept, context.language)
        yield self._show_lines(context, lines, notice)

    def _stored_lines(self, context: ChatContext, said: ChatLine) -> list[ChatLine]:
        """Return the lines on disk, with the words of a reply that is not stored yet."""
        lines = refresh_lines(context.lines, self._memory(context.scope))
        if lines and lines[-1].query == said.query and not lines[-1].response:
            # Stopped while the model is silent: it is stored once the model lets go.
            lines[-1] = replace(lines[-1], response=said.response)
        return lines

    def _waiting_notice(self, context: ChatContext) -> str:
        """Return what a reply that has not begun waits for, while an import is indexed."""
        progress = self._backend.recaller.indexing_progress(context.scope)
        if progress is None:
            return ""
        done, total = progress
        return quiet(text("recall", "taking_in", context.language, done=done, all=total))

    def _erase_last(self, context: ChatContext) -> ChatContext:
        """Erase the last line where it was stored, and return the context without it.

        Raises:
            gr.Error: the memory cannot be written; shown on the page.
        """
        line = context.lines[-1]
        if line.id:
            try:
                erase_now(self._backend, context.scope, line.id, context.language)
            except SiliconFriendError as error:
                raise gr.Error(plain(error.message(context.language)), title="") from error
        return replace(context, lines=context.lines[:-1])


def _without_user(notice: Any, language: Language) -> ChatUpdate:
    """Return the panel where nobody has begun; words in the message box stay there."""
    return ChatUpdate(
        chat=[],
        lines=[],
        owner="",
        cards=quiet(say("nothing_said_yet", language)),
        notice=notice,
        chosen="",
        earlier=gr.update(visible=False),
    )
