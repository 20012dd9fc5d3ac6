"""Look up the sentences that a person sees, and the words of a language.

English sentences stand where they are said, in the code of the terminal, or under a key in an
area, such as ``texts/sentences/errors.toml``. Their translations are in gettext catalogues, such as
``texts/locale/zh``; Babel makes them (``make catalogues``). What is not translated but each
language's own, such as its lists of words, is in ``texts/en`` and ``texts/cn``.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any, Literal, cast, get_args

Language = Literal["en", "cn"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
FOLDER = Path(__file__).parent
LOCALE, LOCALES = FOLDER / "locale", {"cn": "zh"}
"""The folder of the catalogues, and their names; English needs none."""


@cache
def _read(path: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{path}.toml").read_text(encoding="utf-8"))


def _found(table: Any, key: str) -> Any:
    for part in key.split("."):
        table = table[part]
    return table


def area(name: str, language: Language) -> dict[str, Any]:
    """Load what is a language's own, for example ``area("words", "cn")``."""
    return _read(f"{language}/{name}")


def lookup(name: str, key: str, language: Language) -> Any:
    """Return what is under a dotted key of a language's area (KeyError: unknown)."""
    return _found(area(name, language), key)


@cache
def _catalogue(language: Language) -> NullTranslations:
    known = language in LOCALES
    return (
        translation("siliconfriend", LOCALE, [LOCALES[language]]) if known else NullTranslations()
    )


@cache
def sentences(name: str, language: Language) -> dict[str, Any]:
    """Translate all sentences of an area, as they are nested in its file."""
    catalogue = _catalogue(language)

    def translated(found: Any, key: str) -> Any:
        if isinstance(found, dict):
            return {part: translated(inner, f"{key}.{part}") for part, inner in found.items()}
        if isinstance(found, list):
            return [translated(inner, key) for inner in found]
        return catalogue.pgettext(key, found)

    return cast(dict[str, Any], translated(_read(f"sentences/{name}"), name))


def text(name: str, key: str, language: Language, /, **values: object) -> str:
    """Format the sentence under a key of an area with values (KeyError: unknown, or one missing)."""
    return _formatted(_found(sentences(name, language), key), language, values)


def plural(name: str, key: str, count: int, language: Language, /, **values: object) -> str:
    """Format a sentence that depends on a number, ``{count}``, and has its forms under a key."""
    forms = _found(_read(f"sentences/{name}"), key)
    translate = _catalogue(language).npgettext
    words = translate(f"{name}.{key}", forms["one"], forms["other"], count)
    return _formatted(words, language, {"count": count} | values)


def translate(english: str, language: Language, /, **values: object) -> str:
    """Translate a sentence of the code and format it with values; an unknown one stays English."""
    words = _catalogue(language).gettext(english) if english else ""
    return _formatted(words, language, values) if values else words


def N_(english: str) -> str:  # noqa: N802  # gettext's own name for it
    """Mark a sentence of the code that is translated where it is shown."""
    return english


@dataclass(frozen=True, slots=True)
class Counted:
    """A number with its noun, "1 turn" or "3 turns", in the language of the sentence it stands in.

    Attributes:
        number: how many.
        noun: its key in ``sentences/counts.toml``.
    """

    number: int
    noun: str


def _formatted(words: str, language: Language, values: Mapping[str, object]) -> str:
    shown = {
        name: plural("counts", value.noun, value.number, language)
        if isinstance(value, Counted)
        else value
        for name, value in values.items()
    }
    return words.format_map(shown)
