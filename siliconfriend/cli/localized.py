"""Click in the user's language: help, headings, usage errors and the values of options.

Help stands in the code in English and is translated when it is shown. The language is read
once, at start; what a command says later is in the language of the settings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from siliconfriend.config import language_of
from siliconfriend.texts import Language, translate

HELP_OPTIONS = ["-h", "--help"]
WIDEST, WIDEST_CHINESE = 100, 66
MOST_SUGGESTED = 3


def find_home_flag(words: Sequence[str]) -> str | None:
    """Return the data directory that a command line names, before click has read it."""
    for word, after in zip_longest(words, words[1:]):
        if word == "--home":
            return after
        if word.startswith("--home="):
            return word.removeprefix("--home=")
    return None


LANGUAGE: Language = language_of(home=find_home_flag(sys.argv[1:]))


def local(english: str, **values: object) -> str:
    """Translate into the language the program was started in."""
    return translate(english, LANGUAGE, **values)


class Formatter(click.HelpFormatter):
    """Help with its headings in the user's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how the command is used."""
        super().write_usage(prog, args, prefix or local("Usage:") + " ")

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{'':>{self.current_indent}}{local(f'{heading}:')}\n")


class Context(click.Context):
    """A context whose help is written by :class:`Formatter`."""

    formatter_class = Formatter

    def make_formatter(self) -> Formatter:
        """Make the formatter; Chinese is twice as wide as click counts, so it breaks earlier."""
        widest = WIDEST if LANGUAGE == "en" else WIDEST_CHINESE
        return Formatter(width=self.terminal_width, max_width=widest)


class ExtraWords(click.UsageError):
    """Words that belong to no argument of the command."""


class Command(click.Command):
    """A command whose help and errors are in the user's language."""

    context_class = Context

    def get_help(self, ctx: click.Context) -> str:
        """Translate and write the help."""
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and param.help:
                param.help = local(param.help)
        return super().get_help(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(local(_one_line(self.help)))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the help option."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = local("Show this page.")
        return option

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the usage line."""
        return [local(piece) for piece in super().collect_usage_pieces(ctx)]

    def get_short_help_str(self, limit: int = WIDEST) -> str:
        """Return the short help, or the whole one: a list of commands wraps it."""
        return local(self.short_help or _one_line(self.help))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an error knows which command it is about.

        Raises:
            ExtraWords: there are more words than arguments.
        """
        may_have_more, ctx.allow_extra_args = ctx.allow_extra_args, True
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if rest and not may_have_more and not ctx.resilient_parsing:
            raise ExtraWords(" ".join(rest), ctx)
        return rest


class Group(Command, click.Group):
    """A group of such commands.

    Args:
        lazy: modules of this package by the names of the commands in them, which are imported
            when they are needed: most runs need one.
    """

    command_class = Command

    def __init__(self, *args: Any, lazy: dict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their importance."""
        return [*self._lazy, *(name for name in self.commands if name not in self._lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; imports it where that was left for later."""
        if cmd_name in self._lazy and cmd_name not in self.commands:
            module = import_module(f"siliconfriend.cli.{self._lazy[cmd_name]}")
            found: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
            self.add_command(found, cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the words name.

        Raises:
            UsageError: there is none of that name.
        """
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            for name in self._lazy:
                self.get_command(ctx, name)  # so that what was meant can be suggested
        return super().resolve_command(ctx, args)


Group.group_class = Group


class OneOf(click.Choice[str]):
    """One of a few words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the sentence for a word that is none of them."""
        choices = local(", ").join(self.choices)
        return local("{value} is none of {choices}.", value=value, choices=choices)


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds."""

    name = "number"

    def __init__(self, lowest: int, highest: int | None = None) -> None:
        self._lowest, self._highest = lowest, highest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number.

        Raises:
            BadParameter: it is none, or lies outside.
        """
        known = {"value": value, "lowest": self._lowest, "highest": self._highest}
        try:
            number = int(value)
        except ValueError:
            number = self._lowest - 1
        if number < self._lowest or (self._highest is not None and number > self._highest):
            if self._highest is None:
                self.fail(local("{value} is not a whole number, {lowest} or more.", **known), param)
            words = "{value} is not a whole number from {lowest} to {highest}."
            self.fail(local(words, **known), param, ctx)
        return number


class FilePath(click.ParamType[Path]):
    """A path, which need not exist: the command that opens it says what is wrong with it."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path as it was written."""
        return Path(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave the completion to the shell, which knows the files."""
        return [CompletionItem(incomplete, type="file")]


def usage_message(error: click.UsageError) -> str:
    """Return the sentence for a command line that click could not parse."""
    context = error.ctx
    if type(error) is click.UsageError and context and isinstance(context.command, click.Group):
        return context.get_help()
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    path = context.command_path if context else "siliconfriend"
    wrong = _wrong(error) + _suggestion(error)
    return local("{wrong} See: {command} --help", wrong=wrong, command=path)


def _wrong(error: click.UsageError) -> str:
    match error:
        case click.exceptions.NoSuchCommand():
            return local("There is no command {name!r}.", name=error.command_name)
        case click.NoSuchOption():
            return local("There is no option {name}.", name=error.option_name)
        case click.MissingParameter():
            return local("{name} is missing.", name=_name_of(error))
        case click.BadParameter():
            cause = error.message
            return local("{name} cannot be that: {cause}", name=_name_of(error), cause=cause)
        case click.BadOptionUsage():
            known = error.ctx.command.params if error.ctx else []
            flags = [param for param in known if isinstance(param, click.Option) and param.is_flag]
            if any(error.option_name in flag.opts for flag in flags):
                return local("{name} takes no value.", name=error.option_name)
            return local("{name} needs a value.", name=error.option_name)
        case ExtraWords():
            return local("These words belong to nothing here: {words}.", words=error.message)
    return error.format_message()


def _suggestion(error: click.UsageError) -> str:
    """Suggest the nearest option or command in a sentence; empty where nothing is near."""
    near: list[str] = []
    if isinstance(error, click.exceptions.NoSuchCommand | click.NoSuchOption):
        near = list(error.possibilities or ())
    if isinstance(error, click.exceptions.NoSuchCommand) and error.ctx is not None:
        near = near or list(_in_groups(error.command_name, error.ctx))
    names = local(" or ").join(near[:MOST_SUGGESTED])
    return local(" Did you mean {names}?", names=names) if near else ""


def _in_groups(name: str, context: click.Context) -> Iterator[str]:
    """Yield the commands of this name in the groups of a group: ``memories list`` for ``list``."""
    group = context.command
    if isinstance(group, click.Group):
        for inner in group.commands.values():
            if isinstance(inner, click.Group) and name in inner.commands:
                yield f"{inner.name} {name}"


def _name_of(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Argument):
        metavar = error.param.make_metavar(error.ctx or click.Context(click.Command("")))
        return metavar.strip("[]")
    return max(error.param.opts, key=len)


def _one_line(help_text: str | None) -> str:
    return " ".join((help_text or "").split())


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
