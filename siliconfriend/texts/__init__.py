"""Every text a person sees, as data: one TOML file an area in each language.

Code names a text and never spells it, so that nothing can exist in one language
only (a test compares the two sets and their variables). An area is a file,
``texts/en/errors.toml`` say; a key may be dotted into its tables.
"""

from __future__ import annotations

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
