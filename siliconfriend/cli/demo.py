"""``demo``: a chat as a sample person, in a data directory of its own.

The sample is copied once and moved so that its last day is yesterday, and one offline night
runs over it while the greeting is read. From then on the copy goes on like any memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import click

from siliconfriend.clock import day_of
from siliconfriend.config import Settings, prepare_home
from siliconfriend.person.sample_people import read_sample, shift_dates
from siliconfriend.texts import LANGUAGES, Language

from .app import App, pass_app
from .chat import run_chat, talk_options
from .options import Command

FOLDER = "demo"
QUESTIONS = {"en": "What did I see at Harrow Light?", "cn": "我在石埠老码头看到了什么？"}


@click.command("demo", cls=Command)
@click.option("--user", metavar="NAME", help="A sample person, or a new name.")
@click.option("--lang", metavar="en|cn", help="Which sample, or the language of a new person.")
@talk_options
@click.option("--fresh", is_flag=True, help="Make the samples anew; what was said to them is lost.")
@pass_app
def demo_command(app: App, /, user: str | None, lang: str | None, fresh: bool, **how: Any) -> int:
    """Talk as a sample person, in a data directory of its own."""
    app.home = str(app.settings(language=lang).home / FOLDER)
    settings = app.settings(language=lang)
    chosen = _sample_language(user, settings.language)
    work: Callable[[], object] | None = None
    if chosen is not None:
        user, work = _copy_sample(app, settings, chosen, fresh=fresh)
        settings = replace(settings, sources={**settings.sources, "language": "default"})
        app.say("You are {name} now. Try: {question}", name=user, question=QUESTIONS[chosen])
    return run_chat(app, settings, user, work=work, **how)


def _sample_language(user: str | None, language: Language) -> Language | None:
    """Return the language of the sample person that is meant; None for another name."""
    if user is None:
        return language
    return next((known for known in LANGUAGES if read_sample(known)[0] == user.strip()), None)


def _copy_sample(
    app: App, settings: Settings, language: Language, *, fresh: bool
) -> tuple[str, Callable[[], object] | None]:
    """Copy the sample unless it is there; return its name and, of a new copy, its night.

    No model is asked whatever the settings say: a sample is no reason to send anything.
    """
    name, sample = read_sample(language)
    prepare_home(settings.home)
    bank = app.bank(replace(settings, llm="offline"))
    person = bank.person(name)
    if person.is_known() and not fresh:
        return name, None
    if person.is_known():
        person.delete()
    words = "Preparing {name}'s memory: a sample, moved so that its last day is yesterday."
    app.say(words, name=name)
    yesterday = day_of(app.now(settings), settings.zone) - timedelta(days=1)
    bank.import_({name: shift_dates(sample, yesterday)}, language=language)
    return name, person.night
