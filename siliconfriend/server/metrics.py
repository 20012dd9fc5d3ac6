"""Counts and times in Prometheus' format: how much is asked and how long it takes.

Labels hold templates of paths and never a name, an id or a word of anybody, since metrics
are read by whoever watches a machine and are kept for long.
"""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
UNKNOWN = "other"
"""Stands for paths that no route answers and methods that nobody knows: anyone can make up as
many as they like, and each would be a label for good."""


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "path", "status")
        self.requests = Counter(
            "siliconfriend_requests", "Requests answered.", labels, registry=self._registry
        )
        self.seconds = Histogram(
            "siliconfriend_request_seconds",
            "Seconds until an answer had ended, a stream with its last piece.",
            ("method", "path"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self.first_piece = Histogram(
            "siliconfriend_first_piece_seconds",
            "Seconds from a message to the first piece of its reply.",
            buckets=SECONDS,
            registry=self._registry,
        )
        self.replies = Counter(
            "siliconfriend_replies",
            "Messages to a companion: remembered, off the record, or a task of the client.",
            ("kind",),
            registry=self._registry,
        )
        self.tokens = Counter(
            "siliconfriend_tokens",
            "Tokens of prompts and answers, as counted or estimated.",
            ("direction",),
            registry=self._registry,
        )
        self.running = Gauge(
            "siliconfriend_replies_running", "Replies under way.", registry=self._registry
        )

    def render(self) -> bytes:
        """Write all metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class Measuring:
    """ASGI middleware that counts requests and times them.

    Args:
        app: the next ASGI application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            path = path_of(scope)
            method = scope["method"] if scope["method"] in METHODS else UNKNOWN
            metrics: Metrics = scope["app"].state.context.metrics
            metrics.requests.labels(method, path, str(status)).inc()
            metrics.seconds.labels(method, path).observe(time.perf_counter() - began)


def path_of(scope: Scope) -> str:
    """The template of the path that answered, with no name in it."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else UNKNOWN
