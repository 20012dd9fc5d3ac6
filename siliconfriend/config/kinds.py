"""Kinds of values that settings take: how each is parsed, and the words for a bad one."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.config.presets import presets
from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.texts import Language

BUNDLED = "bundled"
SPEAKING_HOURS = "08:00-22:00"
"""Hours in which a companion that may speak first does so, unless others are set."""

_LANGUAGES: Mapping[str, Language] = {"en": "en", "cn": "cn", "zh": "cn"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    Attributes:
        remedy: what the value must be, a part of an English sentence (:func:`translate`).
        parse: text to value; raises ValueError for a bad one.
        values: put into the remedy.
    """

    remedy: str
    parse: Callable[[str], object] = str
    values: Mapping[str, object] = field(default_factory=dict)


def _checked(remedy: str, allows: Callable[[str], object]) -> Kind:
    """Any text that a condition allows."""

    def parse(value: str) -> str:
        if not allows(value):
            raise ValueError(value)
        return value

    return Kind(remedy, parse)


def one_of(*allowed: str) -> Kind:
    """One of a few words, in any letter case."""
    named = ", ".join(f"`{word}`" for word in allowed)
    return Kind(
        "must be one of {words}",
        lambda value: allowed[allowed.index(value.lower())],
        {"words": named},
    )


def number(lowest: float, highest: float) -> Kind:
    """A number within both bounds."""

    def parse(value: str) -> float:
        if not lowest <= float(value) <= highest:
            raise ValueError(value)
        return float(value)

    bounds = {"low": lowest, "high": highest}
    return Kind("must be a number from {low:g} to {high:g}", parse, bounds)


def whole(lowest: int) -> Kind:
    """A whole number from ``lowest`` up."""

    def parse(value: str) -> int:
        if int(value) < lowest:
            raise ValueError(value)
        return int(value)

    return Kind("must be a whole number of at least {low}", parse, {"low": lowest})


def language(value: str) -> Language:
    """Parse a language; ``zh`` is accepted for ``cn``.

    Raises:
        ValueError: it is neither.
    """
    if value.lower() not in _LANGUAGES:
        raise ValueError(value)
    return _LANGUAGES[value.lower()]


def timezone(value: str) -> str:
    """Parse an IANA name.

    Raises:
        ValueError: there is no such time zone.
    """
    try:
        return ZoneInfo(value).key
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(value) from error


def _speaking(value: str) -> str:
    if value.lower() in ("no", "yes"):
        return value.lower()
    first, last = (time.strptime(part.strip(), "%H:%M") for part in value.split("-"))
    return f"{time.strftime('%H:%M', first)}-{time.strftime('%H:%M', last)}"


def _folder(value: str) -> Path:
    path = Path(value).expanduser().absolute()
    if not path.is_dir():
        raise ValueError(value)
    return path


def _names(value: str, *kinds: str) -> bool:
    """Return True for ``gguf:NAME``, say, of one of the kinds."""
    kind, _, name = value.partition(":")
    return kind in kinds and bool(name.strip())


_HTTP = ("http://", "https://")
_POSTGRES = ("postgresql://", "postgres://")

NAME = Kind("must be a name")
KEY = Kind("must be a key")
MODEL = Kind("must name a model")
HELP_LINES = Kind("must be names and numbers with semicolons between")
HOSTS = Kind("must be names of hosts with commas between")
PEOPLE = Kind("must be names of people with commas between")
ADDRESS = _checked("must begin with http:// or https://", lambda value: value.startswith(_HTTP))
LANGUAGE = Kind("must be `en` or `cn`", language)
TIMEZONE = Kind("must be an IANA time zone, for example Europe/London or Asia/Shanghai", timezone)
STORE = _checked(
    "must be `file` or a `postgresql://` address",
    lambda value: value == "file" or value.startswith(_POSTGRES),
)
LLM = _checked(
    "must be `offline`, {presets} or `gguf:` with the path of a model file",
    lambda value: value in ("offline", *presets()) or _names(value, "gguf"),
)
EMBEDDING = _checked(
    "must be `bundled`, `none`, `sentence-transformers:` or `openai:` with a model's name",
    lambda value: value in (BUNDLED, "none") or _names(value, "sentence-transformers", "openai"),
)
POLICY = one_of(*POLICIES)
ORIGINS = _checked(
    "must be addresses of sites with commas between",
    lambda value: all(re.fullmatch(r"\s*https?://[^/\s]+\s*", it) for it in value.split(",")),
)
RATE = _checked(
    "must be a number of requests in a time, for example 600/minute, or `none`",
    lambda value: re.fullmatch(r"none|[1-9]\d{0,8}/(second|minute|hour|day)", value),
)
SPEAKING = Kind("must be `no`, `yes`, or hours such as 08:00-22:00", _speaking)
FOLDER = Kind("must be a folder that exists", _folder)
THINKING = one_of("off", "night", "on")
SENDERS = one_of("no", "field", "name", "email", "id")
