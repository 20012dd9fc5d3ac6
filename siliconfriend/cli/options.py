"""Options that several commands share, and what the tab key completes.

Nothing is said and nothing is changed while a person presses the tab key: what cannot be read
completes to nothing, and the command itself will say why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from siliconfriend.config import OPTIONS, load_settings
from siliconfriend.errors import SiliconFriendError

from .app import App
from .localized import Command, Decorator

if TYPE_CHECKING:
    from siliconfriend.person.bank import MemoryBank

VARIABLE = "_SILICONFRIEND_COMPLETE"
LONGEST_HINT = 60
"""Characters of a memory that zsh and fish show beside its id."""
FILE = click.Path(path_type=Path)
"""A path, which need not exist: the command that opens it says what is wrong with it."""
AT_LEAST_1 = click.IntRange(min=1)

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completing(
    find: Callable[[MemoryBank, dict[str, Any]], Iterable[tuple[str, str]]],
) -> Complete:
    """Complete with the values, each with a hint, that ``find`` has in the memories."""

    def complete(
        context: click.Context, _: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from siliconfriend.person.bank import MemoryBank

        try:
            settings = load_settings(home=context.find_root().params.get("home"))
            found = dict(find(MemoryBank(settings=settings, resume=False), context.params))
        except (SiliconFriendError, OSError):
            return []
        named = sorted(found.items())
        return [CompletionItem(it, help=hint) for it, hint in named if it.startswith(incomplete)]

    return complete


def _ids(bank: MemoryBank, given: dict[str, Any]) -> Iterable[tuple[str, str]]:
    user = given.get("user") or bank.settings.user
    rows = bank.person(user, given.get("companion")).list() if user is not None else []
    for item in (row.to_json() for row in rows):
        yield item["id"], " ".join(item["text"].split())[:LONGEST_HINT]


complete_people = _completing(lambda bank, _: ((it.person, "") for it in bank.people()))
complete_companions = _completing(
    lambda bank, _: (
        (name, "") for name in (*(it.companion for it in bank.people()), *bank.companions.names())
    )
)
complete_ids = _completing(_ids)


def complete_settings(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the name of a setting."""
    return [CompletionItem(it.name) for it in OPTIONS if it.name.startswith(begun)]


user_option = click.option(
    "--user", metavar="NAME", help="Whose memory.", shell_complete=complete_people
)
users_option = click.option(
    "--user",
    "users",
    metavar="NAME",
    multiple=True,
    help="Only this person; repeatable.",
    shell_complete=complete_people,
)
companion_option = click.option(
    "--companion",
    metavar="NAME",
    help="Which companion; default unless set.",
    shell_complete=complete_companions,
)
language_option = click.option("--lang", metavar="en|cn", help="Language of a new person.")
yes_option = click.option("--yes", is_flag=True, help="Ask nothing.")
host_option = click.option(
    "--host", metavar="H", default="127.0.0.1", show_default=True, help="Address to listen on."
)
person_argument = click.argument("name", metavar="NAME", shell_complete=complete_people)


def _answer_in_json(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        context.ensure_object(App).as_json = True


json_option = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    callback=_answer_in_json,
    help="Answer with one JSON document.",
)


def person_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--user`` and ``--companion``, and pass the person they name, who must be known."""

    @functools.wraps(command)
    def opening(*, user: str | None, companion: str | None, **given: Any) -> Any:
        app = click.get_current_context().ensure_object(App)
        return command(person=app.person(user, companion), **given)

    return user_option(companion_option(opening))


def port_option(usual: int | None, words: str) -> Decorator:
    """Add ``--port P``."""
    return click.option(
        "--port", metavar="P", type=click.IntRange(0, 65535), default=usual, help=words
    )


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete names and ids too. For bash put
    eval "$(siliconfriend completion bash)" into ~/.bashrc.
    """
    kind, root = get_completion_class(shell), context.find_root()
    if kind is not None:
        click.echo(kind(root.command, {}, root.info_name or "", VARIABLE).source())
