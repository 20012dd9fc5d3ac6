"""One talk at the terminal: what is shown of each reply and what ``/`` words do.

The talk itself is the companion's; this only prints. Whatever is printed loses its control
characters first, since words of a model or of an imported file could otherwise steer the
terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Generator
from dataclasses import dataclass

import click

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelError, SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

from .app import App, is_terminal
from .memories import memory_line
from .recall import clean_text, recall_line

SHOWN_LATELY = 10


def printable(words: str) -> str:
    """The words without control characters, except for line breaks and tabs."""
    return "".join(it for it in words if it in "\n\t" or unicodedata.category(it) != "Cc")


@dataclass
class Talk:
    """A talk that goes on.

    Attributes:
        companion: who answers.
        off_record: nothing said is kept.
        show_memories: what each reply used is shown below it.
        ready: called before the memory is first needed.
        exit_code: that of the last turn that failed, else 0.
    """

    app: App
    settings: Settings
    store: MemoryStore
    scope: Scope
    companion: Companion
    off_record: bool = False
    show_memories: bool = False
    ready: Callable[[], None] = lambda: None
    exit_code: int = 0

    @classmethod
    def begin(cls, app: App, settings: Settings, store: MemoryStore, scope: Scope) -> Talk:
        """Open the model and the embedder the settings name, and the companion with them."""
        from siliconfriend.models.factory import open_chat_model
        from siliconfriend.recall.embedders.factory import open_embedder

        companion = Companion(
            scope.person,
            settings=settings,
            store=store,
            chat=open_chat_model(settings),
            embedder=open_embedder(settings),
            clock=app.clock,
        )
        return cls(app, settings, store, scope, companion)

    @property
    def prompt(self) -> str:
        """What stands before the person's words."""
        return f"{self.scope.person}: "

    def label(self) -> None:
        """Say once who answers, and whether anything is kept."""
        click.echo(self.companion.label)
        if self.off_record:
            click.echo(self.app.text("chat.off_record"))

    def open(self) -> None:
        """Greet the person."""
        self.label()
        click.echo(self.app.text("chat.hint"))
        click.echo()
        days = self._days()
        if days:
            words = {"days": self.app.count("day", len(days)), "first": days[0], "last": days[-1]}
            greeting = self.app.text("chat.welcome_back", name=self.scope.person, **words)
        else:
            greeting = self.app.text("chat.welcome", name=self.scope.person)
        click.echo(f"{self.settings.companion_name}: {greeting}")

    def close(self) -> None:
        """Say goodbye."""
        click.echo(self.app.text("chat.goodbye", name=self.scope.person))

    def hear(self, line: str) -> bool:
        """Answer one line; False where it asks to leave."""
        words = clean_text(line).strip()
        if words.startswith("/"):
            return self._obey(words)
        if words:
            self.ready()
            self._reply(words)
        return True

    def _reply(self, words: str) -> None:
        pieces = self.companion.stream(words, off_record=self.off_record)
        assert isinstance(pieces, Generator)
        click.echo(f"{self.settings.companion_name}: ", nl=False)
        try:
            for piece in pieces:
                click.echo(printable(piece), nl=False)
        except KeyboardInterrupt:
            pieces.close()
            click.echo()
            self.app.say("chat.stopped")
            if not is_terminal():
                raise
            return
        except ModelError as error:
            click.echo()
            self._failed(error)
            return
        click.echo()
        if self.show_memories:
            self._why("")

    def _failed(self, error: SiliconFriendError) -> None:
        click.echo(error.message(self.app.language), err=True)
        self.exit_code = error.exit_code

    def _obey(self, words: str) -> bool:
        name, _, rest = words[1:].partition(" ")
        match name.lower():
            case "quit" | "exit" | "bye":
                return False
            case "help" | "":
                click.echo(self.app.text("chat.help"))
            case "memories":
                self.ready()
                self._lately()
            case "why":
                self._why(rest)
            case "forget":
                self._forget(rest.strip())
            case _:
                click.echo(self.app.text("chat.unknown_command", command=f"/{name}"))
        return True

    def _lately(self) -> None:
        from siliconfriend.control.listing import rows
        from siliconfriend.forgetting.policy import ForgettingPolicy

        if not self.store.exists(self.scope):
            click.echo(self.app.text("memories.none", name=self.scope.person))
            return
        memory = self.store.load(self.scope)
        policy = ForgettingPolicy.named(self.settings.policy)
        now = self.app.clock.now(memory.profile.zone)
        listed = [row.to_json() for row in rows(memory, policy, now)]
        for item in listed[-SHOWN_LATELY:]:
            click.echo(printable(memory_line(self.app, item)))

    def _why(self, _rest: str) -> None:
        reply = self.companion.last_reply
        if reply is None or not reply.used:
            click.echo(self.app.text("chat.nothing_used"))
            return
        found = {it.memory.id: it for it in reply.recollection.memories}
        click.echo(self.app.text("chat.used"))
        for number, used in enumerate(reply.used, 1):
            recalled = found.get(used.id)
            if recalled is not None:
                line = recall_line(self.app, recalled, is_best=False)
                click.echo(printable(f"{number}. {recalled.memory.date} {line}"))

    def _forget(self, number: str) -> None:
        from siliconfriend.control.actions import forget

        reply = self.companion.last_reply
        used = reply.used if reply is not None else ()
        if not number.isdecimal() or not 1 <= int(number) <= len(used):
            self._why("")
            if used:
                click.echo(self.app.text("chat.forget_which"))
            return
        chosen = used[int(number) - 1].id
        forget(self.store, self.scope, [chosen], self.app.now(self.settings))
        click.echo(self.app.text("chat.forgotten", id=chosen))

    def _days(self) -> list[str]:
        if not self.store.exists(self.scope):
            return []
        return [day.date for day in self.store.load(self.scope).days.values() if day.turns]
