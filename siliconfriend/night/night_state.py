"""What nights share, wherever they run: who is at work on whom, the reports, the notes, the counts.

With memory in files all nights run on one machine and share files of its data directory. Each
of these is reached through this protocol, so that nights on several machines can share them in a
database; what opened a file for itself would hold nobody off there.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from siliconfriend.memory.jobs import JobFiles
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.call_ledger import CallLedger, LocalLedger, RetryTimer
from siliconfriend.night.night_lock import hold_night
from siliconfriend.night.quiet_files import QuietFiles
from siliconfriend.night.quiet_notes import QuietNotes
from siliconfriend.night.report import NightReport
from siliconfriend.night.report_store import ReportFiles
from siliconfriend.night.reports import Reports
from siliconfriend.runtime import Runtime


class NightState(Protocol):
    """What nights share. Open it with :func:`open_night_state`."""

    @property
    def reports(self) -> Reports:
        """The reports of the last nights."""
        ...

    def hold(self, scope: Scope, now: datetime, *, wait: float) -> AbstractContextManager[None]:
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

    def ledger(self, max_calls: int | None, timer: RetryTimer) -> CallLedger:
        """Begin the counts of a night of this process."""
        ...

    def notes(self, conditions: str) -> QuietNotes | None:
        """The notes of quiet people; None while a job that was stopped is not finished."""
        ...

    def save(self, report: NightReport) -> None:
        """Keep the report of a night.

        Raises:
            ConfigurationError, StoreError: it cannot be written.
        """
        ...


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

    def hold(self, scope: Scope, now: datetime, *, wait: float) -> AbstractContextManager[None]:
        """Hold one person's night for a block."""
        home = None if self._store.folder(scope) is None else self._home
        return hold_night(home, scope, now, wait=wait)

    def ledger(self, max_calls: int | None, timer: RetryTimer) -> CallLedger:
        """Begin the counts of a night of this process."""
        return LocalLedger(max_calls, timer)

    def notes(self, conditions: str) -> QuietNotes | None:
        """The notes of quiet people; None while a job that was stopped is not finished."""
        if JobFiles(self._home).unfinished():
            return None
        return QuietFiles(self._home, self._store, conditions)

    def save(self, report: NightReport) -> None:
        """Keep the report of a night."""
        self.reports.save(report)


def open_night_state(runtime: Runtime) -> NightState:
    """What the nights over the runtime's memories share."""
    return FileNightState(runtime.settings.home, runtime.store)
