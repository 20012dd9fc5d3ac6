"""The command reference, written from the commands themselves.

``python -m siliconfriend.cli.reference > docs/commands.md``, run in English: the page is what
``--help`` says.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from .localized import CONTEXT
from .main import program

WIDTH = 80
HEAD = """\
# Commands

What `siliconfriend COMMAND --help` says, for every command. This page is written by
`python -m siliconfriend.cli.reference > docs/commands.md`; edit the commands instead.
"""


def render() -> str:
    """Render the page as Markdown."""
    return HEAD + "".join(_sections(program, None))


def _sections(command: click.Command, parent: click.Context | None) -> Iterator[str]:
    name = command.name if parent else "siliconfriend"
    context = click.Context(command, parent=parent, info_name=name, terminal_width=WIDTH, **CONTEXT)
    yield f"\n## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _sections(child, context)


if __name__ == "__main__":
    click.echo(render(), nl=False)
