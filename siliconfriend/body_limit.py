"""Bound the body of an HTTP request before it fills the memory of a server.

The web page and the HTTP server both read foreign bodies; one without a bound would let anybody
end them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
"""The next message of an ASGI request."""


def limit_body(
    receive: Receive, declared: str | None, most: int, *, refused: Exception, cut: Exception
) -> Receive:
    """Return a ``receive`` that gives out so many bytes of a body and no more.

    Args:
        receive: of the request.
        declared: its header ``Content-Length``; None where it has none.
        most: bytes.
        refused: raised here, where the header itself says too much or is no number.
        cut: raised while the body is read, where more of it comes.
    """
    if declared is not None and (not declared.isdecimal() or int(declared) > most):
        raise refused
    seen = 0

    async def counting() -> MutableMapping[str, Any]:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise cut
        return message

    return counting
