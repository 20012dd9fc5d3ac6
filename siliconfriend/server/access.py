"""Check hosts, sites, keys and rates of requests before a body is read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import anyio.to_thread
from limits import RateLimitItem, parse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from siliconfriend.config import Settings
from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.accounts import Caller, Keys
from siliconfriend.installation.limits import Limits
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.server.errors import ProblemError, request_language, response_to
from siliconfriend.texts import Language

WRONG_KEYS = "60/minute"
"""Most wrong keys of an address before it has to wait."""
KEYS_AT_ONCE = 8
"""Keys that are looked up or counted at the same time, beside the threads of the routes."""
PUBLIC = frozenset(("/health", "/v1/health", "/ready", "/v1/ready", "/v1/openapi.json", "/docs"))
"""Paths that need no key: they tell nothing of anybody."""


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one server."""

    keys: Keys | None
    """None where everyone who reaches the server is the operator."""
    hosts: Collection[str] | None = LOOPBACK
    """Names in the Host header that are answered; None for any."""
    origins: Collection[str] = ()
    """Sites whose pages may ask."""
    rate: str | None = None
    """Rate limit of a person; None for any number."""

    @classmethod
    def of(cls, settings: Settings, host: str, keys: Keys | None) -> Access:
        """Return the rules of the settings for a server that listens on ``host``."""
        named = _parts(settings.serve_hosts)
        return cls(
            keys=keys,
            hosts=LOOPBACK | named if host in LOOPBACK or named else None,
            origins=_parts(settings.serve_origins),
            rate=None if settings.rate_limit == "none" else settings.rate_limit,
        )


class Gate:
    """ASGI middleware that lets a request through with its caller, or refuses it."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits, language: Language) -> None:
        self._app, self._access, self._limits = app, access, limits
        self._language = language
        self._threads = anyio.CapacityLimiter(KEYS_AT_ONCE)
        self._rate = None if access.rate is None else parse(access.rate)
        self._wrong_keys = parse(WRONG_KEYS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request here, and pass every other one on."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            try:
                self._check_origin(headers, scope["query_string"])
                if scope["path"] not in PUBLIC:
                    address = (scope.get("client") or ("", 0))[0]
                    caller = await self._identify(headers, address)
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
        if self._access.hosts is not None and host_name(host) not in self._access.hosts:
            raise ProblemError(403, "host_refused")
        origin, forwarded = headers.get("origin"), headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(
            origin, host, forwarded_host=forwarded, allowed=self._access.origins
        ):
            raise ProblemError(403, "origin_refused")

    async def _identify(self, headers: Headers, address: str) -> Caller:
        """Find who asks, and count their requests and wrong keys."""
        if self._access.keys is None:
            return Caller()
        kind, _, key = headers.get("authorization", "").partition(" ")
        caller = None
        if kind.lower() == "bearer" and key.strip():
            caller = await anyio.to_thread.run_sync(
                self._access.keys.identify, key.strip(), limiter=self._threads
            )
        if caller is None:
            await self._count(self._wrong_keys, "wrong key", address)
            raise ProblemError(401, "unauthorized", headers={"WWW-Authenticate": "Bearer"})
        if self._rate is not None and caller.person is not None:
            await self._count(self._rate, "person", caller.person)
        return caller

    async def _count(self, rate: RateLimitItem, *who: str) -> None:
        take, most = self._limits.take_request, rate.amount
        if wait := await anyio.to_thread.run_sync(
            take, most, rate.get_expiry(), *who, limiter=self._threads
        ):
            headers = {"Retry-After": str(wait)}
            raise ProblemError(429, "too_many_requests", {"seconds": wait}, headers=headers)


def _parts(written: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (written or "").split(",") if part.strip())
