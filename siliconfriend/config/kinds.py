"""Kinds of values that settings take: how each is parsed, and the sentence for a bad one."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from siliconfriend.config.presets import presets
from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.texts import Language

BUNDLED = "bundled"
SPEAKING_HOURS = "08:00-22:00"
"""Hours in which a companion that may speak first does so, unless others are set."""

_ORIGIN = re.compile(r"https?://[^/\s]+")
_RATE = re.compile(r"[1-9]\d{0,8}/(second|minute|hour|day)")
_Value = TypeVar("_Value")
_LANGUAGES: Mapping[str, Language] = {"en": "en", "cn": "cn", "zh": "cn"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    Attributes:
        parse: text to value; raises ValueError for a bad one.
        remedy: what the value must be, a part of an English sentence (:func:`translate`).
        values: put into the remedy.
    """

    parse: Callable[[str], object]
    remedy: str
    values: Mapping[str, object] = field(default_factory=dict)


def words(remedy: str) -> Kind:
    """Any text."""
    return Kind(str, remedy)


def one_of(*allowed: str) -> Kind:
    """One of a few words, in any letter case."""

    def parse(value: str) -> str:
        return allowed[allowed.index(value.lower())]

    named = ", ".join(f"`{word}`" for word in allowed)
    return Kind(parse, "must be one of {words}", {"words": named})


def number(lowest: float, highest: float) -> Kind:
    """A number within both bounds."""

    def parse(value: str) -> float:
        return _checked(float(value), lowest <= float(value) <= highest)

    return Kind(
        parse, "must be a number from {low:g} to {high:g}", {"low": lowest, "high": highest}
    )


def whole(lowest: int) -> Kind:
    """A whole number from ``lowest`` up."""

    def parse(value: str) -> int:
        return _checked(int(value), int(value) >= lowest)

    return Kind(parse, "must be a whole number of at least {low}", {"low": lowest})


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


def address(value: str) -> str:
    """Parse an HTTP address.

    Raises:
        ValueError: it is none.
    """
    return _checked(value, value.startswith(("http://", "https://")))


def _store(value: str) -> str:
    return _checked(value, value == "file" or value.startswith(("postgresql://", "postgres://")))


def _llm(value: str) -> str:
    return _checked(value, value in ("offline", *presets()) or _has_name(value, "gguf"))


def _embedding(value: str) -> str:
    kinds = ("sentence-transformers", "openai")
    return _checked(
        value, value in (BUNDLED, "none") or any(_has_name(value, kind) for kind in kinds)
    )


def _origins(value: str) -> str:
    return _checked(value, all(_ORIGIN.fullmatch(part.strip()) for part in value.split(",")))


def _rate(value: str) -> str:
    return _checked(value, value == "none" or _RATE.fullmatch(value) is not None)


def _speaking(value: str) -> str:
    if value.lower() in ("no", "yes"):
        return value.lower()
    first, last = (time.strptime(part.strip(), "%H:%M") for part in value.split("-"))
    return f"{time.strftime('%H:%M', first)}-{time.strftime('%H:%M', last)}"


def _folder(value: str) -> Path:
    path = Path(value).expanduser().absolute()
    return _checked(path, path.is_dir())


def _has_name(value: str, kind: str) -> bool:
    before, colon, name = value.partition(":")
    return before == kind and bool(colon) and bool(name.strip())


def _checked(value: _Value, is_allowed: bool) -> _Value:
    if not is_allowed:
        raise ValueError(value)
    return value


NAME = words("must be a name")
KEY = words("must be a key")
ADDRESS = Kind(address, "must begin with http:// or https://")
LANGUAGE = Kind(language, "must be `en` or `cn`")
TIMEZONE = Kind(timezone, "must be an IANA time zone, for example Europe/London or Asia/Shanghai")
STORE = Kind(_store, "must be `file` or a `postgresql://` address")
LLM = Kind(_llm, "must be `offline`, {presets} or `gguf:` with the path of a model file")
EMBEDDING = Kind(
    _embedding,
    "must be `bundled`, `none`, `sentence-transformers:` or `openai:` with a model's name",
)
POLICY = one_of(*POLICIES)
ORIGINS = Kind(_origins, "must be addresses of sites with commas between")
RATE = Kind(_rate, "must be a number of requests in a time, for example 600/minute, or `none`")
SPEAKING = Kind(_speaking, "must be `no`, `yes`, or hours such as 08:00-22:00")
FOLDER = Kind(_folder, "must be a folder that exists")
MODEL = words("must name a model")
THINKING = one_of("off", "night", "on")
SENDERS = one_of("no", "field", "name", "email", "id")
HELP_LINES = words("must be names and numbers with semicolons between")
HOSTS = words("must be names of hosts with commas between")
PEOPLE = words("must be names of people with commas between")
