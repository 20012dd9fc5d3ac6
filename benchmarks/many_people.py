"""Measure many people, in files and over PostgreSQL: nights with nothing due, the list, replies.

Each has two days of three turns. Printed are seconds of processor time of the night over them, of
the two after it, in which nothing is due, and of ``users list`` from start to end; then medians of
100 people's first reply, next reply and append, and the most memory of the process that did them:
``python benchmarks/many_people.py [PEOPLE …]``. Of PostgreSQL only its client is counted.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.append import append_once
from benchmarks.long_life import BEGAN
from benchmarks.model_server import alone
from benchmarks.ten_years import QUESTION, a_night, a_runtime, measure
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.import_export import import_bank
from siliconfriend.recall.recaller import preload
from tests.postgres_server import PostgresServer

STORES = ("file", "postgresql")
COLUMNS = (
    *("people", "store", "night", "nothing due", "again", "users list"),
    *("first reply", "reply", "append", "memory"),
)


def settle(home: Path, people: int) -> None:
    bank, words = {}, ("I sow beans.", "I hoe them.", "I eat them.")
    for name in (f"Person {number:05}" for number in range(people)):
        said = [{"query": f"{remark} {name}", "response": "Oh."} for remark in words]
        bank[name] = {"name": name, "history": {"2016-01-01": said, "2016-01-02": said}}
    store, settings = (runtime := a_runtime(home, 1)).store, runtime.settings
    import_bank(store, bank, language="en", zone=settings.zone, now=BEGAN)


def a_list(home: Path) -> float:
    command = (sys.executable, "-m", "siliconfriend", "--home", home, "users", "list")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def talk(home: Path) -> list[str]:
    preload(vectors=True)
    runtime, taken = a_runtime(home, 3), list[float]()
    people = random.Random(7).sample(runtime.store.scopes(), 100)
    replies = [partial(Companion(who.person, runtime=runtime).reply, QUESTION) for who in people]
    adds = [partial(append_once, runtime.store, who) for who in people]
    acts: Sequence[Callable[[], object]] = (*replies, *replies, *adds)
    for act in acts:
        began = time.process_time()
        act()
        taken.append((time.process_time() - began) * 1e3)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return [*(f"{median(taken[at : at + 100]):.1f} ms" for at in (0, 100, 200)), f"{held} MB"]


def main(*sizes: int) -> None:
    with closing(PostgresServer()) as server:
        for people, store in ((size, store) for size in sizes or (300, 3000) for store in STORES):
            address = store if store == "file" else server.address(server.fresh())
            os.environ["SILICONFRIEND_STORE"] = address
            with tempfile.TemporaryDirectory() as folder:
                settle(home := Path(folder), people)
                seconds = [alone(measure, a_night, home, day)[0] for day in (1, 2, 3)]
                row = [f"{value:.2f} s" for value in (*seconds, alone(a_list, home))] + alone(
                    talk, home
                )
                print(dict(zip(COLUMNS, (str(people), store, *row), strict=True)), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
