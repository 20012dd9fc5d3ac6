"""Put an older file back, or repair a damaged one, while another process talks.

``python -m tests.long.put_back [TIMES]``: after each the memory is whole, and holds what the process
was told is kept since then.
"""

from __future__ import annotations

import logging
import os
import random
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

from siliconfriend.memory.file_store import FileStore, folder_path
from tests.long.report import write_proof
from tests.memory.people import NORA, a_profile
from tests.memory.stored import queries
from tests.memory.talker import Talker, talker

WORDS = 12
"""Turns that are said in a round."""


def _talk(other: Talker, name: str, told: list[str]) -> None:
    for number in range(WORDS):
        if other.say(f"{name}-{number}") == "kept":
            told.append(f"{name}-{number}")


def put_back(home: Path, other: Talker, chance: random.Random, name: str) -> None:
    """Replace the file by what it was a few turns ago; what is said after that is all there."""
    path, told = folder_path(home, NORA) / "memory.sqlite", list[str]()
    with FileStore(home).database(NORA).transaction() as transaction:
        kept, before = transaction.connection.serialize(), queries(FileStore(home))
    for number in range(chance.randrange(1, 5)):
        assert other.say(f"{name}-lost-{number}") == "kept"
    fresh = path.with_name("fresh")
    fresh.write_bytes(kept)
    fresh.replace(path)
    assert other.read() == before
    _talk(other, name, told)
    assert len(told) == WORDS
    assert other.read() == queries(FileStore(home)) == before + told


def repair(home: Path, other: Talker, chance: random.Random, name: str) -> None:
    """Damage a row of the past, then repair while the other process talks; nothing is lost."""
    path, told, before = folder_path(home, NORA) / "memory.sqlite", list[str](), other.read()
    FileStore(home).tidy(NORA)
    with closing(sqlite3.connect(path)) as connection:
        rows = [it for (it,) in connection.execute("SELECT rowid FROM record WHERE kind = 'turn'")]
        damage = "UPDATE record SET seal = seal + 1 WHERE rowid = ?"
        connection.execute(damage, (chance.choice(rows),))
        connection.commit()
    talking = threading.Thread(target=_talk, args=(other, name, told))
    talking.start()
    done = FileStore(home).repair(NORA)
    talking.join()
    assert done is not None
    found = queries(FileStore(home))
    assert set(before) | set(told) <= set(found)
    assert len(found) == len(set(found))


def main(times: int = 100) -> None:
    """Take both in turns."""
    logging.disable(logging.CRITICAL)
    chance, seen = random.Random(0), Counter[str]()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home = Path(folder) / "home"
        FileStore(home).create(NORA, a_profile())
        with talker(str(home)) as other:
            _talk(other, "begin", [])
            for number in range(times):
                act = (put_back, repair)[number % 2]
                act(home, other, chance, f"r{number}")
                seen[act.__name__] += 1
                assert FileStore(home).repair(NORA) is None
            print(dict(seen), len(other.read()), flush=True)
    rows = [["an older file is put back", seen["put_back"], 0], ["a repair", seen["repair"], 0]]
    write_proof(
        "put_back", columns=("while another process talks", "times", "lost or damaged"), rows=rows
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
