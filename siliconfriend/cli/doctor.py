"""``doctor``: checks of everything the settings name, a line each."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    SiliconFriendError,
    StoreError,
)
from siliconfriend.texts import LANGUAGES

from .app import App, pass_app, print_json
from .doctor_model import check_model, check_second_model
from .doctor_repair import print_repairs, repair_memories
from .localized_click import Command, help_text
from .options import json_option
from .progress import progress_bar
from .terminal import Style, styled

if TYPE_CHECKING:
    from siliconfriend.lore.character import Character
    from siliconfriend.runtime import Runtime


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check: its name, what was found, the exit code of a fault."""

    name: str
    detail: str
    code: int = 0


@click.command("doctor", cls=Command, help=help_text("doctor"))
@click.option("--repair", is_flag=True, help=help_text("doctor_repair"))
@json_option()
@pass_app
def doctor(app: App, repair: bool, as_json: bool) -> int:
    """Run every check, whatever the others found."""
    runtime = app.runtime()
    repairs = repair_memories(app, runtime) if repair else None
    checks: dict[str, Callable[[App, Runtime], str]] = {
        "home": _home,
        "store": _store,
        "texts": _texts,
        "companions": _companions,
        "jobs": _jobs,
        "embedder": _embedder,
        "index": _index,
        "model": check_model,
    }
    if runtime.settings.llm != "offline" and runtime.settings.fallback_llm not in (None, "offline"):
        checks["second_model"] = check_second_model
    results = [_check(app, runtime, name, check) for name, check in checks.items()]
    if as_json:
        repaired = {} if repairs is None else {"repaired": [it.form() for it in repairs]}
        print_json(
            {
                **repaired,
                "ok": all(result.code == 0 for result in results),
                "checks": [
                    {"name": result.name, "ok": result.code == 0, "detail": result.detail}
                    for result in results
                ],
            }
        )
    else:
        if repairs is not None:
            print_repairs(app, repairs)
        for result in results:
            mark = app.text("doctor.fault" if result.code else "doctor.ok")
            mark = styled(mark, Style.BAD if result.code else Style.GOOD)
            click.echo(f"{mark} {app.text(f'doctor.names.{result.name}')}: {result.detail}")
    return next((result.code for result in results if result.code), 0)


def _check(
    app: App, runtime: Runtime, name: str, check: Callable[[App, Runtime], str]
) -> CheckResult:
    try:
        return CheckResult(name, check(app, runtime))
    except SiliconFriendError as error:
        return CheckResult(name, error.message(app.language), error.exit_code)


def _home(app: App, runtime: Runtime) -> str:
    settings = runtime.settings
    nearest = next(it for it in (settings.home, *settings.home.parents) if it.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigurationError("home_unwritable", home=settings.home)
    key = "doctor.home" if settings.home.is_dir() else "doctor.home_new"
    return app.text(key, home=settings.home)


def _jobs(app: App, runtime: Runtime) -> str:
    """Raise for an erasing or a restore that was stopped and could not be finished by now."""
    from siliconfriend.memory.passing import PREFIX

    home = runtime.settings.home
    runtime.store.scopes()  # finishes a restore, or says why it cannot
    for job in app.taken_up:
        if job.error is not None:
            raise job.error
        for place in job.proof.found_in if job.proof else ():
            raise StoreError("erasure_left", name=job.person, path=home / place)
    for folder in sorted(home.glob(f"{PREFIX}*/old")):
        # Left by a version whose restores could not be taken up.
        raise StoreError("restore_stranded", path=folder.parent)
    return app.text("doctor.jobs")


def _store(app: App, runtime: Runtime) -> str:
    """Load every memory; one that has moved away is a fault, since programs should look there."""
    from siliconfriend.memory.factory import open_store
    from siliconfriend.memory.moving.note import check_open

    store, settings = runtime.store, runtime.settings
    scopes = store.scopes()
    memories = [store.load(scope) for scope in scopes]
    movable = open_store(settings)
    for scope in scopes:
        check_open(movable.move_note(scope), scope.person, "")
    if settings.store == "file":
        known = {folder for scope in scopes if (folder := store.folder(scope)) is not None}
        _check_orphaned_folders(settings.home / "people", known)
    turns = sum(sum(1 for _ in memory.turns()) for memory in memories)
    people = app.count("person", len(memories))
    return app.text("doctor.store", people=people, turns=app.count("turn", turns))


def _check_orphaned_folders(people: Path, known: set[Path]) -> None:
    """Raise for a folder whose owner cannot be read any more: it is somebody's memory all the same."""
    for path in sorted(people.iterdir()) if people.is_dir() else ():
        if not any(path == it or path in it.parents for it in known):
            raise DamagedMemory("folder_nobodys", path=path)


def _texts(app: App, runtime: Runtime) -> str:
    from siliconfriend.prompts.files import shipped_folder
    from siliconfriend.prompts.loader import Prompts

    for language in LANGUAGES:
        prompts = Prompts(language, runtime.settings.prompts)
        for name in sorted({path.stem for path in shipped_folder().glob("*/*.md")}):
            prompts.validate(name)
    folder: Path | str = runtime.settings.prompts or app.text("doctor.own_prompts")
    return app.text("doctor.texts", folder=folder)


def _companions(app: App, runtime: Runtime) -> str:
    """Load every character and lore; a missing greeting is reported, but is no fault."""
    from siliconfriend.lore.companions import Companions

    companions = Companions(runtime.settings.home)
    faults, names = companions.faults(), companions.names()
    if faults:
        raise faults[0]
    lore = [it for name in names if (it := companions.lore(name)) is not None]
    counts = {
        "companions": app.count("companion", len(names)),
        "facts": app.count("fact", sum(1 for it in lore for _ in it.facts())),
        "events": app.count("event", sum(1 for it in lore for _ in it.events())),
    }
    silent = [name for name in names if not _has_greetings(companions.character(name))]
    found = app.text("doctor.companions", **counts)
    if not silent:
        return found
    return found + app.text(
        "doctor.no_greeting", names=app.text("companion.separator").join(silent)
    )


def _has_greetings(character: Character) -> bool:
    """True if it has a greeting in every language it is described in."""
    texts = character.texts.values()
    return bool(texts) and all(one.greeting for one in texts)


def _embedder(app: App, runtime: Runtime) -> str:
    began = time.perf_counter()
    embedder = runtime.embedder
    if embedder is None:
        return app.text("doctor.words_only")
    embedder.queries([app.text("doctor.sample")])
    seconds = time.perf_counter() - began
    values = {"name": embedder.name, "dimension": embedder.dimension, "seconds": seconds}
    return app.text("doctor.embedder", **values)


def _index(app: App, runtime: Runtime) -> str:
    from siliconfriend.recall.association_table import FILE_NAME, OperatorTable

    OperatorTable(runtime.settings.home / FILE_NAME).load()
    recaller, scopes = runtime.recaller, runtime.store.scopes()
    with progress_bar() as advance:
        for number, scope in enumerate(scopes, 1):
            advance(scope.person, number, len(scopes))
            recaller.rebuild_index(scope)
    return app.text("doctor.index", people=app.count("person", len(scopes)))
