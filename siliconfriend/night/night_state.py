"""What nights share, wherever they run: who is at work on whom, the reports, the notes, the counts.

With memory in files all nights run on one machine and share files of its data directory; with
memory in a database they may run on several, and share rows of it. Each of these is reached through
this protocol; what opened a file for itself would hold nobody off on another machine.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from siliconfriend.memory.jobs import JobFiles
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.call_ledger import CallLedger, LocalLedger, RetryTimer
from siliconfriend.night.night_lock import Held, hold_night
from siliconfriend.night.quiet_files import QuietFiles
from siliconfriend.night.quiet_notes import QuietNotes
from siliconfriend.night.report import NightReport
from siliconfriend.night.report_store import ReportFiles
from siliconfriend.night.reports import Reports
from siliconfriend.runtime import Runtime


class NightRecord(Protocol):
    """One night that this process runs over everyone or some."""

    @property
    def ledger(self) -> CallLedger:
        """What is counted of its calls."""
        ...

    def save(self, report: NightReport) -> None:
        """Keep its report.

        Raises:
            ConfigurationError, StoreError: it cannot be written.
        """
        ...


class NightState(Protocol):
    """What nights share. Open it with :func:`open_night_state`."""

    @property
    def reports(self) -> Reports:
        """The reports of the last nights."""
        ...

    def begin(self, model: str, max_calls: int | None, timer: RetryTimer) -> NightRecord:
        """Begin a night of this process.

        Args:
            model: the name of the one that is asked.
            max_calls: how often; None for any number.
            timer: tells the time where nobody else counts.

        Raises:
            StoreError: it cannot be written down.
        """
        ...

    def hold(self, scope: Scope, now: datetime, *, wait: float) -> AbstractContextManager[Held]:
        """Hold one person's night for a block, so that no other night is at work on them.

        Args:
            scope: whose night.
            now: told to who waits.
            wait: seconds until :class:`MemoryBusy`.

        Raises:
            MemoryBusy: another night held it all the time.
            ConfigurationError, StoreError: it cannot be held.
        """
        ...

    def notes(self, conditions: str) -> QuietNotes | None:
        """The notes of quiet people; None while a job that was stopped is not finished."""
        ...


@dataclass(frozen=True, slots=True)
class FileNightRecord:
    """A night whose report becomes a file.

    Attributes:
        reports: where the report is kept.
        ledger: what is counted of its calls.
    """

    reports: ReportFiles
    ledger: LocalLedger

    def save(self, report: NightReport) -> None:
        """Keep its report."""
        self.reports.save(report)


class FileNightState:
    """What nights of one machine share, in its data directory.

    Args:
        home: the data directory.
        store: where the memories are; who is in no files can be reached by no other process.

    Attributes:
        reports: the reports of the last nights.
    """

    def __init__(self, home: Path, store: MemoryStore) -> None:
        self.reports = ReportFiles(home)
        self._home = home
        self._store = store

    def begin(self, model: str, max_calls: int | None, timer: RetryTimer) -> FileNightRecord:
        """Begin a night of this process."""
        return FileNightRecord(self.reports, LocalLedger(max_calls, timer))

    def hold(self, scope: Scope, now: datetime, *, wait: float) -> AbstractContextManager[Held]:
        """Hold one person's night for a block."""
        home = None if self._store.folder(scope) is None else self._home
        return hold_night(home, scope, now, wait=wait)

    def notes(self, conditions: str) -> QuietNotes | None:
        """The notes of quiet people; None while a job that was stopped is not finished."""
        if JobFiles(self._home).unfinished():
            return None
        return QuietFiles(self._home, self._store, conditions)


def open_night_state(runtime: Runtime) -> NightState:
    """What the nights over the runtime's memories share."""
    if runtime.database is None:
        return FileNightState(runtime.settings.home, runtime.store)
    from siliconfriend.night.postgres.state import PostgresNightState

    return PostgresNightState(runtime.database, runtime.shared.jobs)
