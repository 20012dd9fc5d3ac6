"""Limit login attempts and requests.

Attempts count per name and address, and per address. Counting by name alone would let guesses lock
    a person out. Names and addresses are hashed, since a typed name may be a password by mistake.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address

from siliconfriend.installation.tables import Tables

TRIES, ADDRESS_TRIES, WITHIN = 5, 20, 60.0
"""Attempts per name and address, attempts per address, and the window in seconds."""

_COUNT = """
INSERT INTO attempt (name, times, until) VALUES (?, 1, ?)
ON CONFLICT (name) DO UPDATE SET times = attempt.times + 1 RETURNING times, until
"""


class Limits:
    """Counts events in a window that starts with the first; safe across threads and processes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def take_login(self, name: str, address: str) -> float:
        """Count a login attempt; return 0.0 if allowed, else the seconds to wait."""
        own, common = _names(name, address)
        return self._take({own: TRIES, common: ADDRESS_TRIES}, WITHIN)

    def forgive_login(self, name: str, address: str) -> None:
        """Delete the failed attempts of a name, and subtract them from its address's, after a login."""
        own, common = _names(name, address)
        with self._tables.write() as transaction:
            query = "DELETE FROM attempt WHERE name = ? RETURNING times"
            if (slips := transaction.one(query, (own,))) is not None:
                statement = "UPDATE attempt SET times = times - ? WHERE name = ?"
                transaction.execute(statement, (slips[0], common))

    def take_request(self, most: int, seconds: int, *who: str) -> int:
        """Count a request, limited to ``most`` within ``seconds``.

        Returns 0 if allowed, else the whole seconds to wait.
        """
        name = _hash("request", str(most), str(seconds), *who)
        return math.ceil(self._take({name: most}, seconds))

    def _take(self, limits: Mapping[str, int], seconds: float) -> float:
        """Increment each counter, up to the first that reached its limit."""
        now = self._tables.now()
        with self._tables.write() as transaction:
            transaction.execute("DELETE FROM attempt WHERE until <= ?", (now,))
            for name, most in limits.items():
                # A later end means that the clock was set back; another's clock may be a little ahead.
                values = (name, now + 2 * seconds)
                transaction.execute("DELETE FROM attempt WHERE name = ? AND until > ?", values)
                ((times, until),) = transaction.execute(_COUNT, (name, now + seconds))
                if times > most:
                    return float(until) - now
        return 0.0


def _place_of(address: str) -> str:
    """Return the address, for IPv6 its /64 network, which one household usually has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return (found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)).compressed
    return found.compressed


def _names(name: str, address: str) -> tuple[str, str]:
    place = _place_of(address)
    return _hash("log in", place, name), _hash("log in", place)


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
