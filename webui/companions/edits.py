"""Changes that the page makes to companions, through the same classes as the command line.

What a browser sends is validated here before anything is written: a request that is not of the
page's own making changes nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from siliconfriend.cli.samples import read_sample_companion
from siliconfriend.clock import Clock
from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.extraction.drafts import Draft, EventDraft, FactDraft
from siliconfriend.lore.cards.book import LONGEST_ENTRY
from siliconfriend.lore.cards.exporting import in_picture, to_bytes, to_card
from siliconfriend.lore.character import Character
from siliconfriend.lore.companions import Companions, LoreDefaults
from siliconfriend.lore.entries import Entry, add_entries, edit_entry, entry_draft
from siliconfriend.lore.importing import ImportResult, import_companion, read_source
from siliconfriend.lore.keys import BOOK, with_keys
from siliconfriend.lore.pictures import redraw_picture
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.texts import LANGUAGES, Language

from .views import written_keys

MOST_KEYS = 100
LONGEST_KEY = 200


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class NameForm(_Form):
    """A companion that is to be made; ``sample`` with all that comes with the program."""

    name: str
    sample: bool = False


class TextsForm(_Form):
    """The texts of a character in one language, all of them."""

    called: str
    persona: str
    speaking_style: str
    greeting: str
    other_greetings: list[str]


class CharacterForm(_Form):
    """The texts of a character; a language that is not named stays as it is."""

    en: TextsForm | None = None
    cn: TextsForm | None = None


class EntryForm(_Form):
    """An entry of lore: its words, the keys that call it, and the only language it is told in."""

    text: str
    keys: list[str]
    constant: bool
    language: Language | None
    kind: Literal["fact", "event"] = "fact"
    day: str = ""


class CompanionEdits:
    """Changes companions for the page."""

    def __init__(self, companions: Companions, settings: Settings, clock: Clock) -> None:
        self._companions, self._settings, self._clock = companions, settings, clock

    def create(self, form: NameForm) -> str:
        """Begin a companion; returns its name."""
        name = clean_name(form.name)
        brought = read_sample_companion(self._settings, name) if form.sample else None
        prepare_home(self._settings.home)
        self._companions.create(Character(name))
        if brought is not None:
            import_companion(self._companions, name, brought, self._beginning(), made_by="import")
        return name

    def delete(self, name: str) -> None:
        """Remove a companion; what people told it stays."""
        self._companions.delete(name)

    def write_texts(self, name: str, form: CharacterForm) -> None:
        """Replace the texts of the languages that are named."""

        def change(character: Character) -> Character:
            for language in LANGUAGES:
                texts: TextsForm | None = getattr(form, language)
                if texts is not None:
                    given = texts.model_dump(exclude={"other_greetings"})
                    character = character.with_texts(language, given)
                    character = character.with_other_greetings(language, texts.other_greetings)
            return character

        self._companions.edit(name, change)

    def put_picture(self, name: str, data: bytes) -> None:
        """Draw an uploaded picture anew and keep it."""
        picture = redraw_picture(data)
        self._companions.replace_picture(name, (picture.kind, picture.data))

    def remove_picture(self, name: str) -> None:
        """Leave a companion without a picture."""
        self._companions.replace_picture(name, None)

    def add_entry(self, name: str, form: EntryForm) -> Entry | None:
        """Add an entry of lore; None where it has the same words already."""
        draft = _new_draft(form)
        beginning = self._beginning()
        with self._companions.edit_lore(name, beginning) as edit:
            new = add_entries(edit.memory, [draft], now=beginning.now, made_by="person")
            edit.add(*new.changes)
        return new.entries[0] if new.entries else None

    def edit_entry(self, name: str, identifier: str, form: EntryForm) -> Entry:
        """Put other words and keys in the place of an entry's; what the form has not stays."""
        beginning = self._beginning()
        with self._companions.edit_lore(name, beginning) as edit:
            there = edit.memory.find(identifier)
            if not isinstance(there, Fact | Event):
                raise UsageError("lore_unknown", id=ascii(identifier), name=name)
            draft = _changed_draft(entry_draft(there), form)
            made, changes = edit_entry(edit.memory, there, draft, now=beginning.now)
            edit.add(*changes)
        return made

    def delete_entry(self, name: str, identifier: str) -> None:
        """Remove an entry for good, from the file and its cache."""
        with self._companions.edit_lore(name, self._beginning()) as edit:
            if not isinstance(edit.memory.find(identifier), Fact | Event):
                raise UsageError("lore_unknown", id=ascii(identifier), name=name)
            edit.add(Erase((identifier,)))

    def import_file(self, data: bytes, name: str, *, into_known: bool) -> ImportResult:
        """Take in a card, a lorebook or a file of lore.

        Args:
            data: the file.
            name: whose it becomes; empty for the name in it.
            into_known: a companion of that name may be there already.

        Raises:
            UnreadableFile: it is none of these, or names no companion.
            UsageError: there is a companion of that name, and nothing was said of that.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "upload"
            path.write_bytes(data)
            brought = read_source(path, self._settings.zone)
        inside = "" if brought.character is None else brought.character.name
        if not (name or inside):
            raise UnreadableFile("companion_name_missing", path="")
        wanted = clean_name(name or inside)
        if self._companions.exists(wanted) and not into_known:
            raise UsageError("companion_exists", name=wanted)
        prepare_home(self._settings.home)
        return import_companion(
            self._companions, wanted, brought, self._beginning(), made_by="import"
        )

    def export(self, name: str, language: Language, *, in_its_picture: bool) -> bytes:
        """A companion as a Character Card V3, as JSON or inside its picture."""
        character = self._companions.character(name)
        kept, picture = self._companions.card(name)
        card = to_card(
            character,
            self._companions.lore(name),
            kept,
            language=language,
            now=self._beginning().now,
        )
        return in_picture(card, picture, character.name) if in_its_picture else to_bytes(card)

    def _beginning(self) -> LoreDefaults:
        settings = self._settings
        return LoreDefaults(settings.timezone, self._clock.now(settings.zone))


def _new_draft(form: EntryForm) -> Draft:
    make: Callable[..., Draft] = FactDraft if form.kind == "fact" else EventDraft
    return _changed_draft(make("", day=_day(form.day)), form)


def _changed_draft(draft: Draft, form: EntryForm) -> Draft:
    words, keys = clean(form.text).strip(), _keys(form.keys)
    if not words:
        raise UsageError("lore_empty")
    if len(words) > LONGEST_ENTRY:
        raise UsageError("lore_long", longest=LONGEST_ENTRY)
    before = written_keys(draft.extra.get(BOOK))
    extra = with_keys(draft.extra, keys, is_constant=form.constant)
    draft = replace(draft, text=words, language=form.language, extra=extra)
    if keys == before:
        return draft
    # What calls an entry is what it is searched by too, as of a lorebook's.
    if isinstance(draft, FactDraft):
        return replace(draft, key_word=" ".join(keys))
    return replace(draft, key_words=tuple(keys))


def _keys(written: list[str]) -> list[str]:
    keys = list(dict.fromkeys(word for it in written if (word := clean(it).strip())))
    if len(keys) > MOST_KEYS or any(len(key) > LONGEST_KEY for key in keys):
        raise UsageError("lore_many_keys", most=MOST_KEYS, longest=LONGEST_KEY)
    return keys


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written) if written else None
    except ValueError as error:
        raise UsageError("lore_wrong_day") from error
