"""Companions and their lore from files: a companion's folder, or JSON from elsewhere.

Everything is read and checked before anything is written, so a file with a fault changes
nothing; what is there already in the same words is not added again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import UnreadableFile
from siliconfriend.extraction.drafts import Draft
from siliconfriend.lore.character import Character, CharacterTexts, parse_character
from siliconfriend.lore.companion_files import CHARACTER, LORE
from siliconfriend.lore.companions import Companions, LoreDefaults
from siliconfriend.lore.entries import add_entries
from siliconfriend.lore.import_fields import ImportedEntry
from siliconfriend.memory.codec import Unreadable

FACTS = ("facts", "memory_entities", "entities")
EVENTS = ("events", "memory_events")


@dataclass(frozen=True, slots=True)
class CompanionSource:
    """What a file or a folder holds.

    Attributes:
        character: who the companion is; None in a file of lore alone.
        drafts: its facts and events.
    """

    character: Character | None
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did.

    Attributes:
        name: the companion.
        created: it is new.
        facts, events: how many were added.
        known: how many were there already.
    """

    name: str
    created: bool
    facts: int
    events: int
    known: int


def read_source(
    path: Path, zone: ZoneInfo, renamed: Mapping[str, str] | None = None
) -> CompanionSource:
    """Read and validate a companion's folder, or a JSON file of facts and events.

    Args:
        path: where.
        zone: of moments without an offset.
        renamed: names that stand for others wherever they are told.

    Raises:
        UnreadableFile: it cannot be opened, or naming the entry and field that is wrong.
    """
    names = renamed or {}
    if not path.is_dir():
        return CompanionSource(None, tuple(_drafts(_replace_names(_json(path), names), zone)))
    character: Character | None = None
    drafts: tuple[Draft, ...] = ()
    if (path / CHARACTER).exists():
        character = _with_names_replaced(_character(path / CHARACTER), names)
    if (path / LORE).exists():
        drafts = tuple(_drafts(_replace_names(_json(path / LORE), names), zone))
    elif character is None:
        raise UnreadableFile("companion_folder_empty", path=path)
    return CompanionSource(character, drafts)


def import_companion(
    companions: Companions,
    name: str,
    source: CompanionSource,
    defaults: LoreDefaults,
    *,
    made_by: str,
) -> ImportResult:
    """Add what was read to a companion, which is created if it is new.

    Of a companion that is there, what is written of its character stays and what is missing
    is filled in.
    """
    character = source.character or Character(name)
    character = Character(name, character.texts, tuple(it for it in character.shares if it != name))
    created = not companions.exists(name)
    if created:
        companions.create(character)
    else:
        companions.edit(name, lambda before: _fill_missing(before, character))
    with companions.edit_lore(name, defaults) as edit:
        new = add_entries(edit.memory, source.drafts, now=defaults.now, made_by=made_by)
        edit.add(*new.changes)
    kinds = [type(entry).__name__ for entry in new.entries]
    return ImportResult(name, created, kinds.count("Fact"), kinds.count("Event"), new.known)


def _fill_missing(before: Character, imported: Character) -> Character:
    for language, texts in imported.texts.items():
        there = before.texts_in(language)
        missing = {
            field: getattr(texts, field)
            for field in CharacterTexts.__dataclass_fields__
            if not getattr(there, field)
        }
        before = before.with_texts(language, missing)
    return before


def _character(path: Path) -> Character:
    try:
        return parse_character(path.read_text(encoding="utf-8-sig"))
    except (Unreadable, UnicodeDecodeError) as error:
        raise UnreadableFile("companion_file_wrong", path=path, cause=error) from error
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error


def _drafts(form: object, zone: ZoneInfo) -> Iterator[Draft]:
    number = 0
    for kind, entries in _lists(form):
        for entry in entries:
            number += 1
            fields = ImportedEntry(entry, number, zone)
            is_fact = fields.is_of_a_fact if kind is None else kind == "fact"
            yield fields.fact() if is_fact else fields.event()


def _lists(form: object) -> Iterator[tuple[str | None, list[Any]]]:
    if isinstance(form, list):
        yield None, form
        return
    lists = [(kind, name) for kind, names in (("fact", FACTS), ("event", EVENTS)) for name in names]
    if not isinstance(form, dict) or not any(name in form for _, name in lists):
        raise UnreadableFile("lore_no_entries")
    for kind, name in lists:
        entries = form.get(name, [])
        if isinstance(entries, dict):
            # By day, as a person's memory has them.
            entries = [
                {"date": day, **entry} if isinstance(entry, dict) else entry
                for day, several in entries.items()
                for entry in (several if isinstance(several, list) else [several])
            ]
        if not isinstance(entries, list):
            raise UnreadableFile("lore_no_entries")
        yield kind, entries


def _replace_names(form: Any, names: Mapping[str, str]) -> Any:
    """Replace names in every text of a JSON value."""
    if isinstance(form, str):
        for old, new in names.items():
            form = form.replace(old, new)
        return form
    if isinstance(form, list):
        return [_replace_names(it, names) for it in form]
    if isinstance(form, dict):
        return {key: _replace_names(it, names) for key, it in form.items()}
    return form


def _with_names_replaced(character: Character, names: Mapping[str, str]) -> Character:
    for language, texts in character.texts.items():
        renamed = {field: getattr(texts, field) for field in CharacterTexts.__dataclass_fields__}
        character = character.with_texts(language, _replace_names(renamed, names))
    return character
