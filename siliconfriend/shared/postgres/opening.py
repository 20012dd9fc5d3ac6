"""The parts that front ends agree on, all over one database."""

from __future__ import annotations

from siliconfriend.memory.postgres.database import Database
from siliconfriend.shared.postgres.counting import LoginLimitRows, RateRows
from siliconfriend.shared.postgres.erasings import JobRows
from siliconfriend.shared.postgres.keys import KeyRows
from siliconfriend.shared.postgres.passwords import PasswordRows
from siliconfriend.shared.postgres.replicas import SeveralProcesses
from siliconfriend.shared.postgres.sessions import SessionRows
from siliconfriend.shared.state import SharedState


def state_in_postgres(database: Database, operator_key: str | None = None) -> SharedState:
    """Return what the front ends of one database agree on.

    Args:
        database: where the memories are too.
        operator_key: as the settings give it.
    """
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
