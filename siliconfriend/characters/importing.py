"""Companions and their lore from files: a companion's folder, a card, or JSON from elsewhere.

Everything is read and checked before anything is written, so a file with a fault changes
nothing; what is there already in the same words is not added again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.characters.cards.book import is_book
from siliconfriend.characters.cards.card import ReadCard, is_card, read_book_file, read_card_file
from siliconfriend.characters.cards.files import (
    Contents,
    Picture,
    parse,
    read_contents,
    read_picture,
)
from siliconfriend.characters.character import MAX_LENGTHS, Character, parse_character
from siliconfriend.characters.companion_files import CARD, CHARACTER, LORE, is_kept_card
from siliconfriend.characters.companions import Companions, LoreDefaults
from siliconfriend.characters.entries import add_entries
from siliconfriend.characters.import_fields import ImportedEntry
from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.drafts import Draft

FACTS = ("facts", "memory_entities", "entities")
EVENTS = ("events", "memory_events")


@dataclass(frozen=True, slots=True)
class CompanionSource:
    """The character and entries in a file or a folder.

    Attributes:
        character: who the companion is; None in a file of lore alone.
        drafts: its facts and events.
        card: what is kept of a character card; None where it is no card.
        picture: of the companion.
        ignored: names of what in a card or a lorebook has no effect here.
    """

    character: Character | None
    drafts: tuple[Draft, ...]
    card: dict[str, Any] | None = None
    picture: Picture | None = None
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import.

    Attributes:
        name: the companion.
        created: it is new.
        facts, events: how many were added.
        known: how many were there already.
        greetings: ways to begin a talk that were read.
        keeps_card: what has no place is kept for an export; not where there was a card before.
        keeps_picture: its picture was kept; not where it had one before.
        ignored: names of what had no effect.
    """

    name: str
    created: bool
    facts: int
    events: int
    known: int
    greetings: int = 0
    keeps_card: bool = False
    keeps_picture: bool = False
    ignored: tuple[str, ...] = ()


def read_source(
    path: Path, zone: ZoneInfo, renamed: Mapping[str, str] | None = None
) -> CompanionSource:
    """Read and validate a companion's folder, a card, a lorebook, or a JSON file of lore.

    Args:
        path: where.
        zone: of moments without an offset.
        renamed: names that stand for others wherever they are told.

    Raises:
        UnreadableFile: it cannot be opened, or naming the entry and field that is wrong.
        UsageError: a text is too long.
    """
    names = renamed or {}
    if not path.is_dir():
        return _of_file(read_contents(path), names, zone)
    character: Character | None = None
    drafts: tuple[Draft, ...] = ()
    if (path / CHARACTER).exists():
        character = _with_names_replaced(_character(path / CHARACTER), names)
    if (path / LORE).exists():
        drafts = tuple(_drafts(_replace_names(_json(path / LORE), names), zone))
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
    picture = source.picture
    keeps_card, keeps_picture = companions.keep_card(
        name, source.card, None if picture is None else (picture.kind, picture.data)
    )
    kinds = [type(entry).__name__ for entry in new.entries]
    return ImportResult(
        name,
        created,
        kinds.count("Fact"),
        kinds.count("Event"),
        new.known,
        greetings=sum(len(texts.greetings) for texts in character.texts.values()),
        keeps_card=keeps_card,
        keeps_picture=keeps_picture,
        ignored=source.ignored,
    )


def _of_file(contents: Contents, names: Mapping[str, str], zone: ZoneInfo) -> CompanionSource:
    document = contents.document
    is_ours = isinstance(document, dict) and any(name in document for name in (*FACTS, *EVENTS))
    if not is_ours and is_card(document):
        return _of_card(read_card_file(contents))
    if not is_ours and is_book(document):
        return _of_card(read_book_file(document))
    if contents.picture is not None:
        raise UnreadableFile("card_missing")
    return CompanionSource(None, tuple(_drafts(_replace_names(document, names), zone)))


def _of_card(read: ReadCard) -> CompanionSource:
    return CompanionSource(read.character, read.drafts, read.form, read.picture, read.ignored)


def _fill_missing(before: Character, imported: Character) -> Character:
    for language, texts in imported.texts.items():
        there = before.texts_in(language)
        missing = {
            field: getattr(texts, field) for field in MAX_LENGTHS if not getattr(there, field)
        }
        before = before.with_texts(language, missing)
        others = there.other_greetings or texts.other_greetings
        before = before.with_other_greetings(language, others)
    return before


def _character(path: Path) -> Character:
    try:
        return parse_character(path.read_text(encoding="utf-8-sig"))
    except (Unreadable, UnicodeDecodeError) as error:
        raise UnreadableFile("companion_file_wrong", path=path, cause=error) from error
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def _json(path: Path) -> Any:
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


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
        renamed = {field: getattr(texts, field) for field in MAX_LENGTHS}
        character = character.with_texts(language, _replace_names(renamed, names))
        others = _replace_names(list(texts.other_greetings), names)
        character = character.with_other_greetings(language, others)
    return character
