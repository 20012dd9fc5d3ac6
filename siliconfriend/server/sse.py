"""Server-sent events: the pieces of a reply, or the steps of a night, as they come."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi.responses import StreamingResponse

MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE = ": still here\n\n"
"""A comment, which clients pass over: proxies hang up where nothing comes for long."""

EVENT = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
    "required": ["data"],
}
"""One event, as the OpenAPI document describes it; ``data`` is JSON."""

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event(data: Mapping[str, Any] | str, name: str = "", identifier: str = "") -> str:
    """Write one event; ``data`` is JSON unless it is text.

    ``identifier`` is what a client names when it asks for what came after the event.
    """
    words = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = f"id: {identifier}\n" if identifier else ""
    head += f"event: {name}\n" if name else ""
    return f"{head}data: {words}\n\n"


def event_stream(events: AsyncIterator[str]) -> StreamingResponse:
    """Answer with a stream of events."""
    return StreamingResponse(events, media_type=MEDIA_TYPE, headers=_HEADERS)
