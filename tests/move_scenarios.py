"""A memory that moves from one data directory to another, for what may stop it at any moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from siliconfriend.memory.changes import Erase
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.moving.mover import Mover, Step
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, a_profile
from tests.memory.stored import put, say


def in_the_old_place(home: Path) -> str:
    """Nora lives here."""
    store = FileStore(home / "old")
    store.create(NORA, a_profile())
    say(store, "first")
    store.fold(NORA)
    say(store, "of late")
    return ""


def move(home: Path, known: str, acknowledge: Callable[[str], None]) -> None:
    """Move her, while she says something and takes something back."""
    talking = FileStore(home / "old")

    def meanwhile(step: Step, _scope: Scope, _done: int, _total: int) -> None:
        if step == "hand over" and len(list(talking.load(NORA).turns())) == 2:
            said = say(talking, "meanwhile")
            put(talking, NORA, Erase((next(said.turns()).id,)))
            acknowledge("meanwhile")

    (outcome,) = _run(home, meanwhile)
    assert outcome is None, outcome
    acknowledge("moved")
    say(FileStore(home / "new"), "behind")
    acknowledge("behind")


def moved(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    """A new run ends it: one memory, open in the new place, with all that was acknowledged."""
    if "moved" in acknowledged:
        assert _stands(home, "new") == "open"
    assert (outcome := _run(home)) == [None], outcome
    assert (_stands(home, "old"), _stands(home, "new")) == ("moved", "open")
    found = [turn.query for turn in FileStore(home / "new").load(NORA).turns()]
    wanted = [it for it in acknowledged if it != "moved"]
    # What was being written may be there too.
    assert "of late" in found
    assert set(wanted) <= set(found), (wanted, found)
    assert len(found) == len(set(found))
    assert "first" not in found or "meanwhile" not in acknowledged
    say(FileStore(home / "new"), "on")
    FileStore(home / "new").fold(NORA)
    assert [turn.query for turn in FileStore(home / "new").load(NORA).turns()] == [*found, "on"]


def _run(
    home: Path,
    progress: Callable[[Step, Scope, int, int], None] = lambda *_: None,
) -> list[Exception | None]:
    old, new = home / "old", home / "new"
    stores = (FileStore(old), FileStore(new), FileStore(new))
    mover = Mover(*stores, source_name="old", target_name="new", progress=progress)
    return [it.error for it in mover.move([NORA])]


def _stands(home: Path, name: str) -> str:
    note = FileStore(home / name).move_note(NORA)
    return "" if note is None else note.standing
