"""A process that talks to Nora and says after each turn that it was told "written".

Run as ``python -m tests.memory.writer HOME NAME COUNT``; every line it prints is a turn the
store has acknowledged. It folds often, so that a kill meets every step there is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say


def main(home: str, name: str, count: str) -> None:
    """Say ``COUNT`` turns, named NAME-0, NAME-1 and so on."""
    store = FileStore(Path(home), fold_at=3000)
    store.create(NORA, a_profile())
    for number in range(int(count)):
        said = f"{name}-{number}"
        say(store, said)
        print(said, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
