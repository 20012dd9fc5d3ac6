"""Changes that the page makes to companions, and who may make them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from siliconfriend.characters.cards.card import LONGEST_ENTRY
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import LoreDefaults
from siliconfriend.characters.entries import (
    BOOK,
    Entry,
    add_entries,
    edit_entry,
    entry_draft,
    with_keys,
)
from siliconfriend.characters.importing import ImportResult
from siliconfriend.errors import UsageError
from siliconfriend.memory.drafts import Draft, FactDraft
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.person.companions import create_companion, import_companion_file
from siliconfriend.texts import LANGUAGES

from .backend import Visit

LINES = {"called": 1, "persona": 8, "speaking_style": 3, "greeting": 3, "others": 3}
"""The texts of a character, and how many lines their fields have."""
MOST_KEYS, LONGEST_KEY = 100, 200
BETWEEN_KEYS = re.compile(r"[,，、;；\n]")


def may_edit(visit: Visit) -> None:
    """Refuse those who may only choose: where people log in, all but whom the operator named.

    Raises:
        UsageError: they may not.
    """
    if not is_editor(visit):
        raise UsageError("companion_not_yours")


def is_editor(visit: Visit) -> bool:
    """Return True if somebody may make and edit companions."""
    named = (visit.backend.settings.companion_editors or "").split(",")
    return not visit.backend.log_in or visit.scope.person in {it.strip() for it in named}


def create(visit: Visit, typed: str, *, is_sample: bool = False) -> str:
    """Begin a companion, the sample with all that comes with it; returns its name."""
    character = Character(clean_name(typed))
    now = visit.person.now()
    create_companion(visit.backend.settings, character, now=now, is_sample=is_sample)
    return character.name


def write_texts(visit: Visit, name: str, fields: Mapping[str, str]) -> None:
    """Replace the texts of a character that a form holds, as ``en.persona``."""

    def change(character: Character) -> Character:
        for language in LANGUAGES:
            given = {key: fields.get(f"{language}.{key}", "").strip() for key in LINES}
            others = given.pop("others").split("\n\n")
            character = character.with_texts(language, given)
            character = character.with_other_greetings(
                language, [it.strip() for it in others if it.strip()]
            )
        return character

    visit.backend.companions.edit(name, change)


def write_entry(visit: Visit, name: str, identifier: str, fields: Mapping[str, str]) -> None:
    """Add an entry of lore, or put other words in the place of one's."""
    beginning = defaults(visit)
    with visit.backend.companions.edit_lore(name, beginning) as edit:
        if identifier:
            there = find_entry(edit.memory, name, identifier)
            draft = _draft(entry_draft(there), fields)
            edit.add(*edit_entry(edit.memory, there, draft, now=beginning.now)[1])
        else:
            draft = _draft(FactDraft(""), fields)
            made = add_entries(edit.memory, [draft], now=beginning.now, made_by="person")
            edit.add(*made.changes)


def import_file(visit: Visit, data: bytes, name: str = "") -> ImportResult:
    """Take in what a file brings, under the name it says unless one is given.

    Raises:
        UnreadableFile: it is no card nor lore, or names no companion.
        UsageError: it names a companion that is there already.
    """
    settings, now = visit.backend.settings, visit.person.now()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(data)
        return import_companion_file(settings, path, now=now, name=name or None, is_new=not name)


def find_entry(memory: Any, name: str, identifier: str) -> Entry:
    """Find an entry of lore.

    Raises:
        UsageError: there is none with this id.
    """
    found = memory.find(identifier)
    if not isinstance(found, Fact | Event):
        raise UsageError("lore_unknown", id=ascii(identifier), name=name)
    return found


def _draft(draft: Draft, fields: Mapping[str, str]) -> Draft:
    words = clean(fields.get("text", "")).strip()
    if not words:
        raise UsageError("lore_empty")
    if len(words) > LONGEST_ENTRY:
        raise UsageError("lore_long", longest=LONGEST_ENTRY)
    written = (clean(it).strip() for it in BETWEEN_KEYS.split(fields.get("keys", "")))
    keys = list(dict.fromkeys(it for it in written if it))
    if len(keys) > MOST_KEYS or any(len(key) > LONGEST_KEY for key in keys):
        raise UsageError("lore_many_keys", most=MOST_KEYS, longest=LONGEST_KEY)
    before = keys_of(draft.extra)
    extra = with_keys(draft.extra, keys, is_constant=bool(fields.get("constant")))
    told_in: Any = fields.get("language") or None
    draft = replace(draft, text=words, language=told_in, extra=extra)
    if keys == before:
        return draft
    # What calls an entry is what it is searched by too.
    if isinstance(draft, FactDraft):
        return replace(draft, key_word=" ".join(keys))
    return replace(draft, key_words=tuple(keys))


def keys_of(extra: Mapping[str, Any]) -> list[str]:
    """Return the keys that call an entry, as they were written."""
    book = extra.get(BOOK)
    keys = book.get("keys") if isinstance(book, Mapping) else None
    return [it for it in keys if isinstance(it, str)] if isinstance(keys, list) else []


def defaults(visit: Visit) -> LoreDefaults:
    """Return the zone and the moment for what is new."""
    settings = visit.backend.settings
    return LoreDefaults(settings.timezone, visit.person.now())
