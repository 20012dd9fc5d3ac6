"""``memories`` and ``recall``: list, search, correct and erase the memories of a person.

Memories selected by words are shown and confirmed first. Nothing is erased without confirmation or
``--yes``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import UsageError
from siliconfriend.forgetting.prospect import STATES
from siliconfriend.memory.records import kind_of
from siliconfriend.memory.scope import KINDS
from siliconfriend.texts import N_, Counted

from .app import App
from .options import Group, JsonCommand, flag, option, person_options, yes_option
from .terminal import QUIET, progress_bar, styled

if TYPE_CHECKING:
    from siliconfriend.person import Person
    from siliconfriend.recall.results import Recalled

HELP = {
    "pin": N_("Keep memories from ever fading."),
    "unpin": N_("Let pinned memories fade again."),
    "forget": N_("Put memories away: they are kept but never recalled."),
    "restore": N_("Restore memories with full strength."),
    "erase": N_("Erase memories for good with everything derived from them."),
}
SURE = {
    "pin": N_("Pin {memories}?"),
    "unpin": N_("Unpin {memories}?"),
    "forget": N_("Put {memories} away?"),
    "restore": N_("Restore {memories}?"),
    "erase": N_("Erase {memories} for good, backups included?"),
}
DONE = {
    "pin": N_("{id} is pinned: it will not fade."),
    "unpin": N_("{id} is no longer pinned."),
    "forget": N_("{id} is put away: it is kept, but not recalled until you restore it."),
    "restore": N_("{id} is restored with full strength."),
}
SHOWN_KINDS = {
    "turn": N_("said"),
    "day": N_("summary"),
    "event": N_("event"),
    "fact": N_("fact"),
    "insight": N_("insight"),
    "topic": N_("topic"),
}
SHOWN_STATES = {
    "vivid": N_("vivid"),
    "faded": N_("faded"),
    "archived": N_("archived"),
    "forgotten": N_("forgotten"),
}
ASPECTS = {
    "attribute": N_("attribute"),
    "relation": N_("relation"),
    "scene": N_("scene"),
    "promise": N_("promise or recommendation"),
}
_ID = re.compile(rf"({'|'.join(KINDS)})-\d[\d-]*(-[0-9a-f]*)?")
identifier_argument = click.argument("identifier", metavar="ID")


@click.command("recall", cls=JsonCommand)
@click.argument("question", metavar="QUESTION")
@person_options
@option("--top", "N", "Number of memories (10).", default=10)
@option("--recipe", "R", "How to rank.", default="siliconfriend")
@option("--last-reply", "TEXT", "The companion's last reply.", default="")
@flag("--reinforce", "Strengthen the results, as a reply would.")
@flag("--why", "Show the parts of each score.")
def recall_command(
    app: App, /, person: Person, question: str, last_reply: str, why: bool, **how: Any
) -> None:
    """Show the memories recalled for a question, best first."""
    from siliconfriend.recall.cue import Utterance

    _update_index(app, person)
    talk = [Utterance(last_reply, is_reply=True)] if last_reply else ()
    found = person.recall(question, talk=talk, **how)
    lines = (recalled_line(app, memory, why=why) for memory in found.memories)
    app.answer(person.recall_document(found), *lines)
    if found.facts:
        app.echo("Facts:")
    app.answer_lines(*(recalled_line(app, fact, why=why) for fact in found.facts))
    if not (found.memories or found.facts):
        app.echo("{name} has no matching memory.", name=person.scope.person)


@click.command("prompt", cls=JsonCommand)
@click.argument("message", metavar="MESSAGE")
@person_options
def prompt_command(app: App, person: Person, message: str) -> None:
    """Print the prompt of a model for a message; nothing is sent or kept."""
    from siliconfriend.models.tokens import estimate_message_tokens

    _update_index(app, person)
    messages = person.prompt(message)
    tokens = estimate_message_tokens(messages)
    document = {"messages": [asdict(message) for message in messages], "tokens": tokens}
    lines = [f"=== {message.role} ===\n{message.content}\n" for message in messages]
    app.answer(document, *lines, app.translate("About {tokens} tokens.", tokens=tokens), pages=True)


memories_command = Group("memories", help=N_("List, search, correct and erase memories."))


@memories_command.command("list", cls=JsonCommand)
@option("--limit", "N", "Only this many, the newest.")
@person_options
def list_memories(app: App, person: Person, limit: int | None) -> None:
    """List all memories with their state and the day they fade."""
    rows = person.list()
    listed = [row.to_json() for row in rows[-(limit or len(rows)) :]]
    lines = list[str]()
    if not listed:
        lines.append(
            app.translate("Nothing is remembered of {name} yet.", name=person.scope.person)
        )
    if len(listed) < len(rows):
        lines.append(
            app.translate("The newest {shown} of {all}.", shown=len(listed), all=len(rows))
        )
    lines += (memory_line(app, item) for item in listed)
    lines.append(person.policy_formula(app.language))
    app.answer(_head(person) | {"memories": listed}, *lines, pages=True)


@memories_command.command("show", cls=JsonCommand)
@identifier_argument
@person_options
def show_memory(app: App, person: Person, identifier: str) -> None:
    """Show one memory with its history, sources and derived memories."""
    item = person.show(*person.resolve(identifier))
    app.answer(_head(person) | {"memory": item}, memory_line(app, item))
    if item["brought_on"]:
        words = N_("      imported on {day}; it fades from that day on")
        app.echo(words, day=item["brought_on"])
    for name, words in (
        ("recalled_on", N_("      recalled on {what}")),
        ("from_ids", N_("      derived from {what}")),
        ("derived", N_("      source of {what}")),
        ("used_by", N_("      used by the replies to {what}")),
        ("history", N_("      previous versions: {what}")),
    ):
        if item.get(name):
            parts = [part if isinstance(part, str) else part["text"] for part in item[name]]
            app.echo(words, what=", ".join(parts))


@memories_command.command("search", cls=JsonCommand)
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@option("--kind", KINDS, "Only this kind.")
@option("--state", STATES, "Only in this state; `forgotten` finds what was put away.")
@option("--entity", "E", "Only about this person, place or thing.")
@option("--top", "N", "At most this many (20).", default=20)
@person_options
def search_memories(app: App, /, person: Person, words: tuple[str, ...], **which: Any) -> None:
    """Find memories by meaning and words."""
    if query := " ".join(words).strip():
        _update_index(app, person)
    listed = [row.to_json() for row in person.search(query, **which)]
    lines = list[str]()
    for before, item in zip([None, *listed], listed, strict=False):
        if not item["likely"] and (before is None or before["likely"]):
            lines.append(app.translate("Less likely:"))
        lines.append(memory_line(app, item))
    app.answer(_head(person) | {"memories": listed}, *lines, pages=True)
    if not listed:
        app.echo("{name} has no matching memory.", name=person.scope.person)


def _change(
    verb: Any, app: App, /, person: Person, written: tuple[str, ...], query: str, yes: bool
) -> int:
    if verb == "erase":
        return _erase(app, person, written, query, yes=yes)
    ids = _select(app, person, verb, written, query, yes=yes)
    person.act(verb, *ids)
    lines = (app.translate(DONE[verb], id=identifier) for identifier in ids)
    app.answer(_head(person) | {"changed": ids}, *lines)
    return 0


for _verb, _words in HELP.items():
    _command = yes_option(person_options(partial(_change, _verb)))
    _command = option("--query", "WORDS", "Your own words, in place of ids.", default="")(_command)
    _argument = click.argument("written", metavar="ID|WORDS...", nargs=-1)
    memories_command.command(_verb, help=_words, cls=JsonCommand)(_argument(_command))


@memories_command.command("edit", cls=JsonCommand)
@identifier_argument
@option("--query", "WORDS", "New words of your message.")
@option("--response", "WORDS", "New words of the reply.")
@option("--text", "WORDS", "New text of another kind of memory.")
@person_options
def edit_memory(app: App, /, person: Person, identifier: str, **words: str | None) -> None:
    """Correct the words of a memory; derived memories are removed until the next night."""
    if are_ids([identifier]):  # otherwise a text of the portrait
        (identifier,) = person.resolve(identifier)
    derived = person.edit(identifier, **words)
    changed = {"changed": [identifier], "derived": derived}
    told = N_("{id} is corrected.")
    if derived:
        told = N_("{id} is corrected. What was written from it is gone until the next night.")
    line = app.translate(told, id=identifier)
    app.answer(_head(person) | changed, line)


def _erase(app: App, person: Person, written: tuple[str, ...], query: str, *, yes: bool) -> int:
    from siliconfriend.control.erasure.erase import Erasure

    ids: Sequence[str] = written
    proof = app.finished("erase", person.scope.person, written) if written else None
    if proof is not None:  # this command had been interrupted
        done = Erasure(searched=proof.searched, found_in=proof.found_in, erased=written)
    else:
        ids = _select(app, person, "erase", written, query, yes=yes)
        if not ids:
            app.say("Nothing was erased.")
            return 0
        done = person.erase(*ids)
    counts = {"searched": done.searched, "left": done.left}
    app.answer({"erased": done.erased, "derived": done.derived} | counts)
    for identifier in done.erased:
        asked = N_("{id}, which only asked about it, is erased too.")
        app.echo("{id} is erased." if identifier in ids else asked, id=identifier)
    for words, touched in (
        (N_("Replies removed, which quoted it: {what}"), done.unquoted),
        (N_("Rebuilt without it: {what}"), done.rebuilt),
        (N_("Removed until the next night: {what}"), done.removed),
    ):
        if touched:
            app.echo(words, what=", ".join(touched))
    app.echo("Searched {searched} places, {left} left.", **counts)
    return app.end_erasing(done, person.settings.home)


def _select(
    app: App, person: Person, verb: str, written: tuple[str, ...], query: str, *, yes: bool
) -> list[str]:
    """Return the selected ids, or none if the user does not confirm."""
    words = " ".join((*written, query)).strip()
    if not words:
        raise UsageError("memories_which")
    by_ids = not query and are_ids(written)
    rows = person.rows(*person.resolve(*written)) if by_ids else person.matching(words)
    if not rows:
        raise UsageError("memories_no_match", words=words)
    if not yes and (not by_ids or verb == "erase"):
        for row in rows:
            click.echo(memory_line(app, row.to_json()), err=True)
        unasked = "needs_yes" if verb == "erase" else "needs_yes_change"
        if not app.confirm(SURE[verb], unasked=unasked, memories=Counted(len(rows), "memory")):
            return []
    return [row.memory.id for row in rows]


def memory_line(app: App, item: dict[str, Any]) -> str:
    """Format one memory: day, state, kind, fate, id and words."""
    retention = app.translate("with strength {value:g}", value=item["strength"])
    if item["retention"] is not None:
        retention = f"{item['retention']:.2f}"
    state = app.translate(SHOWN_STATES[item["state"]])
    kind = app.translate(SHOWN_KINDS[item["kind"]])
    line = f"{item['date']}  {state} {retention}  {kind}{_fate(app, item)}  {item['id']}"
    words = [indent(words, "      ") for words in (item["text"], *_about(app, item))]
    return "\n".join((styled(line, QUIET), *words))


def _about(app: App, item: dict[str, Any]) -> list[str]:
    if item["kind"] == "fact":
        told = N_("about {entity} ({aspect}), told from {first} to {last}")
        found = [app.translate(told, **(item | {"aspect": app.translate(ASPECTS[item["aspect"]])}))]
        if item["superseded_by"]:
            found.append(
                app.translate("no longer holds; in its place: {id}", id=item["superseded_by"])
            )
        return found
    if item["kind"] == "event":
        time = item["time"] and item["time"][:16].replace("T", " ").removesuffix(" 12:00")
        return [" · ".join(part for part in (time, item["place"], item["scene"]) if part)]
    return []


def _fate(app: App, item: dict[str, Any]) -> str:
    if item["unkept"]:
        return app.translate(", not kept: the next night removes it")
    if item["pinned"]:
        return app.translate(", pinned")
    if item["state"] == "vivid" and item["dims_on"]:
        return app.translate(", fades on {day}", day=item["dims_on"])
    if item["state"] == "faded" and item["archived_on"]:
        return app.translate(", archived on {day}", day=item["archived_on"])
    return ""


def recalled_line(app: App, recalled: Recalled, *, why: bool) -> str:
    """Format a recalled memory: day, score and words; with ``why`` also the parts of the score."""
    memory = recalled.memory
    words = memory.text
    if why:
        kind = app.translate(SHOWN_KINDS[kind_of(memory)])
        state = app.translate(SHOWN_STATES[recalled.state])
        parts = ", ".join(f"{name} {value:.3f}" for name, value in recalled.parts.items() if value)
        words += f"\n({kind}, {state}: {parts})"
    score = f"{recalled.likelihood or recalled.score:.2f}"
    return indent(f"{memory.date}  {score}  {words}", " " * 18).lstrip()


def are_ids(written: Sequence[str]) -> bool:
    """Return True if the words are ids, or beginnings of ids."""
    return bool(written) and all(_ID.fullmatch(word) for word in written)


def _update_index(app: App, person: Person) -> None:
    with progress_bar() as advance:
        person.index(partial(advance, app.translate("building the index")))


def _head(person: Person) -> dict[str, Any]:
    return person.scope.to_json() | {"policy": person.settings.policy}
