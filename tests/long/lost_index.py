"""Lose, cut off and change the files of a search index: ``python -m tests.long.lost_index``."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from tests.control.world import NORA, World
from tests.crash_scenarios import MADE, recaller_in, settings_of
from tests.long.report import write_proof
from tests.recall.people import indexed

WORDS = ("i", "planted", "beans", "peas", "roses", "figs", "leeks", "by", "the", "wall")
SAID = tuple(f"I planted {what} by the wall." for what in WORDS[2:7])


def live(home: Path) -> tuple[Path, ...]:
    """Say a few things and index them; the files of the index."""
    world = World(FileStore(home), settings_of(home))
    for day, said in enumerate(SAID, start=1):
        world.say(said, on=f"2026-03-0{min(day, 3)}")
    recaller_in(home, WORDS).rebuild_index(NORA)
    folder = FileStore(home).folder(NORA)
    return tuple(sorted(it for it in folder.rglob("index*") if it.is_file()))


def damaged(data: bytes, every: int) -> Iterator[tuple[str, bytes | None]]:
    """The file gone, and at every so many-th byte a bit flipped, cut off there, or zeros from there on."""
    yield "gone", None
    for at in range(0, len(data), every):
        changed = bytearray(data)
        changed[at] ^= 1 << (at // every) % 8
        yield "a bit flipped", bytes(changed)
        yield "cut off", data[:at]
        yield "zeros from there on", data[:at] + bytes(len(data) - at)


def check(home: Path, path: Path, data: bytes | None) -> None:
    """Damage a file of the index, then look for every text with a program that starts now."""
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    recaller = recaller_in(home, WORDS)
    for said in SAID:
        found = recaller.recall(NORA, said, now=MADE, top=1).memories
        assert said in found[0].memory.query, (said, found)
    recaller.rebuild_index(NORA)
    assert indexed(recaller) == len(SAID)
    assert tuple(turn.query for turn in FileStore(home).load(NORA).turns()) == SAID


EVERY = 160
"""Bytes between two damages."""


def main() -> None:
    """Each file, each damage."""
    logging.disable(logging.CRITICAL)
    seen: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home = Path(folder) / "home"
        files = live(home)
        source = shutil.copytree(home, Path(folder) / "source")
        for path in files:
            for how, data in damaged(path.read_bytes(), EVERY):
                shutil.rmtree(home)
                shutil.copytree(source, home)
                check(home, path, data)
                seen[path.name, how] += 1
            shutil.rmtree(home)
            shutil.copytree(source, home)
            print(path.name, seen, flush=True)
    write_proof(
        "lost_index",
        columns=("file", "damage", "times", "texts that did not find themselves"),
        rows=[[f"`{name}`", how, count, 0] for (name, how), count in seen.items()],
    )


if __name__ == "__main__":
    main()
