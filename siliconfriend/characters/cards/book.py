"""A lorebook, whichever program wrote it, as the entries of Character Card V3.

SillyTavern's World Info, NovelAI, Agnai and Risu have other names for the same few fields.
What of an entry has no field in V3 goes into its ``extensions``, as V3 asks for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.models.output import clean

MOST_ENTRIES = 10_000
LONGEST_ENTRY = 32_000
"""Characters."""

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "keys": ("keys", "key", "keywords"),
    "secondary_keys": ("secondary_keys", "keysecondary", "secondkey"),
    "content": ("content", "text", "entry"),
    "name": ("name", "displayName"),
    "comment": ("comment",),
    "constant": ("constant", "forceActivation", "alwaysActive"),
    "insertion_order": ("insertion_order", "order", "insertorder", "weight"),
    "case_sensitive": ("case_sensitive", "caseSensitive"),
    "selective": ("selective",),
    "use_regex": ("use_regex", "useRegex"),
    "id": ("id", "uid"),
    "priority": ("priority",),
    "position": ("position",),
}
_DECORATOR = re.compile(r"@@@?\w+[^\n]*(?:\n|\Z)")
_DECORATOR_NAME = re.compile(r"@@@?(\w+)")


@dataclass(frozen=True, slots=True)
class BookEntry:
    """One entry.

    Attributes:
        form: the V3 entry without its ``content``; decorators are in ``decorators`` of it.
        content: what is told, without decorators.
        is_enabled: it is to be told at all.
    """

    form: dict[str, Any]
    content: str
    is_enabled: bool

    @property
    def title(self) -> str:
        """What the entry is about, as far as it has a name."""
        named = (self.form.get("name"), self.form.get("comment"))
        return next(
            (" ".join(it.split()) for it in named if isinstance(it, str) and it.strip()), ""
        )

    @property
    def decorators(self) -> list[str]:
        """The names of its decorators."""
        lines = self.form.get("decorators", [])
        return [found[1] for line in lines if (found := _DECORATOR_NAME.match(line))]


@dataclass(frozen=True, slots=True)
class Book:
    """A lorebook.

    Attributes:
        entries: in the order of the file.
        settings: the rest of the V3 object.
    """

    entries: tuple[BookEntry, ...]
    settings: dict[str, Any] = field(default_factory=dict)


def is_book(document: object) -> bool:
    """True if the JSON is a lorebook of a form known here."""
    if not isinstance(document, dict):
        return False
    if document.get("spec") == "lorebook_v3" or document.get("type") == "risu":
        return True
    return isinstance(document.get("entries"), dict | list)


def read_book(document: object) -> Book:
    """Read a lorebook.

    Raises:
        UnreadableFile: naming the entry and the field that is not what it should be.
    """
    if isinstance(document, dict) and document.get("spec") == "lorebook_v3":
        document = document.get("data")
    if not isinstance(document, dict):
        raise UnreadableFile("card_wrong_field", field="character_book")
    settings = dict(document)
    entries = settings.pop("data" if document.get("type") == "risu" else "entries", None)
    if isinstance(entries, dict):
        entries = list(entries.values())
    if not isinstance(entries, list):
        raise UnreadableFile("card_wrong_field", field="entries")
    if len(entries) > MOST_ENTRIES:
        raise UnreadableFile("card_many_entries", count=len(entries), most=MOST_ENTRIES)
    settings.pop("originalData", None)  # World Info repeats the book it was made from
    return Book(tuple(_entry(it, number) for number, it in enumerate(entries, 1)), settings)


def _entry(written: object, number: int) -> BookEntry:
    if not isinstance(written, dict):
        raise UnreadableFile("lore_wrong_entry", number=number, field="{…}")
    rest = dict(written)
    taken = {
        name: found
        for name, aliases in _ALIASES.items()
        if (found := _take(rest, aliases)) is not None
    }
    is_enabled = rest.pop("enabled", True) is not False and rest.pop("disable", False) is not True
    for name in ("keys", "secondary_keys"):
        taken[name] = _keys(taken.get(name), number, name)
    content = taken.pop("content", "")
    if not isinstance(content, str):
        raise UnreadableFile("lore_wrong_entry", number=number, field="content")
    content = clean(content.replace("\r\n", "\n")).strip()
    if len(content) > LONGEST_ENTRY:
        raise UnreadableFile("card_long_entry", number=number, longest=LONGEST_ENTRY)
    decorators, content = _split_decorators(content)
    extensions = rest.pop("extensions", None)
    form = {**taken, "enabled": is_enabled, "use_regex": taken.get("use_regex") is True}
    form["extensions"] = {**(extensions if isinstance(extensions, dict) else {}), **rest}
    if decorators:
        form["decorators"] = decorators
    entry = BookEntry(form, content, is_enabled)
    return _by_decorators(entry)


def _by_decorators(entry: BookEntry) -> BookEntry:
    """The entry switched on or off as its decorators say."""
    if "activate" in entry.decorators:
        return BookEntry({**entry.form, "constant": True}, entry.content, entry.is_enabled)
    if "dont_activate" in entry.decorators:
        return BookEntry(entry.form, entry.content, is_enabled=False)
    return entry


def _take(rest: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The first of these fields that says anything; all of them are used up."""
    found = [rest.pop(name) for name in names if name in rest]
    return next((it for it in found if it is not None), None)


def _keys(value: object, number: int, name: str) -> list[str]:
    """The keys of a list, or of a text with commas between them."""
    several = value.split(",") if isinstance(value, str) else [] if value is None else value
    if not isinstance(several, list) or not all(isinstance(it, str) for it in several):
        raise UnreadableFile("lore_wrong_entry", number=number, field=name)
    return [word for it in several if (word := clean(it).strip())]


def _split_decorators(content: str) -> tuple[list[str], str]:
    """The lines at the beginning that are decorators, and the words behind them."""
    found = list[str]()
    while decorator := _DECORATOR.match(content):
        found.append(decorator[0].strip())
        content = content[decorator.end() :].lstrip("\n")
    return found, content.strip()
