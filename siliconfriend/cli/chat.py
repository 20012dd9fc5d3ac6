"""``chat``: talking at the terminal, or with lines from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ModelError
from siliconfriend.memory.changes import PutProfile
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

from .app import App, is_terminal, pass_app, scope_of
from .background import Background
from .localized_click import Command, help_text
from .opening import tell_taking_in
from .options import companion_option, language_option, user_option

if TYPE_CHECKING:
    from .talk import Talk


@click.command("chat", cls=Command, help=help_text("chat"), short_help=help_text("chat"))
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
    """A new name begins a new memory."""
    settings = app.settings(companion=companion, language=lang)
    return hold(app, settings, user, off_record=off_record, show_memories=show_memories)


def hold(
    app: App,
    settings: Settings,
    user: str | None,
    *,
    off_record: bool,
    show_memories: bool,
    work: Callable[[], object] | None = None,
) -> int:
    """Open everything, then talk until the person leaves; the exit code.

    ``work`` goes on while the greeting is read, and ends before the first reply; without it
    the search index is brought level then, which after an import takes a while.
    """
    from siliconfriend.memory.factory import open_store

    from .talk import Talk

    scope = scope_of(settings, user)
    prepare_home(settings.home)
    store = open_store(settings)
    settings = _in_their_language(store, scope, settings)
    app.language = settings.language
    app.say_home(settings)
    talk = Talk.begin(app, settings, store, scope)
    talk.off_record, talk.show_memories = off_record, show_memories
    if store.exists(scope):
        background = Background(work or (lambda: talk.recaller.update_index(scope)))
        talk.ready = lambda: _wait(app, talk, background)
    try:
        return _by_hand(talk) if is_terminal() else _from_pipe(talk)
    finally:
        talk.end()


def _wait(app: App, talk: Talk, background: Background) -> None:
    if is_terminal() and not background.is_done:
        app.say("chat.wait")
    # An embedder that fails here fails in the reply too, and is told there.
    with suppress(ModelError):
        background.wait(lambda: tell_taking_in(app, talk.recaller, talk.scope))


def _in_their_language(store: MemoryStore, scope: Scope, settings: Settings) -> Settings:
    """The settings in the language of the person and with the name of their companion.

    A flag changes what they are spoken to in.
    """
    from siliconfriend.lore.companions import speaking_as

    if not store.exists(scope):
        return speaking_as(settings, settings.language)
    profile = store.load(scope).profile
    if settings.sources.get("language") != "flag":
        return speaking_as(replace(settings, language=profile.language), profile.language)
    if profile.language != settings.language:
        with store.edit(scope) as edit:
            edit.add(PutProfile(replace(edit.memory.profile, language=settings.language)))
    return speaking_as(settings, settings.language)


def _by_hand(talk: Talk) -> int:
    """A talk typed at a terminal; it goes on after an error and after Ctrl-C in a reply."""
    try:
        import readline
    except ImportError:
        # Not on every system; the line can then be typed all the same.
        pass
    else:
        # What was typed is a part of a diary: it stays in this process.
        readline.clear_history()
    talk.open()
    try:
        while talk.hear(input(talk.prompt)):
            pass
    except (EOFError, KeyboardInterrupt):
        click.echo()
    talk.close()
    return 0


def _from_pipe(talk: Talk) -> int:
    """A talk whose lines come from a pipe; the transcript shows both sides."""
    talk.label()
    for line in sys.stdin:
        words = line.strip()
        if words:
            click.echo(f"{talk.prompt}{words}")
        if not talk.hear(words):
            break
    return talk.exit_code
