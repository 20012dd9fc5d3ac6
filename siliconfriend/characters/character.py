"""Characters of companions: names, texts in each language, macros, and the persona of a prompt."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import tomlkit

from siliconfriend.config.settings import COMPANION_NAMES
from siliconfriend.errors import RefusedName, UsageError
from siliconfriend.memory.codec import Unreadable, validate
from siliconfriend.memory.scope import DEFAULT_COMPANION, clean_name
from siliconfriend.models.output import clean
from siliconfriend.texts import LANGUAGES, Language, text

_MACRO = re.compile(
    r"\{\{\s*(?P<name>//|[A-Za-z_]\w*)(?P<rest>[^{}]*)\}\}|<(?P<tag>user|bot|char|start)>",
    re.IGNORECASE,
)
_DEEPEST = 4
"""Deepest nesting of macros that is filled."""


def fill_macros(
    words: str, *, companion: str, language: Language, person: str | None = None
) -> str:
    """Replace macros by names, choices by their first option, and unknown macros by nothing.

    ``companion`` is its name for itself; a ``person`` of None keeps ``{{user}}``.
    """
    example = text("characters", "example_talk", language)

    def filled(macro: re.Match[str]) -> str:
        name, rest = (macro["name"] or macro["tag"]).lower(), macro["rest"] or ""
        if name == "user":
            return macro[0] if person is None else person
        if name in ("char", "bot", "charname"):
            return companion
        if name in ("random", "pick"):  # ::A::B or :A,B, with commas in words escaped
            rest, mark = (rest[2:], "::") if rest.startswith("::") else (rest[1:], r"(?<!\\),")
            return re.split(mark, rest)[0].replace("\\,", ",").strip()
        return {"newline": "\n", "start": example}.get(name, "")

    for _ in range(_DEEPEST):
        words = _MACRO.sub(filled, words)
    return words


MAX_LENGTHS: Mapping[str, int] = {
    "called": 60,
    "persona": 200_000,
    "speaking_style": 100_000,
    "greeting": 100_000,
}
"""Most characters of each text; a prompt contains as much of it as fits."""
MOST_GREETINGS = 100
"""Most greetings besides the first."""


@dataclass(frozen=True, slots=True)
class CharacterTexts:
    """Texts of a companion in one language, all but ``called`` with macros of character cards.

    Attributes:
        called: its name for itself.
        persona: who it is.
        speaking_style: how it speaks.
        greeting: its greeting, in which ``{person}`` is replaced by the person's name.
        other_greetings: greetings of other days.
    """

    called: str = ""
    persona: str = ""
    speaking_style: str = ""
    greeting: str = ""
    other_greetings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Clean the texts; UsageError if one is too long, or there are too many greetings."""
        others = [tidied for words in self.other_greetings if (tidied := _tidy("greeting", words))]
        if len(others) > MOST_GREETINGS:
            raise UsageError("companion_many_greetings", count=len(others), most=MOST_GREETINGS)
        tidy: dict[str, Any] = {field: _tidy(field, getattr(self, field)) for field in MAX_LENGTHS}
        for name, value in (tidy | {"other_greetings": tuple(others)}).items():
            object.__setattr__(self, name, value)

    @property
    def greetings(self) -> tuple[str, ...]:
        """All greetings, the first one first."""
        return tuple(filter(None, (self.greeting, *self.other_greetings)))


@dataclass(frozen=True, slots=True)
class Character:
    """A companion: its name in commands, its texts by language.

    ``shares`` are companions whose memories of a person it may recall too.
    """

    name: str
    texts: Mapping[Language, CharacterTexts] = field(default_factory=dict)
    shares: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Remove languages without texts; UsageError if it shares with itself."""
        written = {key: texts for key, texts in self.texts.items() if texts != CharacterTexts()}
        shares = tuple(dict.fromkeys(map(clean_name, self.shares)))
        if self.name in shares:
            raise UsageError("companion_shares_itself", name=self.name)
        object.__setattr__(self, "texts", written)
        object.__setattr__(self, "shares", shares)

    def texts_in(self, language: Language) -> CharacterTexts:
        """Return the texts in a language, empty if nobody wrote them."""
        return self.texts.get(language) or CharacterTexts()

    def called(self, language: Language) -> str:
        """Return the companion's name for itself in a language."""
        own = self.texts_in(language).called
        if own or self.name != DEFAULT_COMPANION:
            return own or self.name
        return COMPANION_NAMES[language]

    def with_texts(self, language: Language, changed: Mapping[str, Any]) -> Character:
        """Return a copy with changed texts of one language."""
        texts = replace(self.texts_in(language), **changed)
        return replace(self, texts={**self.texts, language: texts})

    def with_shares(self, added: tuple[str, ...], removed: tuple[str, ...] = ()) -> Character:
        """Return a copy with added and removed shares."""
        gone = set(map(clean_name, removed))
        kept = [name for name in (*self.shares, *added) if clean_name(name) not in gone]
        return replace(self, shares=tuple(kept))


with suppress(Unreadable):
    validate(Character, {})  # as in the codec: before there are threads


def parse_character(written: str) -> Character:
    """Parse a ``companion.toml``; Unreadable if it is invalid."""
    try:
        # Each reply reads the file; tomlkit, which keeps comments, takes fifty times as long.
        form = tomllib.loads(written)
        texts = {language: form[language] for language in LANGUAGES if language in form}
        character = validate(Character, form | {"texts": texts})
        return replace(character, name=clean_name(character.name))
    except (tomllib.TOMLDecodeError, RecursionError, RefusedName, UsageError) as error:
        raise Unreadable(str(error)) from error


def serialize_character(character: Character, before: str = "") -> str:
    """Write a ``companion.toml``, with the comments and unknown keys of the file ``before``."""
    document = tomlkit.parse(before)
    document["name"] = character.name
    if character.shares or "shares" in document:
        document["shares"] = list(character.shares)
    for language in LANGUAGES:
        texts = character.texts_in(language)
        if language not in document:
            if texts == CharacterTexts():
                continue
            document[language] = tomlkit.table()
        table: Any = document[language]
        for name in (*MAX_LENGTHS, "other_greetings"):
            if words := getattr(texts, name):
                table[name] = _toml(words)
            else:
                table.pop(name, None)
    return tomlkit.dumps(document)


def _tidy(name: str, words: str) -> str:
    tidy = clean(words).strip()
    if len(tidy) > MAX_LENGTHS[name]:
        raise UsageError(
            "companion_text_long", length=len(tidy), longest=MAX_LENGTHS[name], field=name
        )
    return tidy


def _toml(words: str | tuple[str, ...]) -> Any:
    if isinstance(words, str):
        # TOML does not allow a raw carriage return; a text on one line has an escape.
        return tomlkit.string(words, multiline="\n" in words and "\r" not in words)
    several = tomlkit.array()
    several.extend(map(_toml, words))
    return several.multiline(True)
