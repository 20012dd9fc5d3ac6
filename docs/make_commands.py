"""Write ``docs/commands.md``, what ``--help`` says of every command, in English: ``make docs``."""

from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path

import click

from siliconfriend.cli.main import program

PAGE = Path(__file__).parent / "commands.md"
WIDTH = 100
SHARED_BY = 4
"""Commands that an option must be in, with the same words, to be explained once for all of them."""
HEAD = """\
# Commands

What `--help` says of every command. This page is written by
`python docs/make_commands.py`; edit the commands instead.

Options that are only named, in the last line of a command, mean the same in all:
"""

Row = tuple[str, str]
"""An option and its help, as in ``--help``."""


def render() -> str:
    """Render the page as Markdown."""
    contexts = list(_contexts(program, None))
    uses = Counter(row for context in contexts for row in _options(context))
    shared = {row for row, commands in uses.items() if commands >= SHARED_BY}
    table = click.HelpFormatter(width=WIDTH)
    table.write_dl(sorted(shared))
    sections = (_section(context, shared) for context in contexts)
    return f"{HEAD}\n```text\n{table.getvalue()}```\n{''.join(sections)}"


def _contexts(command: click.Command, parent: click.Context | None) -> Iterator[click.Context]:
    name = command.name if parent else "siliconfriend"
    context = click.Context(command, parent, name, terminal_width=WIDTH, help_option_names=[])
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _contexts(child, context)


def _options(context: click.Context) -> list[Row]:
    options = (
        parameter for parameter in context.command.params if isinstance(parameter, click.Option)
    )
    return [row for option in options if (row := option.get_help_record(context))]


def _section(context: click.Context, shared: Set[Row]) -> str:
    command, formatter, rows = context.command, context.make_formatter(), _options(context)
    arguments = (piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]")
    heading = " ".join((context.command_path.removeprefix("siliconfriend "), *arguments))
    formatter.write_text(command.help or "")
    formatter.write_paragraph()
    if own := [row for row in rows if row not in shared]:
        formatter.write_dl(own)
    if others := [row[0].split()[0] for row in rows if row in shared]:
        formatter.write_text(", ".join(others))
    return f"\n## {heading}\n\n```text\n{formatter.getvalue().rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
