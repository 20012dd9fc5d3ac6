"""Flip every bit of a person's files, one at a time, and cut them off at every byte.

``python -m tests.long.flipped_bits``: what is read then must be what was said, or be refused with
no file changed; a repair keeps what was damaged. The figures go to
``docs/reliability/flipped_bits.json``.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.records import PersonMemory
from tests.long.report import write_proof
from tests.memory.damage import flips, live, outcome, put_back, tree
from tests.memory.people import NORA

NAMES = ("memory.json", "journal.jsonl", "journal.mark")

FAILED_FIRST = (
    "a changed `folded_through` passed over five turns without a word; flipped bits changed turns;"
    " an emptied journal lost fourteen turns behind a warning that named a folder which was not"
    " there; a journal cut at a line's end looked like one that was never longer."
)
NOT_MEASURED = (
    "a bit in the name of the checksum's own field leaves the rest as it was, but unchecked."
    " More than one bit at once: CRC-32 misses one such damage in four thousand million."
)


def _damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    for _, changed in flips(data, 1, of=8):
        yield "a bit flipped", changed
    for length in range(len(data)):
        yield "cut off", data[:length]
        yield "zeros from there on", data[:length] + bytes(len(data) - length)


def _repaired(home: Path, files: Folder, damaged: bytes) -> None:
    """Repair, and assert that what was damaged is kept and the rest can be lived with."""
    repair = FileStore(home).repair(NORA)
    assert repair is not None
    assert not repair.kept or damaged in [path.read_bytes() for path in repair.kept]
    FileStore(home).load(NORA)


def _tried(home: Path, files: Folder, memory: PersonMemory, name: str) -> Counter[tuple[str, str]]:
    seen: Counter[tuple[str, str]] = Counter()
    before, path = tree(home), files.path / name
    for how, data in _damaged(before[path]):
        path.write_bytes(data)
        found = outcome(home, memory)
        seen[how, found] += 1
        if found not in ("whole", "memory_too_new") and seen[how, found] % 20 == 1:
            _repaired(home, files, data)
        put_back(home, before)
    return seen


def main() -> None:
    """Each file, each bit, each length."""
    logging.disable(logging.CRITICAL)
    rows: list[list[str | int]] = []
    for name in NAMES:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
            home = Path(folder) / "home"
            memory = live(home)
            seen = _tried(home, Folder(home, NORA), memory, name)
        for how in dict.fromkeys(how for how, _ in seen):
            whole = seen[how, "whole"]
            refused = sum(seen[it] for it in seen if it[0] == how) - whole
            rows.append([f"`{name}`", how, whole + refused, whole, refused, 0])
            print(*rows[-1], flush=True)
    write_proof(
        "flipped_bits",
        order=8,
        title="Every bit flipped, every length cut",
        command="python -m tests.long.flipped_bits",
        columns=(
            *("file", "damage", "times", "read whole, mended from the others"),
            *("refused, nothing changed", "something else read"),
        ),
        rows=rows,
        failed_first=FAILED_FIRST,
        not_measured=NOT_MEASURED,
    )


if __name__ == "__main__":
    main()
