"""``chat`` and ``demo``: a conversation at the terminal or through a pipe."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.errors import UsageError
from siliconfriend.person.settings_file import write_settings
from siliconfriend.texts import LANGUAGES, N_, Language
from siliconfriend.threads import in_background

from .app import INTERRUPTED, App, is_terminal
from .options import Command, companion_option, flag, language_option, option, user_option
from .settings import offer_model
from .talk import TerminalTalk

if TYPE_CHECKING:
    from siliconfriend.person.bank import MemoryBank

Work = Callable[[], object]
QUESTIONS = {"en": "Where did Theo lose his glasses?", "cn": "我在石埠老码头看到了什么？"}


off_record_option = flag("--off-record", "Remember nothing of this talk.")
show_option = flag("--show-memories", "Show after each reply what it was based on.")


@click.command("chat", cls=Command)
@user_option
@companion_option
@language_option
@off_record_option
@show_option
def chat_command(app: App, /, **how: Any) -> int:
    """Talk, at a terminal or with lines from standard input."""
    return _talk(app, app.settings(), **how)


@click.command("demo", cls=Command)
@option("--user", "NAME", "A sample person, or a new name.")
@option("--lang", "en|cn", "Language of the sample or of a new person.")
@off_record_option
@show_option
@flag("--fresh", "Reset the samples; what was said to them is lost.")
def demo_command(app: App, /, user: str | None, lang: str | None, fresh: bool, **how: Any) -> int:
    """Talk as a sample person, in a data directory of its own."""
    from siliconfriend.person.companions import begin_sample, read_sample

    app.home = str(app.settings().home / "demo")
    settings = app.settings(language=lang, user=user)
    names: dict[str, Language] = {read_sample(known)[0]: known for known in LANGUAGES}
    chosen = settings.language if user is None else names.get(user.strip())
    work: Work | None = None
    if chosen is not None:
        # Preparing a sample must not send anything to a model.
        bank = app.bank(replace(settings, llm="offline"))
        person, is_new = begin_sample(bank, chosen, fresh=fresh)
        name, sources = person.scope.person, {**settings.sources, "language": "default"}
        if is_new:
            words = N_(
                "Preparing {name}'s memory: a sample, moved so that its last day is yesterday."
            )
            app.say(words, name=name)
            work = person.night
        settings = replace(settings, user=name, sources=sources)
        app.say("You are {name} now. Try: {question}", name=name, question=QUESTIONS[chosen])
    return _talk(app, settings, work, **how)


def _talk(
    app: App, settings: Settings, work: Work | None = None, *, off_record: bool, show_memories: bool
) -> int:
    """Talk until the user leaves; return the exit code.

    ``work``, by default updating the index, runs in the background during the greeting.
    """
    bank = app.bank(settings, while_indexing=True)
    if is_terminal():
        if settings.user is None:
            settings = _ask_person(app, bank, remember=not off_record)
            bank.close()
            bank = app.bank(settings, while_indexing=True)
        _check_beginning(app, bank)
    person = bank.person()
    person.check_name()
    if settings.sources.get("language") == "flag" and person.is_known():
        person.update(language=settings.language)
    app.language = person.language
    app.open_home(settings)
    talk = TerminalTalk(app, person, off_record, show_memories)
    is_known = person.is_known()

    def prepare() -> None:
        """Import the heavy libraries in this thread, where Ctrl-C cannot interrupt an import."""
        bank.preload()
        if is_known:
            (work or person.index)()

    talk.preparing = in_background(prepare)
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, lambda *_: sys.exit(INTERRUPTED))
    try:
        return talk.run()
    finally:
        bank.close()
        if is_terminal() and (usage := talk.usage()):
            click.echo(usage, err=True)


def _ask_person(app: App, bank: MemoryBank, *, remember: bool) -> Settings:
    """Ask for the person's name, and offer a model; write both to the settings."""
    known = {scope.person for scope in bank.people()}
    usual = known.pop() if len(known) == 1 else None
    name = app.ask(app.translate("Your name"), lambda typed: bank.person(typed).scope.person, usual)
    if not remember:
        return replace(bank.settings, user=name)
    write_settings(bank.settings.home, {"user": name, **offer_model(app, bank.settings)})
    app.say("You are {name} from now on; others say --user NAME. `setup` asks the rest.", name=name)
    return app.settings()


def _check_beginning(app: App, bank: MemoryBank) -> None:
    """Confirm an unknown person or companion; abort if it was a mistake."""
    name, people = bank.person().scope.person, {scope.person for scope in bank.people()}
    app.speak_with(bank.person())
    checks: list[Work] = [bank.check_companion]
    if people and name not in people and bank.settings.sources["user"] == "flag":
        checks.append(bank.known_person)
    for check in checks:
        try:
            check()
        except UsageError as error:
            app.show_error(error)
            if not app.confirm("Begin with {name} all the same?", name=error.details["name"]):
                raise click.Abort from None
