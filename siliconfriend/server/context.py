"""Who may ask a server what, whose memory a request may reach, and the parts of the server."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Annotated, Any

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Header, Path, Query, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from limits import RateLimitItem, parse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, SiliconFriendError, UnknownPerson, UsageError
from siliconfriend.installation.accounts import Caller, Keys
from siliconfriend.memory.scope import clean_name
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.nights import Nights
from siliconfriend.server.errors import ProblemError, request_language, response_to
from siliconfriend.server.replies import Replies
from siliconfriend.texts import Language

LONGEST_END = 10.0
"""Seconds that replies under way have to be kept when the server ends."""
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


class ServerContext:
    """The parts of the running server, opened once for everyone."""

    def __init__(self, bank: MemoryBank) -> None:
        self.bank = bank
        self.replies = Replies()
        self.nights = Nights(bank)

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.bank.settings

    def close(self) -> None:
        """End replies once they are kept, and the worker; a night can be resumed."""
        self.nights.close()
        self.replies.close(LONGEST_END)
        self.bank.close()

    def companions(self) -> list[str]:
        """List the names of all companions, that of the settings first."""
        return list(dict.fromkeys([self.settings.companion, *self.bank.companions.names()]))

    def reach(self, caller: Caller, name: str, companion: str | None = None) -> Person:
        """Return the person a caller names, if the caller may reach them.

        Raises:
            UnknownPerson: the name is another's than the key's; the same as for nobody's.
            UsageError: there is no such companion.
        """
        if not caller.is_operator:
            own = ""
            with suppress(RefusedName):
                own = clean_name(name)
            if own != caller.person:
                raise UnknownPerson("unknown_person", name=name)
        person = self.bank.person(name, companion)
        named = person.scope.companion
        is_known = named == self.settings.companion or person.is_known()
        if not is_known and not self.bank.companions.exists(named):
            raise UsageError("companion_unknown", name=named)
        return person

    def reach_asked(self, caller: Caller, name: str | None, companion: str | None = None) -> Person:
        """Reach a person; without a name the key's person, or that of the settings."""
        name = name or caller.person or self.settings.user
        if not name:
            raise ProblemError(422, "nobody_asked")
        return self.reach(caller, name, companion)


def get_context(request: Request) -> ServerContext:
    """Return the server's parts."""
    context: ServerContext = request.app.state.context
    return context


def get_caller(request: Request) -> Caller:
    """Return whose key the request came with."""
    caller: Caller = request.state.caller
    return caller


def get_language(request: Request) -> Language:
    """Return the language of errors for this client."""
    return request_language(request.headers, get_context(request).settings.language)


def require_operator(caller: Annotated[Caller, Depends(get_caller)]) -> None:
    """Refuse every key but the operator's."""
    if not caller.is_operator:
        raise ProblemError(403, "operator_only")


def refuse_unknown_parameters(request: Request) -> None:
    """Refuse parameters of the address that the path does not have, as fields of a body are."""
    known = get_flat_params(request.scope["route"].dependant)
    refuse_unknown(request.query_params, {field.alias for field in known})


def refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """Refuse the first of some parameters of an address that is not known."""
    for name in given:
        if name not in known:
            refused = {"loc": ("query", name), "msg": "Extra inputs are not permitted"}
            raise RequestValidationError([refused])


Context = Annotated[ServerContext, Depends(get_context)]
Asking = Annotated[Caller, Depends(get_caller)]
AskedLanguage = Annotated[Language, Depends(get_language)]
PersonName = Annotated[
    str, Path(description="The person's name.", examples=["Ada"], max_length=1000)
]
CompanionName = Annotated[
    str | None,
    Query(description="The companion; that of the settings unless given.", examples=["default"]),
]
IdempotencyKey = Annotated[
    str | None,
    Header(description="A request sent again with the same key is stored once.", max_length=200),
]


def get_reached(
    context: Context, caller: Asking, person: PersonName, companion: CompanionName = None
) -> Person:
    """Return the person whom the path names."""
    return context.reach(caller, person, companion)


def get_known(reached: Annotated[Person, Depends(get_reached)]) -> Person:
    """Return the person whom the path names, of whom something is remembered."""
    if not reached.is_known():
        raise UnknownPerson("unknown_person", name=reached.scope.person)
    return reached


Reached = Annotated[Person, Depends(get_reached)]
Known = Annotated[Person, Depends(get_known)]


def whose(person: Person) -> dict[str, Any]:
    """Return the fields of an answer that say whose memory it is, with whom."""
    return {"user": person.scope.person, "companion": person.scope.companion}
