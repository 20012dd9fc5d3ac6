"""Translate the database's errors into errors that a person can act on.

The server's own words are passed on only as far as they name no row: a detail could hold
what somebody said.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Error, OperationalError, ProgrammingError, errors

from siliconfriend.errors import (
    ConfigurationError,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
)

_REFUSED = (
    ("password authentication failed", "database_password"),
    ("no password supplied", "database_password"),
    ('" does not exist', "database_missing"),
)
"""Words of a refusal, and how it is told. Before a session there is nothing else to go by."""

_FOR_NOW = ("starting up", "shutting down", "too many", "remaining connection slots", "recovery")
"""Words of one that ends by itself."""

LOST = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)
"""Errors by which the server ends a connection."""


@contextmanager
def translate_database_errors(place: str, wait: float) -> Iterator[None]:
    """Turn an error of the database within the block into one of ours.

    Args:
        place: host and name of the database, without a password.
        wait: seconds that were waited for a lock or a connection.

    Raises:
        ConfigurationError: the address, the password, or what the role may do is wrong.
        MemoryBusy: no connection became free, or the lock of something.
        StoreError: the database is not there, is full, is read-only, or failed in another way.
    """
    try:
        yield
    except Error as error:
        raise translate(error, place, wait) from error


def translate(error: Error, place: str, wait: float) -> SiliconFriendError:
    """Our error for one of the database; arguments as :func:`translate_database_errors`."""
    words = {"place": place, "cause": _words(error)}
    match error:
        case errors.LockNotAvailable():
            return MemoryBusy("database_busy", seconds=round(wait))
        case errors.DiskFull() | errors.OutOfMemory() | errors.ConfigurationLimitExceeded():
            return StoreError("database_full", **words)
        case errors.ReadOnlySqlTransaction():
            return StoreError("database_read_only", **words)
        case errors.InsufficientPrivilege():
            return ConfigurationError("database_forbidden", **words)
        case errors.TooManyConnections():
            return StoreError("database_unreachable", **words)
        case ProgrammingError() if error.sqlstate is None:
            return ConfigurationError("database_address", cause=_words(error))
        case OperationalError() if is_lost(error):
            return _unconnected(words)
    return StoreError("database_failed", **words)


def is_lost(error: Exception) -> bool:
    """True if the connection is gone, so that nobody was told how its transaction ended."""
    return isinstance(error, LOST) or (isinstance(error, OperationalError) and not error.sqlstate)


def _unconnected(words: dict[str, str]) -> SiliconFriendError:
    """The error to raise where no session began, or one ended."""
    said = words["cause"]
    for part, key in _REFUSED:
        if part in said:
            return ConfigurationError(key, **words)
    if "FATAL" in said and not any(it in said for it in _FOR_NOW):
        return ConfigurationError("database_refused", **words)
    return StoreError("database_unreachable", **words)


def _words(error: Exception) -> str:
    """The first line of what the database said; details, which can hold rows, are left out."""
    said = error.diag.message_primary if isinstance(error, Error) else None
    return (said or str(error) or type(error).__name__).strip().splitlines()[0]
