"""``users password``: who may log in to the web page.

A password is never an argument of a command, where the shell's history and other accounts
of the machine could read it.
"""

from __future__ import annotations

import sys
from getpass import getpass
from pathlib import Path

import click

from siliconfriend.config import prepare_home
from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import clean_name
from siliconfriend.passwords import PasswordFile

from .app import App, is_terminal, pass_app
from .completion import complete_people
from .localized_click import Command, help_text
from .param_types import FilePath
from .terminal import harmless


@click.command("password", cls=Command, help=help_text("users_password"))
@click.argument("name", metavar="NAME", shell_complete=complete_people)
@click.option(
    "--file",
    "path",
    metavar="FILE",
    type=FilePath(),
    help=help_text("password_file"),
)
@click.option("--remove", is_flag=True, help=help_text("password_remove"))
@pass_app
def user_password(app: App, name: str, path: Path | None, remove: bool) -> None:
    """Set a person's password, or remove it."""
    settings = app.settings()
    name = clean_name(name)
    if path is None and not remove:
        prepare_home(settings.home)
    kept = app.shared(settings).passwords if path is None else PasswordFile(path)
    if remove:
        if not kept.remove(name):
            raise UsageError("password_nobody", name=name, path=kept.place)
        app.say("users.password_removed", name=name, path=kept.place)
        return
    kept.set(name, _read_password(app, name))
    key = "password_set" if isinstance(kept, PasswordFile) else "password_shared"
    app.say(f"users.{key}", name=name, path=kept.place)


def _read_password(app: App, name: str) -> str:
    """Read the password: typed twice without being shown, or the first line of a pipe."""
    if not is_terminal():
        return sys.stdin.readline().rstrip("\r\n")
    try:
        first = getpass(harmless(app.text("users.password_ask", name=name)))
        again = getpass(app.text("users.password_again"))
    except EOFError as error:
        raise click.Abort from error
    if first != again:
        raise UsageError("password_differs")
    return first
