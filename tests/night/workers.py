"""Many people, a night over them, and workers over one queue in processes of their own.

``python -m tests.night.workers STORE HOME CALL TTL AT_ONCE`` is a worker over a store, with a
model that takes so many seconds a call; it prints its calls, and how each person's night ended.
"""

from __future__ import annotations

import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.config import load_settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.night.report import NightReport
from siliconfriend.night.run import BegunNight, NightWorker, Outcome
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.night.world import JUNE_5, night_of, obedient, split_options
from tests.waiting import until

ROOT = Path(__file__).parents[2]
TODAY = "2026-06-05"
DAYS = ("2026-06-01", "2026-06-03")


class SlowModel:
    """A model that takes its time and may fail; it answers any number of threads at once.

    It counts its ``calls`` and the ``most`` of them at the same time.
    """

    name = "slow"
    address = "here"
    context_tokens = 8192
    is_able = True

    def __init__(
        self, seconds: float = 0.0, fails: Callable[[str, int], Exception | None] | None = None
    ) -> None:
        self.calls = self.most = self._under_way = 0
        self._seconds, self._fails, self._lock = seconds, fails, threading.Lock()

    def stream(self, messages: Sequence[Message]) -> Any:
        """Nobody streams at night."""
        raise NotImplementedError

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """What an obedient model says, or the failure of this call."""
        with self._lock:
            self.calls += 1
            self._under_way += 1
            self.most = max(self.most, self._under_way)
            number = self.calls
        time.sleep(self._seconds)
        with self._lock:
            self._under_way -= 1
        failure = self._fails(messages[-1].content, number) if self._fails else None
        if failure is not None:
            raise failure
        said = obedient(messages)
        return Answer(str(said), data=said if isinstance(said, dict) else None)


def names(count: int) -> list[str]:
    """The people there are."""
    return [f"Person {number:02}" for number in range(count)]


def settle(home: Path, count: int, days: Sequence[str] = DAYS) -> None:
    """So many people in files, each with two turns on each of the days."""
    settle_in(FileStore(home), count, days)


def settle_in(store: MemoryStore, count: int, days: Sequence[str] = DAYS) -> None:
    """So many people in a store, each with two turns on each of the days."""
    bank = {
        name: {
            "name": name,
            "history": {
                day: [
                    {"query": f"{name} planted beans.", "response": "How nice."},
                    {"query": f"On {day} it rained.", "response": "Did it?"},
                ]
                for day in days
            },
        }
        for name in names(count)
    }
    import_bank(store, bank, language="en", zone=ZoneInfo("UTC"), now=JUNE_5)


def night(home: Path, chat: ChatModel | None, **options: Any) -> NightReport:
    """A night over everyone in the files, words only."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    return night_of(Runtime(settings, MovingClock(JUNE_5), chat=chat), **options)


def export(home: Path) -> dict[str, Any]:
    """Everything that is remembered of the days that are over."""
    return export_of(FileStore(home))


def export_of(store: MemoryStore) -> dict[str, Any]:
    """The same of what is in a store."""
    document: dict[str, Any] = {}
    for scope in store.scopes():
        exported = export_native(store.load(scope))
        exported[scope.person]["history"].pop(TODAY, None)
        document |= exported
    return document


def alone(home: Path, count: int) -> tuple[dict[str, Any], int]:
    """What one night over files leaves of so many people, and how many calls it takes."""
    settle(home, count)
    model = SlowModel()
    night(home, model)
    return export(home), model.calls


def calls_left(store: str, home: Path) -> int:
    """How often one more night over a store asks the model."""
    model = SlowModel()
    runtime = runtime_of(store, home, model)
    enqueue(runtime)
    work_once(runtime)
    return model.calls


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


class Call(NamedTuple):
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
    return len(BegunNight(runtime, options, **how).scopes)


def work_once(runtime: Runtime, *, plans: bool = False, **options: Any) -> dict[Outcome, int]:
    """Be a worker until nothing is left; how many nights ended how."""
    worker = NightWorker(runtime, **options)
    worker.run(once=True, plans=plans)
    return dict(worker.tally)


class WorkerProcess:
    """A worker in a process of its own, which prints into a file.

    ``call`` is how many seconds a call of the model takes, ``before`` what stands before the
    command, such as words that run it elsewhere.
    """

    def __init__(
        self,
        store: str,
        home: Path,
        *,
        call: float = 0.01,
        ttl: float = 4,
        at_once: int = 1,
        before: Sequence[str] = (),
    ) -> None:
        words = [store, str(home), str(call), str(ttl), str(at_once)]
        command = [*before, sys.executable, "-m", "tests.night.workers", *words]
        self._printed = home.with_name(f"printed-{secrets.token_hex(4)}")
        with self._printed.open("wb") as printed:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=printed)

    @property
    def calls(self) -> list[Call]:
        """The calls that it has printed."""
        calls: list[Call] = []
        for moment, what, person in (line.split(" ", 2) for line in self._lines("")):
            if what == "begin":
                calls.append(Call(person, float(moment), float("inf")))
            elif what == "end":
                at = next(
                    n for n, call in enumerate(calls) if call.person == person and call.is_open
                )
                calls[at] = calls[at]._replace(end=float(moment))
        return calls

    @property
    def ended(self) -> list[str]:
        """The nights that it said have ended, as ``done Person 00``."""
        return [line.removeprefix("night ") for line in self._lines("night ")]

    def wait_until(self, is_so: Callable[[WorkerProcess], bool]) -> None:
        """Wait until that is true, or it has ended."""
        until(lambda: is_so(self) or self.process.poll() is not None)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)

    def _lines(self, begin: str) -> list[str]:
        whole, _, _torn = self._printed.read_text("utf-8").rpartition("\n")
        return [line for line in whole.splitlines() if line.startswith(begin)]


def main(store: str, home: str, call: str, ttl: str, at_once: str) -> None:
    """Be a worker until stopped."""
    runtime = runtime_of(store, Path(home), TellingModel(float(call)))

    def tell(scope: Scope, outcome: Outcome) -> None:
        _say(f"night {outcome} {scope.person}")

    NightWorker(runtime, at_once=int(at_once), ttl=float(ttl), tell=tell).run(plans=False)


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")  # in one piece: several threads print
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
