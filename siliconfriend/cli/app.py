"""What every command is given: the settings, the clock, and where to speak.

Standard output belongs to a command's answer alone, since with ``--json`` another program
reads it; everything said beside it goes to standard error through :meth:`App.say`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, datetime
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import Clock, FixedClock, SystemClock
from siliconfriend.config import Settings, load_settings
from siliconfriend.errors import UnknownPerson, UsageError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

from .localized_click import LANGUAGE

if TYPE_CHECKING:
    from siliconfriend.memory.store import MemoryStore


@dataclass
class App:
    """One run of the command line.

    Attributes:
        home: the data directory as a flag names it.
        clock: the machine's, or the moment ``--now`` names.
        debug: an error shows its traceback.
        language: of what is said beside the answer; that of the settings once they are read.
    """

    home: str | None = None
    clock: Clock = field(default_factory=SystemClock)
    debug: bool = False
    language: Language = LANGUAGE

    def settings(self, **flags: Any) -> Settings:
        """The settings with a command's own flags; None is a flag not given."""
        settings = load_settings(home=self.home, **flags)
        self.language = settings.language
        return settings

    def text(self, key: str, **values: object) -> str:
        """A text of the command line in the language of this run."""
        return text("cli", key, self.language, **values)

    def count(self, what: str, number: int) -> str:
        """So many of something, "1 turn" or "3 turns"."""
        return self.text(f"counts.{'one' if number == 1 else 'many'}.{what}", count=number)

    def say(self, key: str, **values: object) -> None:
        """Say something beside the answer, on standard error."""
        click.echo(self.text(key, **values), err=True)

    def say_home(self, settings: Settings) -> None:
        """Say where the data lie and what a person should know of the settings."""
        self.say("home", home=settings.home)
        for notice in settings.notices():
            click.echo(
                text("config", f"notices.{notice}", self.language, embedding=settings.embedding),
                err=True,
            )

    def now(self, settings: Settings) -> datetime:
        """The present moment in UTC."""
        return self.clock.now(settings.zone)


pass_app = click.make_pass_decorator(App)


def read_moment(written: str | None) -> Clock:
    """The clock that ``--now`` sets; the machine's where it was not given.

    Raises:
        UsageError: it is no ISO 8601 moment, or one in the first or last year there is, where
            days of other time zones cannot be counted.
    """
    if written is None:
        return SystemClock()
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError as error:
        raise UsageError("bad_moment", written=written) from error
    if not MINYEAR < moment.year < MAXYEAR:
        raise UsageError("bad_moment", written=written)
    return FixedClock(moment)


def scope_of(settings: Settings, user: str | None = None) -> Scope:
    """The person a command is about.

    Raises:
        UsageError: neither the command nor the settings name one.
        RefusedName: it cannot be a name.
    """
    name = user if user is not None else settings.user
    if name is None:
        raise UsageError("user_missing")
    return Scope.of(name, settings.companion)


def known_scope(store: MemoryStore, settings: Settings, user: str | None) -> Scope:
    """The same, for commands that make nobody new.

    Raises:
        UnknownPerson: nothing is remembered of them.
    """
    scope = scope_of(settings, user)
    if not store.exists(scope):
        raise UnknownPerson("unknown_person", name=scope.person)
    return scope


def print_json(document: object) -> None:
    """The one JSON document a command answers with."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def is_terminal() -> bool:
    """Whether a person is typing, rather than a pipe."""
    return sys.stdin.isatty()
