"""Ways in which files of a memory change under the program, and what it then makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.errors import StoreError
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say

Tree = dict[Path, bytes]


def live(home: Path, *, folds: int = 1, behind: int = 2) -> PersonMemory:
    """Two turns before each fold and some behind the last one."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    for number in range(folds):
        say(store, f"fold {number}, one")
        say(store, f"fold {number}, two")
        store.fold(NORA)
    for number in range(behind):
        say(store, f"behind {number}")
    return store.load(NORA)


def tree(folder: Path) -> Tree:
    """Every file of a folder but locks."""
    return {
        path: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def put_back(folder: Path, files: Tree) -> None:
    """Make a folder hold these files and no others."""
    for path in tree(folder).keys() - files.keys():
        path.unlink()
    for path, data in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def flips(data: bytes, step: int, *, of: int = 1) -> Iterator[tuple[int, bytes]]:
    """The bytes with one bit flipped: every ``step``-th byte, ``of`` of its bits."""
    for place in range(0, len(data), step):
        for turn in range(of):
            bit = 1 << ((place // step + turn) % 8)
            yield place, data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def outcome(home: Path, expected: PersonMemory) -> str:
    """What a program that starts now makes of Nora's files.

    Returns:
        ``whole``, or the key of the error that refused them.

    Raises:
        AssertionError: it read something else than what was said, or changed a file that it
            refused.
    """
    before = tree(home)
    try:
        found = FileStore(home).load(NORA)
    except StoreError as error:
        assert tree(home) == before, "a refused file was changed"
        return error.key
    said = [(turn.id, turn.query, turn.response) for turn in found.turns()]
    assert said == [(turn.id, turn.query, turn.response) for turn in expected.turns()]
    assert found.days == expected.days
    assert found.sequence == expected.sequence
    return "whole"


def without_checksums(folder: Path) -> None:
    """Make the files of a scope what an earlier version would have written."""
    (folder / "journal.mark").unlink(missing_ok=True)
    for path in folder.rglob("memory*.json"):
        form = json.loads(path.read_bytes())
        form.pop("crc32", None)
        path.write_text(json.dumps(form, indent=2, ensure_ascii=False), encoding="utf-8")
    for path in folder.rglob("journal*.jsonl"):
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        for line in lines:
            line.pop("crc32", None)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
