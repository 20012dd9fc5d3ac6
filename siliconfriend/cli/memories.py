"""``memories``: what is remembered of a person, and how vivid it is."""

from __future__ import annotations

from typing import Any

import click

from .app import App, known_scope, pass_app, print_json
from .options import companion_option, json_option, user_option
from .speech import Group, help_text


@click.group("memories", cls=Group, help=help_text("memories"), short_help=help_text("memories"))
def memories() -> None:
    """Group of the commands about single memories."""


@memories.command("list", help=help_text("memories_list"))
@user_option()
@companion_option()
@json_option()
@pass_app
def list_memories(app: App, user: str | None, companion: str | None, as_json: bool) -> None:
    """Everything, oldest first, with the day each will fade."""
    from siliconfriend.control.listing import rows
    from siliconfriend.forgetting.policy import ForgettingPolicy
    from siliconfriend.memory.factory import open_store

    settings = app.settings(companion=companion)
    store = open_store(settings)
    scope = known_scope(store, settings, user)
    memory = store.load(scope)
    policy = ForgettingPolicy.named(settings.policy)
    now = app.clock.now(memory.profile.zone)
    listed = [row.to_json() for row in rows(memory, policy, now)]
    if as_json:
        head = {"user": scope.person, "companion": scope.companion, "policy": settings.policy}
        print_json(head | {"memories": listed})
        return
    click.echo(policy.formula(app.language))
    if not listed:
        click.echo(app.text("memories.none", name=scope.person))
    for item in listed:
        click.echo(memory_line(app, item))


def memory_line(app: App, item: dict[str, Any]) -> str:
    """One memory for a person's eyes: day, state, what becomes of it, the words."""
    retention = "-" if item["retention"] is None else f"{item['retention']:.2f}"
    values = {
        "state": app.text(f"states.{item['state']}"),
        "kind": app.text(f"kinds.{item['kind']}"),
        "retention": retention,
        "fate": _fate(app, item),
    }
    line = app.text("memories.line", **(item | values))
    words = "\n".join(f"      {it}" for it in item["text"].splitlines())
    return f"{line}\n{words}"


def _fate(app: App, item: dict[str, Any]) -> str:
    if item["pinned"]:
        return app.text("memories.pinned")
    if item["state"] == "vivid" and item["dims_on"]:
        return app.text("memories.dims", day=item["dims_on"])
    if item["state"] == "faded" and item["archived_on"]:
        return app.text("memories.archives", day=item["archived_on"])
    return ""
