"""The context of every command: settings, bank, clock and output.

Standard output has only the command's answer, since programs read ``--json``. All other messages go
to standard error through :meth:`App.say`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from siliconfriend.clock import Clock, FixedClock, SystemClock, check_day
from siliconfriend.config import Settings, load_settings, prepare_home
from siliconfriend.errors import SiliconFriendError, StoreError, UsageError
from siliconfriend.models.output import clean
from siliconfriend.texts import N_, Language, text, translate

from .terminal import harmless, harmless_json, print_lines

if TYPE_CHECKING:
    from siliconfriend.control.erasure.erase import Resumed
    from siliconfriend.control.erasure.proof import Proof
    from siliconfriend.person import Person
    from siliconfriend.person.bank import MemoryBank

Value = TypeVar("Value")

INTERRUPTED = 130
YES = ("y", "yes", "是", "是的", "好", "要", "对", "嗯")
RESUMED = {
    "erase": N_("An interrupted erasure for {name} is now finished: 0 left."),
    "delete": N_("The interrupted deletion of {name} is now finished: 0 left."),
}


@dataclass
class App:
    """One run of the command line.

    Attributes:
        home, flags: data directory and settings from the command line.
        clock: the machine's clock, or the moment of ``--now``.
        language: language of the settings, or of the person if the settings have none.
        resumed: interrupted erasures that this run finished.
        told: error of that attempt, which was already printed; empty for none.
    """

    home: str | None = None
    flags: dict[str, str] = field(default_factory=dict)
    clock: Clock = field(default_factory=SystemClock)
    debug: bool = False
    as_json: bool = False
    language: Language = "en"
    resumed: list[Resumed] = field(default_factory=list)
    told: str = ""

    # Opening

    def settings(self, **flags: Any) -> Settings:
        """Load the settings, with the flags of a command; None for a flag that was not given."""
        settings = load_settings(home=self.home, **(self.flags | flags))
        self.language = settings.language
        return settings

    def bank(
        self, settings: Settings | None = None, *, asks: bool = True, while_indexing: bool = False
    ) -> MemoryBank:
        """Open the memories of these settings, and finish interrupted erasures.

        Args:
            settings: loaded by default.
            asks: ask for passphrases at a terminal; False for servers.
            while_indexing: recall by words alone until the index is complete.
        """
        from siliconfriend.person.bank import MemoryBank

        def ask(folder: str) -> str:
            return self.ask_hidden(self.translate("Passphrase of {folder}: ", folder=folder))

        bank = MemoryBank(
            settings=settings or self.settings(),
            clock=self.clock,
            answers_while_indexing=while_indexing,
            resume=False,
            ask_passphrase=ask if asks and is_terminal() else None,
        )
        try:
            self.resumed = bank.resume_erasures()
        except SiliconFriendError as error:
            self.show_error(error)
            self.told = str(error)
        for job in self.resumed:
            if job.error is not None:
                self.show_error(job.error)
            else:
                self.say(RESUMED[job.kind], name=job.person)
        return bank

    def person(self, user: str | None = None) -> Person:
        """Open the memory of a known person, and switch to their language."""
        person = self.bank().known_person(user)
        self.speak_with(person)
        return person

    def speak_with(self, person: Person) -> None:
        """Switch to the language of a person, unless the settings name one."""
        if person.settings.sources.get("language", "default") == "default":
            self.language = person.language

    def finished(self, kind: str, person: str, ids: Iterable[str] = ()) -> Proof | None:
        """Return the proof of an interrupted erasure of these ids that this run finished, or None."""
        for job in self.resumed:
            if job.kind == kind and job.person == person and set(ids) <= set(job.ids):
                if job.error is not None:
                    raise job.error
                return job.proof
        return None

    # Printing

    def translate(self, english: str, **values: object) -> str:
        """Translate a sentence into the language of this run, and fill in the values."""
        return translate(english, self.language, **values)

    def answer(self, document: object, *lines: str, pages: bool = False) -> None:
        """Print the answer as JSON with ``--json``, else as lines, with ``pages`` through the pager."""
        if self.as_json:
            print_json(document)
        elif pages:
            print_lines(lines)
        else:
            self.answer_lines(*lines)

    def answer_lines(self, *lines: str) -> None:
        """Print lines of the answer, unless it is JSON."""
        for line in () if self.as_json else lines:
            click.echo(line)

    def echo(self, english: str, **values: object) -> None:
        """Print a sentence of the answer, unless it is JSON."""
        self.answer_lines(self.translate(english, **values))

    def say(self, english: str, **values: object) -> None:
        """Print a sentence on standard error."""
        click.echo(self.translate(english, **values), err=True)

    def show_error(self, error: SiliconFriendError) -> None:
        """Print an error that does not end the command."""
        click.echo(error.message(self.language), err=True)

    def end_erasing(self, proof: Proof, home: Path) -> int:
        """Print the places where erased words are left; return the exit code."""
        for place in proof.found_in:
            self.say("Something is left in {path}.", path=home / place)
        return StoreError.exit_code if proof.found_in else 0

    def open_home(self, settings: Settings) -> None:
        """Create the data directory if it is missing, and print its path."""
        prepare_home(settings.home)
        self.say_home(settings)

    def say_home(self, settings: Settings) -> None:
        """Print the path of the data directory and the notices of the settings."""
        self.say("Data directory: {home}", home=settings.home)
        for notice in settings.notices():
            key, embedding = f"notices.{notice}", settings.embedding
            click.echo(text("config", key, self.language, embedding=embedding), err=True)

    # Asking

    def ask(self, question: str, read: Callable[[str], Value], usual: str | None = None) -> Value:
        """Ask until ``read`` accepts the answer; ``usual`` is the default."""
        shown = question if usual is None else f"{question} [{usual}]"
        while True:
            typed = click.prompt(harmless(shown), default=usual, show_default=False)
            if words := clean(typed).strip():
                try:
                    return read(words)
                except SiliconFriendError as error:
                    self.show_error(error)

    def ask_hidden(self, question: str, *, again: bool = False) -> str:
        """Read a line without showing it, twice with ``again``; from a pipe, read its next line.

        UsageError: the input has ended.
        """
        if is_terminal():
            repeat = self.translate("The same again:") if again else False
            return self.ask_beside(question, hide_input=True, confirmation_prompt=repeat)
        if line := sys.stdin.readline():
            return line.strip()
        raise UsageError("nobody_types")

    def confirm(self, question: str, *, unasked: str = "needs_yes", **values: object) -> bool:
        """Ask a yes-or-no question; UsageError ``unasked`` if there is no terminal."""
        if not is_terminal():
            raise UsageError(unasked)
        return self.ask_beside(f"{self.translate(question, **values)} [y/N]").lower() in YES

    def ask_beside(self, question: str, **how: Any) -> str:
        """Ask once, on standard error."""
        how |= {"default": "", "show_default": False, "prompt_suffix": " ", "err": True}
        typed = click.prompt(harmless(question).rstrip(), **how)
        sys.stderr.flush()  # a hidden line ends without a line break
        return str(typed).strip()


def parse_now(written: str | None) -> Clock:
    """Parse ``--now``, an ISO 8601 moment, into a fixed clock; None returns the machine's clock."""
    if written is None:
        return SystemClock()
    with suppress(ValueError):
        return FixedClock(check_day(datetime.fromisoformat(written.strip())))
    raise UsageError("bad_moment", written=written)


def print_json(document: object) -> None:
    """Print the JSON document of a command."""
    click.echo(harmless_json(json.dumps(document, ensure_ascii=False, indent=2)))


def is_terminal() -> bool:
    """Return True if standard input is a terminal."""
    return sys.stdin.isatty()
