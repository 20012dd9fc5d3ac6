"""``import --from chatgpt`` and the other programs: read, ask what the file leaves open, take in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from siliconfriend.chat_exports.clean import visible
from siliconfriend.chat_exports.options import Options
from siliconfriend.chat_exports.reading import Past, Setting, read_past
from siliconfriend.config import prepare_home
from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import text

from .app import App, is_terminal, print_json
from .progress import progress_bar
from .terminal import shell_word

if TYPE_CHECKING:
    from siliconfriend.chat_exports.taking_in import TakenIn
    from siliconfriend.runtime import Runtime


def import_chats(
    app: App,
    runtime: Runtime,
    files: Sequence[Path],
    form: str | None,
    options: Options,
    *,
    dry_run: bool,
    as_json: bool,
) -> Scope:
    """Take the exports of other programs into one memory, and say what came of it.

    Raises:
        UsageError: a file is not what it should be, or a question is open and nobody to ask.
    """
    from siliconfriend.chat_exports.taking_in import weigh

    settings = runtime.settings
    scope = runtime.scope(options.user)
    check_newcomer(runtime.store, scope)
    is_new = not runtime.store.exists(scope)
    memory = PersonMemory(_profile(app, runtime, scope)) if is_new else runtime.store.load(scope)
    now = app.clock.now(memory.profile.zone)
    past = _read(app, files, form, options, memory.profile, now)
    if not past.drafts and not past.left_out:
        raise UnreadableFile("import_no_messages", path=files[0])
    if dry_run:
        taken = weigh(memory, scope, past.drafts, now)
    else:
        prepare_home(settings.home)
        app.say_home(settings)
        runtime.store.create(scope, memory.profile)
        taken = _take_in(app, runtime, scope, past, now)
    if as_json:
        print_json(_document(scope, past, taken, dry_run=dry_run))
    else:
        _print(app, scope, past, taken, dry_run=dry_run)
        if taken.dates and not dry_run:
            _offer_night(app, runtime, scope)
    return scope


def _offer_night(app: App, runtime: Runtime, scope: Scope) -> None:
    """Ask at a terminal whether to sum up what came in; elsewhere name the command."""
    if not is_terminal():
        click.echo(_text(app, "report.night", user=shell_word(visible(scope.person))), err=True)
        return
    if app.confirm(_text(app, "report.ask_night")):
        from siliconfriend.night.run import run_night

        with progress_bar() as advance:
            report = run_night(runtime, users=(scope.person,), progress=advance)
        click.echo(report.to_text(app.language))


def _profile(app: App, runtime: Runtime, scope: Scope) -> Profile:
    settings = runtime.settings
    return new_profile(
        scope, language=settings.language, timezone=settings.zone.key, now=app.now(settings)
    )


def _read(
    app: App,
    files: Sequence[Path],
    form: str | None,
    options: Options,
    profile: Profile,
    now: datetime,
) -> Past:
    """Read the files; what they leave open is asked at a terminal, and they are read again."""
    mark = text("chat_exports", "report.key_mark", profile.language)
    setting = Setting(profile.zone, now, mark)
    while True:
        try:
            with progress_bar() as advance:
                return read_past(
                    files,
                    form,
                    options,
                    setting,
                    lambda name: advance(_text(app, "report.reading", name=visible(name)), 0, 1),
                )
        except Undecided as question:
            options = _decide(app, question, options, profile.zone)


def _decide(app: App, question: Undecided, options: Options, zone: ZoneInfo) -> Options:
    """The options with an answer.

    Raises:
        Undecided: nobody is there to answer.
    """
    if question.option == "timezone":
        return replace(options, zone=_zone(app, zone))
    if not is_terminal():
        raise question
    click.echo(question.message(app.language), err=True)
    for number, choice in enumerate(question.choices, 1):
        click.echo(f"  {number}  {visible(choice)}", err=True)
    answer = _ask(_text(app, "report.ask_name" if question.choices else "report.ask"))
    if answer.isdecimal() and 0 < int(answer) <= len(question.choices):
        answer = question.choices[int(answer) - 1]
    if question.choices and answer not in question.choices:
        raise question
    names: dict[str, Any] = {_FIELDS[question.option]: answer}
    return replace(options, **names)


def _zone(app: App, zone: ZoneInfo) -> ZoneInfo:
    """The zone of the clock a file was written by: asked at a terminal, else the person's."""
    if not is_terminal():
        click.echo(_text(app, "report.zone_taken", zone=zone.key), err=True)
        return zone
    return parse_zone(_ask(_text(app, "report.ask_zone", zone=zone.key)) or zone.key)


def parse_zone(written: str) -> ZoneInfo:
    """The time zone of this IANA name.

    Raises:
        UsageError: there is none.
    """
    try:
        return ZoneInfo(written.strip())
    except (OSError, ValueError, KeyError) as error:
        raise UsageError("import_wrong_zone", zone=visible(written)) from error


_FIELDS = {"me": "me", "other": "other", "day": "day", "date-order": "date_order"}


def _ask(question: str) -> str:
    click.echo(question, err=True, nl=False)
    return input(" ").strip()


def _take_in(app: App, runtime: Runtime, scope: Scope, past: Past, now: datetime) -> TakenIn:
    from siliconfriend.chat_exports.taking_in import take_in

    total = len(past.drafts)
    done = 0
    with progress_bar() as advance:

        def progress(so_far: int, _: int) -> None:
            nonlocal done
            done = so_far
            advance(visible(scope.person), so_far, total)

        try:
            return take_in(runtime.store, scope, past.drafts, now, progress)
        except KeyboardInterrupt:
            turns = app.count("turn", total)
            click.echo(err=True)
            click.echo(_text(app, "report.stopped", done=done, total=turns), err=True)
            raise


def _document(scope: Scope, past: Past, taken: TakenIn, *, dry_run: bool) -> dict[str, Any]:
    days = past.dates
    person = {
        "user": scope.person,
        "companion": scope.companion,
        "turns": taken.added,
        "grown": taken.grown,
        "skipped": taken.known,
        "kept_erased": taken.kept_erased,
        "dates": sorted(taken.dates),
    }
    left_out = {reason: number for reason, number in past.left_out.items() if reason != "keys"}
    return {
        "people": [person],
        "turns": taken.added,
        "dry_run": dry_run,
        "formats": list(past.formats),
        "chats": past.chats,
        "speakers": [{"person": me, "companion": other} for me, other in past.speakers],
        "read": {
            "messages": past.messages,
            "turns": len(past.drafts),
            "days": len(days),
            "first": days[0] if days else None,
            "last": days[-1] if days else None,
        },
        "left_out": left_out,
        "keys_left_out": past.left_out["keys"],
    }


def _print(app: App, scope: Scope, past: Past, taken: TakenIn, *, dry_run: bool) -> None:
    chats, messages = _count(app, "chat", past.chats), _count(app, "message", past.messages)
    formats = ", ".join(past.formats)
    click.echo(_text(app, "report.formats", formats=formats, chats=chats, messages=messages))
    nobody = _text(app, "report.nobody")
    for me, other in past.speakers:
        names = {"person": visible(me) or nobody, "companion": visible(other) or nobody}
        click.echo(_text(app, "report.people", **names))
    if past.drafts:
        days = past.dates
        counts = {"days": app.count("day", len(days)), "turns": app.count("turn", len(past.drafts))}
        click.echo(_text(app, "report.span", first=days[0], last=days[-1], **counts))
    for reason, number in sorted(past.left_out.items()):
        _print_left_out(app, reason, number)
    _print_taken(app, scope, taken, dry_run=dry_run)


def _print_left_out(app: App, reason: str, number: int) -> None:
    if reason == "keys":
        click.echo(_text(app, "report.keys", count=number))
    else:
        why = _text(app, f"skipped.{reason}")
        count = _count(app, "message", number)
        click.echo(_text(app, "report.left_out", count=count, reason=why))


def _print_taken(app: App, scope: Scope, taken: TakenIn, *, dry_run: bool) -> None:
    added = app.count("turn", taken.added)
    if dry_run:
        click.echo(_text(app, "report.would", turns=added))
    elif taken.added or not taken.grown:
        key = "import.line" if taken.added else "import.known"
        click.echo(app.text(key, name=scope.person, turns=added))
    if taken.added and not dry_run:
        click.echo(_text(app, "report.fades"))
    if taken.grown:
        click.echo(_text(app, "report.grown", turns=app.count("turn", taken.grown)))
    if taken.known:
        click.echo(_text(app, "report.known", turns=app.count("turn", taken.known)))
    if taken.kept_erased:
        kept = app.count("turn", taken.kept_erased)
        click.echo(app.text("import.kept_erased", name=scope.person, turns=kept))
    if dry_run:
        click.echo(_text(app, "report.dry"))


def _text(app: App, key: str, **values: object) -> str:
    return text("chat_exports", key, app.language, **values)


def _count(app: App, what: str, number: int) -> str:
    return _text(app, f"counts.{'one' if number == 1 else 'many'}.{what}", count=number)
