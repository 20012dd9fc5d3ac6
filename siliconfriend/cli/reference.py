"""The command reference, written from the commands themselves.

``python -m siliconfriend.cli.reference > docs/commands.md``, run in English.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from .main import program

WIDTH = 100
HEAD = """\
# Commands

Every command with its options, as `siliconfriend COMMAND --help` says them. This page is written by
`python -m siliconfriend.cli.reference > docs/commands.md`; edit the commands instead.
"""


def render() -> str:
    """Render the page as Markdown."""
    return HEAD + "".join(_sections(program, None))


def _sections(command: click.Command, parent: click.Context | None) -> Iterator[str]:
    """Yield a heading, what the command does and its options, then the commands in a group."""
    name = command.name if parent else "siliconfriend"
    context = click.Context(command, parent, info_name=name, help_option_names=[])
    formatter = click.HelpFormatter(width=WIDTH)
    options = [record for it in command.params if (record := it.get_help_record(context))]
    if options:
        formatter.write_dl(options)
    shown = f"\n```text\n{formatter.getvalue()}```\n" if options else ""
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)[1:]))
    yield f"\n## {usage}\n\n{command.help}\n{shown}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _sections(child, context)


if __name__ == "__main__":
    click.echo(render(), nl=False)
