"""``database``: the tables of a PostgreSQL database, made and brought forward on purpose.

A program that may do so does it by itself when it starts. Where the program's role owns nothing,
as it should, whoever administers the database runs this.
"""

from __future__ import annotations

import click

from siliconfriend.errors import UsageError

from .app import App, pass_app
from .localized_click import Group, help_text


@click.group("database", cls=Group, help=help_text("database"))
def database() -> None:
    """Group the commands that are about the database itself."""


@database.command("upgrade", help=help_text("database_upgrade"))
@click.option("--role", metavar="NAME", help=help_text("database_role"))
@pass_app
def upgrade_database(app: App, role: str | None) -> None:
    """Apply what is pending, and give the program's role its rights."""
    settings = app.settings()
    if settings.store == "file":
        raise UsageError("database_none")
    from siliconfriend.memory.factory import upgrade_database_of

    done = upgrade_database_of(settings, role)
    for name in done:
        app.say("database.applied", name=name)
    if not done:
        app.say("database.nothing")
    if role is not None:
        app.say("database.granted", role=role)
