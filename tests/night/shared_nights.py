"""Nights over memory in a database: people in it, jobs, and workers as processes of their own.

Run as ``python -m tests.night.shared_nights ADDRESS HOME CALL SILENCE AT_ONCE`` it is a worker with a
model that takes ``CALL`` seconds a call. It prints ``ready``; of each call the moment, whether it
begins or ends, and the person it is about; and of each job how it ended.
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
from datetime import timedelta
from pathlib import Path
from typing import Any

from siliconfriend.config import load_settings
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.night.postgres.enqueue import Enqueued, enqueue_nights
from siliconfriend.night.postgres.person_jobs import Outcome
from siliconfriend.night.postgres.worker import NightWorker, WorkerOptions
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


def left_in(database: Database) -> int:
    """How many jobs have not ended."""
    with database.transaction() as connection:
        rows = connection.execute("SELECT id FROM siliconfriend.procrastinate_jobs").fetchall()
    return len(rows)


def runtime_of(
    database: Database, home: Path, chat: ChatModel | None = None, now: Any = JUNE_5
) -> Runtime:
    """The parts of a program over a database, words only."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    settings = replace(settings, store=database.address)
    return Runtime(settings, MovingClock(now), store=PostgresStore(database), chat=chat)


def enqueue(runtime: Runtime, **how: Any) -> Enqueued:
    """Put everyone's night into the queue."""
    assert runtime.database is not None
    options, how = split_options(how)
    return enqueue_nights(runtime, runtime.database, options, **how)


def work_once(runtime: Runtime, **options: Any) -> dict[Outcome, int]:
    """Be a worker until nothing is left; how many jobs ended how."""
    assert runtime.database is not None
    chosen = WorkerOptions(**{"once": True, "starts": False, **options})
    worker = NightWorker(runtime, runtime.database, chosen, lambda _scope, _outcome: None)
    worker.run()
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
        address: of the database.
        home: a data directory for it.
        call: seconds a call of the model takes.
        silence: seconds after which its jobs are taken up by others.
        at_once: how many people it is at.
        before: words before the command, such as those that run it elsewhere.

    Attributes:
        process: it.
        ended: the jobs that it said have ended, as ``done Person 00``.
    """

    def __init__(
        self,
        address: str,
        home: Path,
        *,
        call: float = 0.01,
        silence: float = 2,
        at_once: int = 1,
        before: Sequence[str] = (),
    ) -> None:
        words = [address, str(home), str(call), str(silence), str(at_once)]
        command = [*before, sys.executable, "-m", "tests.night.shared_nights", *words]
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
                    elif line.startswith("job "):
                        self.ended.append(line[4:].strip())
                    self._heard.notify_all()


def main(address: str, home: str, call: str, silence: str, at_once: str) -> None:
    """Be a worker until stopped."""
    database = Database(address)
    runtime = runtime_of(database, Path(home), TellingModel(float(call)))
    options = WorkerOptions(
        at_once=int(at_once), silence=timedelta(seconds=float(silence)), starts=False
    )

    def tell(scope: Scope, outcome: Outcome) -> None:
        _say(f"job {outcome} {scope.person}")

    _say("ready")
    NightWorker(runtime, database, options, tell).run()


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")  # in one piece: several threads print
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
