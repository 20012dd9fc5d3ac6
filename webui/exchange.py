"""What is done with the last exchange of a talk: said, said again, reworded, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

from .backend import Backend
from .cards import buttons, plain, quiet
from .chat_lines import Line, renewed
from .labels import say
from .memory_actions import erase_now
from .privacy import gr
from .running_replies import RunningReplies


@dataclass(frozen=True, slots=True)
class Occasion:
    """Who speaks, in which tab, and what stands there already.

    Attributes:
        scope, tab, language: of the request.
        lines: what the tab shows, all of this person.
    """

    scope: Scope
    tab: str
    language: Language
    lines: list[Line]

    @property
    def last(self) -> Line | None:
        """The last exchange; None where the person has said nothing yet."""
        line = next(iter(reversed(self.lines)), None)
        return None if line is None or line.is_greeting else line


@dataclass(frozen=True, slots=True)
class Heard:
    """A moment of a reply.

    Attributes:
        lines: what the tab shows now.
        notice: what is to be told of it (HTML); None leaves what stands there.
        is_last: nothing more comes.
    """

    lines: list[Line]
    notice: str | None = None
    is_last: bool = False


class Exchanges:
    """The replies of everybody who uses the page."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.running = RunningReplies()

    def memory(self, scope: Scope) -> PersonMemory | None:
        """The newest memory; None of a person not met yet."""
        store = self._backend.store
        return store.load(scope) if store.exists(scope) else None

    def occasion(
        self,
        person: str,
        language: Language,
        lines: list[Line],
        owner: str,
        request: gr.Request,
    ) -> Occasion | None:
        """The lines of this tab as far as they are that person's; None while a reply is made."""
        scope = self._backend.scope(person, request)
        tab = tab_of(request)
        if scope is None or self.running.busy(tab):
            return None
        return Occasion(scope, tab, language, lines if scope.person == owner else [])

    def say(self, at: Occasion, words: str, *, off_record: bool) -> Iterator[Heard]:
        """Say something; the reply piece by piece, and what is kept of it at last."""
        companion = self._backend.of(at.scope, at.tab, at.language)
        said = Line(words, off_record=off_record)
        stream = companion.stream(words, off_record=off_record)
        pieces = self.running.pieces(at.tab, stream)
        notice = told = ""
        try:
            was_stopped = False
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    was_stopped = end.value
                    break
                said = replace(said, response=said.response + piece)
                waiting = "" if piece else self._waiting(at)
                yield Heard([*at.lines, said], None if waiting == told else waiting)
                told = waiting
            if was_stopped:
                key = "stopped_off_record" if off_record else "stopped"
                notice = quiet(say(key, at.language))
        except SiliconFriendError as error:
            notice = quiet(f"⚠ {error.message(at.language)}")
        finally:
            pieces.close()
        reply = companion.last_reply
        if off_record:
            lines = [*at.lines, replace(said, used=reply.used if reply else ())]
        else:
            lines = renewed(at.lines, self.memory(at.scope))
            if lines and lines[-1].query == said.query and not lines[-1].response:
                # Stopped while the model is silent: it is stored once the model lets go.
                lines[-1] = replace(lines[-1], response=said.response)
        notice += unkept_notice(companion.last_unkept, at.language)
        yield Heard(lines, notice, is_last=True)

    def _waiting(self, at: Occasion) -> str:
        """What a reply waits for that has not begun, where an import is still being taken in."""
        progress = self._backend.recaller.indexing_progress(at.scope)
        if progress is None:
            return ""
        done, everything = progress
        return quiet(text("recall", "taking_in", at.language, done=done, all=everything))

    def without(self, at: Occasion, place: int) -> Occasion:
        """The same without a line, which is erased where it was stored.

        Raises:
            gr.Error: the memory cannot be written; shown on the page.
        """
        line = at.lines[place]
        if line.id:
            try:
                erase_now(self._backend, at.scope, line.id, at.language)
            except SiliconFriendError as error:
                raise gr.Error(plain(error.message(at.language)), title="") from error
        return replace(at, lines=at.lines[:place] + at.lines[place + 1 :])


def unkept_notice(ids: tuple[str, ...], language: Language) -> str:
    """That the last message asked not to be remembered, and the button that takes it back."""
    if not ids:
        return ""
    key = "unkept_one" if len(ids) == 1 else "unkept_both"
    acts = buttons(["rekeep"], " ".join(ids), language)
    told = plain(say(key, language))
    return f'<div class="sf-card"><p>{told}</p><div class="sf-acts">{acts}</div></div>'


def tab_of(request: gr.Request) -> str:
    """The number of the tab that asks."""
    return request.session_hash or ""
