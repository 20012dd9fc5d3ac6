"""Tries to log in and requests, counted over all processes by the database's own clock.

Names and addresses are kept as hashes: a name that was typed may be a password by mistake.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from datetime import timedelta

import anyio.to_thread

from siliconfriend.memory.postgres.database import Database
from siliconfriend.shared.login_limits import ADDRESS_TRIES, TRIES, WITHIN, place_of

COUNTED_AT_ONCE = 8
"""Requests that are counted at the same time, beside the threads of the routes."""


class LoginLimitRows:
    """The :class:`~siliconfriend.shared.login_limits.LoginLimits` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, name: str, address: str) -> float:
        """Count a try, or return how many seconds it has to wait."""
        own, common = _log_in_keys(name, address)
        return _take(self._database, {own: TRIES, common: ADDRESS_TRIES}, WITHIN)

    def forgive(self, name: str, address: str) -> None:
        """Forget the tries of somebody who has logged in."""
        with self._database.connection() as connection:
            keys = _log_in_keys(name, address)
            connection.execute("SELECT siliconfriend.forgive_attempts(%s, %s)", keys)


class RateRows:
    """The :class:`~siliconfriend.shared.request_rates.RequestRates` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counting = anyio.CapacityLimiter(COUNTED_AT_ONCE)

    async def take(self, most: int, seconds: int, *who: str) -> int:
        """Count a request, or return how many seconds it has to wait."""
        key = _key("request", str(most), str(seconds), *who)

        def take() -> float:
            return _take(self._database, {key: most}, seconds)

        return math.ceil(await anyio.to_thread.run_sync(take, limiter=self._counting))


def _take(database: Database, limits: Mapping[str, int], seconds: float) -> float:
    with database.connection() as connection:
        row = connection.execute(
            "SELECT siliconfriend.take_attempt(%s, %s, %s)",
            (list(limits), list(limits.values()), timedelta(seconds=seconds)),
        ).fetchone()
    return 0.0 if row is None else float(row[0])


def _log_in_keys(name: str, address: str) -> tuple[str, str]:
    """The keys of a name at an address, and of the address."""
    place = place_of(address)
    return _key("log in", place, name), _key("log in", place)


def _key(*parts: str) -> str:
    words = json.dumps(parts).encode()
    return hashlib.sha256(words).hexdigest()
