"""From the text of a setting to its value; whatever cannot be one raises ValueError."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.config.presets import presets
from siliconfriend.config.settings import BUNDLED
from siliconfriend.texts import Language

_ORIGIN = re.compile(r"https?://[^/\s]+")
_RATE = re.compile(r"[1-9]\d{0,8}/(second|minute|hour|day)")


class BadValue(ValueError):
    """A value the setting cannot have."""


def one_of(*allowed: str) -> Callable[[str], str]:
    """One of the words, in any letter case."""

    def parse(value: str) -> str:
        if value.lower() not in allowed:
            raise BadValue
        return value.lower()

    return parse


def number(lowest: float, highest: float) -> Callable[[str], float]:
    """A number within both bounds."""

    def parse(value: str) -> float:
        read = float(value)
        if not lowest <= read <= highest:
            raise BadValue
        return read

    return parse


def tokens(value: str) -> int:
    """A whole number above 0."""
    if int(value) < 1:
        raise BadValue
    return int(value)


def context(value: str) -> int:
    """A number of tokens from 2,048 up: in less there is no room to remember anything."""
    if int(value) < 2048:
        raise BadValue
    return int(value)


def count(value: str) -> int:
    """A whole number, 0 or more."""
    if int(value) < 0:
        raise BadValue
    return int(value)


def days(value: str) -> int:
    """A whole number of days, from one to ten years of them."""
    if not 1 <= int(value) <= 3650:
        raise BadValue
    return int(value)


def language(value: str) -> Language:
    """A language; ``zh`` is accepted for ``cn``."""
    known: dict[str, Language] = {"en": "en", "cn": "cn", "zh": "cn"}
    if value.lower() not in known:
        raise BadValue
    return known[value.lower()]


def timezone(value: str) -> str:
    """An IANA name."""
    try:
        return ZoneInfo(value).key
    except (OSError, ValueError, KeyError) as error:
        raise BadValue from error


def store(value: str) -> str:
    """``file`` or a PostgreSQL address."""
    if value != "file" and not value.startswith(("postgresql://", "postgres://")):
        raise BadValue
    return value


def llm(value: str) -> str:
    """``offline``, the name of a preset or ``gguf:PATH``."""
    if value != "offline" and value not in presets() and not _has_name(value, "gguf"):
        raise BadValue
    return value


def embedding(value: str) -> str:
    """``bundled``, ``none`` or a kind with a name."""
    if value in (BUNDLED, "none"):
        return value
    if not any(_has_name(value, kind) for kind in ("sentence-transformers", "openai")):
        raise BadValue
    return value


def _has_name(value: str, kind: str) -> bool:
    before, colon, name = value.partition(":")
    return before == kind and bool(colon) and bool(name.strip())


def address(value: str) -> str:
    """An HTTP address."""
    if not value.startswith(("http://", "https://")):
        raise BadValue
    return value


def origins(value: str) -> str:
    """Addresses of sites with commas between, ``https://chat.example`` say."""
    if not all(_ORIGIN.fullmatch(part.strip()) for part in value.split(",")):
        raise BadValue
    return value


def rate(value: str) -> str:
    """How many requests in what time, ``600/minute`` say; ``none`` for any number."""
    if value != "none" and not _RATE.fullmatch(value):
        raise BadValue
    return value


def hours(value: str) -> str:
    """From when to when of a day, ``22:00-08:00`` say; ``none`` for no hours."""
    if value.lower() == "none":
        return "none"
    first, last = (time.strptime(part.strip(), "%H:%M") for part in value.split("-"))
    return f"{time.strftime('%H:%M', first)}-{time.strftime('%H:%M', last)}"


def folder(value: str) -> Path:
    """A folder that exists, absolute."""
    path = Path(value).expanduser().absolute()
    if not path.is_dir():
        raise BadValue
    return path
