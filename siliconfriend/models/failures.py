"""Translate the failures of a model's server into errors of this program.

Vendors report the same failure in many ways. The words decide where they are clear, else the status;
every error shows the server's own sentence. Errors never contain a key, header or password.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.resources import files
from math import isfinite
from typing import Any

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer
from siliconfriend.models.connection import ServerError, messages

RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.5, 5.0
"""Default delay before a retry, and longest accepted delay; a longer request ends the retries and
is reported."""
LONGEST_SAID = 200
"""Most characters of the server's message in an error."""
_RULES: dict[str, Any] = tomllib.loads(
    files(__package__).joinpath("failures.toml").read_text(encoding="utf-8")
)


def _words(*patterns: str) -> re.Pattern[str]:
    pattern = "|".join(patterns)
    for name, parts in _RULES["parts"].items():
        pattern = pattern.replace(name, f"(?:{'|'.join(parts)})")
    return re.compile(pattern, re.IGNORECASE)


_BY_WORDS: list[tuple[str, list[int], re.Pattern[str]]] = [
    (rule["key"], rule["statuses"], _words(*rule["words"])) for rule in _RULES["rules"]
]
_BY_STATUS: dict[str, str] = _RULES["statuses"]
_FINISH = {name: _words(*patterns) for name, patterns in _RULES["finish"].items()}
_RETRIED = frozenset(("model_broke_off", "model_busy", "model_down", "model_unreachable"))
_OUTPUT = _words(r"max_(?:completion_|new_|output_)?tokens|'user'")
"""Matches a parameter whose own limit is no limit of the prompt."""
_PROMPT = _words(r"context|prompt|input|messages|got -")
_WAIT = _words(
    r"(?:try again|retry|wait|reset)\D{0,20}?((?:\d+(?:\.\d+)?\s*(?:ms|seconds?|secs?|s|minutes?|mins?|m"
    r"|hours?|h)(?![a-z])\s*)+)|retrydelay\W+(\d+(?:\.\d+)?s)|(\d+(?:\.\d+)?\s*(?:秒|分钟|小时))后"
)
_DURATION = _words(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|秒|分|小)")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "秒": 1, "分": 60, "小": 3600}
_SECRET = re.compile(
    r"\b(?:sk|gsk|xai|(?:pk|ak|key|api|tok|hf|org)(?=[-_][\w-]*\d))[-_][\w*-]{4,}"
    r"|\b(?:Bearer|Basic)\s+\S+"
    r"|\beyJ[\w.-]+|\b(?=\w*\d)(?=\w*[A-Za-z])\w{20,}\b={0,2}|(?<=://)[^\s/@]+@"
    r"|(?<=key=)[^\s&]+|(?<=token=)[^\s&]+"
)


def translate(error: Exception, server: Mapping[str, Any]) -> ModelError:
    """Translate an error of an exchange into one of this program.

    ``server`` has the details of the error (``name`` of the model, ``address``, and the timeout
    ``seconds``), and the key as ``secret``, which no error shows.
    """
    import httpx2

    details = {name: value for name, value in server.items() if name != "secret"}
    if isinstance(error, ServerError):
        return _of_answer(error, details, server.get("secret", ""))
    kinds: tuple[tuple[str, Any], ...] = (
        ("model_key", httpx2.LocalProtocolError | UnicodeEncodeError),  # no header can hold it
        ("model_silent", httpx2.ReadTimeout | httpx2.WriteTimeout),
        ("model_broke_off", httpx2.ReadError | httpx2.ProtocolError | httpx2.DecodingError),
        ("model_unreachable", httpx2.RequestError | httpx2.InvalidURL),
    )
    found = (key for key, kind in kinds if isinstance(error, kind))
    return ModelUnavailable(next(found, "model_broke_off"), status=400, **details)


def retry_wait(failure: ModelError) -> float | None:
    """Return the seconds after which a retry may help; None if none would soon."""
    wait = getattr(failure, "retry_after", None) or RETRY_SECONDS
    return wait if failure.key in _RETRIED and wait <= LONGEST_RETRY_SECONDS else None


def of_finish(reason: str, has_words: bool, is_ended: bool) -> str:
    """Return the error key of an answer that ended for a reason; empty for a whole answer.

    An answer without a reason is whole if the server sent the end mark of the stream, or counted
    the tokens after the last word (``is_ended``).
    """
    reason = reason.lower().removeprefix("finish_reason_")
    if _FINISH["filtered"].fullmatch(reason):
        return "model_filtered" if has_words else "model_refused"
    if _FINISH["limited"].fullmatch(reason):
        empty = "model_too_long" if "context" in reason else "model_cut_thinking"
        return "model_cut" if has_words else empty
    if not (_FINISH["whole"].fullmatch(reason) or (is_ended and not reason)):
        return "model_broke_off"
    return "" if has_words else "model_empty"


def _of_answer(error: ServerError, details: Mapping[str, Any], secret: str) -> ModelError:
    """Translate an answer of the server that is an error."""
    codes = [*_codes(error.body)]
    numbers = (int(code) for code in codes if code.isdigit())
    status = error.status or next((number for number in numbers if 400 <= number < 600), 0)
    words = " ".join((*messages(error.body), *codes))
    wait = retry_after(error.headers, words)
    key = _key(status, words, is_limited=status == 429 and wait is not None)
    said = _sentence(error.body, secret)
    if key in ("model_refused", "model_too_long"):
        return UnusableAnswer(key, name=details["name"], said=said)
    shown = status or next((code for code in codes if not code.isdigit()), "") or "error"
    return ModelUnavailable(key, retry_after=wait, status=shown, said=said, **details)


def _key(status: int, words: str, *, is_limited: bool) -> str:
    for key, statuses, pattern in _BY_WORDS:
        if status not in statuses or not pattern.search(words):
            continue
        if key == "model_unpaid" and is_limited:
            continue
        if key == "model_too_long" and _OUTPUT.search(words) and not _PROMPT.search(words):
            continue
        return key
    usual = "model_down" if status >= 500 or not status else "model_rejected"
    return _BY_STATUS.get(str(status), usual)


def _sentence(body: object, secret: str) -> str:
    """Return a space and the server's message in quotation marks, without secrets."""
    words = next(filter(None, messages(body)), "")
    words = _SECRET.sub("…", words.replace(secret, "…") if secret else words)
    words = " ".join(words.split())
    if words.startswith("<"):  # a web page
        return ""
    if len(words) > LONGEST_SAID:
        words = f"{words[: LONGEST_SAID - 1]}…"
    return f" “{words}”" if words else ""


def _codes(body: object) -> Iterator[str]:
    """Yield the codes and kinds of an error, those of a nested error too."""
    if isinstance(body, list):
        for part in body:
            yield from _codes(part)
    elif isinstance(body, dict):
        for name in ("code", "status", "status_code", "error_code", "type"):
            if body.get(name):
                yield str(body[name])
        for name in ("error", "base_resp", "details"):
            yield from _codes(body.get(name))
        if isinstance(delay := body.get("retryDelay"), str):
            yield f"retryDelay {delay}"


def retry_after(headers: Mapping[str, str], body: str = "") -> float | None:
    """Return the seconds that a server asks to wait, or None.

    The time is read from ``Retry-After`` (seconds or a date), ``retry-after-ms``, the reset of a
    limit that is used up, or the message.
    """
    if milliseconds := headers.get("retry-after-ms"):
        return _seconds(f"{milliseconds}ms")
    if given := headers.get("retry-after"):
        return _seconds(given)
    for kind in ("-requests", "-tokens", ""):
        if headers.get(f"x-ratelimit-remaining{kind}") == "0":
            return _seconds(headers.get(f"x-ratelimit-reset{kind}", ""))
    found = _WAIT.search(body)
    return _seconds(next(filter(None, found.groups()))) if found else None


def _seconds(given: str) -> float | None:
    """Return the seconds from now of a number, a duration, a moment or a date."""
    try:
        seconds = float(given)
        if seconds > 1e9:  # a moment in seconds or milliseconds since 1970
            seconds = seconds / (1000 if seconds > 1e12 else 1) - datetime.now(UTC).timestamp()
        return max(0.0, seconds) if isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        parts = _DURATION.findall(given)
    return sum(float(size) * _UNITS[unit.lower()] for size, unit in parts) if parts else None
