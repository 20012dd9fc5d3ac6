"""Click in the user's language, and the options that several commands share.

Help stands in the code in English; where the program starts in Chinese, it and click's own
sentences are looked up in the catalogues.
"""

import functools
import gettext
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from siliconfriend.config.loading import language_of
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import LOCALE, LOCALES, Language, translate

from .app import App

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


# What names the data directory on the command line, before click has read it.
_home = re.search(r"\0--home[=\0]([^\0]+)", "\0".join(sys.argv))
LANGUAGE: Language = language_of(home=_home and _home[1])


def local(english: str, **values: object) -> str:
    """Translate into the language the program was started in."""
    return translate(english, LANGUAGE, **values)


if LANGUAGE in LOCALES:
    # Click asks gettext for its own sentences, which asks the environment for the language.
    os.environ["LANGUAGE"] = LOCALES[LANGUAGE]
    gettext.bindtextdomain("click", LOCALE)
    gettext.textdomain("click")


class Command(click.Command):
    """A command whose help is in the user's language, called with the application first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = " ".join((self.help or "").split())
        self.help = local(words)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function of the command."""
        return self.callback and ctx.invoke(self.callback, ctx.obj, **ctx.params)

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence of the help, whole: a list of commands wraps it."""
        return re.split(r"(?<=\.) |(?<=。)", self.help or "", maxsplit=1)[0]


def _answer_in_json(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        context.ensure_object(App).as_json = True


JSON = click.Option(
    ["--json"],
    is_flag=True,
    expose_value=False,
    callback=_answer_in_json,
    help=local("Answer with one JSON document."),
)


class JsonCommand(Command):
    """A command whose answer is one JSON document where ``--json`` asks for it."""

    def __init__(self, *args: Any, params: Sequence[click.Parameter] = (), **kwargs: Any) -> None:
        super().__init__(*args, params=[*params, JSON], **kwargs)


class Group(click.Group, Command):
    """A group of such commands.

    ``lazy`` are modules of this package by the names of the commands in them, imported for these.
    """

    command_class = Command

    def __init__(self, *args: Any, lazy: dict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their importance."""
        return [*self._lazy, *(name for name in self.commands if name not in self._lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; of an unknown name all are imported, to suggest what was meant."""
        for name in [cmd_name] if cmd_name in self._lazy else self._lazy:
            if name not in self.commands:
                module = import_module(f"siliconfriend.cli.{self._lazy[name]}")
                self.add_command(getattr(module, f"{name}_command"), name)
        return super().get_command(ctx, cmd_name)


Group.group_class = Group

VALUES: dict[str, click.ParamType[Any]] = {
    "FILE": click.Path(path_type=Path),  # the command that opens it says what is wrong with it
    "N": click.IntRange(min=1),
    "P": click.IntRange(0, 65535),
}
"""The types of values by what stands for them in the help, where that is no text."""


def option(name: str, value: str | Iterable[str], words: str, *names: str, **how: Any) -> Decorator:
    """Add an option with a value; ``words`` is its help, ``names`` the argument's name.

    ``value`` stands for the value in the help, or is all that it can be.
    """
    if isinstance(value, str):
        how = {"metavar": value, "type": VALUES.get(value)} | how
    else:
        how["type"] = click.Choice(tuple(value))
    return click.option(name, *names, help=local(words), **how)


def flag(name: str, words: str, *names: str, **how: Any) -> Decorator:
    """Add an option without a value; ``words`` is its help."""
    return click.option(name, *names, is_flag=True, help=local(words), **how)


def _keep_flag(context: click.Context, option: click.Parameter, written: str | None) -> None:
    if option.name is not None and written is not None:
        is_name = option.name != "language"
        kept = clean_name(written) if is_name else written
        context.ensure_object(App).flags[option.name] = kept


_kept: Any = {"expose_value": False, "callback": _keep_flag}
user_option = option("--user", "NAME", "Whose memory.", **_kept)
companion_option = option("--companion", "NAME", "Which companion; default unless set.", **_kept)
language_option = option(
    "--lang", "en|cn", "Your language, or a new person's.", "language", **_kept
)
yes_option = flag("--yes", "Ask nothing.")
name_argument = click.argument(
    "name", metavar="NAME", callback=lambda _context, _argument, name: clean_name(name)
)
"""The name of a person or a companion."""
file_argument = click.argument("file", metavar="FILE", type=VALUES["FILE"])


def person_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--user`` and ``--companion``; pass the known person."""

    @functools.wraps(command)
    def opening(app: App, /, **given: Any) -> Any:
        return command(app, person=app.person(), **given)

    return user_option(companion_option(opening))
