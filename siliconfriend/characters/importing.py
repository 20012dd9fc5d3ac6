"""Import companions and lore: a companion's folder, a card, or other JSON.

A file is validated before anything is written, so a faulty file changes nothing; known entries are
skipped. In lore only ``content``, also called ``text``, is required; unknown fields are kept.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.characters.card_files import bare_picture, is_kept_card, parse, read_contents
from siliconfriend.characters.cards import CompanionSource, read_card
from siliconfriend.characters.character import Character, parse_character
from siliconfriend.characters.companions import CARD, CHARACTER, LORE, PICTURE, Companions
from siliconfriend.characters.entries import add_entries
from siliconfriend.clock import check_day
from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.codec import Unreadable, validate
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.models.output import clean
from siliconfriend.texts import Language

LISTS = ("facts", "events")
MOMENTS = ("time", "last", "date")
NOT_KEPT = frozenset(
    {"memory_id", "id", "position", "trace", "provenance", "said_by", "superseded_by"}
    | {"topic", "kind", "value", "first", "extra", "content", "key_word", "key_words", *MOMENTS}
)
"""Fields that are only valid in the source, or are read under another name."""
ABOUT = {"entity", "entity_type", "aspect"}
"""Fields of a fact, by which it is distinguished from an event in a mixed list."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The validated fields of an entry of lore."""

    content: str = ""
    text: str = ""
    entity: str = ""
    entity_type: EntityType | None = None
    aspect: Aspect = "attribute"
    key_word: str | tuple[str, ...] = ()
    key_words: str | tuple[str, ...] = ()
    place: str = ""
    scene: str = ""
    insight: str = ""
    language: Language | None = None


with suppress(Unreadable):
    validate(_Entry, {})  # as in the codec: before there are threads


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Counts of an import.

    Attributes:
        name: of the companion.
        created: it is new.
        facts: added facts.
        events: added events.
        known: skipped entries.
        ignored: names of the fields and entries without effect.
        written_name: the card's name, if a companion cannot have it.
    """

    name: str
    created: bool
    facts: int
    events: int
    known: int
    ignored: tuple[str, ...] = ()
    written_name: str = ""


def read_source(
    path: Path, zone: ZoneInfo, renamed: Mapping[str, str] | None = None
) -> CompanionSource:
    """Read and validate a companion's folder, a card, a lorebook, or a JSON file of lore.

    ``zone`` applies to times without an offset; ``renamed`` are replacements for names in a
    companion's folder.

    Raises:
        UnreadableFile: it cannot be opened, or an entry is wrong, which the error names.
        UsageError: a text is too long.
    """
    if path.is_dir():
        return _read_folder(path, zone, renamed or {})
    contents = read_contents(path)
    if not _is_ours(contents.document) and (source := read_card(contents)):
        return source
    if contents.picture is not None:
        raise UnreadableFile("card_missing")
    return CompanionSource(None, tuple(_read_drafts(contents.document, zone)))


def _read_folder(folder: Path, zone: ZoneInfo, renamed: Mapping[str, str]) -> CompanionSource:
    names = (CHARACTER, LORE, CARD, PICTURE)
    try:
        files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name in names}
    except OSError as error:
        raise UnreadableFile("file_missing", path=folder, cause=error) from error
    if not files.keys() & {CHARACTER, LORE}:
        raise UnreadableFile("companion_folder_empty", path=folder)
    for name in files.keys() & {CHARACTER, LORE}:
        for old, new in renamed.items():
            files[name] = files[name].replace(
                old.encode(), json.dumps(new, ensure_ascii=False)[1:-1].encode()
            )
    character: Character | None = None
    if CHARACTER in files:
        try:
            character = parse_character(files[CHARACTER].decode("utf-8-sig"))
        except ValueError as error:
            path = folder / CHARACTER
            raise UnreadableFile("companion_file_wrong", path=path, cause=error) from error
    drafts = tuple(_read_drafts(parse(files[LORE]), zone)) if LORE in files else ()
    card = parse(files[CARD]) if CARD in files else None
    if card is not None and not is_kept_card(card):
        raise UnreadableFile("card_wrong_field", field="data")
    picture = bare_picture(files[PICTURE]) if PICTURE in files else None
    return CompanionSource(character, drafts, card, picture)


def import_companion(
    companions: Companions, name: str, source: CompanionSource, timezone: str, now: datetime
) -> ImportResult:
    """Add imported data to a new or existing companion; existing texts stay.

    New lore gets this time zone, and begins ``now``.
    """
    imported = source.character or Character(name)
    shares = tuple(share for share in imported.shares if share != name)
    character = replace(imported, name=name, shares=shares)
    created = not companions.exists(name)
    if created:
        companions.create(character)
    else:
        companions.edit(name, lambda before: _fill_missing(before, character))
    with companions.edit_lore(name, timezone, now) as edit:
        new = add_entries(edit.memory, source.drafts, now=now, made_by="import")
        edit.add(*new)
    companions.keep_card(name, source.card, source.picture)
    facts, known = sum(isinstance(row.record, Fact) for row in new), len(source.drafts) - len(new)
    return ImportResult(name, created, facts, len(new) - facts, known, source.ignored)


def _fill_missing(before: Character, imported: Character) -> Character:
    for language, texts in imported.texts.items():
        there = before.texts_in(language)
        missing = {key: value for key, value in asdict(texts).items() if not getattr(there, key)}
        before = before.with_texts(language, missing)
    return before


def _is_ours(document: object) -> bool:
    return isinstance(document, dict) and any(name in document for name in LISTS)


def _read_drafts(form: object, zone: ZoneInfo) -> Iterator[Draft]:
    if isinstance(form, list):
        entries = [("", entry) for entry in form]
    elif isinstance(form, dict) and _is_ours(form):
        entries = [(name, entry) for name in LISTS for entry in _listed(form.get(name, []))]
    else:
        raise UnreadableFile("lore_no_entries")
    for number, (name, entry) in enumerate(entries, 1):
        yield _draft(entry, number, name, zone)


def _listed(several: object) -> list[Any]:
    if isinstance(several, dict):  # under their dates
        days = [(date, entry) for date, day in several.items() for entry in _listed(day)]
        return [{"date": date, **each} if isinstance(each, dict) else each for date, each in days]
    if not isinstance(several, list):
        raise UnreadableFile("lore_no_entries")
    return several


def _draft(form: object, number: int, of_list: str, zone: ZoneInfo) -> Draft:
    def wrong(field: str) -> UnreadableFile:
        return UnreadableFile("lore_wrong_entry", number=number, field=field)

    if not isinstance(form, dict):
        raise wrong("{…}")
    extra = form.get("extra") or {}
    if not isinstance(extra, dict):
        raise wrong("extra")
    own = (
        (name, clean(one).strip() if isinstance(one, str) else one) for name, one in form.items()
    )
    said = {name: value for name, value in (*extra.items(), *own) if value not in (None, "", [])}
    moment = next((name for name in MOMENTS if name in said), "")
    try:
        entry = validate(_Entry, said)
        day, time = _moment(str(said.get(moment, "")), zone)
    except Unreadable as error:
        found = re.search(r"\$\.(\w+)", str(error))
        raise wrong(found[1] if found else "{…}") from error
    except (OverflowError, ValueError) as error:
        raise wrong(moment) from error
    if not (words := entry.content or entry.text):
        raise wrong("text" if "text" in form else "content")
    is_fact = of_list == "facts" or (not of_list and not ABOUT.isdisjoint(said))
    known = {field.name for field in fields(FactDraft if is_fact else EventDraft)}
    kept = {name: value for name, value in said.items() if name not in known | NOT_KEPT}
    keys = _words(entry.key_word or entry.key_words)
    rest: dict[str, Any] = {"day": day, "language": entry.language, "extra": kept}
    if is_fact:
        sort = entry.entity_type or ("specific" if entry.entity else "subject")
        rest |= {"entity": entry.entity, "entity_type": sort, "aspect": entry.aspect}
        return FactDraft(words, key_word=" ".join(keys), **rest)
    rest |= {"place": entry.place, "scene": entry.scene, "insight": entry.insight}
    return EventDraft(words, time=time, key_words=keys, **rest)


def _words(value: str | tuple[str, ...]) -> tuple[str, ...]:
    several = (value,) if isinstance(value, str) else value
    return tuple(dict.fromkeys(filter(None, (clean(word).strip() for word in several))))


def _moment(written: str, zone: ZoneInfo) -> tuple[date | None, datetime | None]:
    """Parse a date, or a date and time; ValueError or OverflowError for another text."""
    day, moment = None, None
    if len(written) > len("2018-09-30"):
        moment = datetime.fromisoformat(written)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
        day = moment.astimezone(zone).date()
    elif written:
        day = date.fromisoformat(written)
    return day and check_day(day), moment
