"""Monitoring of the server: a JSON line for each request, and Prometheus metrics.

Neither holds a word of anybody: a person stands in a line by a hash of their name.
"""

import json
import re
import sys
import time
import uuid
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siliconfriend.memory.scope import person_hash
from siliconfriend.person.bank import STORE_SECONDS, MemoryBank
from siliconfriend.server.replies import Replies

REQUEST_ID = "X-Request-Id"
_ID = re.compile(r"[\w.:/+=-]{1,128}")
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
"""Upper limits in seconds of the histogram of latencies."""


class Metrics:
    """Counters of one server, and what is read when they are asked for."""

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
        self,
        scope: Scope,
        status: int,
        seconds: float,
        identifier: str,
        observed: dict[str, Any],
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


def _usage(bank: MemoryBank, key: str) -> int:
    usage = getattr(bank.chat, "usage", None)
    return int(getattr(usage, key, 0))
