"""An erasure or a deletion that is interrupted, and what the next start makes of it."""

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from siliconfriend.config import Settings
from siliconfriend.control.erasure.erase import Resumed
from siliconfriend.installation.installation import installation_in
from siliconfriend.installation.jobs import Job
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.control.world import NORA, World

SECRET = "My parrot is called Zanzifrax."
CANARY = b"zanzifrax"
MADE = datetime(2026, 3, 4, tzinfo=UTC)

Act = Callable[[Path, Settings], object]


def prepare(world: World) -> str:
    """A home with a secret in memory, index, two backups, and another person; its id."""
    said = world.say(SECRET)
    world.say("It rained.", on="2026-03-03")
    World(world.store, world.settings, Scope.of("Otto")).say("Peas are in.")
    sol = World(world.store, world.settings, Scope.of("Nora", "Sol"))
    sol.say("Any news?", "Zanzifrax is well, I hope!", used=[said])
    world.store.tidy(NORA)
    world.recaller.update_index(NORA)
    installation_in(world.home).passwords.set("Nora", "a long password")
    back_up(world.home, world.home / "all.zip", now=MADE)
    back_up(world.home, world.home / "older.zip", now=MADE)
    return said


def erasing(said: str) -> Act:
    """Erase the secret as a command does."""

    def act(home: Path, settings: Settings) -> None:
        World(FileStore(home), settings).erase(said)

    return act


def deleting(home: Path, settings: Settings) -> None:
    """Delete Nora, with both companions, as a command does."""
    store = FileStore(home)
    scopes = [scope for scope in store.scopes() if scope.person == "Nora"]
    Runtime(settings, MovingClock(), store=store).eraser.delete(scopes)


def next_start(home: Path, settings: Settings) -> list[Resumed]:
    """What the next program that starts does."""
    return Runtime(settings, MovingClock(), store=FileStore(home)).eraser.resume()


def unfinished(home: Path) -> list[Job]:
    """The erasings that were begun and not ended."""
    return installation_in(home).jobs.unfinished()


def hiding_places(home: Path) -> list[str]:
    """Every file in which the canary stands, also packed in a backup."""
    found = []
    for path in sorted(home.rglob("*")):
        data = path.read_bytes().lower() if path.is_file() else b""
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                data += b"".join(packed.read(name).lower() for name in packed.namelist())
        if CANARY in data:
            found.append(path.relative_to(home).as_posix())
    return found


def finish(act: Act, settings: Settings, *, has_begun: bool) -> bool:
    """Start again after an interruption: the erasure is complete, or nothing was erased.

    Returns:
        True if it was complete; False if it had not begun, and is complete by the same command now.
    """
    home = settings.home
    has_begun = has_begun or bool(unfinished(home))
    for job in next_start(home, settings):
        assert job.error is None, job
    assert unfinished(home) == []
    found, store = hiding_places(home), FileStore(home)
    assert "Otto" in {scope.person for scope in store.scopes()}
    if not found:
        return True
    assert not has_begun, found
    assert SECRET in [turn.query for turn in store.load(NORA).turns()]
    act(home, settings)
    assert hiding_places(home) == []
    return False
