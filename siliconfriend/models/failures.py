"""Translate the failures of a model's server into errors of this program.

Vendors report the same failure in many ways. The status and the code decide if they are clear, else
patterns of the message; other errors show the server's message. Errors never contain a key, header
or password.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer

LONGEST_SAID = 200
"""Most characters of the server's message in an error."""
_BY_STATUS = {
    401: "model_key",
    402: "model_unpaid",
    403: "model_key",
    404: "model_missing",
    408: "model_silent",
    413: "model_too_long",
    429: "model_busy",
    503: "model_down",
    529: "model_busy",
}
_FINISHED = frozenset(("stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token")) | {
    *("complete", "tool_calls", "function_call", "tool_use")
}
"""Finish reasons of a whole answer, in lower case; an unknown one means that it broke off."""
_LIMITED = frozenset(("length", "max_tokens", "max_output_tokens", "model_length", "max_length"))
_FILTERED = frozenset(("content_filter", "safety", "sensitive", "refusal", "recitation")) | {
    *("blocklist", "prohibited_content", "spii")
}
_SIZE = r"(?:context|prompt|input|tokens?|max_tokens|num_ctx|messages?|completion)"
_EXCEEDS = (
    r"(?:length|exceed|too (?:long|large|many|big)|maximum|less than|at most|at least 1|limit|range of"
    r"|max input|reduce)"
)
_UNPAID = re.compile(
    r"insufficient.{0,3}(?:quota|balance|funds|credit)|balance.{0,12}(?:insufficient|not enough)"
    r"|arrear|good standing|overdue|out of credit|recharge|top.?up|余额|欠费|充值|\b1113\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"content.?(?:filter|policy|management)|data.?inspection|inappropriate|unsafe|safety"
    r"|sensitive (?:content|word|information)|敏感|不安全|违规|\b1301\b",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(rf"{_SIZE}.{{0,80}}{_EXCEEDS}|{_EXCEEDS}.{{0,40}}{_SIZE}", re.IGNORECASE)
_MISSING = re.compile(
    r"model.{0,60}(?:not.?(?:exist|found)|unknown|unavailable)|(?:unknown|no such) model",
    re.IGNORECASE,
)
_WAIT = re.compile(r"(?:try again|retry)\D{0,20}?(\d+(?:\.\d+)?) ?(ms|s|m)", re.IGNORECASE)
_DELAY = re.compile(r"retryDelay\W+(\d+(?:\.\d+)?)s")
_SECRET = re.compile(
    r"\b(?:sk|pk|gsk|xai|key|api|tok)[-_][\w-]{8,}|\bBearer\s+\S+|\b(?=\w*\d)[A-Za-z0-9_]{24,}\b"
    r"|(?<=://)[^\s/@]+@"
)


def translate(error: Exception, server: Mapping[str, Any]) -> ModelError:
    """Translate an error of the client library into one of this program.

    ``server`` has the details of the error (``name`` of the model, ``address``, and the timeout
    ``seconds``), and the key as ``secret``, which no error shows.
    """
    import httpx2
    import openai

    details = {name: value for name, value in server.items() if name != "secret"}
    body = getattr(error, "body", None)
    if isinstance(error, openai.APIStatusError):
        headers: Mapping[str, str] = error.response.headers
        return _of_answer(error.status_code, body, headers, details, server.get("secret", ""))
    if body is not None:  # an error within the stream
        status = next((number for number in _numbers(body) if 400 <= number < 600), 0)
        if status:
            return _of_answer(status, body, {}, details, server.get("secret", ""))
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    key = "model_broke_off"
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        key = "model_silent"
    elif cause is None or isinstance(cause, httpx2.ConnectError):
        key = "model_unreachable"
    return ModelUnavailable(key, **details)


def of_finish(reason: str, has_words: bool, is_counted: bool) -> str:
    """Return the error key of an answer that ended for a reason; empty for a whole answer.

    An answer without a reason is whole if the server counted its tokens, which comes last.
    """
    reason = reason.lower()
    if reason in _FILTERED:
        return "model_filtered" if has_words else "model_refused"
    if reason in _LIMITED:
        return "model_cut" if has_words else "model_cut_thinking"
    if reason not in _FINISHED and (reason or not is_counted):
        return "model_broke_off"
    return "" if has_words else "model_empty"


def _of_answer(
    status: int, body: object, headers: Mapping[str, str], details: Mapping[str, Any], secret: str
) -> ModelError:
    """Translate an answer of the server that is an error."""
    words = str(body)
    wait = retry_after(headers, words)
    key = _BY_STATUS.get(status, "model_down" if status >= 500 else "model_rejected")
    if _UNPAID.search(words) and (status in (400, 403) or (status == 429 and wait is None)):
        key = "model_unpaid"
    elif status in (400, 403, 422) and _REFUSED.search(words):
        return UnusableAnswer("model_refused", name=details["name"])
    elif key == "model_too_long" or (key == "model_rejected" and _TOO_LONG.search(words)):
        return UnusableAnswer("model_too_long", name=details["name"])
    elif key == "model_rejected" and _MISSING.search(words):
        key = "model_missing"
    said = _sentence(body, secret)
    return ModelUnavailable(key, retry_after=wait, status=status, said=said, **details)


def _sentence(body: object, secret: str) -> str:
    """Return a space and the server's message in quotation marks, without secrets."""
    words = next(_messages(body), "")
    words = _SECRET.sub("…", words.replace(secret, "…") if secret else words)
    words = " ".join(words.split())
    if len(words) > LONGEST_SAID:
        words = f"{words[: LONGEST_SAID - 1]}…"
    return f" “{words}”" if words else ""


def _messages(body: object) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, list):
        for part in body:
            yield from _messages(part)
    elif isinstance(body, dict):
        for name in ("message", "detail", "msg", "error"):
            if name in body:
                yield from _messages(body[name])


def _numbers(body: object) -> Iterator[int]:
    if isinstance(body, dict):
        codes = [str(body.get(name)) for name in ("code", "status")]
        yield from (int(code) for code in codes if code.isdigit())


def retry_after(headers: Mapping[str, str], body: str = "") -> float | None:
    """Return the seconds that a server asks to wait, or None.

    The time is read from ``Retry-After`` (seconds or a date), ``retry-after-ms`` or the message.
    """
    try:
        if milliseconds := headers.get("retry-after-ms", ""):
            return _finite(float(milliseconds) / 1000)
        if given := headers.get("retry-after", ""):
            return _finite(float(given))
    except ValueError:
        try:
            moment = parsedate_to_datetime(headers["retry-after"])
            return _finite((moment - datetime.now(UTC)).total_seconds())
        except (KeyError, TypeError, ValueError):
            return None
    if found := _DELAY.search(body):
        return float(found[1])
    if found := _WAIT.search(body):
        return float(found[1]) * {"ms": 0.001, "s": 1.0, "m": 60.0}[found[2].lower()]
    return None


def _finite(seconds: float) -> float | None:
    return max(0.0, seconds) if isfinite(seconds) else None
