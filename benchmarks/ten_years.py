"""Measure a memory of years: a night with one new day, a reply, opening, erasing.

For each number of days a person who talks twenty times a day is made, with one night over all
of it. Then a process of its own does each act, and its seconds of processor time are printed,
without imports. Vectors are drawn by the hash of a text, so the work around embedding is measured:
``python benchmarks/ten_years.py [DAYS …]``.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

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

SIZES = (30, 300)
QUESTION = "What did Grandpa paint by the river?"
TIMES = 3
Measured = Callable[[Path, int], object]


def a_runtime(home: Path, day: int) -> Runtime:
    clock = FixedClock(BEGAN + timedelta(days=day, hours=20))
    settings = load_settings(home=home, timezone="UTC", llm="offline")
    return Runtime(settings, clock, embedder=HashEmbedder())


def a_night(home: Path, day: int) -> None:
    """Run the night after a day."""
    report = run_night(a_runtime(home, day), NightOptions(allow_large=True))
    assert report.exit_code == 0, report.to_json()


def a_reply(home: Path, day: int) -> None:
    Companion(NORA.person, runtime=a_runtime(home, day)).reply(QUESTION)


def an_opening(home: Path, _day: int) -> None:
    FileStore(home).load(NORA)


def an_erasing(home: Path, day: int) -> None:
    """Erase a turn from the middle of the life."""
    turn = FileStore(home).load(NORA).days[turns_of_day(day // 2)[0].date].turns[0]
    assert a_runtime(home, day).eraser.erase(NORA, [turn.id]).left == 0


def measure(act: Measured, home: Path, day: int) -> float:
    """Return the seconds of an act in this process, whose libraries are loaded first."""
    preload(vectors=True)
    began = time.process_time()
    act(home, day)
    return time.process_time() - began


def least(act: Measured, home: Path, day: int) -> float:
    """Return the least seconds of an act in several processes."""
    return min(alone(measure, act, home, day) for _ in range(TIMES))


def main(*sizes: int) -> None:
    for days in sizes or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            remember(home := Path(folder), first_turns(days))
            alone(measure, a_night, home, days - 1)
            opening = least(an_opening, home, days)
            remember(home, turns_of_day(days))
            night = alone(measure, a_night, home, days)
            reply = least(a_reply, home, days + 1)
            erasing = alone(measure, an_erasing, home, days)
        print(
            f"{days:,} days, {20 * days:,} turns: night {night:.2f} s, reply {reply:.2f} s,"
            f" opening {opening:.2f} s, erasing {erasing:.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
