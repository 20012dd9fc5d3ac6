"""Authenticate requests and decide which person's memory a request may reach."""

import hashlib
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Header, Path, Query, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from limits import RateLimitItem, parse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from siliconfriend.errors import RefusedName, SiliconFriendError, UnknownPerson
from siliconfriend.installation.accounts import Caller, Keys
from siliconfriend.installation.audit import ACTOR
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.base import Usage
from siliconfriend.origins import LOOPBACK, host_name, is_own_origin
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.nights import Nights
from siliconfriend.server.errors import ProblemError, own_path, request_language, response_to
from siliconfriend.server.replies import Replies, respond

MOST_BYTES = 8 * 2**20
"""Maximum bytes of a request's body; a client's history of years takes a few megabytes."""
MOST_IMPORT_BYTES = 256 * 2**20
"""Maximum bytes of an import, which holds whole memories."""
WRONG_KEYS = "60/minute"
"""Limit of wrong keys from one address; further requests have to wait."""
PUBLIC = frozenset(("/health", "/v1/health", "/ready", "/v1/ready", "/v1/openapi.json", "/docs"))
"""Paths that need no key; their answers contain no personal data."""


class Gate:
    """ASGI middleware that identifies the caller of a request, or refuses the request.

    The server listens on ``host``; without ``keys`` every caller is the operator.
    """

    def __init__(self, app: ASGIApp, bank: MemoryBank, keys: Keys | None, host: str) -> None:
        settings = bank.settings
        named = frozenset(map(host_name, names_in(settings.serve_hosts)))
        self._app, self._keys, self._limits = app, keys, bank.installation.limits
        self._language = settings.language
        self._hosts = LOOPBACK | named if host in LOOPBACK or named else None
        self._origins = names_in(settings.serve_origins)
        self._rate = None if settings.rate_limit == "none" else parse(settings.rate_limit)
        self._wrong_keys = parse(WRONG_KEYS)
        self._threads = CapacityLimiter(8)  # beside the threads of the routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request here, and pass every other one on."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            try:
                self._check(headers, scope)
                caller = Caller("")
                if own_path(scope) not in PUBLIC:
                    whose = (headers, (scope.get("client") or ("", 0))[0])
                    caller = await to_thread.run_sync(self._identify, *whose, limiter=self._threads)
                scope.setdefault("state", {})["caller"] = caller
                ACTOR.set("person" if caller.person else "operator")
            except (ProblemError, SiliconFriendError) as refused:
                language = request_language(headers, self._language)
                await response_to(refused, own_path(scope), language)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, headers: Headers, scope: Scope) -> None:
        """Refuse foreign hosts and sites, bodies that are too large, and queries that are not ASCII."""
        if not scope["query_string"].isascii():
            raise ProblemError(400, "bad_request")
        limit = MOST_IMPORT_BYTES if scope["path"].endswith("/import") else MOST_BYTES
        if int(headers.get("content-length", 0)) > limit:
            raise ProblemError(413, "too_large")
        host = headers.get("host", "")
        if self._hosts is not None and host_name(host) not in self._hosts:
            raise ProblemError(403, "host_refused")
        origin, forwarded = headers.get("origin"), headers.get("x-forwarded-host")
        if origin is not None and not is_own_origin(
            origin, host, forwarded_host=forwarded, allowed=self._origins
        ):
            raise ProblemError(403, "origin_refused")

    def _identify(self, headers: Headers, address: str) -> Caller:
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
    """Split a setting at its commas into names in lower case."""
    parts = (written or "").lower().split(",")
    return frozenset(part.strip() for part in parts if part.strip())


class Client:
    """The sender of a request, with the parts of the server that they may use."""

    def __init__(self, request: Request) -> None:
        parts = request.app.state
        self.bank: MemoryBank = parts.bank
        self.nights: Nights = parts.nights
        self.replies: Replies = parts.replies
        self.caller: Caller = request.state.caller
        self.observed: dict[str, Any] = request.state.observed
        self.path, self.headers = own_path(request.scope), request.headers
        self.respond = partial(respond, self.replies, request.receive, observed=self.observed)
        self.language = request_language(request.headers, self.bank.settings.language)

    def note_tokens(self, used: Usage) -> None:
        """Note the tokens of a model for the log."""
        if used.input_tokens or used.output_tokens:
            counts = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
            self.observed |= counts

    def describe(self, error: Exception) -> str:
        """Describe an error as JSON, for a response whose status is already sent."""
        return bytes(response_to(error, self.path, self.language).body).decode()

    def companions(self) -> list[str]:
        """List the companions that the sender may talk to, that of the settings first."""
        known = self.bank.companion_names(self.caller.person)
        return list(dict.fromkeys([self.bank.settings.companion, *known]))

    def reach(self, name: str | None, companion: str | None = None) -> Person:
        """Return the person of this name, else of the key or of the settings.

        Raises:
            UnknownPerson: the key belongs to another person; same error as for unknown names.
            ProblemError, UsageError: the request names no person, or an unknown companion.
        """
        name = name or self.caller.person or self.bank.settings.user
        if not name:
            raise ProblemError(422, "nobody_asked")
        if not self.caller.is_operator:
            own = ""
            with suppress(RefusedName):
                own = clean_name(name)
            if own != self.caller.person:
                raise UnknownPerson("unknown_person", name=name)
        person = self.bank.person(name, companion)
        if not person.is_known():
            self.check_companion(person.scope.companion)
        return person

    def check_companion(self, name: str) -> None:
        """Raise UsageError if the sender may not talk to a companion of this name."""
        if name != self.bank.settings.companion:
            self.bank.check_companion(name, self.caller.person)


AskingClient = Annotated[Client, Depends(Client)]


def get_operator(client: AskingClient) -> Client:
    """Return the sender of the request, if it came with the operator's key."""
    if not client.caller.is_operator:
        raise ProblemError(403, "operator_only")
    return client


Operator = Annotated[Client, Depends(get_operator)]


def refuse_unknown_parameters(request: Request) -> None:
    """Refuse unknown query parameters, as unknown fields of a body are refused."""
    known = get_flat_params(request.scope["route"].dependant)
    refuse_unknown(request.query_params, {field.alias for field in known})


def refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """Refuse the first unknown query parameter by its name."""
    for name in given:
        if name not in known:
            refused = {"loc": ("query", name), "msg": "Extra inputs are not permitted"}
            raise RequestValidationError([refused])


IdempotencyKey = Annotated[
    str | None,
    Header(description="A request sent again with the same key is stored once.", max_length=200),
]


def get_source(request: Request, idempotency_key: IdempotencyKey = None) -> str:
    """Return the id of a request; every process recognizes a repeat by it."""
    sent = f"{request.url.path.rpartition('/')[2]} {idempotency_key}"
    return hashlib.sha256(sent.encode()).hexdigest()[:16] if idempotency_key else ""


def get_reached(
    client: AskingClient,
    person: Annotated[str, Path(max_length=1000, examples=["Ada"])],
    companion: Annotated[
        str | None, Query(description="That of the settings unless given.", examples=["default"])
    ] = None,
) -> Person:
    """Return the person in the path."""
    return client.reach(person, companion)


def get_known(reached: Annotated[Person, Depends(get_reached)]) -> Person:
    """Return the person in the path; UnknownPerson: nothing is remembered of them."""
    if not reached.is_known():
        raise UnknownPerson("unknown_person", name=reached.scope.person)
    return reached


Reached = Annotated[Person, Depends(get_reached)]
KnownPerson = Annotated[Person, Depends(get_known)]
RequestSource = Annotated[str, Depends(get_source)]
