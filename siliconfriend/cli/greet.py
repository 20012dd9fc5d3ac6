"""``greet``: what the companion has to say first, for cron, a notification or a bot.

Silence is its usual answer: standard output is empty where nothing is due, at night, and
unless the person switched it on. So its output can be handed to whatever shows a notification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from .app import App, pass_app, print_json
from .localized_click import Command, help_text
from .opened_memory import OpenedMemory, memory_options
from .options import json_option

if TYPE_CHECKING:
    from siliconfriend.dialogue.first_words import FirstWords

Silent = Literal["off", "night", "nothing"]


@click.command("greet", cls=Command, help=help_text("greet"), short_help=help_text("greet_short"))
@memory_options
@click.option("--dry-run", is_flag=True, help=help_text("greet_dry_run"))
@json_option()
@pass_app
def greet(app: App, opened: OpenedMemory, dry_run: bool, as_json: bool) -> None:
    """Print what is due, once each, or nothing."""
    silent = _reason_for_silence(opened)
    words = None if silent else _first_words(opened, dry_run=dry_run)
    if as_json:
        print_json(_document(opened, words, silent))
    elif words is not None:
        click.echo(words.text)
    elif silent == "off":
        app.say("greet.off")


def _reason_for_silence(opened: OpenedMemory) -> Silent | None:
    settings = opened.runtime.settings
    if settings.speaks_first == "no":
        return "off"
    local = opened.now.astimezone(opened.memory.profile.zone).time()
    return "night" if settings.is_quiet(local) else None


def _first_words(opened: OpenedMemory, *, dry_run: bool) -> FirstWords | None:
    from siliconfriend.clock import day_of
    from siliconfriend.dialogue.first_words import (
        FirstWords,
        compose,
        find_first_matters,
        speak_first,
    )
    from siliconfriend.lore.companions import speaking_as

    memory, scope, recaller = opened.memory, opened.scope, opened.runtime.recaller
    name = speaking_as(opened.runtime.settings, memory.profile.language).companion_name
    if not dry_run:
        return speak_first(opened.store, recaller, scope, now=opened.now, companion_name=name)
    today = day_of(opened.now, memory.profile.zone)
    matters = find_first_matters(recaller, scope, memory, today)
    return FirstWords(compose(matters, memory, today, name), matters) if matters else None


def _document(
    opened: OpenedMemory, words: FirstWords | None, silent: Silent | None
) -> dict[str, Any]:
    matters = words.matters if words else ()
    return {
        "user": opened.scope.person,
        "companion": opened.scope.companion,
        "now": opened.now.astimezone(opened.memory.profile.zone).isoformat(),
        "greeting": words.text if words else None,
        "silent": silent or (None if words else "nothing"),
        "matters": [
            {
                "kind": it.kind,
                "id": it.turn.id,
                "day": it.day.isoformat(),
                "told": it.turn.date,
                "text": it.turn.query,
            }
            for it in matters
        ],
    }
