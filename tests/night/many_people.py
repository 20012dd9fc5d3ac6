"""Many people in a store, and a night over them with a model that takes its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.config import load_settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.night.report import NightReport
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.night.world import JUNE_5, night_of, obedient

ROOT = Path(__file__).parents[2]
TODAY = "2026-06-05"
DAYS = ("2026-06-01", "2026-06-03")


class SlowModel:
    """A model that takes its time and may fail; it answers any number of threads at once.

    Attributes:
        calls: how often it was asked.
        most: how many it was asked by at the same time, at most.
    """

    name = "slow"
    address = "here"
    context_tokens = 8192

    def __init__(
        self, seconds: float = 0.0, fails: Callable[[str, int], Exception | None] | None = None
    ) -> None:
        self.calls = 0
        self.most = 0
        self._seconds = seconds
        self._fails = fails
        self._under_way = 0
        self._lock = threading.Lock()

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
