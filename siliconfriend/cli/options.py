"""Options that several commands share, and the command that has a shell complete them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from .app import App, pass_app
from .localized import Command, Decorator

VARIABLE = "_SILICONFRIEND_COMPLETE"
FILE = click.Path(path_type=Path)
"""A path, which need not exist: the command that opens it says what is wrong with it."""
AT_LEAST_0, AT_LEAST_1 = click.IntRange(min=0), click.IntRange(min=1)

user_option = click.option("--user", metavar="NAME", help="Whose memory.")
companion_option = click.option(
    "--companion", metavar="NAME", help="Which companion; default unless set."
)
language_option = click.option("--lang", metavar="en|cn", help="Language of a new person.")
yes_option = click.option("--yes", is_flag=True, help="Ask nothing.")
host_option = click.option(
    "--host", metavar="H", default="127.0.0.1", show_default=True, help="Address to listen on."
)
name_argument = click.argument("name", metavar="NAME")
file_argument = click.argument("file", metavar="FILE", type=FILE)


def _answer_in_json(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        context.ensure_object(App).as_json = True


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--json``, and pass the application."""
    flag = click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_answer_in_json,
        help="Answer with one JSON document.",
    )
    return flag(pass_app(command))


def person_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--user``, ``--companion`` and ``--json``; pass the application and the known person."""
    answering = json_option(command)

    @functools.wraps(answering)
    def opening(*, user: str | None, companion: str | None, **given: Any) -> Any:
        app = click.get_current_context().ensure_object(App)
        return answering(person=app.person(user, companion), **given)

    return user_option(companion_option(opening))


def port_option(usual: int | None, words: str) -> Decorator:
    """Add ``--port P``."""
    return click.option(
        "--port", metavar="P", type=click.IntRange(0, 65535), default=usual, help=words
    )


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands and options. For bash put
    eval "$(siliconfriend completion bash)" into ~/.bashrc.
    """
    kind, root = get_completion_class(shell), context.find_root()
    if kind is not None:
        click.echo(kind(root.command, {}, root.info_name or "", VARIABLE).source())
