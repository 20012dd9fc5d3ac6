"""A process that does one scenario of the power cuts, killed with signal 9 at a moment by chance.

The suite kills a few (``test_killing.py``), ``tests.long.kills`` 500.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.crash_scenarios import Scenario

_CONTEXT = multiprocessing.get_context("forkserver")


@dataclass(frozen=True)
class Victim:
    """A scenario whose data directory is prepared once and copied for each kill.

    Attributes:
        scenario: what is done.
        folder: holds ``source``, ``home`` and the log of what was acknowledged.
        known: what the scenario's preparation gave.
        seconds: how long the work takes when nobody kills it.
    """

    scenario: Scenario
    folder: Path
    known: str
    seconds: float

    @classmethod
    def prepare(cls, scenario: Scenario, folder: Path) -> Victim:
        """Make the data directory, and do the work once to see how long it takes."""
        _CONTEXT.set_forkserver_preload(["tests.killing", "tests.crash_scenarios"])
        home = folder / "home"
        home.mkdir(parents=True)
        known = scenario.prepare(home)
        shutil.copytree(home, folder / "source")
        seconds = cls(scenario, folder, known, seconds=0.0).kill_after(60.0)
        assert seconds is not None
        return cls(scenario, folder, known, seconds)

    def kill_after(self, seconds: float) -> float | None:
        """Begin, kill after so many seconds, start anew and compare.

        Returns:
            None, or the seconds that the work took if it had ended by then.

        Raises:
            AssertionError: something acknowledged is gone, or something is half-done.
        """
        home, log = self.folder / "home", self.folder / "log"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.folder / "source", home)
        log.write_bytes(b"")
        process = _CONTEXT.Process(target=_work, args=(self.scenario.act, home, self.known, log))
        process.start()
        while process.is_alive() and not log.stat().st_size:
            time.sleep(0.001)
        began = time.monotonic()
        process.join(seconds)
        took = time.monotonic() - began
        was_killed = process.exitcode is None
        if was_killed and process.pid is not None:
            os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert was_killed or process.exitcode == 0
        _, *acknowledged = log.read_text("utf-8").splitlines()
        self.scenario.check(home, self.known, tuple(acknowledged))
        return None if was_killed else took


def _work(act: Callable[..., None], home: Path, known: str, log: Path) -> None:
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND)

    def acknowledge(what: str) -> None:
        os.write(descriptor, f"{what}\n".encode())

    acknowledge("begun")
    act(home, known, acknowledge)
