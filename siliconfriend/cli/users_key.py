"""``users key``: the key by which a program reaches one person's memory."""

from __future__ import annotations

import click

from siliconfriend.config import prepare_home
from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import clean_name

from .app import App, pass_app
from .completion import complete_people
from .localized_click import Command, help_text


@click.command("key", cls=Command, help=help_text("users_key"))
@click.argument("name", metavar="NAME", shell_complete=complete_people)
@click.option("--remove", is_flag=True, help=help_text("key_remove"))
@pass_app
def user_key(app: App, name: str, remove: bool) -> None:
    """Make a person's key and print it once, or remove it."""
    settings = app.settings()
    name = clean_name(name)
    keys = app.shared(settings).keys
    if remove:
        if not keys.remove(name):
            raise UsageError("key_nobody", name=name)
        app.say("users.key_removed", name=name)
        return
    prepare_home(settings.home)
    key = keys.make_for(name)
    app.say("users.key_made", name=name)
    click.echo(key)
