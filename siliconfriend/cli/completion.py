"""Completion at the shell's prompt: commands and options by click, names and ids from the memory.

Nothing is said and nothing is changed while a person presses the tab key: what cannot be read
completes to nothing, and the command itself will say why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

from siliconfriend.clock import SystemClock
from siliconfriend.config import OPTIONS, load_settings
from siliconfriend.errors import SiliconFriendError

from .localized_click import Command, help_text
from .param_types import OneOf

if TYPE_CHECKING:
    from siliconfriend.config import Settings
    from siliconfriend.memory.store import MemoryStore

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_SILICONFRIEND_COMPLETE"
LONGEST_HINT = 60
"""Characters of a memory that zsh and fish show beside its id."""

Completed = Iterable[str | CompletionItem]
Complete = Callable[[click.Context, click.Parameter, str], list[str | CompletionItem]]


@click.command(
    "completion",
    cls=Command,
    help=help_text("completion"),
    short_help=help_text("completion_short"),
)
@click.argument("shell", metavar="SHELL", type=OneOf(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that a shell reads at its start."""
    kind = get_completion_class(shell)
    root = context.find_root()
    if kind is not None:
        click.echo(kind(root.command, {}, root.info_name or "", VARIABLE).source())


def _quietly(find: Callable[[click.Context], Completed]) -> Complete:
    @wraps(find)
    def complete(
        context: click.Context, _: click.Parameter, incomplete: str
    ) -> list[str | CompletionItem]:
        try:
            found = list(find(context))
        except (SiliconFriendError, OSError):
            return []
        return [it for it in found if _word(it).startswith(incomplete)]

    return complete


def _word(item: str | CompletionItem) -> str:
    return item if isinstance(item, str) else str(item.value)


@_quietly
def complete_people(context: click.Context) -> Completed:
    """Complete the name of somebody who is remembered."""
    _, store = _open(context)
    return sorted({scope.person for scope in store.scopes()})


@_quietly
def complete_companions(context: click.Context) -> Completed:
    """Complete the name of a companion that has a character, or that somebody talked to."""
    from siliconfriend.lore.companions import Companions

    settings, store = _open(context)
    told = {scope.companion for scope in store.scopes()}
    return sorted(told | set(Companions(settings.home).names()))


@_quietly
def complete_settings(_: click.Context) -> Completed:
    """Complete the name of a setting."""
    return [option.name for option in OPTIONS]


@_quietly
def complete_ids(context: click.Context) -> Iterator[CompletionItem]:
    """Complete the id of a memory of the person that the command line names so far."""
    from siliconfriend.control.listing import words_of
    from siliconfriend.memory.scope import Scope

    settings, store = _open(context)
    user = context.params.get("user") or settings.user
    companion = context.params.get("companion") or settings.companion
    if user is None:
        return
    for memory in store.load(Scope.of(user, companion)).memories():
        hint = " ".join(words_of(memory).split())[:LONGEST_HINT]
        yield CompletionItem(memory.id, help=hint)


@_quietly
def complete_lore_ids(context: click.Context) -> Iterator[CompletionItem]:
    """Complete the id of an entry of the companion that the command line names."""
    from siliconfriend.control.listing import words_of
    from siliconfriend.lore.companions import Companions

    settings, _ = _open(context)
    lore = Companions(settings.home).lore(str(context.params.get("name")))
    if lore is not None:
        for entry in lore.memories():
            yield CompletionItem(entry.id, help=words_of(entry)[:LONGEST_HINT])


def _open(context: click.Context) -> tuple[Settings, MemoryStore]:
    from siliconfriend.runtime import Runtime

    settings = load_settings(home=context.find_root().params.get("home"))
    return settings, Runtime(settings, SystemClock()).store
