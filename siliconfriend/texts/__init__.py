"""Look up the texts that a person sees, in English or Chinese.

An area is a TOML file in each language, such as ``texts/en/errors.toml``; a key may be dotted into
its tables. A test compares the keys and variables of both languages.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, cast, get_args

Language = Literal["en", "cn"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_QUOTED = re.compile(r'^msg(?:id|str) ((?:".*"\n?)+)', re.MULTILINE)
"""Matches what a catalogue quotes, the English and the Chinese in turn, each in lines."""


@cache
def area(name: str, language: Language) -> dict[str, Any]:
    """Load an area, for example ``area("errors", "cn")``."""
    source = resources.files(__name__).joinpath(language, f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def lookup(name: str, key: str, language: Language) -> Any:
    """Return the text, list or table under a dotted key of an area (KeyError: unknown)."""
    found: Any = area(name, language)
    for part in key.split("."):
        found = found[part]
    return found


def text(name: str, key: str, language: Language, /, **values: object) -> str:
    """Format the text under a key of an area with values (KeyError: unknown, or one missing)."""
    return cast(str, lookup(name, key, language)).format(**values)


@cache
def _catalogue(language: Language) -> dict[str, str]:
    """Load ``texts/cn/messages.po``: the English sentences of the code with their Chinese."""
    source = resources.files(__name__).joinpath(language, "messages.po").read_text("utf-8")
    quoted = ("".join(map(json.loads, part.splitlines())) for part in _QUOTED.findall(source))
    return dict(zip(quoted, quoted, strict=True))


def translate(english: str, language: Language, /, **values: object) -> str:
    """Translate a sentence of the code and format it with values; an unknown one stays English.

    Whole numbers may have nouns, as :class:`Count` formats them.
    """
    known = english if language == "en" else _catalogue(language).get(english) or english
    return known.format(**counted(values)) if values else known


class Count(int):
    """A number with its noun in a sentence: ``{turns:turn}`` is "1 turn" or "3 turns"."""

    def __format__(self, noun: str) -> str:
        if len(noun) < 2 or not noun[0].isalpha():
            return format(int(self), noun)
        one, _, many = noun.partition("|")
        return f"{int(self)} {one if self == 1 else many or one + 's'}"


def counted(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a sentence with whole numbers as :class:`Count`."""
    return {name: Count(it) if type(it) is int else it for name, it in values.items()}
