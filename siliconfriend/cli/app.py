"""The object every command is given: the runtime of the settings, the clock, and where to print.

Standard output belongs to a command's answer alone, since with ``--json`` another program
reads it; everything said beside it goes to standard error through :meth:`App.say`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, datetime
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import Clock, FixedClock, SystemClock
from siliconfriend.config import Settings, load_settings, nearest_variable
from siliconfriend.errors import (
    ConfigurationError,
    SiliconFriendError,
    UnknownPerson,
    UsageError,
)
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

from .localized_click import LANGUAGE
from .terminal import harmless, harmless_json

if TYPE_CHECKING:
    from siliconfriend.control.erasure.take_up import TakenUp
    from siliconfriend.memory.records import PersonMemory
    from siliconfriend.memory.store import MemoryStore
    from siliconfriend.runtime import Runtime
    from siliconfriend.shared.state import SharedState


@dataclass
class App:
    """One run of the command line.

    Attributes:
        home: the data directory as a flag names it.
        clock: the machine's, or the moment ``--now`` names.
        debug: an error shows its traceback.
        language: of what is said beside the answer; that of the settings once they are read,
            or of the person a command is about where the settings name none.
        taken_up: erasings that had been stopped and were carried on by this run.
        warned_of: variables of no setting that were named already.
    """

    home: str | None = None
    clock: Clock = field(default_factory=SystemClock)
    debug: bool = False
    language: Language = LANGUAGE
    taken_up: list[TakenUp] = field(default_factory=list)
    warned_of: set[str] = field(default_factory=set)

    def settings(self, **flags: Any) -> Settings:
        """Load the settings with a command's own flags; None is a flag not given."""
        settings = load_settings(home=self.home, **flags)
        self.language = settings.language
        self._warn_of_variables(settings.unknown_variables)
        return settings

    def _warn_of_variables(self, names: tuple[str, ...]) -> None:
        """Name, once a run, the variables that were meant for a setting and reach none."""
        for name in names:
            if name not in self.warned_of:
                near = nearest_variable(name)
                key = "notices.unknown_variable_near" if near else "notices.unknown_variable"
                click.echo(text("config", key, self.language, name=name, near=near), err=True)
                self.warned_of.add(name)

    def runtime(
        self,
        settings: Settings | None = None,
        *,
        store: MemoryStore | None = None,
        asks: bool = True,
        answers_meanwhile: bool = False,
        **flags: Any,
    ) -> Runtime:
        """The parts a command works with, by these settings or by those with its flags.

        ``asks=False`` asks nobody for a passphrase, as a server that answers many must not.
        """
        from siliconfriend.memory.encryption import KEYRING
        from siliconfriend.runtime import Runtime

        KEYRING.ask = self._ask_passphrase if asks and is_terminal() else None
        runtime = Runtime(
            settings or self.settings(**flags),
            self.clock,
            store=store,
            answers_meanwhile=answers_meanwhile,
        )
        if store is None:
            self._take_up(runtime)
        return runtime

    def shared(self, settings: Settings) -> SharedState:
        """Open the shared state of these settings, without a memory or a model."""
        from siliconfriend.memory.factory import open_store
        from siliconfriend.shared.factory import open_shared_state

        return open_shared_state(settings, open_store(settings))

    def _ask_passphrase(self, folder: str) -> str:
        try:
            return getpass(harmless(self.text("users.passphrase_ask", folder=folder)))
        except EOFError as error:
            raise click.Abort from error

    def _take_up(self, runtime: Runtime) -> None:
        """Carry on erasings that were stopped, and say on standard error what became of them."""
        try:
            self.taken_up = runtime.take_up_erasures()
        except SiliconFriendError as error:
            click.echo(error.message(self.language), err=True)
        for job in self.taken_up:
            if job.error is not None:
                click.echo(job.error.message(self.language), err=True)
            elif job.is_finished:
                self.say(f"erasing.finished.{job.kind}", name=job.person)
            for place in job.proof.found_in if job.proof else ():
                self.say("erasing.left_in", name=job.person, path=runtime.settings.home / place)

    def speak_with(self, memory: PersonMemory, settings: Settings) -> None:
        """Go on in the language of the person a command is about, unless the settings name one."""
        if settings.sources.get("language", "default") == "default":
            self.language = memory.profile.language

    def text(self, key: str, **values: object) -> str:
        """A text of the command line in the language of this run."""
        return text("cli", key, self.language, **values)

    def count(self, what: str, number: int) -> str:
        """A number with its noun: "1 turn" or "3 turns"."""
        return self.text(f"counts.{'one' if number == 1 else 'many'}.{what}", count=number)

    def say(self, key: str, **values: object) -> None:
        """Print a text beside the answer, on standard error."""
        click.echo(self.text(key, **values), err=True)

    def say_home(self, settings: Settings) -> None:
        """Print where the data lie, with the notices of the settings, on standard error."""
        self.say("home", home=settings.home)
        for notice in settings.notices():
            click.echo(
                text("config", f"notices.{notice}", self.language, embedding=settings.embedding),
                err=True,
            )

    def confirm(self, question: str, *, unasked: str = "needs_yes") -> bool:
        """Ask on standard error; True if the user answers yes.

        Raises:
            UsageError: nobody is there to ask; ``unasked`` is its key.
        """
        if not is_terminal():
            raise UsageError(unasked)
        click.echo(question, err=True, nl=False)
        return input(" ").strip().lower() in self.text("users.yes_words").split()

    def now(self, settings: Settings) -> datetime:
        """The present moment in UTC."""
        return self.clock.now(settings.zone)


pass_app = click.make_pass_decorator(App)


def parse_now(written: str | None) -> Clock:
    """Parse ``--now`` into a clock that stands still; the machine's where it was not given.

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


def known_scope(runtime: Runtime, user: str | None) -> Scope:
    """The memory of the user a command names, or the settings do, which must exist.

    Raises:
        UsageError: neither the command nor the settings name one.
        RefusedName: it cannot be a name.
        UnknownPerson: nothing is remembered of them.
    """
    scope = runtime.scope(user)
    if not runtime.store.exists(scope):
        raise UnknownPerson("unknown_person", name=scope.person)
    return scope


def print_json(document: object) -> None:
    """Print the one JSON document a command answers with."""
    click.echo(harmless_json(json.dumps(document, ensure_ascii=False, indent=2)))


def is_terminal() -> bool:
    """True if a user types the input, rather than a pipe."""
    return sys.stdin.isatty()


def replace_surrogates(words: str) -> str:
    """Replace halves of a broken character, as a terminal can hand them over, by ``?``."""
    return words.encode("utf-8", "replace").decode()


def write_private_file(path: Path, words: str | bytes) -> None:
    """Write a file that only its owner can read, whole or not at all, and durably.

    Raises:
        ConfigurationError: it cannot be written.
    """
    from siliconfriend.memory import atomic
    from siliconfriend.memory.passing import passing_folder

    target = path.absolute()
    try:
        with passing_folder(target.parent) as work:
            data = words if isinstance(words, bytes) else words.encode("utf-8", "replace")
            atomic.write_whole(work / "file", data)
            (work / "file").replace(target)
            atomic.flush_folder(target.parent)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
