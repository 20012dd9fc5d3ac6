"""Compare the cost of a turn in a small and in a large memory.

Prints the median time of an append, durable on return, with 100 and with 100,000 turns
remembered, and their ratio; then how long the larger memory takes to load. The ratio is what
counts: ``python benchmarks/append.py [TURNS]``.
"""

import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import NORA, TURNS_A_DAY, first_turns, remember
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

NOW = datetime(2030, 3, 14, 9, tzinfo=UTC)
APPENDS = 400


def append_once(store: MemoryStore, scope: Scope = NORA) -> float:
    """Seconds for one turn."""
    began = time.perf_counter()
    with store.edit(scope) as edit:
        edit.add(PutTurn(new_turn(scope, edit.memory, "Hello again.", now=NOW)))
    return time.perf_counter() - began


def main(turns: int = 100_000) -> None:
    with tempfile.TemporaryDirectory() as small_home, tempfile.TemporaryDirectory() as large_home:
        small = remember(Path(small_home), first_turns(100 // TURNS_A_DAY))
        large = remember(Path(large_home), first_turns(turns // TURNS_A_DAY))
        # In turns, so that a busy moment of the machine meets both alike.
        pairs = [(append_once(small), append_once(large)) for _ in range(APPENDS)]
        few, many = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(f"append, 100 turns       {few * 1e3:8.2f} ms")
        print(f"append, {turns:,} turns   {many * 1e3:8.2f} ms   ratio {many / few:.2f}")
        began = time.perf_counter()
        FileStore(Path(large_home)).load(NORA)
        print(f"load,   {turns:,} turns   {(time.perf_counter() - began) * 1e3:8.0f} ms")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
