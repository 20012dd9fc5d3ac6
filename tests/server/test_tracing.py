"""Traces: a span a request, which continues the client's trace and names nobody."""

from __future__ import annotations

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from siliconfriend.config import Settings
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.server.serving import serving

PARENT = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Where the spans of this test go."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def test_a_request_is_a_span(
    settings: Settings, clock: MovingClock, spans: InMemorySpanExporter
) -> None:
    """Named by the template of its path, within the trace of the client."""
    with serving(Runtime(settings, clock)) as server, server.client() as client:
        headers = {"traceparent": f"00-{PARENT}-b7ad6b7169203331-01"}
        client.post("/v1/people/Ada/chat", json={"message": "Hello."}, headers=headers)
    (span,) = spans.get_finished_spans()
    assert span.name == "POST /v1/people/{person}/chat"
    assert span.context is not None
    assert f"{span.context.trace_id:032x}" == PARENT
    assert dict(span.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/v1/people/{person}/chat",
        "http.response.status_code": 200,
    }
    assert "Ada" not in span.to_json()
