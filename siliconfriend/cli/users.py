"""``users``: who is remembered, and removing a person with everything of theirs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import DamagedMemory, StoreError, UnknownPerson
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, clean_name

from .app import App, pass_app, print_json
from .completion import complete_people
from .localized_click import Group, help_text
from .options import companion_option, json_option

if TYPE_CHECKING:
    from siliconfriend.control.erasure.verification import Proof
    from siliconfriend.memory.store import MemoryStore


@click.group("users", cls=Group, help=help_text("users"))
def users() -> None:
    """Group of the commands about people."""


@users.command("list", help=help_text("users_list"))
@json_option()
@pass_app
def list_users(app: App, as_json: bool) -> int:
    """List everyone, one a line; a memory that cannot be read is named and hides nobody else."""
    from siliconfriend.control.people import person_document

    runtime = app.runtime()
    store = runtime.store
    people, code = [], 0
    for scope in store.scopes():
        try:
            people.append(person_document(scope, store.load(scope)))
        except StoreError as error:
            click.echo(error.message(app.language), err=True)
            code = error.exit_code
    if as_json:
        print_json({"users": people})
        return code
    if not people and not code:
        app.say("users.none", home=runtime.settings.home)
    for person in people:
        click.echo(app.text("users.line", **_readable(app, person)))
    return code


@users.command("show", help=help_text("users_show"))
@click.argument("name", metavar="NAME", shell_complete=complete_people)
@companion_option()
@json_option()
@pass_app
def show_user(app: App, name: str, companion: str | None, as_json: bool) -> None:
    """Show one person: numbers, and the texts about all their days."""
    from siliconfriend.control.people import person_document

    runtime = app.runtime(companion=companion)
    scope = runtime.scope(name)
    memory = runtime.store.load(scope)
    app.speak_with(memory, runtime.settings)
    person = person_document(scope, memory)
    overall = {
        "overall_history": memory.overall_history.text if memory.overall_history else "",
        "overall_personality": (
            memory.overall_personality.text if memory.overall_personality else ""
        ),
    }
    if as_json:
        print_json(person | overall)
        return
    click.echo(app.text("users.line", **_readable(app, person)))
    for key, words in overall.items():
        click.echo(f"\n{app.text(f'users.{key}')}\n{words or app.text('users.not_yet')}")


@users.command("delete", help=help_text("users_delete"))
@click.argument("name", metavar="NAME", shell_complete=complete_people)
@companion_option()
@click.option("--yes", is_flag=True, help=help_text("yes"))
@json_option()
@pass_app
def delete_user(app: App, name: str, companion: str | None, yes: bool, as_json: bool) -> int:
    """Remove a person for good, with every companion unless one is named."""
    from siliconfriend.control.erasure.delete_person import delete_person

    runtime = app.runtime()
    store, home, person = runtime.store, runtime.settings.home, clean_name(name)
    scopes, proof = _scopes_of(store, person, companion), _just_finished(app, person)
    if not scopes and proof is None:
        raise UnknownPerson("unknown_person", name=person)
    if scopes:
        with suppress(DamagedMemory):
            app.speak_with(store.load(scopes[0]), runtime.settings)
        if not yes and not _confirmed(app, scopes, store):
            app.say("users.kept")
            return 0
        proof = delete_person(
            store, scopes, home=home, rewrite_index=runtime.rewrite_index, shared=runtime.shared
        )
    assert proof is not None
    left = len(proof.found_in)
    if as_json:
        deleted = [{"user": it.person, "companion": it.companion} for it in scopes]
        print_json({"deleted": deleted, "searched": proof.searched, "left": left})
    else:
        files = app.count("file", proof.searched)
        click.echo(app.text("users.deleted", name=person, files=files, left=left))
    for place in proof.found_in:
        app.say("users.left_in", path=home / place)
    return StoreError.exit_code if left else 0


def _just_finished(app: App, person: str) -> Proof | None:
    """The proof of a deletion of this person that was taken up at the start of this run."""
    for job in app.taken_up:
        if job.kind == "delete" and job.person == person:
            if job.error is not None:
                raise job.error
            return job.proof
    return None


def _readable(app: App, person: dict[str, Any]) -> dict[str, Any]:
    counted = {
        "turns": app.count("turn", person["turns"]),
        "days": app.count("day", person["days"]),
        "summaries": app.count("day", person["summaries"]),
    }
    span = app.text("users.span", **(person | counted))
    return person | {
        "language": app.text(f"languages.{person['language']}"),
        "span": span if person["first"] else app.text("users.no_days"),
    }


def _scopes_of(store: MemoryStore, person: str, companion: str | None) -> list[Scope]:
    wanted = None if companion is None else clean_name(companion)
    scopes = [
        scope
        for scope in store.scopes()
        if scope.person == person and wanted in (None, scope.companion)
    ]
    named = Scope(person, wanted or DEFAULT_COMPANION)
    if named not in scopes and store.exists(named):
        scopes.append(named)  # damaged beyond knowing whose it is, but for its folder's name
    return scopes


def _confirmed(app: App, scopes: list[Scope], store: MemoryStore) -> bool:
    turns = app.count("turn", sum(_turns_of(store, scope) for scope in scopes))
    return app.confirm(app.text("users.sure", name=scopes[0].person, turns=turns))


def _turns_of(store: MemoryStore, scope: Scope) -> int:
    """Count the turns; 0 if the memory cannot be read."""
    try:
        return sum(1 for _ in store.load(scope).turns())
    except DamagedMemory:
        return 0
