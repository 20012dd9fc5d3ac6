"""Click in the user's language: headings of help, and the sentences for usage errors.

Click's own sentences are English unless its translations are installed system-wide, and
a help text is built when a command is defined. So the language is read once, at start,
from the environment; what a command says later is in the language of the settings.
"""

from __future__ import annotations

import click

from siliconfriend.config import language_of
from siliconfriend.texts import Language, text

LANGUAGE: Language = language_of()
WIDEST = 100
WIDEST_CHINESE = 66
LONGEST_SENTENCE = 1_000


def help_text(key: str, **values: object) -> str:
    """A text for ``--help``, in the language the program was started in."""
    return text("cli", f"help.{key}", LANGUAGE, **values)


class Formatter(click.HelpFormatter):
    """Help with its headings in the user's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how the command is used."""
        super().write_usage(prog, args, prefix or help_text("usage") + " ")

    def write_heading(self, heading: str) -> None:
        """Write a heading; those of click are translated."""
        known = {"Options": "options", "Commands": "commands"}
        words = help_text(known[heading]) if heading in known else f"{heading}:"
        self.write(f"{'':>{self.current_indent}}{words}\n")


class Context(click.Context):
    """A context whose help is written by :class:`Formatter`."""

    formatter_class = Formatter

    def make_formatter(self) -> Formatter:
        """Make the formatter; Chinese is twice as wide as click counts, so its lines break earlier."""
        widest = WIDEST if LANGUAGE == "en" else WIDEST_CHINESE
        return Formatter(width=self.terminal_width, max_width=widest)


class Command(click.Command):
    """A command whose ``--help`` is in the user's language."""

    context_class = Context

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The help option with its text in the user's language."""
        return _own_words(super().get_help_option(ctx))

    def get_short_help_str(self, limit: int = WIDEST) -> str:
        """The first sentence of the help, whole: a list of commands wraps it."""
        return super().get_short_help_str(LONGEST_SENTENCE)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an error knows which command it is about."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise


class Group(Command, click.Group):
    """A group of such commands."""

    command_class = Command


Group.group_class = Group


def _own_words(option: click.Option | None) -> click.Option | None:
    if option is not None:
        option.help = help_text("help")
    return option


def usage_message(error: click.UsageError, language: Language) -> str:
    """The sentence for a command line that click could not parse, with how to see its help."""
    context = error.ctx
    if type(error) is click.UsageError and context and isinstance(context.command, click.Group):
        return context.get_help()
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    path = context.command_path if context else "siliconfriend"
    return text("cli", "usage.hint", language, wrong=_usage_error(error, language), command=path)


def _usage_error(error: click.UsageError, language: Language) -> str:
    match error:
        case click.exceptions.NoSuchCommand():
            return text("cli", "usage.no_command", language, name=error.command_name)
        case click.NoSuchOption():
            return text("cli", "usage.no_option", language, name=error.option_name)
        case click.MissingParameter():
            return text("cli", "usage.missing", language, name=_name_of(error))
        case click.BadParameter():
            return text(
                "cli", "usage.bad_value", language, name=_name_of(error), cause=error.message
            )
        case click.BadOptionUsage():
            return text("cli", "usage.option_alone", language, name=error.option_name)
    return text("cli", "usage.other", language, cause=error.format_message().rstrip("."))


def _name_of(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Argument):
        return error.param.make_metavar(error.ctx or click.Context(click.Command("")))
    return max(error.param.opts, key=len)
