"""``memories``: what is remembered of a person, and how vivid it is."""

from __future__ import annotations

from itertools import chain
from typing import Any

import click

from siliconfriend.forgetting.trace import KINDS

from .app import App, pass_app, print_json
from .completion import complete_ids
from .localized_click import Group, help_text
from .opened_memory import OpenedMemory, memory_options
from .options import json_option
from .paging import print_lines
from .param_types import OneOf, WholeNumber
from .progress import update_index
from .terminal import Style, styled


@click.group("memories", cls=Group, help=help_text("memories"))
def memories() -> None:
    """Group of the commands about single memories."""


@memories.command("list", help=help_text("memories_list"))
@click.option("--limit", metavar="N", type=WholeNumber(1), help=help_text("limit"))
@memory_options
@json_option()
@pass_app
def list_memories(app: App, opened: OpenedMemory, limit: int | None, as_json: bool) -> None:
    """List all memories or the newest, oldest first, with the day each will fade."""
    from siliconfriend.control.policy_text import formula

    rows = opened.rows()
    listed = [row.to_json() for row in (rows[-limit:] if limit else rows)]
    if as_json:
        print_json(opened.head | {"memories": listed})
        return
    lines = [formula(opened.policy, app.language)]
    if not listed:
        lines.append(app.text("memories.none", name=opened.scope.person))
    if len(listed) < len(rows):
        lines.append(app.text("memories.newest", shown=len(listed), all=len(rows)))
    print_lines(chain(lines, (memory_line(app, item) for item in listed)))


@memories.command("show", help=help_text("memories_show"))
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@memory_options
@json_option()
@pass_app
def show_memory(app: App, opened: OpenedMemory, identifier: str, as_json: bool) -> None:
    """Show one memory whole: its life, its evidence, and what was derived from it."""
    from siliconfriend.control.actions import find_memories
    from siliconfriend.control.details import memory_details

    (row,) = opened.rows_of(find_memories(opened.memory, [identifier]))
    item = row.to_json()
    more = memory_details(opened.memory, opened.scope, row.memory)
    if as_json:
        print_json(opened.head | {"memory": item | more})
        return
    click.echo(memory_line(app, item))
    if item["brought_on"]:
        click.echo(app.text("memories.brought", day=item["brought_on"]))
    for name in ("recalled_on", "from_ids", "derived", "used_by", "history"):
        if more[name]:
            parts = [it if isinstance(it, str) else it["text"] for it in more[name]]
            click.echo(app.text(f"memories.{name}", what=", ".join(parts)))


@memories.command("search", help=help_text("memories_search"))
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@click.option("--kind", metavar="K", type=OneOf(KINDS), help=help_text("kind"))
@click.option("--entity", metavar="E", help=help_text("entity"))
@click.option("--top", metavar="N", type=WholeNumber(1), default=20, help=help_text("most"))
@memory_options
@json_option()
@pass_app
def search_memories(
    app: App,
    opened: OpenedMemory,
    words: tuple[str, ...],
    kind: str | None,
    entity: str | None,
    top: int,
    as_json: bool,
) -> None:
    """Search by meaning and words, best first; without words list a kind or an entity."""
    from siliconfriend.control.search import search

    query = " ".join(words)
    if query.strip():
        update_index(app, opened.runtime.recaller, opened.scope)
    found = search(
        lambda: opened.runtime.recaller,
        opened.scope,
        opened.memory,
        query,
        now=opened.now,
        kind=kind,
        entity=entity,
    )[:top]
    listed = [row.to_json() for row in opened.rows_of(found)]
    if as_json:
        print_json(opened.head | {"memories": listed})
        return
    if not listed:
        click.echo(app.text("memories.no_match", name=opened.scope.person))
    print_lines(memory_line(app, item) for item in listed)


def memory_line(app: App, item: dict[str, Any]) -> str:
    """Format one memory for reading: day, state, fate, the words."""
    retention = (
        app.text("memories.strength", value=item["strength"])
        if item["retention"] is None
        else f"{item['retention']:.2f}"
    )
    values = {
        "state": app.text(f"states.{item['state']}"),
        "kind": app.text(f"kinds.{item['kind']}"),
        "retention": retention,
        "fate": _fate(app, item),
    }
    line = styled(app.text("memories.line", **(item | values)), Style.QUIET)
    words = "\n".join(f"      {it}" for it in item["text"].splitlines())
    return "\n".join((line, words, *_about(app, item)))


def _about(app: App, item: dict[str, Any]) -> list[str]:
    """Format whom a fact is about and when it was said, or when and where an event was."""
    if item["kind"] == "fact":
        about = {name: item[name] for name in ("entity", "first", "last")}
        aspect = app.text(f"aspects.{item['aspect']}")
        found = [app.text("memories.about", **about, aspect=aspect)]
        if item["superseded_by"]:
            found.append(app.text("memories.superseded", id=item["superseded_by"]))
        return found
    if item["kind"] == "event":
        time = item["time"] and item["time"][:16].replace("T", " ")
        found = [it for it in (time, item["place"], item["scene"]) if it]
        return [app.text("memories.happened", what=" · ".join(found))] if found else []
    return []


def _fate(app: App, item: dict[str, Any]) -> str:
    if item["unkept"]:
        return app.text("memories.unkept")
    if item["pinned"]:
        return app.text("memories.pinned")
    if item["state"] == "vivid" and item["dims_on"]:
        return app.text("memories.dims", day=item["dims_on"])
    if item["state"] == "faded" and item["archived_on"]:
        return app.text("memories.archives", day=item["archived_on"])
    return ""
