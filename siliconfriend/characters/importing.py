"""Companions and their lore from files: a companion's folder, a card, or JSON from elsewhere.

Everything is read and checked before anything is written, so a file with a fault changes
nothing; what is there already in the same words is not added again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.characters.cards.card import (
    CompanionSource,
    is_book,
    is_card,
    read_book,
    read_card,
)
from siliconfriend.characters.cards.files import Contents, parse, read_contents, read_picture
from siliconfriend.characters.character import MAX_LENGTHS, Character, character_of
from siliconfriend.characters.companion_files import CARD, CHARACTER, LORE, is_kept_card
from siliconfriend.characters.companions import Companions, LoreDefaults
from siliconfriend.characters.entries import add_entries
from siliconfriend.characters.import_fields import is_ours, read_drafts
from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.drafts import Draft
from siliconfriend.memory.knowledge import Fact


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import: how many facts and events were added, how many were known."""

    name: str
    created: bool
    facts: int
    events: int
    known: int
    ignored: tuple[str, ...] = ()
    """Names of what had no effect."""


def read_source(
    path: Path, zone: ZoneInfo, renamed: Mapping[str, str] | None = None
) -> CompanionSource:
    """Read and validate a companion's folder, a card, a lorebook, or a JSON file of lore.

    ``zone`` is of moments without an offset; ``renamed`` are names that stand for others in a
    companion's folder.

    Raises:
        UnreadableFile: it cannot be opened, or naming the entry and field that is wrong.
        UsageError: a text is too long.
    """
    if not path.is_dir():
        return _of_file(read_contents(path), zone)
    names = renamed or {}
    character: Character | None = None
    drafts: tuple[Draft, ...] = ()
    if (path / CHARACTER).exists():
        character = _character(path / CHARACTER, names)
    if (path / LORE).exists():
        drafts = tuple(read_drafts(_replace_names(_json(path / LORE), names), zone))
    elif character is None:
        raise UnreadableFile("companion_folder_empty", path=path)
    card = _json(path / CARD) if (path / CARD).exists() else None
    if card is not None and not is_kept_card(card):
        raise UnreadableFile("card_wrong_field", field="data")
    return CompanionSource(character, drafts, card, read_picture(path))


def import_companion(
    companions: Companions,
    name: str,
    source: CompanionSource,
    defaults: LoreDefaults,
) -> ImportResult:
    """Add what was read to a companion, new or there; what is written of its character stays."""
    character = source.character or Character(name)
    character = Character(name, character.texts, tuple(it for it in character.shares if it != name))
    created = not companions.exists(name)
    if created:
        companions.create(character)
    else:
        companions.edit(name, lambda before: _fill_missing(before, character))
    with companions.edit_lore(name, defaults) as edit:
        new = add_entries(edit.memory, source.drafts, now=defaults.now, made_by="import")
        edit.add(*new.changes)
    companions.keep_card(name, source.card, source.picture)
    facts = sum(isinstance(entry, Fact) for entry in new.entries)
    events = len(new.entries) - facts
    return ImportResult(name, created, facts, events, new.known, source.ignored)


def _of_file(contents: Contents, zone: ZoneInfo) -> CompanionSource:
    document = contents.document
    if not is_ours(document) and is_card(document):
        return read_card(contents)
    if not is_ours(document) and is_book(document):
        return read_book(document)
    if contents.picture is not None:
        raise UnreadableFile("card_missing")
    return CompanionSource(None, tuple(read_drafts(document, zone)))


def _fill_missing(before: Character, imported: Character) -> Character:
    for language, texts in imported.texts.items():
        there = before.texts_in(language)
        missing = {
            field: getattr(texts, field) for field in MAX_LENGTHS if not getattr(there, field)
        }
        others = there.other_greetings or texts.other_greetings
        before = before.with_texts(language, missing, others)
    return before


def _character(path: Path, names: Mapping[str, str]) -> Character:
    try:
        form = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        kept = {"name": form.get("name"), "shares": form.get("shares", [])}
        return character_of({**_replace_names(form, names), **kept})
    except (Unreadable, ValueError, RecursionError) as error:
        raise UnreadableFile("companion_file_wrong", path=path, cause=error) from error
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def _json(path: Path) -> Any:
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def _replace_names(form: Any, names: Mapping[str, str]) -> Any:
    if isinstance(form, str):
        for old, new in names.items():
            form = form.replace(old, new)
        return form
    if isinstance(form, list):
        return [_replace_names(it, names) for it in form]
    if isinstance(form, dict):
        return {key: _replace_names(it, names) for key, it in form.items()}
    return form
