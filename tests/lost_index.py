"""A search index that is gone, cut off or changed: it is a cache, so it must cost nothing but time.

The suite tries a few damages of each kind (``recall/test_lost_index.py``), ``tests.long.lost_index``
thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from siliconfriend.recall.recaller import Recaller
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, WordEmbedder
from tests.control.world import NORA, World
from tests.crash_scenarios import MADE, settings_of

WORDS = ("i", "planted", "beans", "peas", "roses", "figs", "leeks", "by", "the", "wall")
SAID = tuple(f"I planted {what} by the wall." for what in WORDS[2:7])


def live(home: Path) -> tuple[Path, ...]:
    """Say a few things and index them; the files of the index."""
    world = World(FileStore(home), settings_of(home))
    for day, said in enumerate(SAID, start=1):
        world.say(said, on=f"2026-03-0{min(day, 3)}")
    _recaller(home).rebuild_index(NORA)
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
    recaller = _recaller(home)
    for said in SAID:
        found = recaller.recall(NORA, said, now=MADE, top=1).memories
        assert said in found[0].memory.query, (said, found)
    recaller.rebuild_index(NORA)
    assert recaller.indexed(NORA) == len(SAID)
    assert tuple(turn.query for turn in FileStore(home).load(NORA).turns()) == SAID


def _recaller(home: Path) -> Recaller:
    runtime = Runtime(
        settings_of(home), MovingClock(), store=FileStore(home), embedder=WordEmbedder(WORDS)
    )
    return runtime.recaller
