"""Who may come in: hosts, sites, keys and how often.

Everything that is refused before a route sees a request is refused by these rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import anyio.to_thread
from limits import RateLimitItem, parse

from siliconfriend.config import Settings
from siliconfriend.keys import Caller, Keys
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.server.problems import ProblemError
from siliconfriend.shared.request_rates import RequestRates

WRONG_KEYS = "60/minute"
"""How many wrong keys an address may show before it is told to wait."""
KEYS_AT_ONCE = 8
"""Keys that are looked up at the same time, beside the threads of the routes."""


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one server.

    Attributes:
        keys: the keys; None where everyone who reaches the server is the operator.
        hosts: names in the Host header that are answered; None for any.
        origins: sites whose pages may ask.
        rate: how many requests a person may make; None for any number.
    """

    keys: Keys | None
    hosts: Collection[str] | None = LOOPBACK
    origins: Collection[str] = ()
    rate: str | None = None

    @classmethod
    def of(cls, settings: Settings, host: str, keys: Keys | None) -> Access:
        """The rules of the settings for a server that listens on ``host``."""
        named = _parts(settings.serve_hosts)
        is_near = host in LOOPBACK
        return cls(
            keys=keys,
            hosts=LOOPBACK | named if is_near or named else None,
            origins=_parts(settings.serve_origins),
            rate=None if settings.rate_limit == "none" else settings.rate_limit,
        )


class Doorkeeper:
    """Lets requests in by the rules, and counts them.

    Args:
        access: the rules.
        rates: counts requests.
    """

    def __init__(self, access: Access, rates: RequestRates) -> None:
        self._access, self._rates = access, rates
        self._looking = anyio.CapacityLimiter(KEYS_AT_ONCE)
        self._rate = None if access.rate is None else parse(access.rate)
        self._wrong_keys = parse(WRONG_KEYS)

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Refuse hosts that are not this server's, and pages of other sites.

        Raises:
            ProblemError: it is one of those.
        """
        host = headers.get("host", "")
        if self._access.hosts is not None and host_name(host) not in self._access.hosts:
            raise ProblemError(403, "host_refused")
        origin, forwarded = headers.get("origin"), headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(
            origin, host, forwarded_host=forwarded, allowed=self._access.origins
        ):
            raise ProblemError(403, "origin_refused")

    async def identify(self, headers: Mapping[str, str], address: str) -> Caller:
        """Find who asks.

        Raises:
            ProblemError: there is no key or a wrong one, or too many requests came.
        """
        if self._access.keys is None:
            return Caller()
        kind, _, key = headers.get("authorization", "").partition(" ")
        caller = None
        if kind.lower() == "bearer" and key.strip():
            caller = await anyio.to_thread.run_sync(
                self._access.keys.identify, key.strip(), limiter=self._looking
            )
        if caller is None:
            await self._count(self._wrong_keys, "wrong key", address)
            raise ProblemError(401, "unauthorized", headers={"WWW-Authenticate": "Bearer"})
        if self._rate is not None and caller.person is not None:
            await self._count(self._rate, "person", caller.person)
        return caller

    async def _count(self, rate: RateLimitItem, *who: str) -> None:
        if wait := await self._rates.take(rate.amount, rate.get_expiry(), *who):
            raise ProblemError(
                429, "too_many_requests", {"seconds": wait}, headers={"Retry-After": str(wait)}
            )


def _parts(written: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (written or "").split(",") if part.strip())
