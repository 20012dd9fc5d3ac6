"""How often somebody may try to log in, counted by where the tries come from.

Counted by name alone, anybody could shut a person out by guessing at their name; counted for
known names only, the answer would tell which names are known. So every try counts, for its
name at its address, and for its address.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Protocol

TRIES, ADDRESS_TRIES, WITHIN = 5, 20, 60.0
"""So many tries for one name from one address, and so many from one address for all names,
within so many seconds."""

MOST_COUNTED = 20_000
"""Counters that are kept; the one that was used longest ago goes first."""


class LoginLimits(Protocol):
    """Counts tries to log in; safe between threads."""

    def take(self, name: str, address: str) -> float:
        """Count a try before it is looked at, so that many at once do not pass the limit.

        Returns:
            0.0 if it may be made, else the seconds until the next one may; then it is not counted.
        """
        ...

    def forgive(self, name: str, address: str) -> None:
        """Forget the tries of somebody who has logged in."""
        ...


class LoginLimitsHere:
    """The tries of one process.

    Args:
        seconds: a clock that never goes back.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._tries: OrderedDict[tuple[str, ...], list[float]] = OrderedDict()

    def take(self, name: str, address: str) -> float:
        """Count a try, or return how many seconds it has to wait."""
        place = place_of(address)
        with self._lock:
            now = self._seconds()
            limits = (((place, name), TRIES), ((place,), ADDRESS_TRIES))
            recent = {key: self._recent(key, now) for key, _ in limits}
            waits = [
                recent[key][-most] + WITHIN - now
                for key, most in limits
                if len(recent[key]) >= most
            ]
            if waits:
                return max(waits)
            for key, times in recent.items():
                self._tries[key] = [*times, now]
                self._tries.move_to_end(key)
            while len(self._tries) > MOST_COUNTED:
                self._tries.popitem(last=False)
        return 0.0

    def forgive(self, name: str, address: str) -> None:
        """Forget the tries of somebody who has logged in."""
        place = place_of(address)
        with self._lock:
            slips = len(self._tries.pop((place, name), ()))
            if slips and (place,) in self._tries:
                del self._tries[place,][-slips:]

    def _recent(self, key: tuple[str, ...], now: float) -> list[float]:
        return [it for it in self._tries.get(key, ()) if now - it < WITHIN]


def place_of(address: str) -> str:
    """Return the address, of IPv6 the network of 64 bits that one household has to itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return (found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)).compressed
    return found.compressed
