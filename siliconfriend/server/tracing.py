"""Traces by OpenTelemetry, where it is installed: a span a request.

Nothing is sent anywhere unless the operator sets OpenTelemetry up, with
``opentelemetry-instrument siliconfriend serve`` say. As in the metrics, no name and no word
of anybody stands in a span.
"""

from __future__ import annotations

from importlib.util import find_spec

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siliconfriend.server.metrics import path_of


def is_installed() -> bool:
    """True if OpenTelemetry's API can be imported."""
    return find_spec("opentelemetry") is not None


class Tracing:
    """ASGI middleware that makes a span of each request.

    Args:
        app: the next ASGI application.
    """

    def __init__(self, app: ASGIApp) -> None:
        from opentelemetry import trace

        self._app = app
        self._tracer = trace.get_tracer("siliconfriend.server")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on within a span that continues the client's trace."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from opentelemetry import propagate, trace

        parent = propagate.extract(dict(Headers(scope=scope)))
        kind = trace.SpanKind.SERVER
        with self._tracer.start_as_current_span(scope["method"], parent, kind) as span:

            async def noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    path = path_of(scope)
                    span.update_name(f"{scope['method']} {path}")
                    span.set_attribute("http.request.method", scope["method"])
                    span.set_attribute("http.route", path)
                    span.set_attribute("http.response.status_code", message["status"])
                await send(message)

            await self._app(scope, receive, noting)
