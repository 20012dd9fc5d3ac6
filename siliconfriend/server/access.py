"""Check hosts, sites, keys and rates of requests before a body is read."""

from __future__ import annotations

from anyio import CapacityLimiter, to_thread
from limits import RateLimitItem, parse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.accounts import Caller, Keys
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server.errors import ProblemError, request_language, response_to

WRONG_KEYS = "60/minute"
"""Most wrong keys of an address before it has to wait."""
KEYS_AT_ONCE = 8
"""Keys that are looked up or counted at the same time, beside the threads of the routes."""
PUBLIC = frozenset(("/health", "/v1/health", "/ready", "/v1/ready", "/v1/openapi.json", "/docs"))
"""Paths that need no key: they tell nothing of anybody."""


class Gate:
    """ASGI middleware that lets a request through with its caller, or refuses it.

    Without ``keys`` everyone who reaches the server, which listens on ``host``, is the operator.
    """

    def __init__(self, app: ASGIApp, bank: MemoryBank, keys: Keys | None, host: str) -> None:
        settings, named = bank.settings, names_in(bank.settings.serve_hosts)
        self._app, self._keys, self._limits = app, keys, bank.runtime.installation.limits
        self._language = settings.language
        self._hosts = LOOPBACK | named if host in LOOPBACK or named else None
        self._origins = names_in(settings.serve_origins)
        self._rate = None if settings.rate_limit == "none" else parse(settings.rate_limit)
        self._wrong_keys = parse(WRONG_KEYS)
        self._threads = CapacityLimiter(KEYS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request here, and pass every other one on."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            try:
                self._check_origin(headers, scope["query_string"])
                if scope["path"] not in PUBLIC:
                    whose = (headers, (scope.get("client") or ("", 0))[0])
                    caller = await to_thread.run_sync(self._identify, *whose, limiter=self._threads)
                    scope.setdefault("state", {})["caller"] = caller
            except (ProblemError, SiliconFriendError) as refused:
                language = request_language(headers, self._language)
                await response_to(refused, scope["path"], language)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check_origin(self, headers: Headers, query: bytes) -> None:
        """Refuse hosts that are not this server's, pages of other sites, and unescaped queries."""
        if not query.isascii():
            raise ProblemError(400, "bad_request")
        host = headers.get("host", "")
        if self._hosts is not None and host_name(host) not in self._hosts:
            raise ProblemError(403, "host_refused")
        origin, forwarded = headers.get("origin"), headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(
            origin, host, forwarded_host=forwarded, allowed=self._origins
        ):
            raise ProblemError(403, "origin_refused")

    def _identify(self, headers: Headers, address: str) -> Caller:
        """Find who asks, and count their requests and wrong keys."""
        if self._keys is None:
            return Caller()
        kind, _, key = headers.get("authorization", "").partition(" ")
        is_key = kind.lower() == "bearer" and key.strip()
        caller = self._keys.identify(key.strip()) if is_key else None
        if caller is None:
            self._count(self._wrong_keys, "wrong key", address)
            raise ProblemError(401, "unauthorized", headers={"WWW-Authenticate": "Bearer"})
        if self._rate is not None and caller.person is not None:
            self._count(self._rate, "person", caller.person)
        return caller

    def _count(self, rate: RateLimitItem, *who: str) -> None:
        if wait := self._limits.take_request(rate.amount, rate.get_expiry(), *who):
            headers = {"Retry-After": str(wait)}
            raise ProblemError(429, "too_many_requests", {"seconds": wait}, headers=headers)


def names_in(written: str | None) -> frozenset[str]:
    """Return the names of a setting, which commas part."""
    return frozenset(part.strip() for part in (written or "").split(",") if part.strip())
