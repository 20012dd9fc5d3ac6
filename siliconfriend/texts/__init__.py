"""Every text a person sees, as data: one TOML file an area in each language.

Code names a text and never spells it, so that nothing can exist in one language
only (a test compares the two sets and their variables). An area is a file,
``texts/en/errors.toml`` say; a key may be dotted into its tables.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal, cast, get_args

Language = Literal["en", "cn"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def area(name: str, language: Language) -> dict[str, Any]:
    """Load the whole table of one area, for example ``area("errors", "cn")``."""
    source = resources.files(__name__).joinpath(language, f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def lookup(name: str, key: str, language: Language) -> Any:
    """The text, list or table under a dotted key of an area.

    Raises:
        KeyError: the area has no such key.
    """
    found: Any = area(name, language)
    for part in key.split("."):
        found = found[part]
    return found


def text(name: str, key: str, language: Language, /, **values: object) -> str:
    """Look up the text ``key`` of an area and put ``values`` in.

    Raises:
        KeyError: where the area has no such text, or a value it names is missing.
    """
    return cast(str, lookup(name, key, language)).format(**values)


@cache
def _catalogue(language: Language) -> dict[str, str]:
    """Load ``texts/cn/messages.po``: what stands in the code in English, and its Chinese."""
    source = resources.files(__name__).joinpath(language, "messages.po").read_text("utf-8")
    found: dict[str, str] = {}
    parts: dict[str, str] = {}
    field = ""
    for line in (*source.splitlines(), 'msgid ""'):
        name, _, quoted = line.partition(" ") if line.startswith("msg") else (field, "", line)
        if name == "msgid" and line.startswith("msg"):
            found[parts.get("msgid", "")] = parts.get("msgstr", "")
            parts = {}
        if quoted.startswith('"'):
            field = name
            parts[field] = parts.get(field, "") + json.loads(quoted)
    return found


def translate(english: str, language: Language, /, **values: object) -> str:
    """Translate a sentence that stands in the code, and put ``values`` in.

    One that the catalogue lacks stays English; a test finds it.
    """
    known = english if language == "en" else _catalogue(language).get(english) or english
    return known.format(**values) if values else known
