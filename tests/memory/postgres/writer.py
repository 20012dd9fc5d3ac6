"""A process that talks to Nora in several threads and says after each turn that it was told "written".

Run as ``python -m tests.memory.postgres.writer ADDRESS THREADS COUNT NAME``; every line it prints is
a turn the store has acknowledged. It folds often, so that a kill meets every step there is.
"""

from __future__ import annotations

import sys
import threading

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say


def main(address: str, threads: str, count: str, name: str) -> None:
    """Say ``COUNT`` turns in each thread, named NAME-0-0, NAME-0-1 and so on."""
    store = PostgresStore(Database(address), fold_at=3000)
    store.create(NORA, a_profile())

    def talk(number: int) -> None:
        for turn in range(int(count)):
            said = f"{name}-{number}-{turn}"
            say(store, said)
            print(f"{said}\n", end="", flush=True)

    several = [threading.Thread(target=talk, args=(number,)) for number in range(int(threads))]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
