"""Answers to requests that cannot be read, so that no client waits for one for ever.

The SDK passes a line it cannot read on as an exception and answers nothing: half a character
in a text, lists in one another without end, no JSON at all. Whoever asked would
wait until their own patience ends.
"""

from __future__ import annotations

import json
import re

from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, RequestId
from pydantic import ValidationError

from siliconfriend.models.output import clean

_ID = re.compile(r'"id"\s*:\s*(-?(?:0|[1-9]\d{0,17})|"(?:[^"\\\x00-\x1f]|\\.){0,200}")\s*[,}]')
"""The id of a request, wherever in its line it stands."""


def answer_unreadable(error: Exception) -> SessionMessage | None:
    """Answer what could not be read with the protocol's error; None for what needs no answer."""
    line = _line_of(error)
    if line is None:
        return None
    try:
        form = json.loads(line)
    except (ValueError, RecursionError):
        return _error(_id_in(line), PARSE_ERROR, "This is no JSON that can be read.")
    if isinstance(form, dict) and "id" not in form:
        return None  # a notification, which nobody waits for
    message = "A text holds half a character, values are nested too deeply, or it is no request."
    return _error(_id_in(line), INVALID_REQUEST, message)


def _line_of(error: Exception) -> str | None:
    """The line that a parser of the SDK was given."""
    if not isinstance(error, ValidationError):
        return None
    given = error.errors(include_url=False, include_context=False)[0]["input"]
    if isinstance(given, bytes):
        return given.decode("utf-8", "replace")
    return given if isinstance(given, str) else json.dumps(given, default=str)


def _id_in(line: str) -> RequestId | None:
    found = _ID.search(line)
    if found is None:
        return None
    try:
        value: object = json.loads(found[1])
    except ValueError:  # an escape that is none
        return None
    return clean(value) if isinstance(value, str) else int(found[1])


def _error(identifier: RequestId | None, code: int, message: str) -> SessionMessage:
    data = ErrorData(code=code, message=message)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=identifier, error=data))
