"""A process that talks to Nora and says after each turn that it was told "written".

Run as ``python -m tests.memory.writer PLACE NAME COUNT [THREADS]``; the place is a data directory or
a ``postgresql://`` address, and every line it prints is a turn the store has acknowledged.
"""

import os
import sys
import threading
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say

TIDY_EVERY = 20


def open_place(place: str) -> MemoryStore:
    """The store at a place."""
    if not place.startswith("postgresql://"):
        return FileStore(Path(place))
    from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore

    return PostgresStore(PostgresDatabase(place))


def main(place: str, name: str, count: str, threads: str = "1") -> None:
    """Say ``COUNT`` turns in each thread, named NAME-0, NAME-1 and so on."""
    store = open_place(place)
    store.create(NORA, a_profile())

    def talk(number: int) -> None:
        for turn in range(int(count)):
            said = f"{name}-{turn}" if threads == "1" else f"{name}-{number}-{turn}"
            say(store, said)
            os.write(1, f"{said}\n".encode())  # whole, whatever other threads write
            if turn % TIDY_EVERY == TIDY_EVERY - 1:
                store.tidy(NORA)

    talking = [
        threading.Thread(target=talk, args=(number,), daemon=True) for number in range(int(threads))
    ]
    for thread in talking:
        thread.start()
    for thread in talking:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
