"""What the page is told of companions, as plain JSON: whom one can talk with, and what one edits.

Who may not edit a companion is told its name, its picture and its greeting alone: persona and
lore are what it was made from, and would spoil it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from siliconfriend.cli.samples import SAMPLE_COMPANION, read_sample_companion
from siliconfriend.config import Settings
from siliconfriend.errors import StoreError
from siliconfriend.lore.character import Character, CharacterTexts
from siliconfriend.lore.companions import Companions, companion_name
from siliconfriend.lore.entries import Entry, all_entries, entry_language
from siliconfriend.lore.importing import ImportResult
from siliconfriend.lore.keys import BOOK, BookKeys
from siliconfriend.lore.macros import fill_macros
from siliconfriend.memory.records import kind_of
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import LANGUAGES, Language, text

SOMEBODY = "…"
"""Stands in a greeting for the name of somebody who has not given one."""


def _say(key: str, language: Language, /, **values: object) -> str:
    return text("web_companions", key, language, **values)


class CompanionViews:
    """Reads companions for the page.

    Args:
        companions: of the data directory.
        settings: of the page; their companion is there even if nobody described it.
    """

    def __init__(self, companions: Companions, settings: Settings) -> None:
        self._companions, self._settings = companions, settings

    def all(self, current: str, person: str, language: Language) -> dict[str, Any]:
        """Whom one can talk with, the page's own companion first.

        Args:
            current: the companion of the tab that asks.
            person: whose name the greetings say; empty for nobody's.
            language: of greetings and names.
        """
        names = self._companions.names()
        first = self._settings.companion
        ordered = [first, *(name for name in names if name != first)]
        lines = [it for name in ordered if (it := self._line(name, person, language)) is not None]
        called = [it["called"] for it in lines]
        for it in lines:
            # Two may call themselves alike, and whoever chooses must tell them apart.
            if called.count(it["called"]) > 1 and it["called"] != it["name"]:
                it["called"] = f"{it['called']} ({it['name']})"
        faults = [fault.message(language) for fault in self._companions.faults()]
        return {
            "current": current,
            "companions": lines,
            "samples": [] if SAMPLE_COMPANION in names else [self._sample(language)],
            "faults": faults,
        }

    def one(self, name: str) -> dict[str, Any]:
        """Everything of a companion that can be edited.

        Raises:
            UsageError: there is none of that name.
            StoreError: its files cannot be read.
        """
        character = self._companions.character(name)
        lore = self._companions.lore(name)
        card, picture = self._companions.card(name)
        return {
            "name": character.name,
            "picture": self._picture(character.name),
            "has_png": picture is not None and picture.suffix == ".png",
            "is_card": card is not None,
            "texts": {it: _texts(character.texts_in(it)) for it in LANGUAGES},
            "lore": [] if lore is None else [entry_json(it) for it in all_entries(lore)],
        }

    def _line(self, name: str, person: str, language: Language) -> dict[str, Any] | None:
        """One companion in the list; None for one that cannot be read, which is among the faults."""
        is_described = self._companions.exists(name)
        try:
            character = self._companions.character(name) if is_described else Character(name)
            lore = self._companions.lore(name) if is_described else None
        except StoreError:
            return None
        called = companion_name(self._settings, name, language)
        greeting = character.texts_in(language).greeting.replace("{person}", person or SOMEBODY)
        return {
            "name": name,
            "called": called,
            "is_described": is_described,
            "picture": self._picture(name) if is_described else None,
            "greeting": fill_macros(
                greeting, companion=called, language=language, person=person or SOMEBODY
            ),
            "languages": [it for it in LANGUAGES if it in character.texts],
            "entries": 0 if lore is None else len(all_entries(lore)),
        }

    def _sample(self, language: Language) -> dict[str, str]:
        character = read_sample_companion(self._settings, SAMPLE_COMPANION).character
        assert character is not None  # it comes with the program
        return {"name": character.name, "called": character.called(language)}

    def _picture(self, name: str) -> str | None:
        """The address of a companion's picture, another one for another picture."""
        _, path = self._companions.card(name)
        if path is None:
            return None
        return "picture?" + urlencode({"name": name, "version": path.stat().st_mtime_ns})


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry of lore for the page."""
    book = entry.extra.get(BOOK)
    keys = BookKeys.of(entry)
    return {
        "id": entry.id,
        "kind": kind_of(entry),
        "date": entry.date,
        "text": entry.text,
        "keys": written_keys(book),
        "secondary": [] if keys is None else list(keys.secondary),
        "constant": keys is not None and keys.is_constant,
        "language": entry_language(entry),
    }


def written_keys(book: object) -> list[str]:
    """The keys as they stand in an entry of a lorebook, patterns too."""
    keys = book.get("keys") if isinstance(book, Mapping) else None
    return [it for it in keys if isinstance(it, str)] if isinstance(keys, list) else []


def import_json(done: ImportResult, language: Language) -> dict[str, Any]:
    """What an import did, in sentences: what came, and what of the file has no place."""
    told = [_say("imported", language, name=done.name, entries=done.facts + done.events)]
    if done.known:
        told.append(_say("known", language, entries=done.known))
    if done.greetings > 1:
        told.append(_say("many_greetings", language, count=done.greetings))
    if done.keeps_picture:
        told.append(_say("picture_kept", language))
    between = _say("comma", language)
    return {
        "name": clean_name(done.name),
        "created": done.created,
        "told": told,
        "unused_about": _say("unused_kept" if done.keeps_card else "unused_lost", language),
        "unused": [
            _say(f"unused.{it.reason}", language, names=between.join(it.names), count=it.count)
            for it in done.unused
        ],
    }


def _texts(texts: CharacterTexts) -> dict[str, Any]:
    return {
        "called": texts.called,
        "persona": texts.persona,
        "speaking_style": texts.speaking_style,
        "greeting": texts.greeting,
        "other_greetings": list(texts.other_greetings),
    }
