"""``memories pin|unpin|forget|restore|edit|erase``: what a person does to their memory.

By ids what is meant is plain; by words it is shown first and asked about. Nothing is erased
unasked: without a person to ask, ``--yes`` must say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import StoreError, UsageError
from siliconfriend.memory.records import Memory
from siliconfriend.memory.scope import Scope

from .app import App, pass_app, print_json
from .completion import complete_ids
from .localized_click import Command, help_text
from .memories import memory_line
from .opened_memory import OpenedMemory, memory_options
from .options import Decorator, json_option

if TYPE_CHECKING:
    from siliconfriend.control.erasure.erase import Erasure


def _selection_options() -> Decorator:
    """Add the arguments and options that select memories."""
    given = (
        click.argument("written", metavar="[ID|WORDS]...", nargs=-1, shell_complete=complete_ids),
        click.option("--query", metavar="WORDS", help=help_text("query")),
        click.option("--yes", is_flag=True, help=help_text("yes")),
        memory_options,
        json_option(),
        pass_app,
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for it in reversed(given):
            command = it(command)
        return command

    return decorate


@click.command("pin", cls=Command, help=help_text("memories_pin"))
@_selection_options()
def pin_memories(app: App, **which: Any) -> int:
    """Keep memories from ever fading."""
    return _change(app, "pin", **which)


@click.command("unpin", cls=Command, help=help_text("memories_unpin"))
@_selection_options()
def unpin_memories(app: App, **which: Any) -> int:
    """Let memories fade again."""
    return _change(app, "unpin", **which)


@click.command("forget", cls=Command, help=help_text("memories_forget"))
@_selection_options()
def forget_memories(app: App, **which: Any) -> int:
    """Archive memories; no word is lost."""
    return _change(app, "forget", **which)


@click.command("restore", cls=Command, help=help_text("memories_restore"))
@_selection_options()
def restore_memories(app: App, **which: Any) -> int:
    """Restore archived memories with fresh strength."""
    return _change(app, "restore", **which)


def _change(
    app: App,
    verb: str,
    *,
    opened: OpenedMemory,
    written: tuple[str, ...],
    query: str | None,
    yes: bool,
    as_json: bool,
) -> int:
    from siliconfriend.control import actions

    ids = _select_ids(app, opened, verb, written, query, yes=yes)
    store, scope = opened.store, opened.scope
    if verb in ("pin", "unpin"):
        actions.pin(store, scope, ids, pinned=verb == "pin")
    elif verb == "forget":
        actions.forget(store, scope, ids, opened.now)
    else:
        actions.restore(store, scope, ids, opened.now)
    if as_json:
        print_json(opened.head | {"changed": ids})
        return 0
    for identifier in ids:
        click.echo(app.text(f"memories.done.{verb}", id=identifier))
    return 0


@click.command("edit", cls=Command, help=help_text("memories_edit"))
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.option("--query", metavar="WORDS", help=help_text("edit_query"))
@click.option("--response", metavar="WORDS", help=help_text("edit_response"))
@click.option("--text", "words", metavar="WORDS", help=help_text("edit_text"))
@memory_options
@json_option()
@pass_app
def edit_memory(
    app: App,
    opened: OpenedMemory,
    identifier: str,
    query: str | None,
    response: str | None,
    words: str | None,
    as_json: bool,
) -> None:
    """Correct words; what was made of the old ones is made again by the next night."""
    from siliconfriend.control.edit import edit_memory

    new = {"query": query, "response": response, "text": words}
    derived = edit_memory(opened.store, opened.scope, identifier, opened.now, **new)
    if as_json:
        print_json(opened.head | {"changed": [identifier], "derived": derived})
        return
    click.echo(app.text("memories.done.edit", id=identifier))
    if derived:
        click.echo(app.text("memories.made_again", what=", ".join(derived)))


@click.command("erase", cls=Command, help=help_text("memories_erase"))
@_selection_options()
def erase_memories(
    app: App,
    opened: OpenedMemory,
    written: tuple[str, ...],
    query: str | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Erase memories for good with everything derived from them, and prove it."""
    from siliconfriend.control.erasure.erase import erase

    if (finished := _just_finished(app, opened.scope, written)) is not None:
        # This very command was stopped before, and opening the memory has finished it.
        return _print_erasure(app, opened, finished, written, as_json=as_json)
    ids = _select_ids(app, opened, "erase", written, query, yes=yes)
    if not ids:
        app.say("users.kept")
        return 0
    done = erase(
        opened.store,
        opened.scope,
        ids,
        home=opened.runtime.settings.home,
        rewrite_index=opened.runtime.rewrite_index,
        jobs=opened.runtime.shared.jobs,
    )
    return _print_erasure(app, opened, done, ids, as_json=as_json)


def _just_finished(app: App, scope: Scope, written: tuple[str, ...]) -> Erasure | None:
    """The erasing of these ids that was taken up at the start of this run."""
    from siliconfriend.control.erasure.erase import Erasure

    for job in app.taken_up:
        if written and job.person == scope.person and set(written) <= set(job.ids):
            if job.error is not None:
                raise job.error
            if job.proof is not None:
                found = job.proof.found_in
                return Erasure(job.ids, (), job.proof.searched, len(found), found)
    return None


def _print_erasure(
    app: App, opened: OpenedMemory, done: Erasure, ids: Sequence[str], *, as_json: bool
) -> int:
    if as_json:
        document = {"erased": done.erased, "derived": done.derived}
        print_json(document | {"searched": done.searched, "left": done.left})
    else:
        for identifier in done.erased:
            key = "memories.done.erase" if identifier in ids else "memories.asked_only"
            click.echo(app.text(key, id=identifier))
        for key, touched in (
            ("unquoted", done.unquoted),
            ("rebuilt", done.rebuilt),
            ("removed", done.removed),
        ):
            if touched:
                click.echo(app.text(f"memories.{key}", what=", ".join(touched)))
        click.echo(app.text("memories.searched", places=done.searched, left=done.left))
    for place in done.places:
        app.say("users.left_in", path=opened.runtime.settings.home / place)
    return StoreError.exit_code if done.left else 0


def _select_ids(
    app: App,
    opened: OpenedMemory,
    verb: str,
    written: tuple[str, ...],
    query: str | None,
    *,
    yes: bool,
) -> list[str]:
    """The ids that are selected, if the user confirms; none otherwise.

    Raises:
        UsageError: nothing was named, an id is not there, nothing holds the words, or
            nobody can be asked.
    """
    from siliconfriend.control.search import are_ids, memories_with_words, select_memories

    if bool(written) == bool(query):
        raise UsageError("memories_which")
    by_words = query is not None or not are_ids(written)
    records = (
        select_memories(opened.memory, written)
        if query is None
        else memories_with_words(opened.memory, query)
    )
    if not records:
        raise UsageError("memories_no_match", words=query or " ".join(written))
    if not yes and (by_words or verb == "erase") and not _confirmed(app, opened, verb, records):
        return []
    return [record.id for record in records]


def _confirmed(app: App, opened: OpenedMemory, verb: str, records: list[Memory]) -> bool:
    for row in opened.rows_of(records):
        click.echo(memory_line(app, row.to_json()), err=True)
    question = app.text(f"memories.sure.{verb}", memories=app.count("memory", len(records)))
    return app.confirm(question, unasked="needs_yes" if verb == "erase" else "needs_yes_change")
