"""What nights on any number of machines share, in the database where the memories are."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from siliconfriend.memory.jobs import Jobs
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.call_ledger import RetryTimer
from siliconfriend.night.night_lock import Held
from siliconfriend.night.postgres.call_rows import CallRows
from siliconfriend.night.postgres.night_hold import LONGEST_SILENCE, hold_in_database
from siliconfriend.night.postgres.quiet_rows import QuietRows
from siliconfriend.night.postgres.report_rows import ReportRows
from siliconfriend.night.quiet_notes import QuietNotes
from siliconfriend.night.report import NightReport


@dataclass(frozen=True, slots=True)
class NightRow:
    """A night whose report becomes rows.

    Attributes:
        number: of its own row.
        reports: where the report is kept.
        ledger: what is counted of its calls.
    """

    number: int
    reports: ReportRows
    ledger: CallRows

    def save(self, report: NightReport) -> None:
        """Keep its report."""
        self.reports.save(self.number, report)


class PostgresNightState:
    """What nights share, in a database.

    Args:
        database: where the memories are.
        jobs: those that may have been stopped.
        silence: how long a hold on a person outlasts its holder's last word.

    Attributes:
        reports: the reports of the last nights.
    """

    def __init__(
        self, database: Database, jobs: Jobs, silence: timedelta = LONGEST_SILENCE
    ) -> None:
        self.reports = ReportRows(database)
        self._database = database
        self._jobs = jobs
        self._silence = silence

    def begin(self, model: str, max_calls: int | None, timer: RetryTimer) -> NightRow:
        """Begin a night of this process; its calls are counted where those of workers are."""
        statement = "INSERT INTO siliconfriend.night (max_calls) VALUES (%s) RETURNING id"
        with self._database.transaction() as connection:
            row = connection.execute(statement, (max_calls,)).fetchone()
        assert row is not None
        return NightRow(row[0], self.reports, CallRows(self._database, row[0], model))

    def hold(self, scope: Scope, now: datetime, *, wait: float) -> AbstractContextManager[Held]:
        """Hold one person's night for a block."""
        return hold_in_database(self._database, scope, now, wait=wait, silence=self._silence)

    def notes(self, conditions: str) -> QuietNotes | None:
        """The notes of quiet people; None while a job that was stopped is not finished."""
        if self._jobs.unfinished():
            return None
        return QuietRows(self._database, conditions)
