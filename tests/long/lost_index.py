"""Lose, cut off and change the files of a search index: ``python -m tests.long.lost_index``."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from tests.long.report import write_proof
from tests.lost_index import check, damaged, live

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
