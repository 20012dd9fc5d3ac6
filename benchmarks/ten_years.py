"""Measure a memory of years: a night with one new day, a reply, opening, erasing.

For each number of days a person who talks twenty times a day is made, with one night over all
of it. Then each act is done by a process of its own, and its seconds of processor time are
printed, imports not counted, with how many texts it embedded. Vectors are drawn by the hash of
a text, so that what is counted is the work around embedding; a text embedded for real costs
some 50 ms more. What counts is how the lines compare: ``python benchmarks/ten_years.py [DAYS …]``.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import BEGAN, NORA, HashEmbedder, first_turns, remember, turns_of_day
from benchmarks.model_server import alone
from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.file_store import FileStore
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.run import run_night
from siliconfriend.recall.recaller import preload
from siliconfriend.runtime import Runtime

SIZES = (30, 120, 300, 1200)
EMBEDDING = 0.05
"""Seconds that the bundled embedder takes for a text."""
QUESTION = "What did Grandpa paint by the river?"
TIMES = 3
COLUMNS = (
    *("days", "turns", "night with one new day", "texts it embeds", "with their embedding"),
    "first reply",
    *("cold open", "of parsing its JSON", "erasing a turn"),
    *("first night over all", "its memory"),
)

Measured = tuple[float, int]
"""Seconds, and how many texts were embedded."""


def a_runtime(home: Path, day: int) -> Runtime:
    clock = FixedClock(BEGAN + timedelta(days=day, hours=20))
    settings = load_settings(home=home, timezone="UTC", llm="offline")
    return Runtime(settings, clock, embedder=HashEmbedder())


def a_night(home: Path, day: int) -> int:
    """Return the night after a day; how many texts it embedded."""
    runtime = a_runtime(home, day)
    report = run_night(runtime, NightOptions(allow_large=True))
    assert report.exit_code == 0, report.to_json()
    return embedded_by(runtime)


def a_reply(home: Path, day: int) -> int:
    runtime = a_runtime(home, day)
    Companion(NORA.person, runtime=runtime).reply(QUESTION)
    return embedded_by(runtime)


def an_opening(home: Path, _day: int) -> int:
    FileStore(home).load(NORA)
    return 0


def a_parsing(home: Path, _day: int) -> int:
    """Parse ``memory.json`` by orjson, for comparison."""
    orjson.loads((FileStore(home).folder(NORA) / "memory.json").read_bytes())
    return 0


def an_erasing(home: Path, day: int) -> int:
    """Erasing a turn from the middle of the life."""
    runtime, store = a_runtime(home, day), FileStore(home)
    turn = store.load(NORA).days[turns_of_day(day // 2)[0].date].turns[0]
    done = runtime.eraser.erase(NORA, [turn.id])
    assert done.left == 0
    return embedded_by(runtime)


def embedded_by(runtime: Runtime) -> int:
    embedder = runtime._embedder_given
    assert isinstance(embedder, HashEmbedder)
    return embedder.embedded


def measure(act: Callable[[Path, int], int], home: Path, day: int) -> Measured:
    """Do an act, the libraries loaded."""
    preload(vectors=True)
    began = time.process_time()
    embedded = act(home, day)
    return time.process_time() - began, embedded


def a_life(home: Path, days: int) -> tuple[float, float]:
    """Make a person of so many days, with one night over all; its seconds, and megabytes at most."""
    remember(home, first_turns(days))
    return alone(first_night, home, days - 1)


def first_night(home: Path, day: int) -> tuple[float, float]:
    seconds, _ = measure(a_night, home, day)
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def a_row(days: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        first, megabytes = a_life(home := Path(folder), days)
        parsing = min(alone(measure, a_parsing, home, days)[0] for _ in range(TIMES))
        opening = min(alone(measure, an_opening, home, days)[0] for _ in range(TIMES))
        nights = []
        for day in range(days, days + TIMES):
            remember(home, turns_of_day(day))
            nights.append(alone(measure, a_night, home, day))
        night, embedded = min(nights)
        reply, _ = min(alone(measure, a_reply, home, days + TIMES) for _ in range(TIMES))
        erasing, _ = alone(measure, an_erasing, home, days)
    return [
        *(f"{days:,}", f"{days * 20:,}", f"{night:.2f} s", f"{embedded}"),
        *(f"{night + EMBEDDING * embedded:.1f} s", f"{reply:.2f} s"),
        *(f"{opening:.2f} s", f"{opening / parsing:.2f}", f"{erasing:.1f} s"),
        *(f"{first:.0f} s", f"{megabytes:.0f} MB"),
    ]


def main(*sizes: int) -> None:
    for days in sizes or SIZES:
        print(dict(zip(COLUMNS, a_row(days), strict=True)), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
