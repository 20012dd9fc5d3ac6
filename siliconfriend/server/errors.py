"""Map errors to responses: problem details (RFC 9457), or OpenAI's form at its paths.

Middleware and routes share this map, so that one failure has one status and one sentence. No
response contains a traceback, which could quote another person's words.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import takewhile
from math import ceil
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from siliconfriend.errors import LimitReached, SiliconFriendError, UnusableAnswer, log_unforeseen
from siliconfriend.models.output import clean
from siliconfriend.texts import Language, sentences, text
from siliconfriend.threads import ReplyStopped

MEDIA_TYPE = "application/problem+json"
OPENAI_PATHS = ("/v1/models", "/v1/chat/completions", "/v1/responses", "/v1/embeddings")
RETRY_SECONDS = "1"
"""Seconds after which a client may retry when the store or the server is busy."""
_LOG = logging.getLogger(__name__)
_MISSING = frozenset(
    {"unknown_person", "memory_unknown", "companion_not_begun", "night_unknown", "key_nobody"}
)
"""Keys of usage errors about missing objects."""
_STATUSES = {1: 500, 2: 422, 3: 503, 4: 503, 5: 503, 6: 500}
"""HTTP statuses by the exit code of the error."""
_OPENAI_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in (400, 401, 403, 404, 413, 422, 429, 502, 503)
}
"""Error responses of every route that needs a key."""


class Problem(BaseModel):
    """A problem as RFC 9457 describes it."""

    type: str = Field(description="Names the kind of problem; ends with `code`.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What happened and what to do, in a sentence.")
    code: str = Field(description="A stable name for programs.")
    errors: list[dict[str, Any]] | None = Field(
        default=None, description="Each invalid value: where and why."
    )


class OpenAIError(BaseModel):
    """An error as OpenAI's clients read it."""

    error: dict[str, str | None]


@dataclass
class ProblemError(Exception):
    """A refused request, with the status and the headers of the response."""

    status: int
    code: str
    """Names the sentence in ``texts/sentences/server.toml``, ``problems``."""
    details: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str | None = None
    """The parameter that is wrong."""
    errors: list[dict[str, Any]] | None = None
    """Places and kinds of the invalid values of a request."""


def response_to(error: Exception, path: str, language: Language) -> JSONResponse:
    """Build the response to an error, in the form of the path's clients."""
    status, code, words = _describe(error, language)
    words = clean(words)  # it may quote half a surrogate pair, which JSON cannot encode
    told = error if isinstance(error, ProblemError) else ProblemError(status, code)
    wait = getattr(error, "retry_after", None)
    asked = RETRY_SECONDS if wait is None else str(max(1, ceil(wait)))
    headers = {"Retry-After": asked} if status in (429, 503) and code != "model_key" else {}
    headers |= told.headers
    if path in OPENAI_PATHS or path.startswith(f"{OPENAI_PATHS[0]}/"):
        status = 400 if status == 422 else status
        usual = "invalid_request_error" if status < 500 else "server_error"
        kind = _OPENAI_TYPES.get(status, usual)
        body = {"message": words, "type": kind, "param": told.param, "code": code}
        return JSONResponse({"error": body}, status, headers)
    kind, title = f"urn:siliconfriend:problem:{code}", HTTPStatus(status).phrase
    problem = {"type": kind, "title": title, "status": status, "detail": words, "code": code}
    problem |= {"errors": told.errors} if told.errors else {}
    return JSONResponse(problem, status, headers, media_type=MEDIA_TYPE)


def own_path(scope: Mapping[str, Any]) -> str:
    """Return the path of a request without the proxy's prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _describe(error: Exception, language: Language) -> tuple[int, str, str]:
    """Return an error's status, code and sentence; log it if the operator can mend it."""
    table = "problems"
    if isinstance(error, SiliconFriendError):
        if error.exit_code in (1, 3, 4, 5):
            _LOG.warning("%s: %s", error.key, error.for_log())
        status = 404 if error.key in _MISSING else _STATUSES[error.exit_code]
        status = 502 if isinstance(error, UnusableAnswer) else status
        status, code = 429 if isinstance(error, LimitReached) else status, error.key
        table = "over_http"  # errors whose own sentence names a terminal command
        if code not in sentences("server", language)[table]:
            return status, code, error.message(language)
    else:
        if isinstance(error, ReplyStopped):
            error = ProblemError(503, "stopping")
        if not isinstance(error, ProblemError):
            log_unforeseen(_LOG, "a request failed", error)
            error = ProblemError(500, "unexpected")
        status, code = error.status, error.code
    return status, code, text("server", f"{table}.{code}", language, **error.details)


def request_language(headers: Mapping[str, str], default: Language) -> Language:
    """Return the language in which a client wants its errors."""
    wanted = headers.get("accept-language", "").strip().lower()
    if wanted.startswith("zh"):
        return "cn"
    return "en" if wanted.startswith("en") else default


def install(app: FastAPI, default: Language) -> None:
    """Install handlers that answer errors in the form of the path."""

    async def refuse(request: Request, error: Exception) -> JSONResponse:
        if isinstance(error, RequestValidationError):
            error = _invalid(error)
        elif isinstance(error, HTTPException):
            code = _HTTP_CODES.get(error.status_code, "bad_request")
            error = ProblemError(error.status_code, code, headers=error.headers or {})
        language = request_language(request.headers, default)
        getattr(request.state, "observed", {})["error"] = getattr(
            error, "key", getattr(error, "code", "unexpected")
        )
        return response_to(error, own_path(request.scope), language)

    kinds = (ProblemError, SiliconFriendError, ReplyStopped, RequestValidationError, HTTPException)
    for kind in (*kinds, Exception):
        app.add_exception_handler(kind, refuse)


def _invalid(error: RequestValidationError) -> ProblemError:
    found = [
        {"where": clean(".".join(map(str, each["loc"]))), "what": clean(each["msg"])}
        for each in error.errors()
    ]
    place = map(str, error.errors()[0]["loc"][1:])
    # After a field with several types comes the type, which is not part of the name.
    param = ".".join(takewhile(re.compile(r"[\w-]+").fullmatch, map(clean, place))) or None
    return ProblemError(422, "invalid", found[0], param=param, errors=found)
