"""Options that several commands share, and what the tab key completes.

Nothing is said and nothing is changed while a person presses the tab key: what cannot be read
completes to nothing, and the command itself will say why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from siliconfriend.config import OPTIONS, load_settings
from siliconfriend.errors import SiliconFriendError

from .app import App
from .localized import Command, Decorator, OneOf, WholeNumber

if TYPE_CHECKING:
    from siliconfriend.person.bank import MemoryBank

VARIABLE = "_SILICONFRIEND_COMPLETE"
LONGEST_HINT = 60
"""Characters of a memory that zsh and fish show beside its id."""

Completed = Iterable[str | CompletionItem]
Complete = Callable[[click.Context, click.Parameter, str], list[str | CompletionItem]]


def _quietly(find: Callable[[click.Context], Completed]) -> Complete:
    @functools.wraps(find)
    def complete(
        context: click.Context, _: click.Parameter, incomplete: str
    ) -> list[str | CompletionItem]:
        try:
            found = list(find(context))
        except (SiliconFriendError, OSError):
            return []
        return [item for item in found if _word(item).startswith(incomplete)]

    return complete


@_quietly
def complete_people(context: click.Context) -> Completed:
    """Complete the name of somebody who is remembered."""
    return sorted({scope.person for scope in _open(context).people()})


@_quietly
def complete_companions(context: click.Context) -> Completed:
    """Complete the name of a companion that has a character, or that somebody talked to."""
    bank = _open(context)
    return sorted({scope.companion for scope in bank.people()} | set(bank.companions.names()))


@_quietly
def complete_settings(_: click.Context) -> Completed:
    """Complete the name of a setting."""
    return [option.name for option in OPTIONS]


@_quietly
def complete_ids(context: click.Context) -> Iterator[CompletionItem]:
    """Complete the id of a memory of the person that the command line names so far."""
    bank = _open(context)
    user = context.params.get("user") or bank.settings.user
    if user is not None:
        for row in bank.person(user, context.params.get("companion")).list():
            item = row.to_json()
            yield CompletionItem(item["id"], help=" ".join(item["text"].split())[:LONGEST_HINT])


def _word(item: str | CompletionItem) -> str:
    return item if isinstance(item, str) else str(item.value)


def _open(context: click.Context) -> MemoryBank:
    from siliconfriend.person.bank import MemoryBank

    settings = load_settings(home=context.find_root().params.get("home"))
    return MemoryBank(settings=settings, resume=False)


user_option = click.option(
    "--user", metavar="NAME", help="Whose memory.", shell_complete=complete_people
)
users_option = click.option(
    "--user",
    metavar="NAME",
    multiple=True,
    help="Only this person; may be given several times.",
    shell_complete=complete_people,
)
companion_option = click.option(
    "--companion",
    metavar="NAME",
    help="Which companion's memory; default unless set.",
    shell_complete=complete_companions,
)
language_option = click.option("--lang", metavar="en|cn", help="Language of a new person.")
json_option = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON document.")
yes_option = click.option("--yes", is_flag=True, help="Ask nothing.")
host_option = click.option(
    "--host", metavar="H", default="127.0.0.1", help="Address to listen on (127.0.0.1)."
)
person_argument = click.argument("name", metavar="NAME", shell_complete=complete_people)


def person_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--user`` and ``--companion``, and pass the person they name, who must be known."""

    @functools.wraps(command)
    def opening(*, user: str | None, companion: str | None, **given: Any) -> Any:
        app = click.get_current_context().find_object(App)
        assert app is not None
        return command(person=app.person(user, companion), **given)

    return user_option(companion_option(opening))


def port_option(usual: int | None, words: str) -> Decorator:
    """Add ``--port P``."""
    return click.option(
        "--port", metavar="P", type=WholeNumber(0, 65535), default=usual, help=words
    )


@click.command(
    "completion",
    cls=Command,
    short_help="Let the tab key complete commands, options, names, settings and ids.",
)
@click.argument("shell", metavar="SHELL", type=OneOf(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print what makes a shell (bash, zsh, fish) complete commands, options, names, settings and
    ids: eval "$(siliconfriend completion bash)" in ~/.bashrc; completion zsh below compinit in
    ~/.zshrc; siliconfriend completion fish > ~/.config/fish/completions/siliconfriend.fish.
    """
    kind = get_completion_class(shell)
    root = context.find_root()
    if kind is not None:
        click.echo(kind(root.command, {}, root.info_name or "", VARIABLE).source())
