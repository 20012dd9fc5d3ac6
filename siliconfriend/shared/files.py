"""The shared state of one machine: files of the data directory, and counts of each process."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.keys import KeyFile
from siliconfriend.memory.jobs import JobFiles
from siliconfriend.passwords import FILE_NAME as PASSWORDS
from siliconfriend.passwords import PasswordFile
from siliconfriend.shared.login_limits import LoginLimitsHere
from siliconfriend.shared.replicas import OneProcess
from siliconfriend.shared.request_rates import RatesHere
from siliconfriend.shared.sessions import FILE_NAME as SESSIONS
from siliconfriend.shared.sessions import SessionFile
from siliconfriend.shared.state import SharedState


def state_on_files(home: Path, operator_key: str | None = None) -> SharedState:
    """Return what front ends of one data directory agree on.

    Args:
        home: the data directory.
        operator_key: as the settings give it.
    """
    return SharedState(
        passwords=PasswordFile(home / PASSWORDS),
        keys=KeyFile(home, operator_key),
        sessions=lambda: SessionFile(home / SESSIONS),
        login_limits=LoginLimitsHere(),
        rates=RatesHere,
        jobs=JobFiles(home),
        replicas=OneProcess(),
    )
