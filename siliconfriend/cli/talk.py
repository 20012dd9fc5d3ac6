"""A conversation at the terminal or through a pipe, with commands such as ``/why``."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import ConfigurationError, ModelError, UsageError
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.records import Turn
from siliconfriend.models.output import clean
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import N_, Counted

from .app import App, is_terminal
from .memories import DONE, are_ids, memory_line, recalled_line
from .terminal import VOICE, erase_line, harmless, is_capable, styled

if TYPE_CHECKING:
    from siliconfriend.person import Person

SHOWN_LATELY = 10
HELP = N_("""\
/memories [WORDS]   the newest memories, or those with these words
/why                what the last reply was based on, with scores
/forget N           put away memory N of the last reply, or of an id
/pin N, /unpin N    keep memory N from ever fading, or let it fade again
/undo               undo the last /forget, /pin, /unpin or "don't remember this"
/offrecord on|off   stop or resume keeping what is said
/scene              start a new scene: what was said so far goes into memory
/usage              tokens of the model that this talk used
/help               this list
/quit               leave (or Ctrl-D)
After "don't remember this", the next night removes those words.
Ctrl-C stops a reply; what was said so far is kept.""")
RESTS_ON = {
    "told": N_("The model was shown everything you told so far."),
    "portrait": N_("The model was shown the portrait of you."),
}
OFF_RECORD = N_("Off the record: nothing of this talk is kept.")


def check_utf8(line: str, number: int) -> None:
    """Raise UsageError for a line that is not UTF-8 and would be stored as another text."""
    if any("\udc80" <= character <= "\udcff" for character in line):
        raise UsageError("stdin_not_utf8", number=number)


@dataclass
class TerminalTalk:
    """One conversation of a person with their companion.

    The first reply waits for ``preparing``. ``exit_code`` is that of the last failed turn.
    """

    app: App
    person: Person
    off_record: bool
    show_memories: bool
    preparing: Future[object] | None = None
    exit_code: int = 0
    _undo_step: Callable[[], str] | None = field(default=None, init=False)
    _undo_ends_with_a_message: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.companion = self.person.companion
        self.name = self.person.scope.person

    def run(self) -> int:
        """Talk until the user leaves or the pipe ends; return the exit code."""
        click.echo(self.companion.label)
        if self.off_record:
            self.app.echo(OFF_RECORD)
        if not is_terminal():
            for number, line in enumerate(map(str.strip, sys.stdin), start=1):
                check_utf8(line, number)
                if line:
                    click.echo(f"{self.name}: {line}")
                if not self._handle(line):
                    break
            return self.exit_code
        self.app.echo("/help shows what you can type; /quit leaves.")
        click.echo()
        self._print_as_it_comes([self._greeting()])
        with suppress(ImportError):  # not on every system
            import readline

            readline.clear_history()
            if "UTF" not in locale.nl_langinfo(locale.CODESET):
                os.environ["LC_ALL"] = "C.UTF-8"  # readline counts characters by it
        try:
            while self._handle(input(harmless(f"{self.name}: "))):
                pass
        except (EOFError, KeyboardInterrupt):
            click.echo()
        self.app.echo("Until next time, {name}.", name=self.name)
        return 0

    def usage(self) -> str:
        """Return the model's usage in this talk; empty without any."""
        usage = getattr(self.companion.chat, "usage", None)
        if usage is None or not usage.calls:
            return ""
        return self.app.translate(
            "This talk took: {usage}.", usage=usage.sentence(self.app.language)
        )

    def _handle(self, line: str) -> bool:
        """Answer a message or run a command; return False if it ends the talk."""
        words = clean(line).strip()
        command, _, rest = words.removeprefix("/").partition(" ")
        if words and not words.startswith("/"):
            self._reply(words)
        elif command.lower() in ("quit", "exit", "bye"):
            return False
        elif words:
            try:
                self._obey(command, rest.strip())
            except UsageError as error:
                click.echo(error.message(self.app.language))
        return True

    # Replies

    def _greeting(self) -> str:
        person = self.person
        summary = person.summary() if person.is_known() else None
        days = summary.days if summary else 0
        hello = N_("Hello {name}, we have not met before. I am glad you are here.")
        if days:
            hello = N_("Hello {name}, good to have you back.")
        words = [person.greeting(days) or self.app.translate(hello, name=self.name)]
        if summary is not None and summary.first is not None:
            first, today = date.fromisoformat(summary.first), person.now().date()
            since = humanize_day(first, today, self.app.language, alone=True)
            back = N_("I remember {days} with you, since {first}.")
            words.append(self.app.translate(back, days=Counted(days, "day"), first=since))
        if summary is not None and not self.off_record:
            with suppress(ModelError, ConfigurationError):  # the reply will report it
                words.append(person.due(mark=True, hello=False, unasked=False).text)
        return join_sentences([part for part in words if part])

    def _reply(self, words: str) -> None:
        if self._undo_ends_with_a_message:
            self._undo_step = None
        self._wait()
        if not self.off_record and not self.person.is_known():
            self.app.language = self.person.meet(said=words).profile.language
        pieces = self.person.stream(words, off_record=self.off_record)
        try:
            self._print_as_it_comes(pieces)
            for trouble in self.companion.troubles:
                click.echo(trouble, err=True)
            if self.show_memories:
                self._explain_reply()
        except KeyboardInterrupt:
            pieces.close()
            self.app.say("(stopped; what was said so far is kept)")
            if not is_terminal():
                raise
        except ModelError as error:
            self.app.show_error(error)
            self.exit_code = error.exit_code
        finally:
            pieces.close()  # also if the terminal was closed
            self._offer_keeping()

    def _print_as_it_comes(self, pieces: Iterable[str]) -> None:
        """Print the companion's name and words; a terminal shows the name while the model works."""
        name, has_words = styled(f"{self.companion.name}: ", VOICE), False
        stands = is_capable(sys.stdout)
        if stands:
            click.echo(name, nl=False)
        try:
            for piece in pieces:
                click.echo(piece if has_words or stands else name + piece, nl=False)
                has_words = True
        finally:
            if has_words:
                click.echo()
            elif stands:
                erase_line()

    def _offer_keeping(self) -> None:
        """Confirm "don't remember this"; ``/undo`` keeps the words after all."""
        if not (ids := self.companion.last_unkept):
            return
        click.echo(self.companion.notice)

        def keep_after_all() -> str:
            try:
                self.person.act("rekeep", *ids)
            except UsageError:
                return self.app.translate("It is gone already, so it cannot be taken back.")
            return self.app.translate("That is taken back: it is kept like everything else.")

        self._undo_step, self._undo_ends_with_a_message = keep_after_all, True

    def _wait(self) -> None:
        """Wait until the memory is prepared, or until recall by words alone is possible."""
        if (work := self.preparing) is None:
            return
        if is_terminal() and not work.done():
            self.app.say("One moment: the memory is still being prepared.")
        with suppress(ModelError):  # the reply will report it
            while not wait([work], timeout=0.1).done:
                if left := self.person.texts_left():
                    words = N_("Until {left} more memories are read, their words alone find them.")
                    self.app.say(words, left=left)
                    return
            work.result()

    # Commands

    def _obey(self, name: str, rest: str) -> None:
        match name.lower():
            case "help" | "":
                self.app.echo(HELP)
            case "memories":
                self._list_memories(rest)
            case "why":
                self._explain_reply()
            case "forget" | "pin" | "unpin" as verb:
                self._change(verb, rest)
            case "undo":
                step, self._undo_step = self._undo_step, None
                click.echo(step() if step else self.app.translate("There is nothing to take back."))
            case "usage":
                click.echo(
                    self.usage() or self.app.translate("No whole answer of a model is counted yet.")
                )
            case "scene":
                ended = self.person.is_known() and self.person.change_scene()
                same = N_("A new scene already: nothing was said since the last one.")
                new = N_("Another scene. What was said so far is on its way into memory.")
                self.app.echo(new if ended else same)
            case "offrecord":
                self._set_off_record(rest.lower())
            case _:
                self.app.echo("There is no {command}; /help shows all.", command=f"/{name}")

    def _explain_reply(self) -> bool:
        """Print what the last reply was based on; return False if it used no memory."""
        reply = self.companion.last_reply
        if reply is None or not (reply.used or reply.rests_on):
            self.app.echo("The last reply used no memory.")
            return False
        recalled = (*reply.recalled.memories, *reply.recalled.facts)
        found = {known.memory.id: known for known in recalled}
        if reply.based_on:
            self.app.echo("The last reply was based on:")
        for number, used in enumerate(reply.based_on, 1):
            if used.id in found and not used.is_due:
                click.echo(f"{number}. {recalled_line(self.app, found[used.id], why=False)}")
            elif known := self.person.memory().find(used.id):
                words = known.query if isinstance(known, Turn) else known.text
                due = self.app.translate("due") if used.is_due else ""
                click.echo(f"{number}. {known.date}  {due}  {words}")
        for what in reply.rests_on:
            self.app.echo(RESTS_ON[what])
        others = len({used.id for used in reply.used}) - len(reply.based_on)
        if others and "told" not in reply.rests_on:
            words = N_("The model was also shown {memories} less likely to matter.")
            self.app.echo(words, memories=Counted(others, "memory"))
        return True

    def _list_memories(self, words: str) -> None:
        self._wait()
        if not self.person.is_known():
            self.app.echo("Nothing is remembered of {name} yet.", name=self.name)
            return
        rows = self.person.matching(words) if words else self.person.list()
        if not rows:
            self.app.echo("Nothing that is remembered of {name} fits.", name=self.name)
        for row in rows[-SHOWN_LATELY:]:
            click.echo(memory_line(self.app, row.to_json()))

    def _change(self, verb: Any, which: str) -> None:
        used = self.companion.last_reply.based_on if self.companion.last_reply is not None else ()
        if which.isdecimal() and 1 <= int(which) <= len(used):
            which = used[int(which) - 1].id
        if not (are_ids(which.split()) and self.person.is_known()):
            if self._explain_reply():
                words = N_("Type {command} and the number of the one you mean, or its id.")
                self.app.echo(words, command=f"/{verb}")
            return
        ids = self.person.resolve(*which.split())
        before = self.person.act(verb, *ids)
        for identifier in ids:
            self.app.echo(DONE[verb], id=identifier)

        def put_back() -> str:
            self.person.undo(before)
            return "\n".join(
                self.app.translate("{id} is as it was.", id=identifier) for identifier in ids
            )

        self._undo_step, self._undo_ends_with_a_message = put_back, False

    def _set_off_record(self, wanted: str) -> None:
        if wanted not in ("on", "off", ""):
            self.app.echo("Type /offrecord on or /offrecord off.")
            return
        self.off_record = wanted == "on" if wanted else self.off_record
        on_record = N_("On the record: what you say from now on is kept.")
        self.app.echo(OFF_RECORD if self.off_record else on_record)
