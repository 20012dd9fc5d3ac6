"""Open what front ends agree on, where the memories are; each side is imported only when it is the one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from siliconfriend.config import Settings
from siliconfriend.memory.factory import database_of
from siliconfriend.memory.store import MemoryStore
from siliconfriend.shared.state import SharedState

if TYPE_CHECKING:
    from siliconfriend.memory.postgres.database import Database


def open_shared_state(settings: Settings, store: MemoryStore) -> SharedState:
    """Open the shared state beside a store that the settings name."""
    database = database_of(settings, store)
    if database is not None:
        return state_in_postgres(database, settings.operator_key)
    return state_on_files(settings.home, settings.operator_key)


def state_on_files(home: Path, operator_key: str | None = None) -> SharedState:
    """Open that of one machine: files of the data directory, and counts of each process."""
    from siliconfriend.keys import KeyFile
    from siliconfriend.memory.jobs import JobFiles
    from siliconfriend.passwords import FILE_NAME as PASSWORDS
    from siliconfriend.passwords import PasswordFile
    from siliconfriend.shared.login_limits import LoginLimitsHere
    from siliconfriend.shared.replicas import OneProcess
    from siliconfriend.shared.request_rates import RatesHere
    from siliconfriend.shared.sessions import FILE_NAME as SESSIONS
    from siliconfriend.shared.sessions import SessionFile

    return SharedState(
        passwords=PasswordFile(home / PASSWORDS),
        keys=KeyFile(home, operator_key),
        sessions=lambda: SessionFile(home / SESSIONS),
        login_limits=LoginLimitsHere(),
        rates=RatesHere,
        jobs=JobFiles(home),
        replicas=OneProcess(),
    )


def state_in_postgres(database: Database, operator_key: str | None = None) -> SharedState:
    """Open that of many machines: rows of the database in which the memories are."""
    from siliconfriend.shared.postgres.counting import LoginLimitRows, RateRows
    from siliconfriend.shared.postgres.erasings import JobRows
    from siliconfriend.shared.postgres.keys import KeyRows
    from siliconfriend.shared.postgres.passwords import PasswordRows
    from siliconfriend.shared.postgres.replicas import SeveralProcesses
    from siliconfriend.shared.postgres.sessions import SessionRows

    return SharedState(
        passwords=PasswordRows(database),
        keys=KeyRows(database, operator_key),
        sessions=lambda: SessionRows(database),
        login_limits=LoginLimitRows(database),
        rates=lambda: RateRows(database),
        jobs=JobRows(database),
        replicas=SeveralProcesses(database),
        always_logs_in=True,
    )
