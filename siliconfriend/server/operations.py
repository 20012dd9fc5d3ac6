"""Health, metrics, request logs, audit log, keys and tokens, for the operator.

Logs and metrics hold no words of people: a person appears as a hash of the name.
"""

import json
import logging
import re
import sys
import time
import uuid
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siliconfriend import __version__
from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import person_hash
from siliconfriend.person.bank import STORE_SECONDS, MemoryBank
from siliconfriend.server import schemas
from siliconfriend.server.access import AskingClient, Operator, Reached
from siliconfriend.server.errors import PROBLEMS
from siliconfriend.server.replies import Replies

public = APIRouter(tags=["server"], responses=PROBLEMS)
router = APIRouter(prefix="/v1", responses=PROBLEMS)
of_person = APIRouter(prefix="/v1/people/{person}", responses=PROBLEMS)
REQUEST_ID = "X-Request-Id"
_ID = re.compile(r"[\w.:/+=-]{1,128}")
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
"""Upper limits in seconds of the histogram of latencies."""


@public.head("/v1/health", include_in_schema=False)
@public.api_route("/health", methods=["GET", "HEAD"], include_in_schema=False)
@public.get("/v1/health")
async def health() -> schemas.Health:
    """Answer at once, without asking the store or the model; needs no key."""
    return schemas.Health(version=__version__)


@public.get("/ready", include_in_schema=False)
@public.get("/v1/ready")
def ready(client: AskingClient) -> Response:
    """Answer 503 with what is missing while the store, the model or the embedder fails; needs no key."""
    if missing := client.bank.missing():
        return JSONResponse({"missing": missing}, 503, {"Retry-After": "5"})
    return JSONResponse(schemas.Health(version=__version__).model_dump())


@public.get("/metrics", include_in_schema=False)
def metrics(_client: Operator, request: Request) -> Response:
    """Show the metrics in Prometheus' text format; for the operator's key."""
    written = request.app.state.metrics.text()
    return Response(written, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/audit", tags=["health"])
def audit(client: Operator) -> schemas.Audit:
    """List erasures, deletions, exports and key changes, newest first."""
    return schemas.Audit(entries=client.bank.installation.audit.entries())


@of_person.get("/keys", tags=["people"])
def list_keys(reached: Reached, client: Operator) -> schemas.PersonKeys:
    """List a person's keys by name, without their secrets. Only for the operator's key."""
    person = reached.scope.person
    return schemas.PersonKeys(user=person, keys=client.bank.installation.keys.of(person))


@of_person.post("/key", tags=["people"], status_code=201)
def make_key(
    reached: Reached, client: Operator, new: schemas.NewKey | None = None
) -> schemas.PersonKey:
    """Make a key of a person; earlier ones keep working. Only for the operator's key."""
    person, order = reached.scope.person, new or schemas.NewKey()
    made = client.bank.installation.keys.make_for(person, order.name, days=order.days)
    return schemas.PersonKey(user=person, key=made)


@of_person.delete("/key", tags=["people"], status_code=204)
def remove_key(
    reached: Reached,
    client: Operator,
    name: Annotated[str, Query(description="Only the key of this name.")] = "",
) -> None:
    """End a key of a person, or all of them. Only for the operator's key."""
    person = reached.scope.person
    if not client.bank.installation.keys.remove(person, name) and name:
        raise UsageError("key_nobody", name=person)


@of_person.get("/tokens", tags=["people"])
def show_tokens(client: AskingClient, reached: Reached) -> schemas.PersonTokens:
    """Show the tokens of replies to a person by day; those of a night are in its report."""
    person, bank = reached.scope.person, client.bank
    days = bank.installation.tokens.of(person)
    return schemas.PersonTokens(user=person, limit=bank.settings.tokens_a_day, days=days)


class Metrics:
    """Counters of one server, and gauges that are read on request."""

    def __init__(self, bank: MemoryBank, replies: Replies) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = self.registry = CollectorRegistry()
        self.requests = Counter(
            "siliconfriend_requests", "Requests.", ["method", "route", "status"], registry=registry
        )
        self.seconds = Histogram(
            *("siliconfriend_request_seconds", "Latency.", ["route"]),
            registry=registry,
            buckets=_BUCKETS,
        )
        self.errors = Counter(
            "siliconfriend_errors", "Errors by code.", ["code"], registry=registry
        )
        read_when_asked: dict[str, Callable[[], int]] = {
            "replies": lambda: len(replies),
            "replies_waiting": lambda: replies.waiting,
            "nights_waiting": bank.installation.nights_due,
            **{name: partial(lambda name: bank.counts()[name], name) for name in bank.counts()},
            "model_requests": lambda: _usage(bank, "calls"),
            "model_input_tokens": lambda: _usage(bank, "input_tokens"),
            "model_output_tokens": lambda: _usage(bank, "output_tokens"),
        }
        for name, read in read_when_asked.items():
            words = name.replace("_", " ").capitalize()
            Gauge(f"siliconfriend_{name}", f"{words}.", registry=registry).set_function(read)

    def text(self) -> bytes:
        """Write the metrics in Prometheus' text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry)


class Observer:
    """ASGI middleware that gives each request an id, times it, counts it and logs it.

    ``under`` is the path under which a proxy shows the server, whether or not it takes it away.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, *, logs: bool, under: str) -> None:
        self._app, self._metrics, self._logs, self._under = app, metrics, logs, under

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._under:
            scope["root_path"], path = self._under, scope["path"]
            scope["path"] = path if path.startswith(f"{self._under}/") else self._under + path
        given = Headers(scope=scope).get(REQUEST_ID, "")
        identifier = given if _ID.fullmatch(given) else uuid.uuid4().hex
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["observed"] = observed = dict[str, Any]()
        spent = list[float]()
        STORE_SECONDS.set(spent)
        status, began = 500, time.perf_counter()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = identifier
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            observed["store_ms"] = round(sum(spent) * 1000, 1)
            self._note(scope, status, time.perf_counter() - began, identifier, observed)

    def _note(
        self, scope: Scope, status: int, seconds: float, identifier: str, observed: dict[str, Any]
    ) -> None:
        route = getattr(scope.get("route"), "path", "") or "unknown"
        self._metrics.requests.labels(scope["method"], route, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if code := observed.get("error"):
            self._metrics.errors.labels(code).inc()
        if not self._logs:
            return
        caller = scope["state"].get("caller")
        person = getattr(caller, "person", None)
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request_id": identifier,
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            **({"person": person_hash(person)} if person else {}),
            **observed,
        }
        print(json.dumps(line), file=sys.stderr, flush=True)


class _JsonLine(logging.Formatter):
    """Writes a warning as a JSON line, like those of the requests."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": time, "level": record.levelname, "logger": record.name}
        return json.dumps({**line, "message": super().format(record)})


def log_warnings(*, as_json: bool) -> None:
    """Write the warnings of this process to standard error, also those of libraries.

    Must come before the MCP server is built, whose package would hide and wrap them.
    """
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_JsonLine() if as_json else plain)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _usage(bank: MemoryBank, key: str) -> int:
    usage = getattr(bank.chat, "usage", None)
    return int(getattr(usage, key, 0))
