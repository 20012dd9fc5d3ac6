"""Errors as clients read them: problem details (RFC 9457), or OpenAI's form at OpenAI's paths.

Every refusal of the server is made here, from middleware and routes alike, so that one
failure has one status and one sentence. An answer that tells more than its sentence, a
traceback say, could tell another's words.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from siliconfriend.errors import (
    ConfigurationError,
    MemoryBusy,
    ModelUnavailable,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
    UnusableAnswer,
    UsageError,
)
from siliconfriend.models.output import clean
from siliconfriend.texts import Language, text

MEDIA_TYPE = "application/problem+json"
OPENAI_PATHS = ("/v1/models", "/v1/chat/completions", "/v1/embeddings")
RETRY_SECONDS = 1
"""After how long a request that met a busy store or server may come again."""

_LOG = logging.getLogger(__name__)
_MISSING_KEYS = frozenset({"memory_unknown", "companion_unknown", "night_unknown"})
"""Keys of usage errors that say that something is not there."""


class Problem(BaseModel):
    """A problem as RFC 9457 describes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:siliconfriend:problem:unknown_person",
                    "title": "Not Found",
                    "status": 404,
                    "detail": "Nothing is remembered of Ada.",
                    "code": "unknown_person",
                }
            ]
        }
    )
    type: str = Field(description="Names the kind of problem; ends with `code`.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence for a person: what happened and what to do.")
    code: str = Field(description="A name for programs, which does not change.")
    errors: list[dict[str, Any]] | None = Field(
        default=None, description="Of an invalid request: where and what."
    )


@dataclass
class ProblemError(Exception):
    """A request that is refused.

    Attributes:
        status: of the answer.
        code: names the sentence in ``texts/*/server.toml``, ``problems``.
        details: the values the sentence names.
        headers: of the answer.
        param: of OpenAI's form, the parameter that is wrong.
    """

    status: int
    code: str
    details: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str | None = None

    def message(self, language: Language) -> str:
        """The sentence for a person."""
        return text("server", f"problems.{self.code}", language, **self.details)


def error_response(
    path: str,
    status: int,
    code: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[Mapping[str, Any]] | None = None,
    param: str | None = None,
) -> JSONResponse:
    """Build the answer to a request that failed, in the form that its path's clients read."""
    detail = clean(detail)  # it may quote half a character, which no answer can hold
    if is_openai(path):
        body = openai_error(status, code, detail, param)
        return JSONResponse(body, status, dict(headers or {}))
    problem = Problem(
        type=f"urn:siliconfriend:problem:{code}",
        title=_TITLES.get(status, "Error"),
        status=status,
        detail=detail,
        code=code,
        errors=None if errors is None else [dict(error) for error in errors],
    )
    body = problem.model_dump(exclude_none=True)
    return JSONResponse(body, status, dict(headers or {}), media_type=MEDIA_TYPE)


def is_openai(path: str) -> bool:
    """True for a path whose clients read OpenAI's form."""
    return path in OPENAI_PATHS or path.startswith(f"{OPENAI_PATHS[0]}/")


def openai_error(status: int, code: str, detail: str, param: str | None = None) -> dict[str, Any]:
    """An error in OpenAI's form."""
    kind = _openai_type(status)
    return {"error": {"message": detail, "type": kind, "param": param, "code": code}}


def problem_of(error: Exception, language: Language) -> tuple[int, str, str]:
    """The status, the code and the sentence of an error of the library or of a route."""
    if isinstance(error, ProblemError):
        return error.status, error.code, error.message(language)
    if isinstance(error, SiliconFriendError):
        return _status_of(error), error.key, error.message(language)
    return 500, "unexpected", text("server", "problems.unexpected", language)


def response_to(error: Exception, path: str, language: Language) -> JSONResponse:
    """Build the answer to an error."""
    status, code, detail = problem_of(error, language)
    if status == 422 and is_openai(path):
        status = 400
    headers = dict(error.headers) if isinstance(error, ProblemError) else {}
    if status == 503:
        headers.setdefault("Retry-After", str(RETRY_SECONDS))
    param = error.param if isinstance(error, ProblemError) else None
    return error_response(path, status, code, detail, headers=headers, param=param)


def request_language(headers: Mapping[str, str], default: Language) -> Language:
    """The language a client asks its errors in."""
    wanted = headers.get("accept-language", "").strip().lower()
    if wanted.startswith("zh"):
        return "cn"
    return "en" if wanted.startswith("en") else default


def install(app: FastAPI, default: Language) -> None:
    """Have every error of a route answered in the form of its path."""

    def language(request: Request) -> Language:
        return request_language(request.headers, default)

    async def refuse(request: Request, error: Exception) -> JSONResponse:
        return response_to(error, request.url.path, language(request))

    async def refuse_invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        found = [
            {"where": [clean(str(part)) for part in it["loc"]], "what": clean(it["msg"])}
            for it in error.errors()
        ]
        first = found[0] if found else {"where": [], "what": ""}
        param = ".".join(first["where"][1:]) or None
        detail = text(
            "server",
            "problems.invalid",
            language(request),
            where=".".join(first["where"]),
            what=first["what"],
        )
        path = request.url.path
        status = 400 if is_openai(path) else 422
        return error_response(path, status, "invalid", detail, errors=found, param=param)

    async def refuse_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        codes = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
        code = codes.get(error.status_code, "bad_request")
        detail = text("server", f"problems.{code}", language(request))
        return error_response(
            request.url.path, error.status_code, code, detail, headers=error.headers
        )

    async def refuse_unexpected(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("a request failed", exc_info=error)
        return response_to(error, request.url.path, language(request))

    app.add_exception_handler(ProblemError, refuse)
    app.add_exception_handler(SiliconFriendError, refuse)
    app.add_exception_handler(RequestValidationError, refuse_invalid)
    app.add_exception_handler(HTTPException, refuse_http)
    app.add_exception_handler(Exception, refuse_unexpected)


def _status_of(error: SiliconFriendError) -> int:
    if isinstance(error, UnknownPerson) or error.key in _MISSING_KEYS:
        return 404
    for kind, status in _STATUSES:
        if isinstance(error, kind):
            return status
    return 500


def _openai_type(status: int) -> str:
    if status == 401:
        return "authentication_error"
    if status == 403:
        return "permission_error"
    if status == 429:
        return "rate_limit_error"
    return "invalid_request_error" if status < 500 else "server_error"


_STATUSES: tuple[tuple[type[SiliconFriendError], int], ...] = (
    (UsageError, 422),
    (ConfigurationError, 503),
    (MemoryBusy, 503),
    (StoreError, 503),
    (ModelUnavailable, 503),
    (UnusableAnswer, 502),
)
_TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
}
