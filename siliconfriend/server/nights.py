"""Nights that were started by a request: run in threads, followed, reported, and their paths.

A night takes minutes where a model writes it, so the request that starts one is answered at
once, with an id to follow it by. Which nights this process runs is known to it alone; what a
night did stands in its report in the data directory, for every process.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.bank import MemoryBank

NIGHTS_AT_ONCE = 2
"""Nights that run at once in this process; more wait their turn."""
KEPT = 100
"""Nights whose end can still be asked for; the oldest that is over goes first."""

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class NightState:
    """How far a night is.

    Attributes:
        id: to follow it by.
        person: whose night; None for everyone's.
        state: waiting, running, done or failed.
        doing: what it does now; empty before and after.
        done, total: how far that is.
        report: what it did, once it is done.
        error: why it failed.
    """

    id: str
    person: str | None
    state: State = "waiting"
    doing: str = ""
    done: int = 0
    total: int = 0
    report: dict[str, Any] | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """True if nothing more will change."""
        return self.state in ("done", "failed")


class _Night:
    """One night: its newest state, and who is told when it changes."""

    def __init__(self, state: NightState) -> None:
        self.state = state
        self._guard = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def change(self, **fields: Any) -> None:
        with self._guard:
            self.state = replace(self.state, **fields)
            listeners = list(self._listeners)
        for notify in listeners:
            notify()

    async def states(self) -> AsyncIterator[NightState]:
        """Yield the state whenever it has changed, the last one as well."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def notify() -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(changed.set)

        with self._guard:
            self._listeners.append(notify)
        try:
            while True:
                changed.clear()
                state = self.state
                yield state
                if state.is_over:
                    return
                await changed.wait()
        finally:
            with self._guard:
                self._listeners.remove(notify)


class Nights:
    """The nights of this process; safe between threads.

    Args:
        bank: of the server.
    """

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._guard = threading.Lock()
        self._nights: OrderedDict[str, _Night] = OrderedDict()
        self._workers = ThreadPoolExecutor(NIGHTS_AT_ONCE, thread_name_prefix="night")

    def start(self, person: str | None, options: NightOptions) -> NightState:
        """Start a night of one person, or of everyone."""
        night = _Night(NightState(secrets.token_hex(8), person))
        with self._guard:
            self._nights[night.state.id] = night
            over = [name for name, kept in self._nights.items() if kept.state.is_over]
            for name in over[: max(0, len(self._nights) - KEPT)]:
                del self._nights[name]
        self._workers.submit(self._run, night, options)
        return night.state

    def state(self, identifier: str, person: str | None) -> NightState:
        """How far a night is.

        Raises:
            UsageError: there is none of this id, or it is another person's.
        """
        return self._find(identifier, person).state

    def follow(self, identifier: str, person: str | None) -> AsyncIterator[NightState]:
        """Follow a night to its end; errors as for :meth:`state`."""
        return self._find(identifier, person).states()

    def close(self) -> None:
        """Start no more nights; one that runs goes on until the process ends, and can be resumed."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _find(self, identifier: str, person: str | None) -> _Night:
        with self._guard:
            night = self._nights.get(identifier)
        if night is None or night.state.person != person:
            raise UsageError("night_unknown", id=identifier)
        return night

    def _run(self, night: _Night, options: NightOptions) -> None:
        def progress(what: str, done: int, total: int) -> None:
            night.change(doing=what, done=done, total=total)

        night.change(state="running")
        person = night.state.person
        try:
            users = None if person is None else [person]
            report = self._bank.night(options, users=users, progress=progress)
        except SiliconFriendError as error:
            night.change(state="failed", error=error.message(self._bank.settings.language))
        except Exception as error:  # a night that broke must not be waited for for ever
            night.change(state="failed", error=type(error).__name__)
            raise
        else:
            night.change(state="done", doing="", done=0, total=0, report=report.to_json())
