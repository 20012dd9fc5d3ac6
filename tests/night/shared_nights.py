"""Nights over memory in a database: people in it, jobs, and workers as processes of their own.

Run as ``python -m tests.night.shared_nights ADDRESS HOME SECONDS CALL SILENCE [MAX_CALLS]`` it is a
worker with a model that takes ``CALL`` seconds a call. It prints ``ready``, and of each call the
moment, whether it begins or ends, and the person it is about; ``SECONDS`` is how long ``once`` 0
lets it go on.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from tests.night.world import JUNE_5

PERSON = re.compile(r"Person \d\d")


class TellingModel(SlowModel):
    """A slow model that prints when each call begins and ends, and about whom it is."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """What an obedient model says."""
        found = PERSON.search(messages[-1].content)
        person = found[0] if found else ""
        print(f"{time.monotonic()} begin {person}", flush=True)
        answer = super().complete(messages, schema)
        print(f"{time.monotonic()} end {person}", flush=True)
        return answer


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model: from when to when, and about whom; ``end`` is infinite for one cut off."""

    person: str
    begin: float
    end: float


def runtime_of(
    database: Database, home: Path, chat: ChatModel | None = None, now: Any = JUNE_5
) -> Runtime:
    """The parts of a program over a database, words only."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    return Runtime(settings, MovingClock(now), store=PostgresStore(database), chat=chat)


def enqueue(runtime: Runtime, **options: Any) -> Enqueued:
    """Put everyone's night into the queue."""
    assert runtime.database is not None
    return enqueue_nights(runtime, runtime.database, **options)


def work_once(runtime: Runtime, **options: Any) -> dict[Outcome, int]:
    """Be a worker until nothing is left; how many jobs ended how."""
    assert runtime.database is not None
    chosen = WorkerOptions(**{"once": True, "starts": False, **options})
    worker = NightWorker(runtime, runtime.database, chosen, lambda _scope, _outcome: None)
    worker.run()
    return dict(worker.tally)


def start_worker(
    address: str, home: Path, *, call: float, silence: float, at_once: int = 2
) -> subprocess.Popen[str]:
    """A worker in a process of its own; it is at work when it has printed its first line."""
    words = [address, str(home), str(call), str(silence), str(at_once)]
    command = [sys.executable, "-m", "tests.night.shared_nights", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def calls_in(printed: str) -> list[Call]:
    """The calls that a worker printed, whole lines only."""
    calls: list[Call] = []
    whole, _, _torn = printed.rpartition("\n")
    for line in whole.splitlines():
        moment, _, rest = line.partition(" ")
        what, _, person = rest.partition(" ")
        if what == "begin":
            calls.append(Call(person, float(moment), float("inf")))
        elif what == "end":
            at = next(n for n, it in enumerate(calls) if it.person == person and it.end > 1e18)
            calls[at] = Call(person, calls[at].begin, float(moment))
    return calls


def names_of(scopes: Sequence[Scope]) -> list[str]:
    """The names of people."""
    return [scope.person for scope in scopes]


def main(address: str, home: str, call: str, silence: str, at_once: str) -> None:
    """Be a worker until stopped."""
    database = Database(address)
    runtime = runtime_of(database, Path(home), TellingModel(float(call)))
    options = WorkerOptions(
        at_once=int(at_once), silence=timedelta(seconds=float(silence)), starts=False
    )
    worker = NightWorker(runtime, database, options, lambda scope, outcome: None)
    print("ready", flush=True)
    worker.run()
    print(f"ended {dict(worker.tally)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
