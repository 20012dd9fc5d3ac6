"""The ``/`` words of a talk: a person's hand on their memory without leaving it.

``/undo`` takes back one step: the last thing that ``/forget``, ``/pin`` or ``/unpin`` changed,
or the mark that "don't remember this" set, whichever came last. A message in between does
not use it up; a second ``/undo`` finds nothing more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.records import Memory

from .memories import memory_line
from .recall import recall_line

if TYPE_CHECKING:
    from .talk import Talk

SHOWN_LATELY = 10


def printable(words: str) -> str:
    """The words without control characters, except for line breaks and tabs."""
    return "".join(it for it in words if it in "\n\t" or unicodedata.category(it) != "Cc")


class Slash:
    """What the ``/`` words of one talk do."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._app = talk.app
        self._take_back: Callable[[], str] | None = None

    def obey(self, name: str, rest: str) -> None:
        """Do what a word asks for.

        Raises:
            UsageError: it names a memory that is not there.
        """
        match name.lower():
            case "help" | "":
                click.echo(self._app.text("chat.help"))
            case "memories":
                self._memories(rest)
            case "why":
                self.why()
            case "forget" | "pin" | "unpin" as verb:
                self._change(verb, rest)
            case "undo":
                self._undo()
            case "scene":
                left = self._talk.companion.change_scene()
                click.echo(self._app.text("chat.scene" if left else "chat.scene_empty"))
            case "offrecord":
                self._off_record(rest.lower())
            case _:
                click.echo(self._app.text("chat.unknown_command", command=f"/{name}"))

    def why(self) -> None:
        """What the last reply was based on, with the parts of each score."""
        reply = self._talk.companion.last_reply
        if reply is None or not reply.used:
            click.echo(self._app.text("chat.nothing_used"))
            return
        recalled = (*reply.recollection.memories, *reply.recollection.facts)
        found = {it.memory.id: it for it in recalled}
        click.echo(self._app.text("chat.used"))
        overview = 0
        for number, used in enumerate(reply.used, 1):
            if used.id in found:
                line = recall_line(self._app, found[used.id], is_best=False)
                click.echo(printable(f"{number}. {found[used.id].memory.date} {line}"))
            else:
                overview += 1
        if overview:
            click.echo(self._app.text("chat.lately", events=self._app.count("event", overview)))

    def marked(self, ids: Sequence[str]) -> None:
        """The last message asked not to remember these turns."""

        def keep_after_all() -> str:
            from siliconfriend.control.unkept import mark

            kept = mark(self._talk.store, self._talk.scope, ids, unkept=False)
            return self._app.text("chat.kept_after_all" if kept else "chat.gone_already")

        self._take_back = keep_after_all

    def _memories(self, words: str) -> None:
        from siliconfriend.control.choosing import holding
        from siliconfriend.control.listing import rows
        from siliconfriend.forgetting.policy import ForgettingPolicy

        talk = self._talk
        talk.ready()
        if not talk.store.exists(talk.scope):
            click.echo(self._app.text("memories.none", name=talk.scope.person))
            return
        memory = talk.store.load(talk.scope)
        wanted = {it.id for it in holding(memory, words)} if words else None
        policy = ForgettingPolicy.of(talk.settings)
        now = self._app.clock.now(memory.profile.zone)
        listed = [
            row.to_json()
            for row in rows(memory, policy, now)
            if wanted is None or row.memory.id in wanted
        ]
        if not listed:
            click.echo(self._app.text("memories.no_match", name=talk.scope.person))
        for item in listed[-SHOWN_LATELY:]:
            click.echo(printable(memory_line(self._app, item)))

    def _change(self, verb: str, which: str) -> None:
        from siliconfriend.control import actions

        records = self._named(which)
        if not records:
            self.why()
            reply = self._talk.companion.last_reply
            if reply is not None and reply.used:
                click.echo(self._app.text("chat.which", command=f"/{verb}"))
            return
        store, scope = self._talk.store, self._talk.scope
        ids = [record.id for record in records]
        if verb == "forget":
            actions.forget(store, scope, ids, self._app.now(self._talk.settings))
        else:
            actions.pin(store, scope, ids, pinned=verb == "pin")
        for identifier in ids:
            click.echo(self._app.text(f"memories.done.{verb}", id=identifier))
        self._take_back = lambda: self._as_before(records)

    def _named(self, which: str) -> list[Memory]:
        """The memory with a number of the last reply, or with an id; none for other words."""
        from siliconfriend.control.actions import found
        from siliconfriend.control.choosing import are_ids

        reply = self._talk.companion.last_reply
        used = reply.used if reply is not None else ()
        if which.isdecimal() and 1 <= int(which) <= len(used):
            which = used[int(which) - 1].id
        if not are_ids(which.split()) or not self._talk.store.exists(self._talk.scope):
            return []
        return found(self._talk.store.load(self._talk.scope), which.split())

    def _as_before(self, records: Collection[Memory]) -> str:
        with self._talk.store.edit(self._talk.scope) as edit:
            for before in records:
                now = edit.memory.find(before.id)
                if now is not None:
                    pinned, archived = before.trace.pinned, before.trace.archived
                    trace = replace(now.trace, pinned=pinned, archived=archived)
                    edit.add(PutTrace(before.id, trace))
        return self._app.text("chat.as_before", id=", ".join(it.id for it in records))

    def _undo(self) -> None:
        take_back, self._take_back = self._take_back, None
        click.echo(self._app.text("chat.nothing_to_undo") if take_back is None else take_back())

    def _off_record(self, wanted: str) -> None:
        if wanted in ("on", "off"):
            self._talk.off_record = wanted == "on"
        elif wanted:
            click.echo(self._app.text("chat.offrecord_which"))
            return
        key = "chat.off_record" if self._talk.off_record else "chat.on_record"
        click.echo(self._app.text(key))
