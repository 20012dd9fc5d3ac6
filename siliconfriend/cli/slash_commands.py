"""The ``/`` commands of a chat.

``/undo`` reverts the last ``/forget``, ``/pin`` or ``/unpin``, or, until the next message, the
mark of "don't remember this".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from .app import App
from .memories import DONE, are_ids, memory_line, recalled_line

if TYPE_CHECKING:
    from siliconfriend.dialogue.reply import Reply
    from siliconfriend.person import Person

SHOWN_LATELY = 10
HELP = """\
/memories [WORDS]   what is remembered lately (or with these words), and how vivid it is
/why                what the last reply was based on, with scores
/forget N           put away memory N of the last reply (an id does too)
/pin N, /unpin N    keep memory N from ever fading, or let it fade again
/undo               take back the last /forget, /pin, /unpin or "don't remember this"
/offrecord on|off   from now on keep nothing, or keep it again
/scene              begin another scene: what was said so far goes into memory
/usage              what this talk took of the model, in tokens
/help               this list
/quit               leave (so does Ctrl-D)
Say "don't remember this" and the next night removes those words.
Ctrl-C during a reply stops it; what was said so far is kept."""


@dataclass
class SlashCommands:
    """The commands of one chat; ``ready`` is called before the memory is first needed."""

    app: App
    person: Person
    off_record: bool = False
    ready: Callable[[], None] = lambda: None
    _undo_step: Callable[[], str] | None = field(default=None, init=False)
    _ends_with_a_message: bool = field(default=False, init=False)
    """True if the next message takes that step away."""

    def obey(self, name: str, rest: str) -> None:
        """Run the command of this name.

        Raises:
            UsageError: it names a memory that is not there.
        """
        match name.lower():
            case "help" | "":
                self.app.echo(HELP)
            case "memories":
                self._list_memories(rest)
            case "why":
                self.explain_reply()
            case "forget" | "pin" | "unpin" as verb:
                self._change(verb, rest)
            case "undo":
                self._undo()
            case "usage":
                none = "No model was asked yet: nothing was counted."
                click.echo(self.usage() or self.app.text(none))
            case "scene":
                if self.person.is_known() and self.person.change_scene():
                    self.app.echo("Another scene. What was said so far is on its way into memory.")
                else:
                    self.app.echo("A new scene already: nothing was said since the last one.")
            case "offrecord":
                self._set_off_record(rest.lower())
            case _:
                unknown = "There is no {command}; /help shows what there is."
                self.app.echo(unknown, command=f"/{name}")

    def usage(self) -> str:
        """Return what this talk took of the model so far; empty if nothing was asked."""
        usage = getattr(self.person.companion.chat, "usage", None)
        if usage is None or not usage.calls:
            return ""
        return self.app.text("This talk took: {usage}.", usage=usage.sentence(self.app.language))

    def explain_reply(self) -> None:
        """Print what the last reply was based on, with the parts of each score."""
        reply = self._last_reply
        if reply is None or not reply.used:
            self.app.echo("The last reply used no memory.")
            return
        recalled = (*reply.recalled.memories, *reply.recalled.facts)
        found = {known.memory.id: known for known in recalled}
        self.app.echo("The last reply was based on:")
        for number, used in enumerate(reply.used, 1):
            if used.id in found:
                click.echo(f"{number}. {recalled_line(self.app, found[used.id], why=True)}")
        others = sum(used.id not in found for used in reply.used)
        if others:
            words = "Besides, an overview of what happened lately: {events}."
            self.app.echo(words, events=others)

    def offer_keeping(self, ids: Sequence[str]) -> None:
        """Let ``/undo`` keep these turns after all, until the next message."""

        def keep_after_all() -> str:
            kept = "That is taken back: it is kept like everything else."
            gone = "It is gone already, so it cannot be taken back."
            return self.app.text(kept if self.person.keep(*ids) else gone)

        self._undo_step, self._ends_with_a_message = keep_after_all, True

    def message_follows(self) -> None:
        """Take note of a message: nobody keeps by ``/undo`` what they no longer have in mind."""
        if self._ends_with_a_message:
            self._undo_step = None

    @property
    def _last_reply(self) -> Reply | None:
        return self.person.companion.last_reply

    def _list_memories(self, words: str) -> None:
        self.ready()
        name = self.person.scope.person
        if not self.person.is_known():
            self.app.echo("Nothing is remembered of {name} yet.", name=name)
            return
        rows = self.person.matching(words) if words else self.person.list()
        if not rows:
            self.app.echo("Nothing that is remembered of {name} fits.", name=name)
        for row in rows[-SHOWN_LATELY:]:
            click.echo(memory_line(self.app, row.to_json()))

    def _change(self, verb: str, which: str) -> None:
        ids = self._named(which)
        if not ids:
            self.explain_reply()
            if self._last_reply is not None and self._last_reply.used:
                words = "Type {command} and the number of the one you mean, or its id."
                self.app.echo(words, command=f"/{verb}")
            return
        restore = self.person.restorer(*ids)
        if verb == "forget":
            self.person.forget(*ids)
        else:
            self.person.pin(*ids, pinned=verb == "pin")
        for identifier in ids:
            self.app.echo(DONE[verb], id=identifier)

        def put_back() -> str:
            restore()
            return self.app.text("{id} is as it was before.", id=", ".join(ids))

        self._undo_step, self._ends_with_a_message = put_back, False

    def _named(self, which: str) -> tuple[str, ...]:
        """Return the id of a number of the last reply, or ids; none for other words."""
        used = self._last_reply.used if self._last_reply is not None else ()
        if which.isdecimal() and 1 <= int(which) <= len(used):
            which = used[int(which) - 1].id
        if not are_ids(which.split()) or not self.person.is_known():
            return ()
        return self.person.resolve(*which.split())

    def _undo(self) -> None:
        step, self._undo_step = self._undo_step, None
        click.echo(self.app.text("There is nothing to take back.") if step is None else step())

    def _set_off_record(self, wanted: str) -> None:
        if wanted in ("on", "off"):
            self.off_record = wanted == "on"
        elif wanted:
            self.app.echo("Type /offrecord on or /offrecord off.")
            return
        if self.off_record:
            self.app.echo("Off the record: nothing of this talk is kept.")
        else:
            self.app.echo("On the record: what you say from now on is kept.")
