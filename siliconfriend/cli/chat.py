"""``chat``: a conversation at the terminal, or with lines from a pipe.

The conversation itself is the companion's; this only reads and prints.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ConfigurationError, ModelError, SiliconFriendError, UsageError
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ServedModel
from siliconfriend.recall.meanwhile import MOST_WAITED

from .app import App, is_terminal, pass_app, replace_surrogates
from .localized_click import Command, help_text
from .options import companion_option, language_option, user_option
from .person import ask_person
from .progress import BackgroundTask
from .reply_line import ReplyLine
from .slash_commands import SlashCommands
from .terminal import harmless

if TYPE_CHECKING:
    from siliconfriend.dialogue.companion import Companion
    from siliconfriend.memory.store import MemoryStore
    from siliconfriend.runtime import Runtime


@click.command("chat", cls=Command, help=help_text("chat"))
@user_option()
@companion_option()
@language_option()
@click.option("--off-record", is_flag=True, help=help_text("off_record"))
@click.option("--show-memories", is_flag=True, help=help_text("show_memories"))
@pass_app
def chat(
    app: App,
    user: str | None,
    companion: str | None,
    lang: str | None,
    off_record: bool,
    show_memories: bool,
) -> int:
    """Chat with the companion; a new name begins a new memory."""
    settings = app.settings(companion=companion, language=lang)
    return run_chat(app, settings, user, off_record=off_record, show_memories=show_memories)


def run_chat(
    app: App,
    settings: Settings,
    user: str | None,
    *,
    off_record: bool,
    show_memories: bool,
    work: Callable[[], object] | None = None,
) -> int:
    """Open everything, then talk until the user leaves; the exit code.

    ``work`` goes on while the greeting is read, and ends before the first reply; without it
    the search index is updated then, which after an import takes a while.
    """
    first = app.runtime(settings)
    if user is None and settings.user is None and is_terminal():
        user = ask_person(app, first, remember=not off_record)
    scope = first.scope(user)
    check_newcomer(first.store, scope)
    prepare_home(settings.home)
    settings = _in_their_language(first.store, scope, settings)
    app.language = settings.language
    app.say_home(settings)
    session = ChatSession.open(
        app, app.runtime(settings, store=first.store, answers_meanwhile=True), scope
    )
    session.commands.off_record, session.show_memories = off_record, show_memories
    if session.runtime.store.exists(scope):
        task = BackgroundTask(work or (lambda: session.runtime.recaller.update_index(scope)))
        session.commands.ready = lambda: _wait(session, task)
    try:
        return _talk_at_terminal(session) if is_terminal() else _talk_by_pipe(session)
    finally:
        session.runtime.close()
        if is_terminal():
            session.print_usage()


@dataclass
class ChatSession:
    """One conversation at the terminal.

    Attributes:
        scope: whose memory it is.
        companion: who answers.
        commands: the ``/`` commands, and whether the conversation is off the record.
        show_memories: print below each reply what it was based on.
        exit_code: that of the last turn that failed, else 0.
    """

    app: App
    runtime: Runtime
    scope: Scope
    companion: Companion
    commands: SlashCommands
    show_memories: bool = False
    exit_code: int = 0

    @classmethod
    def open(cls, app: App, runtime: Runtime, scope: Scope) -> ChatSession:
        """Open the model and the embedder of the settings, and the companion with them."""
        from siliconfriend.dialogue.companion import Companion

        companion = Companion(scope.person, runtime=runtime)
        return cls(app, runtime, scope, companion, SlashCommands(app, runtime, companion))

    @property
    def prompt(self) -> str:
        """The label before the user's words."""
        return f"{self.scope.person}: "

    @property
    def reply_prefix(self) -> str:
        """The label before the companion's words."""
        return f"{self.runtime.settings.companion_name}: "

    def print_label(self) -> None:
        """Print once who answers, and whether anything is kept."""
        click.echo(self.companion.label)
        if self.commands.off_record:
            click.echo(self.app.text("chat.off_record"))

    def print_usage(self) -> None:
        """Print what the talk took of a model, where one was asked."""
        model = self.companion.chat
        if isinstance(model, ServedModel) and model.usage.calls:
            click.echo(self.commands.usage(), err=True)

    def greet(self) -> None:
        """Print the label, a hint and the greeting."""
        self.print_label()
        click.echo(self.app.text("chat.hint"))
        click.echo()
        line = ReplyLine(self.reply_prefix)
        line.write(join_sentences([self._greeting(), *self._first_words()]))
        line.end()

    def handle(self, line: str) -> bool:
        """Obey or answer one line; False if it asks to leave."""
        words = replace_surrogates(line).strip()
        if words.startswith("/"):
            return self._obey(words)
        if words and not self.commands.answer(words):
            self.commands.ready()
            self._reply(words)
        return True

    def _greeting(self) -> str:
        """The companion's own words where it has some, and what is remembered of the user."""
        name, days, lore = self.scope.person, self._days(), self.companion.lore
        own = "" if lore is None else lore.greeting(self.runtime.settings.language, name, len(days))
        if not days:
            return own or self.app.text("chat.welcome", name=name)
        words = {"days": self.app.count("day", len(days)), "first": days[0], "last": days[-1]}
        if own:
            return self.app.text("chat.greeting_back", greeting=own, **words)
        return self.app.text("chat.welcome_back", name=name, **words)

    def _first_words(self) -> list[str]:
        """The greeting about what is due, where the person lets the companion speak first."""
        runtime, scope = self.runtime, self.scope
        is_off = runtime.settings.speaks_first == "no" or self.commands.off_record
        if is_off or not runtime.store.exists(scope):
            return []
        from siliconfriend.dialogue.first_words import speak_first

        # An embedder that fails is told of by the reply.
        with suppress(ModelError, ConfigurationError):
            words = speak_first(
                runtime.store,
                runtime.recaller,
                scope,
                now=runtime.now(runtime.memory(scope)),
                companion_name=runtime.settings.companion_name,
                hello=False,
            )
            return [words.text] if words else []
        return []

    def _days(self) -> list[str]:
        memory = self.runtime.memory(self.scope)
        return [day.date for day in memory.days.values() if day.turns]

    def _reply(self, words: str) -> None:
        pieces = self.companion.stream(words, off_record=self.commands.off_record)
        line = ReplyLine(self.reply_prefix)
        try:
            for piece in pieces:
                line.write(piece)
        except KeyboardInterrupt:
            pieces.close()
            line.end()
            self.app.say("chat.stopped")
            self._print_notice()
            if not is_terminal():
                raise
            return
        except ModelError as error:
            line.end()
            self._print_notice()
            self._fail(error)
            return
        line.end()
        for trouble in self.companion.troubles:
            click.echo(trouble, err=True)
        self._print_notice()
        if self.show_memories:
            self.commands.explain_reply()

    def _print_notice(self) -> None:
        """Print what became of a wish not to be remembered, however the reply ended."""
        if self.companion.last_unkept:
            click.echo(self.companion.notice)
            self.commands.offer_keeping(self.companion.last_unkept)

    def _fail(self, error: SiliconFriendError) -> None:
        click.echo(error.message(self.app.language), err=True)
        self.exit_code = error.exit_code

    def _obey(self, words: str) -> bool:
        name, _, rest = words[1:].partition(" ")
        if name.lower() in ("quit", "exit", "bye"):
            return False
        try:
            self.commands.obey(name, rest.strip())
        except UsageError as error:
            click.echo(error.message(self.app.language))
        return True


def _in_their_language(store: MemoryStore, scope: Scope, settings: Settings) -> Settings:
    """The settings in the language of the user and with the name of their companion.

    A flag changes the language they are spoken to in.
    """
    from siliconfriend.lore.companions import speaking_as
    from siliconfriend.memory.changes import PutProfile

    if not store.exists(scope):
        return speaking_as(settings, settings.language)
    profile = store.load(scope).profile
    if settings.sources.get("language") != "flag":
        return speaking_as(replace(settings, language=profile.language), profile.language)
    if profile.language != settings.language:
        with store.edit(scope) as edit:
            edit.add(PutProfile(replace(edit.memory.profile, language=settings.language)))
    return speaking_as(settings, settings.language)


def _wait(session: ChatSession, task: BackgroundTask) -> None:
    app = session.app
    if is_terminal() and not task.is_done:
        app.say("chat.wait")
    # An embedder that fails here fails in the reply too, and is told there.
    with suppress(ModelError):
        recaller = session.runtime.recaller
        while not task.is_done:
            left = recaller.texts_left(session.scope)
            if left > MOST_WAITED:
                app.say("chat.words_meanwhile", left=left)
                return
            task.join(0.1)
        task.wait()


def _talk_at_terminal(session: ChatSession) -> int:
    """Talk with a user who types; it goes on after an error and after Ctrl-C in a reply."""
    try:
        import readline
    except ImportError:
        # Not on every system; the line can then be typed all the same.
        pass
    else:
        # What was typed is a part of a diary: it stays in this process.
        readline.clear_history()
    session.greet()
    try:
        while session.handle(input(harmless(session.prompt))):
            pass
    except (EOFError, KeyboardInterrupt):
        click.echo()
    click.echo(session.app.text("chat.goodbye", name=session.scope.person))
    return 0


def _talk_by_pipe(session: ChatSession) -> int:
    """Answer the lines of a pipe; the transcript shows both sides."""
    session.print_label()
    for line in sys.stdin:
        words = line.strip()
        if words:
            click.echo(f"{session.prompt}{words}")
        if not session.handle(words):
            break
    return session.exit_code
