"""``chat``: a conversation at the terminal, or with lines from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ConfigurationError, ModelError, UsageError
from siliconfriend.memory.private_files import write_settings

from .app import App, is_terminal, named_person, pass_app, replace_surrogates
from .options import Command, companion_option, language_option, user_option
from .slash_commands import SlashCommands
from .terminal import VOICE, erase_line, harmless, in_background, is_capable, styled

if TYPE_CHECKING:
    from concurrent.futures import Future

    from siliconfriend.person import Person
    from siliconfriend.person.bank import MemoryBank


def talk_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a talk, which go to :func:`run_chat`."""
    record = click.option("--off-record", is_flag=True, help="Remember nothing of this talk.")
    words = "Show below each reply what it was based on."
    return record(click.option("--show-memories", is_flag=True, help=words)(command))


@click.command("chat", cls=Command)
@user_option
@companion_option
@language_option
@talk_options
@pass_app
def chat_command(
    app: App, /, user: str | None, companion: str | None, lang: str | None, **how: Any
) -> int:
    """Talk. Reads lines from standard input where it is no terminal."""
    return run_chat(app, app.settings(companion=companion, language=lang), user, **how)


def run_chat(
    app: App,
    settings: Settings,
    user: str | None,
    *,
    off_record: bool,
    show_memories: bool,
    work: Callable[[], object] | None = None,
) -> int:
    """Open everything, then talk until the user leaves; return the exit code.

    ``work``, by default updating the search index, goes on while the greeting is read.
    """
    bank = app.bank(settings, meanwhile=True)
    if is_terminal():
        if user is None and settings.user is None:
            user, settings = _ask_person(app, bank, remember=not off_record)
            bank.close()
            bank = app.bank(settings, meanwhile=True)
        else:
            _check_beginning(app, bank, named_person(bank, user))
    person = named_person(bank, user)
    person.check_name()
    prepare_home(settings.home)
    if settings.sources.get("language") == "flag" and person.is_known():
        person.update(language=settings.language)
    app.language = person.language
    app.say_home(settings)
    commands = SlashCommands(app, person, off_record)
    session = ChatSession(app, person, commands, show_memories)
    if person.is_known():
        begun = in_background(work or person.index)
        commands.ready = lambda: _wait(app, person, begun)
    try:
        return _talk_at_terminal(session) if is_terminal() else _talk_by_pipe(session)
    finally:
        bank.close()
        if is_terminal() and (usage := commands.usage()):
            click.echo(usage, err=True)


def _ask_person(app: App, bank: MemoryBank, *, remember: bool) -> tuple[str, Settings]:
    """Ask for the person's name, and offer a model, where nothing names either yet."""
    from .setup import offer_model

    known = {scope.person for scope in bank.people()}
    usual = known.pop() if len(known) == 1 else None
    name = app.ask(app.text("Your name"), lambda typed: bank.person(typed).scope.person, usual)
    if not remember:
        return name, bank.settings
    write_settings(bank.settings.home, {"user": name, **offer_model(app, bank.settings)})
    words = (
        "You are {name} from now on; another person says --user NAME. `setup` asks for the rest."
    )
    app.say(words, name=name)
    return name, app.settings(companion=bank.settings.companion)


def _check_beginning(app: App, bank: MemoryBank, person: Person) -> None:
    """Ask before a person or a companion that nobody knows begins; abort if it was not meant."""
    name, companion = person.scope.person, person.scope.companion
    people = {scope.person for scope in bank.people()}
    companions = {"default", *bank.companions.names(), *(it.companion for it in bank.people())}
    if companion not in companions:
        name, near = companion, bank.near(companion, companions)
        app.say("There is no companion called {name}.", name=name)
    elif people and name not in people and bank.settings.user != name:
        near = bank.near(name, people)
        app.say("Nobody of the name {name} is remembered.", name=name)
    else:
        return
    if near:
        app.say("Did you mean {names}?", names=app.text(" or ").join(near))
    if not app.confirm("Begin with {name} all the same?", name=name):
        raise click.Abort


@dataclass
class ChatSession:
    """One conversation at the terminal.

    Attributes:
        commands: the ``/`` commands, and whether the conversation is off the record.
        exit_code: that of the last turn that failed, else 0.
    """

    app: App
    person: Person
    commands: SlashCommands
    show_memories: bool
    exit_code: int = 0

    def __post_init__(self) -> None:
        self.companion = self.person.companion
        self.prompt = f"{self.person.scope.person}: "

    def begin(self) -> None:
        """Print who answers, and whether anything is kept; at a terminal a hint and a greeting."""
        click.echo(self.companion.label)
        if self.commands.off_record:
            self.app.echo("Off the record: nothing of this talk is kept.")
        if is_terminal():
            self.app.echo("/help shows what you can type; /quit leaves.")
            click.echo()
            self._print_as_it_comes([self._greeting()])

    def handle(self, line: str) -> bool:
        """Obey or answer one line; False if it asks to leave."""
        words = replace_surrogates(line).strip()
        if words.startswith("/"):
            return self._obey(words)
        if words:
            self.commands.message_follows()
            self.commands.ready()
            self._reply(words)
        return True

    def _greeting(self) -> str:
        """Return the companion's own words where it has some, and what is remembered or due."""
        from siliconfriend.language.sentences import join_sentences

        person = self.person
        summary = person.summary() if person.is_known() else None
        hello = "Hello {name}, we have not met before. I am glad you are here."
        if summary is not None and summary.days:
            hello = "Hello {name}, good to have you back."
        days = summary.days if summary else 0
        words = [person.greeting(days) or self.app.text(hello, name=person.scope.person)]
        if summary is not None and days:
            back = "I remember {days} with you, from {first} to {last}."
            words.append(self.app.text(back, days=days, first=summary.first, last=summary.last))
        if summary is not None and not self.commands.off_record:
            with suppress(ModelError, ConfigurationError):  # the reply tells of it
                words.append(person.due(mark=True, hello=False, unasked=False).text)
        return join_sentences([part for part in words if part])

    def _reply(self, words: str) -> None:
        if not self.commands.off_record and not self.person.is_known():
            self.app.language = self.person.meet(said=words).profile.language
        pieces = self.person.stream(words, off_record=self.commands.off_record)
        try:
            self._print_as_it_comes(pieces)
        except KeyboardInterrupt:
            pieces.close()
            self.app.say("(stopped; what was said so far is kept)")
            self._print_notice()
            if not is_terminal():
                raise
        except ModelError as error:
            self._print_notice()
            self.app.show_error(error)
            self.exit_code = error.exit_code
        else:
            for trouble in self.companion.troubles:
                click.echo(trouble, err=True)
            self._print_notice()
            if self.show_memories:
                self.commands.explain_reply()

    def _print_as_it_comes(self, pieces: Iterable[str]) -> None:
        """Print who speaks and their words; without words, nothing is left of the line.

        At a terminal the name stands there while the model is waited for.
        """
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

    def _print_notice(self) -> None:
        """Print what became of a wish not to be remembered, however the reply ended."""
        if self.companion.last_unkept:
            click.echo(self.companion.notice)
            self.commands.offer_keeping(self.companion.last_unkept)

    def _obey(self, words: str) -> bool:
        name, _, rest = words[1:].partition(" ")
        if name.lower() in ("quit", "exit", "bye"):
            return False
        try:
            self.commands.obey(name, rest.strip())
        except UsageError as error:
            click.echo(error.message(self.app.language))
        return True


def _wait(app: App, person: Person, work: Future[object]) -> None:
    from concurrent.futures import wait

    if is_terminal() and not work.done():
        app.say("One moment: the memory is still being prepared.")
    with suppress(ModelError):  # an embedder that fails here fails in the reply too
        while not work.done():
            if left := person.texts_left():
                words = "Until {left} more memories are read, they are found by their words alone."
                app.say(words, left=left)
                return
            wait([work], timeout=0.1)
        work.result()


def _talk_at_terminal(session: ChatSession) -> int:
    """Talk with a user who types; it goes on after an error and after Ctrl-C in a reply."""
    try:
        import readline
    except ImportError:
        pass  # not on every system; the line can then be typed all the same
    else:
        # What was typed is a part of a diary: it stays in this process.
        readline.clear_history()
    session.begin()
    try:
        while session.handle(input(harmless(session.prompt))):
            pass
    except (EOFError, KeyboardInterrupt):
        click.echo()
    session.app.echo("Until next time, {name}.", name=session.person.scope.person)
    return 0


def _talk_by_pipe(session: ChatSession) -> int:
    """Answer the lines of a pipe; the transcript shows both sides."""
    session.begin()
    for line in sys.stdin:
        words = line.strip()
        if words:
            click.echo(f"{session.prompt}{words}")
        if not session.handle(words):
            break
    return session.exit_code
