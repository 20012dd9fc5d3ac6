"""Click in the user's language: headings of help, and commands that refuse words they have no use for.

Click's own sentences are English unless its translations are installed system-wide, and
a help text is built when a command is defined. So the language is read once, at start,
from the setting or the machine; what a command says later is in the language of the settings.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest

import click

from siliconfriend.config import language_of
from siliconfriend.texts import Language, text

from .usage_errors import ExtraWords


def find_home_flag(words: Sequence[str]) -> str | None:
    """The data directory that a command line names, before click has read it."""
    for word, after in zip_longest(words, words[1:]):
        if word == "--home":
            return after
        if word.startswith("--home="):
            return word.removeprefix("--home=")
    return None


LANGUAGE: Language = language_of(home=find_home_flag(sys.argv[1:]))
HELP_OPTIONS = ["-h", "--help"]
WIDEST = 100
WIDEST_CHINESE = 66
LONGEST_SENTENCE = 1_000


def help_text(key: str, **values: object) -> str:
    """A text for ``--help``, in the language the program was started in."""
    return text("cli", f"help.{key}", LANGUAGE, **values)


def usage_text(key: str, **values: object) -> str:
    """A part of what is said of a wrong command line, in the language the program was started in."""
    return text("cli", f"usage.{key}", LANGUAGE, **values)


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

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The parts of the usage line; what click calls options and commands is translated."""
        known = {
            "[OPTIONS]": "any_options",
            "COMMAND [ARGS]...": "any_command",
            "[COMMAND] [ARGS]...": "maybe_command",
        }
        pieces = super().collect_usage_pieces(ctx)
        return [help_text(known[it]) if it in known else it for it in pieces]

    def get_short_help_str(self, limit: int = WIDEST) -> str:
        """The first sentence of the help, whole: a list of commands wraps it."""
        return super().get_short_help_str(LONGEST_SENTENCE)

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
            raise ExtraWords(rest, ctx)
        return rest


class Group(Command, click.Group):
    """A group of such commands."""

    command_class = Command


Group.group_class = Group


def _own_words(option: click.Option | None) -> click.Option | None:
    if option is not None:
        option.help = help_text("help")
    return option
