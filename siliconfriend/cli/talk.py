"""One talk at the terminal: what is shown of each reply.

The talk itself is the companion's; this only prints. Whatever is printed loses its control
characters first, since words of a model or of an imported file could otherwise steer the
terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

import click

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelError, SiliconFriendError, UsageError
from siliconfriend.extraction.worker import Worker
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.recaller import Recaller

from .app import App, is_terminal
from .recall import clean_text
from .slash_commands import Slash, printable

LONGEST_READING = 5.0
"""Seconds that leaving waits for what is being read."""


@dataclass
class Talk:
    """A talk that goes on.

    Attributes:
        companion: who answers.
        recaller: what finds the memories.
        off_record: nothing said is kept.
        worker: reads what leaves the talk; None where only the night does.
        show_memories: what each reply used is shown below it.
        ready: called before the memory is first needed.
        exit_code: that of the last turn that failed, else 0.
    """

    app: App
    settings: Settings
    store: MemoryStore
    scope: Scope
    companion: Companion
    recaller: Recaller
    worker: Worker | None = None
    off_record: bool = False
    show_memories: bool = False
    ready: Callable[[], None] = lambda: None
    exit_code: int = 0
    _slash: Slash = field(init=False)

    def __post_init__(self) -> None:
        self._slash = Slash(self)

    @classmethod
    def begin(cls, app: App, settings: Settings, store: MemoryStore, scope: Scope) -> Talk:
        """Open the model and the embedder the settings name, and the companion with them."""
        from siliconfriend.runtime import Runtime

        runtime = Runtime(settings, app.clock, store=store)
        companion = Companion(scope.person, runtime=runtime)
        return cls(app, settings, store, scope, companion, runtime.recaller, runtime.worker)

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
        greeting = printable(self._greeting())
        click.echo(f"{self.settings.companion_name}: {greeting}")

    def _greeting(self) -> str:
        """The companion's own words where it has some, and what is remembered of the person."""
        name, days, lore = self.scope.person, self._days(), self.companion.lore
        own = "" if lore is None else lore.greeting(self.settings.language, name)
        if not days:
            return own or self.app.text("chat.welcome", name=name)
        words = {"days": self.app.count("day", len(days)), "first": days[0], "last": days[-1]}
        if own:
            return self.app.text("chat.greeting_back", greeting=own, **words)
        return self.app.text("chat.welcome_back", name=name, **words)

    def end(self) -> None:
        """Let the worker finish; what it has not read is read at night or by the next one."""
        if self.worker is not None:
            self.worker.close(wait=LONGEST_READING)

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
            self._notice()
            if not is_terminal():
                raise
            return
        except ModelError as error:
            click.echo()
            self._notice()
            self._failed(error)
            return
        click.echo()
        self._notice()
        if self.show_memories:
            self._slash.why()

    def _notice(self) -> None:
        """What the person must see of a wish not to be remembered, however the reply ended."""
        if self.companion.last_unkept:
            click.echo(self.companion.notice)
            self._slash.marked(self.companion.last_unkept)

    def _failed(self, error: SiliconFriendError) -> None:
        click.echo(error.message(self.app.language), err=True)
        self.exit_code = error.exit_code

    def _obey(self, words: str) -> bool:
        name, _, rest = words[1:].partition(" ")
        if name.lower() in ("quit", "exit", "bye"):
            return False
        try:
            self._slash.obey(name, rest.strip())
        except UsageError as error:
            click.echo(error.message(self.app.language))
        return True

    def _days(self) -> list[str]:
        if not self.store.exists(self.scope):
            return []
        return [day.date for day in self.store.load(self.scope).days.values() if day.turns]
