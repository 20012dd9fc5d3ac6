"""What a turn costs when little and when much is remembered.

Prints the median time of an append, durable on return, with 100 and with 100,000 turns
remembered, and their ratio; then how long the larger memory takes to load and to fold. The
ratio is what counts: ``python benchmarks/append.py [TURNS]``.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope

NORA = Scope.of("Nora")
BEGAN = datetime(2012, 1, 1, 8, tzinfo=UTC)
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
TURNS_A_DAY = 20
APPENDS = 400


def an_old_turn(number: int) -> Turn:
    """A turn of ordinary length, twenty a day."""
    said = BEGAN + timedelta(days=number // TURNS_A_DAY, minutes=number % TURNS_A_DAY)
    date, position = said.date().isoformat(), number % TURNS_A_DAY
    return Turn(
        memory_id(NORA, "turn", date, position),
        date,
        position,
        query=f"This is what was said as number {number} on that day, about beans and the garden.",
        response="And this is what was answered, a little longer than the question was. " * 2,
        time=said,
        trace=Trace(said),
    )


def remember(home: Path, turns: int) -> FileStore:
    """A store with so many turns at rest."""
    store = FileStore(home)
    store.create(NORA, new_profile(NORA, language="en", timezone="UTC", now=BEGAN))
    with store.edit(NORA) as edit:
        edit.add(*(PutTurn(an_old_turn(number)) for number in range(turns)))
    store.tidy(NORA)
    return store


def append_once(store: FileStore) -> float:
    """Seconds for one turn."""
    began = time.perf_counter()
    with store.edit(NORA) as edit:
        edit.add(PutTurn(new_turn(NORA, edit.memory, "Hello again.", now=NOW)))
    return time.perf_counter() - began


def main(turns: int = 100_000) -> None:
    with tempfile.TemporaryDirectory() as small_home, tempfile.TemporaryDirectory() as large_home:
        small, large = remember(Path(small_home), 100), remember(Path(large_home), turns)
        # In turns, so that a busy moment of the machine meets both alike.
        pairs = [(append_once(small), append_once(large)) for _ in range(APPENDS)]
        few, many = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(f"append, 100 turns       {few * 1e3:8.2f} ms")
        print(f"append, {turns:,} turns   {many * 1e3:8.2f} ms   ratio {many / few:.2f}")
        began = time.perf_counter()
        FileStore(Path(large_home)).load(NORA)
        print(f"load,   {turns:,} turns   {(time.perf_counter() - began) * 1e3:8.0f} ms")
        began = time.perf_counter()
        large.tidy(NORA)
        print(f"fold,   {turns:,} turns   {(time.perf_counter() - began) * 1e3:8.0f} ms")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
