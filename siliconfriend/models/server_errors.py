"""Translate errors of a server into this program's; no sentence has a key, header or password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from urllib.parse import urlsplit

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer

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

    def unavailable(self, key: str, **details: object) -> ModelUnavailable:
        """Build the error ``key`` with the names of this server in it."""
        return ModelUnavailable(key, **{**asdict(self), "seconds": f"{self.seconds:g}"}, **details)

    def translate(self, error: Exception) -> ModelError:
        """Translate an error of the client library into one of this program."""
        import httpx2
        import openai

        if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            return self.unavailable("model_silent")
        if isinstance(error, openai.APIStatusError):
            wait = retry_after(error.response.headers)
            return self._by_status(error.status_code, error_text(error), wait)
        if isinstance(error, openai.APIConnectionError):
            error = error.__cause__ if isinstance(error.__cause__, Exception) else error
        if isinstance(error, openai.APIConnectionError | httpx2.ConnectError):
            return self.unavailable("model_unreachable")
        return self.unavailable("model_broke_off")

    def _by_status(self, status: int, said: str, wait: float | None) -> ModelError:
        key = _KEYS.get(status, "model_down" if status >= 500 else "model_rejected")
        if key == "model_busy" and "insufficient_quota" in said:
            key = "model_unpaid"
        if key == "model_rejected" and any(words in said.lower() for words in _TOO_LONG):
            key = "model_too_long"
        if key == "model_too_long":
            return UnusableAnswer(key, name=self.name)
        asks = "" if wait is None else ModelUnavailable("model_wait", wait=f"{wait:g}")
        return self.unavailable(key, status=status, retry_after=wait, asks=asks)


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
