"""The command reference, written from the commands themselves.

``python -m siliconfriend.cli.reference > docs/commands.md``, run in English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from .main import program

WIDTH = 100
SHARED = 5
"""Number of commands from which on an option is described once, at the head of the page."""
HEAD = """\
# Commands

Every command with its options, as `siliconfriend COMMAND --help` says them. This page is written by
`python -m siliconfriend.cli.reference > docs/commands.md`; edit the commands instead.

These options mean the same wherever a command names them after its own:
"""


def render() -> str:
    """Render the page as Markdown."""
    contexts = list(_contexts(program, None))
    uses = Counter(option for context in contexts for option in _options(context))
    shared = [option for option, count in uses.items() if count >= SHARED]
    return f"{HEAD}\n{_listed(shared)}" + "".join(_section(it, shared) for it in contexts)


def _contexts(command: click.Command, parent: click.Context | None) -> Iterator[click.Context]:
    """Yield the context of a command, then those of the commands in a group."""
    name = command.name if parent else "siliconfriend"
    context = click.Context(command, parent, info_name=name, help_option_names=[])
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _contexts(child, context)


def _options(context: click.Context) -> list[tuple[str, str]]:
    """Name and help of each option; the arguments stand in the usage."""
    records = (it.get_help_record(context) for it in context.command.params)
    return [record for record in records if record and record[1]]


def _listed(options: list[tuple[str, str]]) -> str:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_dl(options)
    return f"```text\n{formatter.getvalue()}```\n"


def _section(context: click.Context, shared: list[tuple[str, str]]) -> str:
    """A heading, what the command does, its own options, and the names of the shared ones."""
    command = context.command
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)[1:]))
    options = _options(context)
    own = [option for option in options if option not in shared]
    names = ", ".join(f"`{option[0].split()[0]}`" for option in options if option in shared)
    parts = [f"\n## {usage}\n\n{command.help}\n"]
    if own:
        parts.append(f"\n{_listed(own)}")
    if names:
        parts.append(f"\n{'Also' if own else 'With'} {names}.\n")
    return "".join(parts)


if __name__ == "__main__":
    click.echo(render(), nl=False)
