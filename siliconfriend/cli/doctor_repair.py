"""``doctor --repair``: put damaged memories right, and say what was saved and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import DamagedMemory

from .app import App

if TYPE_CHECKING:
    from siliconfriend.memory.scope import Scope
    from siliconfriend.memory.store import Repair
    from siliconfriend.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of repairing one memory.

    Attributes:
        folder: where its files are, relative to the data directory.
        scope: whose it is; None where nobody can tell any more.
        repair: what was saved; None where there was nothing to build on.
        error: why not, in the user's language.
        backups: those in the data directory that hold the memory, with when they were made;
            looked for only where something is lost.
    """

    folder: str
    scope: Scope | None
    repair: Repair | None = None
    error: str = ""
    backups: Mapping[Path, str] = field(default_factory=dict)

    def form(self) -> dict[str, Any]:
        """The object for ``--json``."""
        found: dict[str, Any] = {
            "user": self.scope and self.scope.person,
            "companion": self.scope and self.scope.companion,
            "folder": self.folder,
        }
        backups = [{"file": str(path), "made": made} for path, made in self.backups.items()]
        if self.repair is None:
            return {**found, "status": "failed", "detail": self.error, "backups": backups}
        done = self.repair
        return {
            **found,
            "status": "whole" if done.is_whole else "partly",
            "lost": done.lost,
            "doubtful": done.is_doubtful,
            "turns": done.turns,
            "until": done.until or None,
            "damaged": list(done.files),
            "kept": [str(path) for path in done.kept],
            "backups": backups,
        }


def repair_memories(app: App, runtime: Runtime) -> list[Repaired]:
    """Repair every memory that is damaged; those that are not are left alone."""
    from siliconfriend.memory.backup_file import find_backups

    store, home = runtime.store, runtime.settings.home
    done = []
    for name in (f"people/{it}" for it in store.unreadable()):
        nobodys = DamagedMemory("folder_nobodys", path=home / name).message(app.language)
        done.append(Repaired(name, None, error=nobodys, backups=find_backups(home, name)))
    for scope in store.scopes():
        folder = store.folder(scope)
        name = "" if folder is None else folder.relative_to(home).as_posix()
        try:
            repair = store.repair(scope)
        except DamagedMemory as error:
            message, backups = error.message(app.language), find_backups(home, name)
            done.append(Repaired(name, scope, error=message, backups=backups))
            continue
        if repair is not None:
            backups = {} if repair.is_whole else find_backups(home, name)
            done.append(Repaired(name, scope, repair, backups=backups))
    return done


def print_repairs(app: App, repairs: Iterable[Repaired]) -> None:
    """Say of each memory what was saved, what was not, and where the rest may be."""
    several = list(repairs)
    if not several:
        click.echo(app.text("doctor.repair.nothing"))
    for it in several:
        click.echo(_sentence(app, it))
        for path in it.repair.kept if it.repair is not None else ():
            click.echo(app.text("doctor.repair.kept", path=path))
        for path, made in it.backups.items():
            click.echo(app.text("doctor.repair.backup", path=path, made=made))


def _sentence(app: App, it: Repaired) -> str:
    if it.repair is None or it.scope is None:
        return it.error
    done = it.repair
    key = "lost" if done.lost else "doubtful" if done.is_doubtful else "whole"
    key = "end_lost" if done.lost is None else key
    if not (done.turns or done.is_whole):
        key += "_empty"
    return app.text(
        f"doctor.repair.{key}",
        name=it.scope.person,
        companion=it.scope.companion,
        files=", ".join(done.files),
        lost=done.lost,
        turns=app.count("turn", done.turns),
        until=done.until,
    )
