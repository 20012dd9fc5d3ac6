"""``users``: list people, set their log-in, and delete them.

A password or passphrase is never an argument, since the shell's history and other accounts could
read it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from siliconfriend.config import prepare_home
from siliconfriend.errors import DamagedMemory, StoreError, UsageError
from siliconfriend.texts import N_, Counted

from .app import App
from .options import Group, JsonCommand, companion_option, flag, name_argument, option, yes_option
from .terminal import shell_word

if TYPE_CHECKING:
    from siliconfriend.person.bank import MemoryBank
    from siliconfriend.person.views import PersonSummary

LANGUAGES = {"en": N_("English"), "cn": N_("Chinese")}
users_command = Group("users", help=N_("List people, set their log-in, or delete them."))


@users_command.command("list", cls=JsonCommand)
@option("--limit", "N", "At most this many people.", type=click.IntRange(1))
@option("--after", "NAME", "Only names after this one, the last of the previous page.")
def list_users(app: App, limit: int | None, after: str | None) -> int:
    """List all people by name."""
    bank = app.bank()
    people, faults = bank.summaries(after or "", limit)
    for fault in faults:
        app.show_error(fault)
    lines = (_line(app, person) for person in people)
    app.answer({"users": [person.to_json() for person in people]}, *lines)
    if not (people or faults or app.as_json):
        app.say("Nobody is remembered yet in {home}.", home=bank.settings.home)
    return StoreError.exit_code if faults else 0


@users_command.command("show", cls=JsonCommand)
@name_argument
@companion_option
def show_user(app: App, name: str) -> None:
    """Show one person with their portrait."""
    person = app.person(name)
    summary, parts = person.summary(), person.portrait()
    names = ("overall_history", "overall_personality")
    texts = {name: parts[name].text if name in parts else "" for name in names}
    app.answer(summary.to_json() | texts, _line(app, summary))
    not_yet = app.translate("(not made yet; `siliconfriend nightly` makes it)")
    app.echo("\nWhat has happened\n{words}", words=texts["overall_history"] or not_yet)
    app.echo("\nWhat they are like\n{words}", words=texts["overall_personality"] or not_yet)


@users_command.command("delete", cls=JsonCommand)
@name_argument
@companion_option
@yes_option
def delete_user(app: App, name: str, yes: bool) -> int:
    """Erase everything of a person, and search for remains."""
    from siliconfriend.person.views import Deleted

    bank, companion = app.bank(), app.flags.get("companion")
    proof = app.finished("delete", bank.person(name).scope.person)
    if proof is not None and not bank.scopes_of(name, companion):
        done = Deleted((), proof)
    elif yes or _is_sure(app, bank, name, companion):
        done = bank.delete(name, companion)
    else:
        app.say("Nothing was erased.")
        return 0
    proof = done.proof
    words = N_("{name} is erased. Searched {files} of the data directory: {left} left.")
    counts = {"files": Counted(proof.searched, "file"), "left": len(proof.found_in)}
    app.answer(done.to_json(), app.translate(words, name=name, **counts))
    return app.end_erasing(proof, bank.settings.home)


def _is_sure(app: App, bank: MemoryBank, name: str, companion: str | None) -> bool:
    turns = 0
    for scope in bank.check_deletion(name, companion):
        with suppress(DamagedMemory):
            person = bank.person(scope.person, scope.companion)
            app.speak_with(person)
            turns += person.summary().turns
    words = N_("Erase {name} with {turns} for good, backups included?")
    return app.confirm(words, name=name, turns=Counted(turns, "turn"))


def _line(app: App, person: PersonSummary) -> str:
    words = N_("{turns} on {days}, {first} to {last}; {summaries} summed up")
    known = person.to_json() | {
        "language": app.translate(LANGUAGES[person.language]),
        "turns": Counted(person.turns, "turn"),
        "days": Counted(person.days, "day"),
        "summaries": Counted(person.summaries, "day"),
    }
    span = app.translate(words if person.first else "nothing said yet", **known)
    return app.translate("{user} (with {companion}, {language}): {span}", span=span, **known)


@users_command.command("password")
@name_argument
@option("--file", "FILE", "Keep it in this file instead.", "path")
@flag("--remove", "Remove it instead.")
def user_password(app: App, name: str, path: Path | None, remove: bool) -> None:
    """Set a person's password for the web page, asked for or read from a pipe."""
    from siliconfriend.person.administration import passwords

    settings = app.settings()
    if path is None and not remove:
        prepare_home(settings.home)
    kept = passwords(settings, path)
    words = N_("{name} can log in now, at every page over {path}.")
    if remove:
        if not kept.remove(name):
            raise UsageError("password_nobody", name=name, path=kept.place)
        words = N_("{name} is logged out and can no longer log in; their memories are unchanged.")
    else:
        kept.set(
            name, app.ask_hidden(app.translate("Password for {name}: ", name=name), again=True)
        )
        if settings.store == "file" or path:
            words = N_("{name} can log in now (`siliconfriend web --auth {path}`).")
    app.say(words, name=name, path=shell_word(kept.place))


@users_command.command("key")
@name_argument
@option("--name", "LABEL", "Name of this key, such as its program.", "label")
@option("--days", "N", "It expires after this many days.", type=click.IntRange(1, 36_500))
@flag("--remove", "Remove the key of that name, or all keys, instead.")
def user_key(app: App, name: str, label: str | None, days: int | None, remove: bool) -> None:
    """Print a new key of a person for programs; earlier keys stay valid."""
    settings = app.settings()
    if not remove:
        prepare_home(settings.home)
    keys = app.bank(settings).installation.keys
    if remove:
        if not keys.remove(name, label or ""):
            raise UsageError("key_nobody", name=name)
        words = N_("The key of {name} is removed; their memories are unchanged.")
        app.say(words, name=name)
        return
    key = keys.make_for(name, label or "", days=days)
    app.say("The key to the memory of {name}, which is not shown again:", name=name)
    click.echo(key)


@users_command.command("keys", cls=JsonCommand)
@name_argument
def user_keys(app: App, name: str) -> None:
    """List a person's keys: when each was made, expires, and was last used."""
    keys, zone = app.bank().installation.keys.of(name), app.settings().zone
    words, never = (
        N_("{name}: made {made}, expires {until}, last used {used}"),
        app.translate("never"),
    )
    lines = []
    for key in keys:
        days = {"made": key.made, "until": key.until, "used": key.used}
        told = {
            at: f"{day.astimezone(zone):%Y-%m-%d}" if day else never for at, day in days.items()
        }
        lines.append(app.translate(words, name=key.name, **told))
    app.answer({"keys": [key.to_json() for key in keys]}, *lines)
    if not (keys or app.as_json):
        app.say("{name} has no key.", name=name)


@users_command.command("encrypt")
@name_argument
@flag("--remove", "Write the files as plain text again.")
def encrypt_user(app: App, name: str, remove: bool) -> None:
    """Encrypt a person's files, or change the passphrase. Without it, the memory is lost."""
    from siliconfriend.person.administration import encrypt

    bank = app.bank()
    if not bank.scopes_of(name):
        bank.known_person(name)  # raises
    if remove:
        encrypt(bank, name, None)
        app.say("The files of {name} are plain text again.", name=name)
        return
    question = app.translate("New passphrase for {name}: ", name=name)
    words = N_(
        "The files of {name} are encrypted. Keep the passphrase: without it the files are lost. "
        "Earlier backups and exports still contain the words."
    )
    if encrypt(bank, name, app.ask_hidden(question, again=True)):
        words = N_("{name} has a new passphrase. Earlier backups need the old one.")
    app.say(words, name=name)
