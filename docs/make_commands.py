"""Write ``docs/commands.md``, what ``--help`` says of every command, in English: ``make docs``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from siliconfriend.cli.main import program

PAGE = Path(__file__).parent / "commands.md"
WIDTH = 100
HEAD = """\
# Commands

What `--help` says of every command. This page is written by
`python docs/make_commands.py`; edit the commands instead.
"""


def render() -> str:
    """Render the page as Markdown."""
    return HEAD + "".join(_sections(program, None))


def _sections(command: click.Command, parent: click.Context | None) -> Iterator[str]:
    name = command.name if parent else "siliconfriend"
    context = click.Context(command, parent, name, terminal_width=WIDTH, help_option_names=[])
    yield f"\n## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _sections(child, context)


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
