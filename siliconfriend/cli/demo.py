"""``demo``: a chat as a sample user, in a data directory of its own.

The sample is copied once and moved so that its last day is yesterday, and one offline
night is run over it so that portrait and fading can be seen at once. The night goes on
while the greeting is read; the first reply waits for it. A copy nobody has talked to is
made anew on another day; one that was talked to goes on as any memory would, because what
a person said is not thrown away to keep a demonstration fresh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from siliconfriend.clock import day_of
from siliconfriend.config import Settings, prepare_home
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.texts import LANGUAGES, Language

from .app import App, pass_app
from .chat import run_chat
from .localized_click import Command, help_text
from .samples import read_sample, shift_dates

if TYPE_CHECKING:
    from siliconfriend.memory.store import MemoryStore

FOLDER = "demo"


@click.command("demo", cls=Command, help=help_text("demo"))
@click.option("--user", metavar="NAME", help=help_text("demo_user"))
@click.option("--lang", metavar="en|cn", help=help_text("demo_lang"))
@click.option("--off-record", is_flag=True, help=help_text("off_record"))
@click.option("--show-memories", is_flag=True, help=help_text("show_memories"))
@click.option("--fresh", is_flag=True, help=help_text("fresh"))
@pass_app
def demo(
    app: App,
    user: str | None,
    lang: str | None,
    off_record: bool,
    show_memories: bool,
    fresh: bool,
) -> int:
    """Chat as the sample user of the language, or as a user of the name given."""
    outer = app.settings(language=lang)
    app.home = str(outer.home / FOLDER)
    settings = app.settings(language=lang)
    chosen = _sample_language(user, settings.language)
    work: Callable[[], object] | None = None
    if chosen is not None:
        store, user = _copy_sample(app, settings, chosen, fresh=fresh)
        work = _night(app, settings, store, user)
        settings = replace(settings, sources={**settings.sources, "language": "default"})
        app.say("demo.try", name=user, question=app.text(f"demo.questions.{chosen}"))
    return run_chat(
        app, settings, user, off_record=off_record, show_memories=show_memories, work=work
    )


def _sample_language(user: str | None, language: Language) -> Language | None:
    """The language of the sample user that is meant; None for another name."""
    if user is None:
        return language
    wanted = clean_name(user)
    return next((it for it in LANGUAGES if read_sample(it)[0] == wanted), None)


def _copy_sample(
    app: App, settings: Settings, language: Language, *, fresh: bool
) -> tuple[MemoryStore, str]:
    """Copy the sample into the store, unless a copy of today or one that was talked to is there."""
    from siliconfriend.memory.import_export import import_bank

    name, person = read_sample(language)
    prepare_home(settings.home)
    store = app.runtime(settings).store
    scope = Scope.of(name, settings.companion)
    now = app.now(settings)
    yesterday = day_of(now, settings.zone) - timedelta(days=1)
    if store.exists(scope):
        memory = store.load(scope)
        said_on = _first_said_here(memory)
        if said_on is not None and not fresh:
            app.say("demo.kept", name=name, date=said_on)
            return store, name
        if not fresh and max(memory.days) == yesterday.isoformat():
            return store, name
        store.delete(scope)
    app.say("demo.making", name=name)
    bank = {name: shift_dates(person, yesterday)}
    companion, zone = settings.companion, settings.zone
    import_bank(store, bank, language=language, companion=companion, zone=zone, now=now)
    return store, name


def _first_said_here(memory: PersonMemory) -> str | None:
    return next((turn.date for turn in memory.turns() if turn.origin == "chat"), None)


def _night(
    app: App, settings: Settings, store: MemoryStore, name: str
) -> Callable[[], object] | None:
    """The work of the sample's first night; None if it had one.

    No model is asked whatever the settings say: a sample is no reason to send anything.
    """
    from siliconfriend.night.run import run_night

    if store.load(Scope.of(name, settings.companion)).overall_personality is not None:
        return None
    runtime = app.runtime(replace(settings, llm="offline"), store=store)
    return lambda: run_night(runtime, users=(name,))
