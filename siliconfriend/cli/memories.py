"""``memories``: what is remembered of a person, and what they do to it.

By ids what is meant is plain; by words it is shown first and asked about. Nothing is erased
unasked: without a person to ask, ``--yes`` must say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import StoreError, UsageError

from .app import App, pass_app, print_json, replace_surrogates
from .lines import memory_line
from .localized import Group, OneOf, WholeNumber
from .options import complete_ids, json_option, person_options, yes_option
from .terminal import BackgroundTask, print_lines

if TYPE_CHECKING:
    from siliconfriend.control.erasure.erase import Erasure
    from siliconfriend.control.listing import MemoryRow
    from siliconfriend.person import Person

KINDS = ("turn", "day", "event", "fact", "insight", "topic")
SURE = {
    "pin": "Pin {memories}? [y/N]",
    "unpin": "Unpin {memories}? [y/N]",
    "forget": "Put {memories} away? [y/N]",
    "restore": "Bring {memories} back? [y/N]",
    "erase": "Erase {memories} for good, backups included? [y/N]",
}
DONE = {
    "pin": "{id} is pinned: it will not fade.",
    "unpin": "{id} is no longer pinned.",
    "forget": "{id} is archived: it no longer comes up by itself, and no word of it is lost.",
    "restore": "{id} is back with fresh strength.",
}
_ID = re.compile(rf"({'|'.join(KINDS)})-\d[\d-]*(-[0-9a-f]*)?")


@click.group("memories", cls=Group)
def memories_command() -> None:
    """What is remembered of a person."""


@memories_command.command("list")
@click.option("--limit", metavar="N", type=WholeNumber(1), help="Only the newest so many.")
@person_options
@json_option
@pass_app
def list_memories(app: App, person: Person, limit: int | None, as_json: bool) -> None:
    """List every memory, how vivid it is and when it fades."""
    rows = person.list()
    listed = [row.to_json() for row in (rows[-limit:] if limit else rows)]
    if as_json:
        print_json(_head(person) | {"memories": listed})
        return
    lines = [person.policy_formula(app.language)]
    if not listed:
        lines.append(app.text("Nothing is remembered of {name} yet.", name=person.scope.person))
    if len(listed) < len(rows):
        lines.append(app.text("The newest {shown} of {all}.", shown=len(listed), all=len(rows)))
    print_lines(chain(lines, (memory_line(app, item) for item in listed)))


@memories_command.command("show")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@person_options
@json_option
@pass_app
def show_memory(app: App, person: Person, identifier: str, as_json: bool) -> None:
    """Show one memory: its life, what it rests on and what rests on it."""
    item = person.show(*person.resolve(identifier)).to_json()
    if as_json:
        print_json(_head(person) | {"memory": item})
        return
    click.echo(memory_line(app, item))
    if item["brought_on"]:
        app.echo(
            "      brought here on {day} with other talks; it fades from that day on",
            day=item["brought_on"],
        )
    for name, words in (
        ("recalled_on", "      recalled on {what}"),
        ("from_ids", "      made from {what}"),
        ("derived", "      {what} rest on it"),
        ("used_by", "      used by the replies to {what}"),
        ("history", "      before it: {what}"),
    ):
        if item.get(name):
            parts = [part if isinstance(part, str) else part["text"] for part in item[name]]
            app.echo(words, what=", ".join(parts))


@memories_command.command("search")
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@click.option(
    "--kind",
    metavar="K",
    type=OneOf(KINDS),
    help="Only turn, day, event, fact, insight or topic.",
)
@click.option(
    "--entity",
    metavar="E",
    help="Only facts about this person, place or thing, and other memories that name it.",
)
@click.option("--top", metavar="N", type=WholeNumber(1), default=20, help="At most this many (20).")
@person_options
@json_option
@pass_app
def search_memories(
    app: App,
    person: Person,
    words: tuple[str, ...],
    kind: str | None,
    entity: str | None,
    top: int,
    as_json: bool,
) -> None:
    """Find memories by meaning and words, archived ones by their words."""
    query = replace_surrogates(" ".join(words))
    if query.strip():
        update_index(app, person)
    found = person.search(query, kind=kind, entity=entity, top=top)
    listed = [row.to_json() for row in found]
    if as_json:
        print_json(_head(person) | {"memories": listed})
        return
    if not listed:
        app.echo("Nothing that is remembered of {name} fits.", name=person.scope.person)
    print_lines(memory_line(app, item) for item in listed)


def _selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments and options that select memories."""
    for decorate in reversed(
        (
            click.argument(
                "written", metavar="[ID|WORDS]...", nargs=-1, shell_complete=complete_ids
            ),
            click.option(
                "--query",
                metavar="WORDS",
                help="Those that hold all these words; they are shown, and you are asked.",
            ),
            yes_option,
            person_options,
            json_option,
            pass_app,
        )
    ):
        command = decorate(command)
    return command


@memories_command.command("pin")
@_selection_options
def pin_memories(app: App, **which: Any) -> None:
    """Keep memories from ever fading."""
    _change(app, "pin", **which)


@memories_command.command("unpin")
@_selection_options
def unpin_memories(app: App, **which: Any) -> None:
    """Let pinned memories fade again."""
    _change(app, "unpin", **which)


@memories_command.command("forget")
@_selection_options
def forget_memories(app: App, **which: Any) -> None:
    """Put memories away: they no longer come up, and no word is lost."""
    _change(app, "forget", **which)


@memories_command.command("restore")
@_selection_options
def restore_memories(app: App, **which: Any) -> None:
    """Bring memories back with fresh strength."""
    _change(app, "restore", **which)


def _change(app: App, verb: Any, *, person: Person, as_json: bool, **which: Any) -> None:
    ids = _select(app, person, verb, **which)
    person.act(verb, *ids)
    if as_json:
        print_json(_head(person) | {"changed": ids})
        return
    for identifier in ids:
        app.echo(DONE[verb], id=identifier)


@memories_command.command("edit")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.option("--query", metavar="WORDS", help="What you said.")
@click.option("--response", metavar="WORDS", help="What was answered.")
@click.option(
    "--text",
    "words",
    metavar="WORDS",
    help="What a summary, fact, event, insight or topic says.",
)
@person_options
@json_option
@pass_app
def edit_memory(
    app: App,
    person: Person,
    identifier: str,
    query: str | None,
    response: str | None,
    words: str | None,
    as_json: bool,
) -> None:
    """Correct the words of a memory; what was made of it is made again."""
    (identifier,) = person.resolve(identifier)
    done = person.edit(identifier, query=query, response=response, text=words)
    if as_json:
        changed = {"changed": [identifier], "derived": list(done.derived)}
        print_json(_head(person) | changed)
        return
    app.echo("{id} is corrected.", id=identifier)
    if done.derived:
        derived = ", ".join(done.derived)
        app.echo("Removed with it, to be made again by the next night: {what}", what=derived)


@memories_command.command("erase")
@_selection_options
def erase_memories(
    app: App, person: Person, written: tuple[str, ...], as_json: bool, **which: Any
) -> int:
    """Erase memories for good with everything made of them, and prove it."""
    if (finished := _just_finished(app, person, written)) is not None:
        # This very command was stopped before, and opening the memory has finished it.
        return _print_erasure(app, person, finished, written, as_json=as_json)
    ids = _select(app, person, "erase", written=written, **which)
    if not ids:
        app.say("Nothing was erased.")
        return 0
    return _print_erasure(app, person, person.erase(*ids), ids, as_json=as_json)


def _just_finished(app: App, person: Person, written: tuple[str, ...]) -> Erasure | None:
    """Return the erasing of these ids that was finished at the start of this run."""
    from siliconfriend.control.erasure.erase import Erasure

    for job in app.resumed:
        if written and job.person == person.scope.person and set(written) <= set(job.ids):
            if job.error is not None:
                raise job.error
            if job.proof is not None:
                found = job.proof.found_in
                return Erasure(job.ids, (), job.proof.searched, len(found), found)
    return None


def _print_erasure(
    app: App, person: Person, done: Erasure, ids: Sequence[str], *, as_json: bool
) -> int:
    if as_json:
        document = {"erased": done.erased, "derived": done.derived}
        print_json(document | {"searched": done.searched, "left": done.left})
    else:
        for identifier in done.erased:
            if identifier in ids:
                app.echo("{id} is erased.", id=identifier)
            else:
                app.echo("{id} is erased too: it only asked about that.", id=identifier)
        for words, touched in (
            (
                "Only the reply was taken out, which had quoted it; what you said there stays: {what}",
                done.unquoted,
            ),
            ("Made anew from what is left: {what}", done.rebuilt),
            (
                "Removed with it; the next night makes again what can be made from the rest: {what}",
                done.removed,
            ),
        ):
            if touched:
                app.echo(words, what=", ".join(touched))
        app.echo("Searched {places} places, {left} left.", places=done.searched, left=done.left)
    for place in done.places:
        app.say("Something is left in {path}.", path=person.home / place)
    return StoreError.exit_code if done.left else 0


def _select(
    app: App, person: Person, verb: str, *, written: tuple[str, ...], query: str | None, yes: bool
) -> list[str]:
    """Return the ids that are selected, if the user confirms; none otherwise.

    Raises:
        UsageError: nothing was named, an id is not there, nothing holds the words, or
            nobody can be asked.
    """
    if bool(written) == bool(query):
        raise UsageError("memories_which")
    by_ids = query is None and are_ids(written)
    words = query or " ".join(written)
    rows = person.rows(*person.resolve(*written)) if by_ids else person.matching(words)
    if not rows:
        raise UsageError("memories_no_match", words=words)
    if not yes and (not by_ids or verb == "erase") and not _confirmed(app, verb, rows):
        return []
    return [row.memory.id for row in rows]


def _confirmed(app: App, verb: str, rows: Sequence[MemoryRow]) -> bool:
    for row in rows:
        click.echo(memory_line(app, row.to_json()), err=True)
    question = app.text(SURE[verb], memories=app.count("memory", len(rows)))
    return app.confirm(question, unasked="needs_yes" if verb == "erase" else "needs_yes_change")


def are_ids(written: Sequence[str]) -> bool:
    """Return True if a person wrote ids, or their beginnings, rather than words."""
    return bool(written) and all(_ID.fullmatch(word) for word in written)


def update_index(app: App, person: Person) -> None:
    """Index what is new in a memory, printing how far it is while that lasts.

    After an import of years every text is embedded, which nobody should wait for in silence.
    """

    def say_progress() -> None:
        progress = person.indexing()
        if progress is not None:
            said = "Taking in what was said before, so that it can be found: {done} of {all}. This is done once."
            app.say(said, done=progress[0], all=progress[1])

    BackgroundTask(person.index).wait(say_progress)


def _head(person: Person) -> dict[str, Any]:
    """Return the first fields of every JSON answer about memories."""
    scope = person.scope
    return {"user": scope.person, "companion": scope.companion, "policy": person.policy}
