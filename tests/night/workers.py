"""Workers over one queue, in this process and in processes of their own.

``python -m tests.night.workers STORE HOME CALL TTL AT_ONCE`` is a worker over a store, with a
model that takes so many seconds a call; it prints its calls, and how each person's night ended.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siliconfriend.config import load_settings
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.night.run import begin_night
from siliconfriend.night.worker import NightWorker, Outcome, WorkOptions
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.night.many_people import ROOT, SlowModel
from tests.night.world import JUNE_5, split_options

PERSON = re.compile(r"Person \d\d")


class TellingModel(SlowModel):
    """A slow model that prints when each call begins and ends, and about whom it is."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """What an obedient model says."""
        found = PERSON.search(messages[-1].content)
        person = found[0] if found else ""
        _say(f"{time.monotonic()} begin {person}")
        answer = super().complete(messages, schema)
        _say(f"{time.monotonic()} end {person}")
        return answer


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model: from when to when, and about whom; ``end`` is infinite for one cut off."""

    person: str
    begin: float
    end: float

    @property
    def is_open(self) -> bool:
        """True if it was cut off, or goes on."""
        return self.end == float("inf")


def runtime_of(store: str, home: Path, chat: ChatModel | None = None, now: Any = JUNE_5) -> Runtime:
    """The parts of a program over a store, words only; ``file`` or the address of a database."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    return Runtime(replace(settings, store=store), MovingClock(now), chat=chat)


def left_in(runtime: Runtime) -> int:
    """How many people wait in the queue for a night that was asked for."""
    return len(runtime.installation.tables.read("SELECT 1 FROM night_person WHERE night > 0"))


def enqueue(runtime: Runtime, **how: Any) -> int:
    """Make everyone's night due."""
    options, how = split_options(how)
    return len(begin_night(runtime, options, **how).scopes)


def work_once(runtime: Runtime, *, plans: bool = False, **options: Any) -> dict[Outcome, int]:
    """Be a worker until nothing is left; how many nights ended how."""
    worker = NightWorker(runtime, WorkOptions(**options))
    worker.run(once=True, plans=plans)
    return dict(worker.tally)


def calls_in(printed: Sequence[str]) -> list[Call]:
    """The calls of which whole lines tell."""
    calls: list[Call] = []
    for line in printed:
        moment, what, person = line.split(" ", 2)
        if what == "begin":
            calls.append(Call(person, float(moment), float("inf")))
        else:
            at = next(n for n, it in enumerate(calls) if it.person == person and it.is_open)
            calls[at] = Call(person, calls[at].begin, float(moment))
    return calls


class WorkerProcess:
    """A worker in a process of its own.

    Args:
        store: ``file``, or the address of a database.
        home: a data directory for it.
        call: seconds a call of the model takes.
        ttl: seconds after which what it was at is begun anew by others.
        at_once: how many people it is at.
        before: words before the command, such as those that run it elsewhere.

    Attributes:
        process: it.
        ended: the nights that it said have ended, as ``done Person 00``.
    """

    def __init__(
        self,
        store: str,
        home: Path,
        *,
        call: float = 0.01,
        ttl: float = 2,
        at_once: int = 1,
        before: Sequence[str] = (),
    ) -> None:
        words = [store, str(home), str(call), str(ttl), str(at_once)]
        command = [*before, sys.executable, "-m", "tests.night.workers", *words]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.ended: list[str] = []
        self._printed: list[str] = []
        self._heard = threading.Condition()
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def wait_until(self, is_so: Callable[[WorkerProcess], bool]) -> None:
        """Wait until that is true, or it has ended."""
        with self._heard:
            while not is_so(self) and self._listening.is_alive():
                self._heard.wait(0.05)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal, and hear the rest; its exit code."""
        self.process.send_signal(number)
        self._listening.join()
        return self.process.wait(60)

    def close(self) -> None:
        """Leave nothing of it running."""
        if self.process.poll() is None:
            self.kill()

    @property
    def calls(self) -> list[Call]:
        """The calls that it has printed."""
        return calls_in(self._printed)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as printed:
            for line in printed:
                with self._heard:
                    if line[0].isdigit() and line.endswith("\n"):
                        self._printed.append(line.rstrip("\n"))
                    elif line.startswith("night "):
                        self.ended.append(line[6:].strip())
                    self._heard.notify_all()


def main(store: str, home: str, call: str, ttl: str, at_once: str) -> None:
    """Be a worker until stopped."""
    runtime = runtime_of(store, Path(home), TellingModel(float(call)))

    def tell(scope: Scope, outcome: Outcome) -> None:
        _say(f"night {outcome} {scope.person}")

    _say("ready")
    options = WorkOptions(at_once=int(at_once), ttl=float(ttl))
    NightWorker(runtime, options, tell).run(plans=False)


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")  # in one piece: several threads print
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
