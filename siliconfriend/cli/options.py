"""Click in the user's language, and the options that several commands share.

The help is English in the code; the catalogues have its translation and that of click's own sentences.
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


# The data directory may have the language, which click's help needs before it parses ``--home``.
_home = re.search(r"\0--home[=\0]([^\0]+)", "\0".join(sys.argv))
LANGUAGE: Language = language_of(home=_home and _home[1])


def local(english: str, **values: object) -> str:
    """Translate a sentence into the language in which the program was started."""
    return translate(english, LANGUAGE, **values)


if LANGUAGE in LOCALES:
    # Click translates its own sentences by gettext, which reads the language from the environment.
    os.environ["LANGUAGE"] = LOCALES[LANGUAGE]
    gettext.bindtextdomain("click", LOCALE)
    gettext.textdomain("click")


class Command(click.Command):
    """A command with translated help, called with the :class:`App` as first argument."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = " ".join((self.help or "").split())
        self.help = local(words)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function of the command."""
        return self.callback and ctx.invoke(self.callback, ctx.obj, **ctx.params)

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence of the help, whole; lists of commands wrap it."""
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
    """A command with the option ``--json``."""

    def __init__(self, *args: Any, params: Sequence[click.Parameter] = (), **kwargs: Any) -> None:
        super().__init__(*args, params=[*params, JSON], **kwargs)


class Group(click.Group, Command):
    """A group of commands.

    ``lazy`` maps names of commands to modules of this package, imported when they are called.
    """

    command_class = Command

    def __init__(self, *args: Any, lazy: dict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in their declared order."""
        return [*self._lazy, *(name for name in self.commands if name not in self._lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; for an unknown name, import all of them, so that click can suggest one."""
        for name in [cmd_name] if cmd_name in self._lazy else self._lazy:
            if name not in self.commands:
                module = import_module(f"siliconfriend.cli.{self._lazy[name]}")
                self.add_command(getattr(module, f"{name}_command"), name)
        return super().get_command(ctx, cmd_name)


Group.group_class = Group

VALUES: dict[str, click.ParamType[Any]] = {
    "FILE": click.Path(path_type=Path),
    "N": click.IntRange(min=1),
    "P": click.IntRange(0, 65535),
}
"""Types of values by their placeholder in the help; all others are texts."""


def option(name: str, value: str | Iterable[str], words: str, *names: str, **how: Any) -> Decorator:
    """Add an option with a value.

    Args:
        name: the option with its dashes.
        value: placeholder of the value in the help, or all allowed values.
        words: the help.
        names: name of the argument, if it differs.
        how: further arguments of :func:`click.option`.
    """
    if isinstance(value, str):
        how = {"metavar": value, "type": VALUES.get(value)} | how
    else:
        how["type"] = click.Choice(tuple(value))
    return click.option(name, *names, help=local(words), **how)


def flag(name: str, words: str, *names: str, **how: Any) -> Decorator:
    """Add an option without a value; see :func:`option`."""
    return click.option(name, *names, is_flag=True, help=local(words), **how)


def _keep_flag(context: click.Context, option: click.Parameter, written: str | None) -> None:
    if option.name is not None and written is not None:
        is_name = option.name != "language"
        kept = clean_name(written) if is_name else written
        context.ensure_object(App).flags[option.name] = kept


_kept: Any = {"expose_value": False, "callback": _keep_flag}
user_option = option("--user", "NAME", "The person.", **_kept)
companion_option = option("--companion", "NAME", "The companion, `default` unless set.", **_kept)
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
