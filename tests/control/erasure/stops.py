"""Stop an erasing or a deletion at a step, and look at what the next start makes of it.

The suite stops at some steps (``test_stopped.py``); all of them are stopped at by
``python -m tests.long.stopped_jobs``.
"""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from siliconfriend import passwords
from siliconfriend.config import Settings
from siliconfriend.control.erasure.delete_person import delete_person
from siliconfriend.control.erasure.take_up import TakenUp, take_up
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_memorybank, export_native
from siliconfriend.memory.jobs import JobFiles
from siliconfriend.memory.scope import Scope
from siliconfriend.passwords import PasswordFile
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.control.world import NORA, World
from tests.disk import Disk

SECRET = "My parrot is called Zanzifrax."
CANARY = b"zanzifrax"
MADE = datetime(2026, 3, 4, tzinfo=UTC)

Act = Callable[[Path, Settings], object]


def prepare(world: World) -> str:
    """A home with a secret in memory, index, exports, a backup, and another person; its id."""
    said = world.say(SECRET)
    world.say("It rained.", on="2026-03-03")
    World(world.store, world.settings, Scope.of("Otto")).say("Peas are in.")
    sol = World(world.store, world.settings, Scope.of("Nora", "Sol"))
    sol.say("Any news?", "Zanzifrax is well, I hope!", used=[said])
    world.store.fold(NORA)
    world.recaller.rebuild_index(NORA)
    (world.home / "mine.json").write_text(json.dumps(export_native(world.memory())))
    (world.home / "bank.json").write_text(json.dumps(export_memorybank(world.memory())))
    PasswordFile(world.home / passwords.FILE_NAME).set("Nora", "a long password")
    back_up(world.home, world.home / "all.tar.gz", now=MADE)
    return said


def erasing(said: str) -> Act:
    """Erase the secret as a command does."""

    def act(home: Path, settings: Settings) -> None:
        World(FileStore(home), settings).erase(said)

    return act


def deleting(home: Path, settings: Settings) -> None:
    """Delete Nora, with both companions, as a command does."""
    store = FileStore(home)
    scopes = [it for it in store.scopes() if it.person == "Nora"]
    runtime = Runtime(settings, MovingClock(), store=store)
    delete_person(store, scopes, home=home, rewrite_index=runtime.rewrite_index)


def stop(act: Act, home: Path, settings: Settings, step: int | None, *, power: bool) -> int:
    """Carry out an act until a step, None for its end; gives how many steps there were."""
    disk = Disk(home)
    disk.flush_all()
    disk.stop_at = step
    with disk.watched():
        act(home, settings)
    if power:
        disk.cut_power()
    return disk.steps


def next_start(home: Path, settings: Settings) -> list[TakenUp]:
    """What the next program that starts does."""
    store = FileStore(home)
    runtime = Runtime(settings, MovingClock(), store=store)
    return take_up(store, home, runtime.rewrite_index, runtime.shared)


def hiding_places(home: Path) -> list[str]:
    """Every file in which the canary stands, also packed in a backup."""
    found = []
    for path in sorted(home.rglob("*")):
        data = path.read_bytes().lower() if path.is_file() else b""
        if data[:2] == b"\x1f\x8b":
            with tarfile.open(fileobj=io.BytesIO(data_of(path))) as packed:
                parts = [packed.extractfile(it) for it in packed]
                data += b"".join(part.read().lower() for part in parts if part is not None)
        if CANARY in data:
            found.append(path.relative_to(home).as_posix())
    return found


def data_of(path: Path) -> bytes:
    """The bytes of a file."""
    return path.read_bytes()


def check(act: Act, source: Path, settings: Settings, step: int | None, *, power: bool) -> bool:
    """Stop at a step, start anew, and assert that nothing is half-done.

    Returns:
        True if the erasing was finished; False if it had not begun when it was stopped.
    """
    home = settings.home
    shutil.copytree(source, home)
    stop(act, home, settings, step, power=power)
    had_begun = bool(JobFiles(home).unfinished()) or step is None
    for job in next_start(home, settings):
        assert job.is_finished, (step, job)
    assert JobFiles(home).unfinished() == []
    found, store = hiding_places(home), FileStore(home)
    people = {scope.person for scope in store.scopes()}
    assert "Otto" in people
    is_gone = found == []
    if had_begun:
        assert is_gone, (step, found)
    elif not is_gone:
        # Not begun: everything is as it was, and the same command does it.
        assert SECRET in [turn.query for turn in store.load(NORA).turns()], step
        act(home, settings)
        assert hiding_places(home) == [], step
    shutil.rmtree(home)
    return is_gone
