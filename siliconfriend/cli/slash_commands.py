"""The ``/`` commands of a chat: the user's control of their memory without leaving it.

``/undo`` takes back one step: the last thing that ``/forget``, ``/pin`` or ``/unpin`` changed,
or the mark that "don't remember this" set, whichever came last. A message in between does
not use it up; a second ``/undo`` finds nothing more. But after other messages nobody knows
any more which words the mark was about, and kept they can be quoted again: so ``/undo``
then names them and asks, and only "yes" or another ``/undo`` keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import click

from siliconfriend.memory.records import Memory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ServedModel
from siliconfriend.models.usage import Usage

from .app import App
from .memories import memory_line
from .recall import recall_line

if TYPE_CHECKING:
    from siliconfriend.dialogue.companion import Companion
    from siliconfriend.dialogue.reply import Reply
    from siliconfriend.memory.store import MemoryStore
    from siliconfriend.runtime import Runtime

SHOWN_LATELY = 10
LONGEST_QUOTED = 80
"""Characters of a message that ``/undo`` names before it asks."""


@dataclass
class SlashCommands:
    """The commands of one chat.

    Attributes:
        companion: whose last reply ``/why``, ``/forget`` and ``/pin`` are about.
        off_record: nothing said is kept; ``/offrecord`` sets it.
        ready: called before the memory is first needed.
    """

    app: App
    runtime: Runtime
    companion: Companion
    off_record: bool = False
    ready: Callable[[], None] = lambda: None
    _undo_step: Callable[[], str] | None = field(default=None, init=False)
    _to_keep: tuple[str, ...] = field(default=(), init=False)
    """Ids of the turns that the next ``/undo`` would keep after all."""
    _must_ask: bool = field(default=False, init=False)
    """True once another message came after those turns."""
    _asked: bool = field(default=False, init=False)
    """True if the line before was an ``/undo`` that asked."""

    def obey(self, name: str, rest: str) -> None:
        """Run the command of this name.

        Raises:
            UsageError: it names a memory that is not there.
        """
        asked, self._asked = self._asked, False
        match name.lower():
            case "help" | "":
                click.echo(self.app.text("chat.help"))
            case "memories":
                self._list_memories(rest)
            case "why":
                self.explain_reply()
            case "forget" | "pin" | "unpin" as verb:
                self._change(verb, rest)
            case "undo":
                self._undo(confirmed=asked or self._is_yes(rest))
            case "usage":
                click.echo(self.usage())
            case "scene":
                left = self.companion.change_scene()
                click.echo(self.app.text("chat.scene" if left else "chat.scene_empty"))
            case "offrecord":
                self._set_off_record(rest.lower())
            case _:
                click.echo(self.app.text("chat.unknown_command", command=f"/{name}"))

    def usage(self) -> str:
        """The model's usage in this talk so far, background reading included."""
        model = self.companion.chat
        usage = model.usage if isinstance(model, ServedModel) else Usage()
        if not usage.calls:
            return self.app.text("chat.usage_none")
        return self.app.text("chat.usage", usage=usage.sentence(self.app.language))

    def explain_reply(self) -> None:
        """Print what the last reply was based on, with the parts of each score."""
        reply = self._last_reply
        if reply is None or not reply.used:
            click.echo(self.app.text("chat.nothing_used"))
            return
        recalled = (*reply.recalled.memories, *reply.recalled.facts)
        found = {it.memory.id: it for it in recalled}
        click.echo(self.app.text("chat.used"))
        overview = 0
        for number, used in enumerate(reply.used, 1):
            if used.id in found:
                line = recall_line(self.app, found[used.id], is_best=False)
                date = found[used.id].memory.date
                click.echo(f"{number}. {date} {line}")
            else:
                overview += 1
        if overview:
            click.echo(self.app.text("chat.lately", events=self.app.count("event", overview)))

    def answer(self, words: str) -> bool:
        """Take a line for the answer to what ``/undo`` asked; False if it is a message.

        Whatever it is, the question is over: nothing else than "yes" keeps the words.
        """
        asked, self._asked = self._asked, False
        if asked and self._is_yes(words):
            self._undo(confirmed=True)
        elif asked and words.lower() in self.app.text("chat.no_words").split():
            click.echo(self.app.text("chat.still_unkept"))
        else:
            self._must_ask = True
            return False
        return True

    def offer_keeping(self, ids: Sequence[str]) -> None:
        """Let ``/undo`` keep these turns after all, which the last message asked not to keep."""

        def keep_after_all() -> str:
            from siliconfriend.control.opt_out import mark_unkept

            kept = mark_unkept(self._store, self._scope, ids, unkept=False)
            return self.app.text("chat.kept_after_all" if kept else "chat.gone_already")

        self._undo_step, self._to_keep, self._must_ask = keep_after_all, tuple(ids), False

    @property
    def _store(self) -> MemoryStore:
        return self.runtime.store

    @property
    def _scope(self) -> Scope:
        return self.companion.scope

    @property
    def _last_reply(self) -> Reply | None:
        return self.companion.last_reply

    def _list_memories(self, words: str) -> None:
        from siliconfriend.control.listing import memory_rows
        from siliconfriend.control.search import memories_with_words

        self.ready()
        if not self._store.exists(self._scope):
            click.echo(self.app.text("memories.none", name=self._scope.person))
            return
        memory = self._store.load(self._scope)
        wanted = {it.id for it in memories_with_words(memory, words)} if words else None
        listed = [
            row.to_json()
            for row in memory_rows(memory, self.runtime.policy, self.runtime.now(memory))
            if wanted is None or row.memory.id in wanted
        ]
        if not listed:
            click.echo(self.app.text("memories.no_match", name=self._scope.person))
        for item in listed[-SHOWN_LATELY:]:
            click.echo(memory_line(self.app, item))

    def _change(self, verb: str, which: str) -> None:
        from siliconfriend.control import actions

        records = self._named(which)
        if not records:
            self.explain_reply()
            if self._last_reply is not None and self._last_reply.used:
                click.echo(self.app.text("chat.which", command=f"/{verb}"))
            return
        ids = [record.id for record in records]
        if verb == "forget":
            actions.forget(self._store, self._scope, ids, self.app.now(self.runtime.settings))
        else:
            actions.pin(self._store, self._scope, ids, pinned=verb == "pin")
        for identifier in ids:
            click.echo(self.app.text(f"memories.done.{verb}", id=identifier))
        self._undo_step, self._to_keep = (lambda: self._restore(records)), ()

    def _named(self, which: str) -> list[Memory]:
        """The memory with a number of the last reply, or with an id; none for other words."""
        from siliconfriend.control.actions import find_memories
        from siliconfriend.control.search import are_ids

        used = self._last_reply.used if self._last_reply is not None else ()
        if which.isdecimal() and 1 <= int(which) <= len(used):
            which = used[int(which) - 1].id
        if not are_ids(which.split()) or not self._store.exists(self._scope):
            return []
        return find_memories(self._store.load(self._scope), which.split())

    def _restore(self, records: Collection[Memory]) -> str:
        """Pin and archive memories as they were before a command changed them."""
        from siliconfriend.memory.changes import PutTrace

        with self._store.edit(self._scope) as edit:
            for before in records:
                now = edit.memory.find(before.id)
                if now is not None:
                    pinned, archived = before.trace.pinned, before.trace.archived
                    trace = replace(now.trace, pinned=pinned, archived=archived)
                    edit.add(PutTrace(before.id, trace))
        return self.app.text("chat.as_before", id=", ".join(it.id for it in records))

    def _undo(self, *, confirmed: bool) -> None:
        words = self._unkept_words() if self._must_ask and not confirmed else []
        if words:
            quoted = self.app.text("chat.between_words").join(words)
            click.echo(self.app.text("chat.keep_which", words=quoted))
            self._asked = True
            return
        step, self._undo_step, self._to_keep = self._undo_step, None, ()
        click.echo(self.app.text("chat.nothing_to_undo") if step is None else step())

    def _unkept_words(self) -> list[str]:
        """The messages of the turns that ``/undo`` would keep, each on one line."""
        if not self._to_keep:
            return []
        memory = self._store.load(self._scope)
        turns = (memory.find(identifier) for identifier in self._to_keep)
        said = [" ".join(it.query.split()) for it in turns if isinstance(it, Turn) and it.unkept]
        return [self.app.text("chat.quoted", words=_shorten(it)) for it in said]

    def _is_yes(self, words: str) -> bool:
        return words.lower() in self.app.text("users.yes_words").split()

    def _set_off_record(self, wanted: str) -> None:
        if wanted in ("on", "off"):
            self.off_record = wanted == "on"
        elif wanted:
            click.echo(self.app.text("chat.offrecord_which"))
            return
        key = "chat.off_record" if self.off_record else "chat.on_record"
        click.echo(self.app.text(key))


def _shorten(words: str) -> str:
    return words if len(words) <= LONGEST_QUOTED else f"{words[: LONGEST_QUOTED - 1]}…"
