"""Measure nights: people at once against one after another, and with nothing to do.

Run it with ``python benchmarks/night.py [PEOPLE] [AT_ONCE]``: a night over 64 people with a model
that takes 200 ms a call, 16 at a time and one at a time, each with the nights after it in which
nobody has said anything. Everything but the model is the real thing: files, locks, the bundled
embedder and its index. Seconds differ from machine to machine; what is to be compared is measured
in the same run.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.memory.import_export import import_bank
from siliconfriend.models.base import Answer, Message
from siliconfriend.night.run import run_night
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.factory import open_embedder
from siliconfriend.runtime import Runtime

NOW = datetime(2026, 6, 5, 3, tzinfo=UTC)
CALL = 0.2
TURNS = 3
ANSWERS: Mapping[str, Any] = {
    "summary": "They planted beans.",
    "traits": "Patient.",
    "mood": "Glad.",
    "strategy": "Ask on.",
    "ratings": [2] * TURNS,
}
"""Answers of the model by property; an empty list for others."""


class SlowModel:
    """Answers every prompt of the night after 200 ms."""

    name = "slow"
    address = "here"
    context_tokens = 8192

    def __init__(self) -> None:
        self.calls = 0
        self._lock = threading.Lock()

    def stream(self, messages: Sequence[Message]) -> Any:
        """Refuse: no night streams."""
        raise NotImplementedError

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Return an answer of the form that was asked for."""
        with self._lock:
            self.calls += 1
        time.sleep(CALL)
        if schema is None:
            return Answer("They planted beans, it rained, and they were glad of both.")
        return Answer("{}", data={name: ANSWERS.get(name, []) for name in schema["properties"]})


def settle(home: Path, people: int) -> None:
    """Create people with one day each, whose turns are in the index."""
    said = [
        {"query": f"On that morning I planted row {row} of the beans.", "response": "How nice."}
        for row in range(TURNS)
    ]
    names = [f"Person {number:03}" for number in range(people)]
    bank = {name: {"name": name, "history": {"2026-06-01": said}} for name in names}
    runtime = _runtime(home)
    import_bank(runtime.store, bank, language="en", zone=ZoneInfo("UTC"), now=NOW)
    for scope in runtime.store.scopes():
        runtime.recaller.update_index(scope)


def night(home: Path, at_once: int, after: int = 0) -> float:
    """Seconds of a night over everyone, so many days after the first."""
    model = SlowModel()
    runtime = _runtime(home, model, after)
    began, worked = time.perf_counter(), _worked()
    report = run_night(runtime, concurrency=at_once)
    seconds, worked = time.perf_counter() - began, _worked() - worked
    if report.exit_code:
        sys.exit(f"the night failed: {[one.errors for one in report.people if one.errors][:3]}")
    print(
        f"{len(report.people)} people, {at_once:>2} at once: {seconds:7.2f} s"
        f"  ({model.calls} calls of {CALL * 1000:.0f} ms; {worked:.2f} s of work)"
    )
    return seconds


@cache
def _embedder(home: Path) -> Embedder | None:
    return open_embedder(load_settings(home=home, environ={}))


def _runtime(home: Path, chat: SlowModel | None = None, after: int = 0) -> Runtime:
    settings = load_settings(home=home, environ={}, timezone="UTC")
    clock = FixedClock(NOW + timedelta(days=after))
    return Runtime(settings, clock, chat=chat, embedder=_embedder(home))


def _worked() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(people: int = 64, at_once: int = 16) -> None:
    """Both measurements, one after the other."""
    seconds = {}
    for number in (at_once, 1):
        with tempfile.TemporaryDirectory() as home:
            settle(Path(home), people)
            seconds[number] = night(Path(home), number)
            for after in (1, 2):
                night(Path(home), number, after)
    print(f"{at_once} at once are {seconds[1] / seconds[at_once]:.1f} times as fast")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
