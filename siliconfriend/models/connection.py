"""Requests to a server with OpenAI's API, and the JSON documents of its answers.

Servers stream in many forms: events with or without spaces and blank lines, JSON lines, or one
document. An error may come with a status, as a document of its own, or in the middle of a stream.
"""

from __future__ import annotations

import ipaddress
import json
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx2

MALFORMED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions raised by an unexpected response format."""
LONGEST_LINE = 4 * 1024 * 1024
"""Maximum bytes of a line; more indicates a runaway server."""
CONNECT_SECONDS = 10.0
_MESSAGES = ("message", "detail", "msg", "error_msg", "status_msg", "error", "base_resp", "errors")
"""Fields in which servers describe an error, the more exact first."""
_PASTED = re.compile(r"/+(?:(?:chat/)?completions|embeddings|models)?/*\Z")
"""Matches the end of an address that was copied with the path of a request."""


class ServerError(Exception):
    """An error that the server reported; ``status`` is 0 inside an answer that began well."""

    def __init__(self, status: int, body: object, headers: Mapping[str, str]) -> None:
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers


@cache
def ssl_context() -> ssl.SSLContext:
    """Load the certificates that servers are verified by, once for all clients."""
    import httpx2

    return httpx2.create_ssl_context()


def host_of(address: str) -> str:
    """Return the part of an address that may be shown: scheme, host and port."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def is_own_address(address: str) -> bool:
    """Return True for an address on this machine or in a private network."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".internal")) or "." not in host


def client_options(base_url: str, api_key: str | None, timeout: float) -> dict[str, Any]:
    """Return the options of an HTTP client for a server; ``timeout`` is the longest silence."""
    import httpx2

    return {
        "base_url": base_url,
        "headers": {"Authorization": f"Bearer {api_key or 'none'}"},
        "timeout": httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
        "follow_redirects": True,
        "verify": ssl_context(),
        # Requests to a local server must bypass the proxy.
        "trust_env": not is_own_address(base_url),
    }


def without_path_of_request(base_url: str) -> str:
    """Return an address without the path of a request that was copied with it."""
    return _PASTED.sub("", base_url)


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of a failed exchange, also of an answer in an unexpected form."""
    import httpx2

    return httpx2.HTTPError, httpx2.InvalidURL, ServerError, *MALFORMED


def parsed(response: httpx2.Response) -> dict[str, Any]:
    """Return the JSON of a whole answer; ServerError: it is an error, or no JSON."""
    body = _body(response.text)
    is_answer = response.is_success and not isinstance(body, str)
    return checked(body, 0 if is_answer else response.status_code, response.headers)


def checked(body: Any, status: int = 0, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a document of an answer; ServerError: it has an error's ``status``, or is an error."""
    is_answer = isinstance(body, dict) and not body.get("error")
    if status or not is_answer or not (body.get("choices") or not any(messages(body))):
        raise ServerError(status, body, headers or {})
    return body  # type: ignore[no-any-return]


async def documents(
    options: Mapping[str, Any], path: str, sent: Mapping[str, Any]
) -> AsyncGenerator[dict[str, Any] | None, None]:
    """Post a request and yield the JSON objects of the answer as they come; None at its end mark.

    Raises:
        ServerError: the server reported an error, or answered with no JSON.
        ValueError: a document breaks off.
    """
    import httpx2

    async with (
        httpx2.AsyncClient(**options) as client,
        client.stream("POST", path, json=sent) as response,
    ):
        if not response.is_success:
            await response.aread()
            parsed(response)
        other: list[str] = []
        async for line in _lines(response.aiter_bytes()):
            name, _, value = line.partition(":")
            value = line.strip() if name not in ("data", "error") else value.strip()
            if name in ("", "event", "id", "retry") or not value:
                continue
            if value == "[DONE]":
                yield None
            elif name == "data":
                yield checked(json.loads(value))
            elif name == "error":
                raise ServerError(0, _body(value), {})
            elif not other and isinstance(document := _body(line), dict):
                yield checked(document)
            else:
                other.append(line)
        if other:
            body = _body("\n".join(other))
            yield checked(body, response.status_code if isinstance(body, str) else 0)


def messages(body: object) -> Iterator[str]:
    """Yield the messages of an error, the more exact first."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, list):
        for part in body:
            yield from messages(part)
    elif isinstance(body, dict):
        for name in _MESSAGES:
            yield from messages(body.get(name))


def _body(text: str) -> object:
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """Yield the lines that are not empty; only CR and LF end a line, unlike in ``str.splitlines``."""
    rest = b""
    async for piece in pieces:
        *lines, rest = re.split(rb"[\r\n]", rest + piece)
        for line in filter(None, lines):
            yield _decoded(line)
        if len(rest) > LONGEST_LINE:
            raise ValueError
    if rest:
        yield _decoded(rest)


def _decoded(line: bytes) -> str:
    """Decode a line; halves of a character may come in two events."""
    try:
        return line.decode("utf-8", "surrogatepass").lstrip("\ufeff")
    except UnicodeDecodeError:
        return line.decode(errors="replace").lstrip("\ufeff")
