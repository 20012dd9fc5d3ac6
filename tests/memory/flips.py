"""Flip bits of a person's files and see what is read then.

The suite flips some (``test_damage.py``), ``python -m tests.long.flipped_bits`` many more.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.errors import SiliconFriendError, UnknownPerson
from siliconfriend.memory.changes import Erase, PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore, folder_path
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import DATES, NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put

FILES = ("memory.sqlite", "memory.json")


def live(home: Path) -> PersonMemory:
    """Three days of Nora's with words of every length."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    for day in DATES:
        turns = [a_turn("beans " * 4**number, position=number, day=day) for number in range(6)]
        put(store, NORA, *map(PutTurn, turns))
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")), Erase((a_turn(position=9).id,)))
    store.tidy(NORA)
    store.close()
    return FileStore(home).load(NORA)


def flips(data: bytes, every: int, first: int = 0) -> Iterator[bytes]:
    """The bytes with one bit flipped, for every so many bits."""
    for bit in range(first, len(data) * 8, every):
        at = bit // 8
        yield data[:at] + bytes([data[at] ^ 1 << bit % 8]) + data[at + 1 :]


def outcome(home: Path, memory: PersonMemory) -> str:
    """Return ``whole``, ``repaired`` where it was after a repair, else ``refused``.

    Raises:
        AssertionError: something else was read, or somebody is gone.
    """
    if _is_same(home, memory):
        return "whole"
    try:
        done = FileStore(home).repair(NORA)
    except SiliconFriendError:
        return "refused"
    if done is None or not done.is_whole:
        return "refused"
    assert _is_same(home, memory)
    return "repaired"


def _is_same(home: Path, memory: PersonMemory) -> bool:
    """Return False if reading is refused."""
    try:
        found = FileStore(home).load(NORA)
        days, rest = dict(found.days), (found.profile, found.erased)
    except UnknownPerson as error:
        raise AssertionError("nobody is there") from error
    except SiliconFriendError:
        return False
    assert days == dict(memory.days)
    assert rest == (memory.profile, memory.erased)
    return True


def tried(home: Path, memory: PersonMemory, name: str, data: bytes, *, with_copy: bool) -> str:
    """Put other bytes in the place of a file, and give what is read then; then all is put back."""
    folder = folder_path(home, NORA)
    kept = home.with_name("kept")
    if not kept.exists():
        shutil.copytree(home, kept)
    (folder / name).write_bytes(data)
    if not with_copy:
        (folder / "memory.json").unlink(missing_ok=True)
    try:
        return outcome(home, memory)
    finally:
        shutil.rmtree(home)
        shutil.copytree(kept, home)


def tree(folder: Path) -> dict[Path, bytes]:
    """Every file under a folder with its bytes."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
