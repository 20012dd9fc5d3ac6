"""List the fields of a card or lorebook that are not supported, so that nobody thinks they have an effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from siliconfriend.lore.cards.book import Book, BookEntry
from siliconfriend.lore.cards.card import Card
from siliconfriend.lore.keys import plain_keys
from siliconfriend.lore.macros import unfilled_macros

Reason = Literal[
    "instructions",
    "notes",
    "extensions",
    "assets",
    "group_greetings",
    "html",
    "macros",
    "book_settings",
    "entry_settings",
    "decorators",
    "patterns",
    "switched_off",
    "empty",
    "picture",
]

_INSTRUCTIONS = ("system_prompt", "post_history_instructions")
_NOTES = ("creator_notes", "creator_notes_multilingual", "creator", "character_version", "tags")
_BOOK_SETTINGS = ("scan_depth", "token_budget", "recursive_scanning")
_ENTRY_SETTINGS: Mapping[str, tuple[object, ...]] = {
    "probability": (100, None),
    "sticky": (0, None),
    "cooldown": (0, None),
    "delay": (0, None),
    "group": ("",),
    "role": (0, None),
    "vectorized": (False,),
    "delayUntilRecursion": (False, 0),
    "delay_until_recursion": (False, 0),
    "automationId": ("",),
    "automation_id": ("",),
}
"""Settings of World Info that change what is told, each with the values that change nothing."""
_DONE_BY_US = frozenset({"activate", "dont_activate"})
_HTML = re.compile(r"<\s*/?\s*(?:script|style|iframe|img|div|span|p|br|b|i|a|font|details)\b", re.I)
MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Unused:
    """Something that has no place.

    Attributes:
        reason: what it is.
        names: its fields, or settings, or macros, as they are called in the file.
        count: how many there are of it.
    """

    reason: Reason
    names: tuple[str, ...] = ()
    count: int = 1


def unused_in_card(card: Card) -> list[Unused]:
    """The unsupported fields of a card, without its lorebook."""
    data = card.data
    told = [*card.texts.values(), *card.other_greetings]
    extensions = data.get("extensions")
    assets = data.get("assets")
    return list(
        _found(
            ("instructions", [it for it in _INSTRUCTIONS if data.get(it)]),
            ("notes", [it for it in _NOTES if data.get(it)]),
            ("extensions", sorted(extensions) if isinstance(extensions, dict) else []),
            ("assets", [str(it.get("name")) for it in _extra_assets(assets)]),
            (
                "group_greetings",
                ["group_only_greetings"] if data.get("group_only_greetings") else [],
            ),
            ("html", [name for name, words in card.texts.items() if _HTML.search(words)]),
            ("macros", unfilled_macros(told)),
        )
    )


def unused_in_book(book: Book) -> list[Unused]:
    """The unsupported fields of a lorebook."""
    entries = book.entries
    macros = unfilled_macros(entry.content for entry in entries)
    decorators = {name for entry in entries for name in entry.decorators} - _DONE_BY_US
    switched_off = sum(1 for entry in entries if entry.content and not entry.is_enabled)
    return [
        *_found(
            ("book_settings", [it for it in _BOOK_SETTINGS if book.settings.get(it)]),
            ("entry_settings", sorted({name for it in entries for name in _settings(it)})),
            ("decorators", sorted(decorators)),
            ("macros", macros),
        ),
        *(
            Unused(reason, count=count)
            for reason, count in _counted(
                ("patterns", sum(map(_patterns, entries))),
                ("switched_off", switched_off),
                ("empty", sum(1 for entry in entries if not entry.content)),
            )
        ),
    ]


def _found(*several: tuple[Reason, list[str]]) -> Iterator[Unused]:
    for reason, names in several:
        if names:
            yield Unused(reason, tuple(names[:MOST_NAMES]), len(names))


def _counted(*several: tuple[Reason, int]) -> Iterable[tuple[Reason, int]]:
    return [(reason, count) for reason, count in several if count]


def _extra_assets(assets: object) -> list[dict[str, Any]]:
    """Pictures and sounds beside the main one."""
    several = [it for it in assets if isinstance(it, dict)] if isinstance(assets, list) else []
    return [it for it in several if it.get("type") != "icon" or it.get("name") != "main"]


def _settings(entry: BookEntry) -> Iterator[str]:
    extensions = entry.form["extensions"]
    for name, usual in _ENTRY_SETTINGS.items():
        if name in extensions and extensions[name] not in usual:
            yield name


def _patterns(entry: BookEntry) -> int:
    """How many keys of an entry are regular expressions."""
    keys = [*entry.form["keys"], *entry.form["secondary_keys"]]
    return len(keys) if entry.form["use_regex"] else len(keys) - len(plain_keys(keys))
