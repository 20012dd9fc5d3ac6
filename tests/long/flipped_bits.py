"""Flip bits of a person's files, one at a time, and cut them off at every length.

``python -m tests.long.flipped_bits [EVERY]``: what is read then must be what was said, or be
refused. Every seventh bit is flipped unless told.
"""

import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.memory.file_store import folder_path
from tests.long.report import write_proof
from tests.memory.flips import FILES, flips, live, tried
from tests.memory.people import NORA


def _damaged(data: bytes, every: int) -> Iterator[tuple[str, bytes]]:
    for changed in flips(data, every):
        yield "a bit flipped", changed
    for length in range(1, len(data), 40 * every):
        yield "cut off", data[:length]
        yield "zeros from there on", data[:length] + bytes(len(data) - length)


def main(every: int = 7) -> None:
    """Each file, with its copy and without."""
    logging.disable(logging.CRITICAL)
    rows: list[list[str | int]] = []
    for name, with_copy in ((FILES[0], True), (FILES[0], False), (FILES[1], True)):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
            home = Path(folder) / "home"
            memory = live(home)
            data = (folder_path(home, NORA) / name).read_bytes()
            seen: Counter[tuple[str, str]] = Counter()
            for how, changed in _damaged(data, every):
                seen[how, tried(home, memory, name, changed, with_copy=with_copy)] += 1
        for how in dict.fromkeys(how for how, _ in seen):
            counts = [seen[how, one] for one in ("whole", "repaired", "refused")]
            place = f"`{name}`" + ("" if with_copy else " without a copy")
            rows.append([place, how, sum(counts), *counts, 0])
            print(*rows[-1], flush=True)
    write_proof(
        "flipped_bits",
        columns=(
            *("file", "damage", "times", "read whole", "refused, then repaired from the copy"),
            *("refused", "something else read"),
        ),
        rows=rows,
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
