"""Translate errors of a server into this program's; no sentence has a key, header or password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer

if TYPE_CHECKING:
    from openai import APIStatusError

_KEYS = {
    401: "model_key",
    402: "model_unpaid",
    403: "model_key",
    404: "model_missing",
    408: "model_silent",
    413: "model_too_long",
    429: "model_busy",
}
_TOO_LONG = ("context length", "context size", "context window", "context_length", "too long")


def host_of(address: str) -> str:
    """Return the part of an address that may be shown: scheme, host and port."""
    parts = urlsplit(address)
    host = parts.hostname or address
    if ":" in host:
        host = f"[{host}]"
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


@dataclass(frozen=True, slots=True)
class Server:
    """A model's server as errors name it; ``seconds`` is how long it may stay silent."""

    name: str
    address: str
    seconds: float
    key_variable: str = "OPENAI_API_KEY"
    address_variable: str = "OPENAI_BASE_URL"

    def unavailable(
        self, key: str, retry_after: float | None = None, **details: object
    ) -> ModelUnavailable:
        """Build the error ``key`` with the names of this server in it."""
        names: dict[str, Any] = {**asdict(self), "seconds": f"{self.seconds:g}"}
        return ModelUnavailable(key, retry_after=retry_after, **names, **details)

    def translate(self, error: Exception) -> ModelError:
        """Translate an error of the client library into one of this program."""
        import httpx2
        import openai

        if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            return self.unavailable("model_silent")
        if isinstance(error, openai.APIStatusError):
            return self._by_status(error)
        if isinstance(error, openai.APIConnectionError):
            error = error.__cause__ if isinstance(error.__cause__, Exception) else error
        if isinstance(error, openai.APIConnectionError | httpx2.ConnectError):
            return self.unavailable("model_unreachable")
        return self.unavailable("model_broke_off")

    def _by_status(self, error: APIStatusError) -> ModelError:
        status, said = error.status_code, error_text(error)
        key = _KEYS.get(status, "model_down" if status >= 500 else "model_rejected")
        if status == 429 and "insufficient_quota" in said:
            key = "model_unpaid"
        is_too_long = key == "model_rejected" and any(it in said.lower() for it in _TOO_LONG)
        if is_too_long or key == "model_too_long":
            return UnusableAnswer("model_too_long", name=self.name)
        return self.unavailable(key, retry_after(error.response.headers), status=status)


def error_text(error: Exception) -> str:
    """Return the text of a server's refusal, to be searched and never shown."""
    return f"{getattr(error, 'param', '')} {getattr(error, 'code', '')} {error}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, by ``Retry-After-Ms`` or ``Retry-After``; None without."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if isfinite(seconds) else None
    return None
