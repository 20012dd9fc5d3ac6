"""Kill a move between files and PostgreSQL with signal 9, hundreds of times, while people talk.

``python -m tests.long.moves [TIMES]`` moves three people into a database and back again and again.
Somebody talks to all of them and erases something now and then; the move is killed at a moment by
chance four times on each way and run again until it ends. Then what was acknowledged is compared
with what is there, and both copies with each other, record by record. The figures go to
``docs/reliability/moves.json``.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.long.report import write_proof
from tests.moving_killed import begin, kill_moves
from tests.postgres_server import PostgresServer

KILLS = 4
"""On each way."""


def main(times: int = 300) -> None:
    """Move there and back until so many moves were killed."""
    logging.disable(logging.CRITICAL)
    chance, met, ways = random.Random(0), Counter[str](), 0
    server = PostgresServer()
    try:
        while sum(met.values()) < times:
            with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
                folder = Path(name)
                files, rows = str(folder / "home"), server.address(server.fresh())
                begin(files, chance.choice((2, 30)))
                for number in range(2):
                    met += kill_moves(files, rows, folder / f"there {number}", chance, kills=KILLS)
                    met += kill_moves(rows, files, folder / f"back {number}", chance, kills=KILLS)
                    ways += 2
            print(sum(met.values()), dict(met), flush=True)
    finally:
        server.close()
    names = {"copy": "copying", "hand over": "handing over"}
    rows_ = [[names.get(what, what), count, 0] for what, count in sorted(met.items())]
    write_proof(
        "moves",
        order=11,
        title="A move between files and PostgreSQL, killed while people talk",
        command="python -m tests.long.moves",
        columns=("killed while", "times", "lost, doubled, back, or open twice"),
        rows=[*rows_, [f"in all, on {ways} ways there and back", sum(met.values()), 0]],
        not_measured="the server ran through; what a server that is killed leaves is a proof of its own.",
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
