"""Create companions, import them from files, and load the samples."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from siliconfriend.characters.cards import CompanionSource
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.importing import ImportResult, import_companion, read_source
from siliconfriend.clock import day_of
from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ConfigurationError, RefusedName, UnreadableFile, UsageError
from siliconfriend.memory.scope import clean_name
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.shipped import SAMPLES
from siliconfriend.texts import Language

SAMPLE_PEOPLE: Mapping[Language, str] = {"en": "maya.json", "cn": "lin-xiao.json"}
SAMPLE_COMPANION = "Pebble"
"""The companion that comes with the program; its folder has its name in small letters."""


def create_companion(bank: MemoryBank, character: Character, *, is_sample: bool = False) -> None:
    """Begin a companion; ``is_sample`` gives it everything of the one that comes along.

    UsageError: there is one of that name.
    """
    settings, name = bank.settings, character.name
    source = read_sample_companion(settings, name) if is_sample else None
    prepare_home(settings.home)
    bank.companions.create(character)
    if source is not None:
        import_companion(bank.companions, name, source, settings.timezone, bank.now())


def import_companion_file(
    bank: MemoryBank, path: Path, *, name: str | None = None, is_new: bool = False
) -> ImportResult:
    """Import a file or a folder into the companion it names, or into ``name``.

    A card's name loses the characters that a companion's name cannot hold.

    UnreadableFile: it is no card nor lore, or names no companion; UsageError: the companion
    ``is_new`` and there is one of that name; RefusedName: it cannot be a name.
    """
    settings, companions = bank.settings, bank.companions
    source = read_source(path, settings.zone)
    inside = name if name is not None else source.character and source.character.name
    if not inside:
        raise UnreadableFile("companion_name_missing", path=path)
    wanted = clean_name(inside)
    if is_new and companions.exists(wanted):
        raise UsageError("companion_exists", name=wanted)
    prepare_home(settings.home)
    done = import_companion(companions, wanted, source, settings.timezone, bank.now())
    written = str(source.card["data"].get("name", "")) if source.card and name is None else wanted
    try:
        clean_name(written)
        return done
    except RefusedName:
        return replace(done, written_name=written)


def companion_json(companions: Companions, name: str) -> dict[str, Any]:
    """Return the document of ``companion show --json``."""
    character, lore = companions.character(name), companions.lore(name)
    languages = {
        language: {name: words for name, words in asdict(texts).items() if words}
        for language, texts in character.texts.items()
    }
    facts, events = ([*lore.facts()], [*lore.events()]) if lore else ([], [])
    about = {"name": character.name, "languages": languages, "shares": list(character.shares)}
    return about | {"facts": len(facts), "events": len(events)}


def read_sample_companion(settings: Settings, name: str) -> CompanionSource:
    """Load the sample companion, under another name if one was given."""
    folder = SAMPLES / "companions" / SAMPLE_COMPANION.lower()
    brought = read_source(folder, settings.zone)
    if name == SAMPLE_COMPANION or brought.character is None:
        return brought
    texts = brought.character.texts.values()
    return read_source(folder, settings.zone, {text.called: name for text in texts})


def read_sample(language: Language) -> tuple[str, dict[str, Any]]:
    """Load the sample person of a language: the name and MemoryBank's record of them.

    ConfigurationError: the samples are not where they should be.
    """
    try:
        ((name, person),) = json.loads((SAMPLES / SAMPLE_PEOPLE[language]).read_bytes()).items()
    except (OSError, ValueError) as error:
        raise ConfigurationError("samples_missing") from error
    return name, person


def begin_sample(bank: MemoryBank, language: Language, *, fresh: bool) -> tuple[Person, bool]:
    """Return the sample person, and whether they were created now, with yesterday as their last day.

    ``fresh`` deletes and recreates an existing one.
    """
    name, sample = read_sample(language)
    person, zone = bank.person(name), bank.settings.zone
    if person.is_known():
        if not fresh:
            return person, False
        bank.delete(name, person.scope.companion)
    prepare_home(bank.settings.home)
    yesterday = day_of(bank.now(), zone) - timedelta(days=1)
    bank.import_({name: shift_dates(sample, yesterday)}, language=language)
    return person, True


def shift_dates(person: dict[str, Any], last_day: date) -> dict[str, Any]:
    """Shift every date of a person by the same number of days, the last to ``last_day``."""
    shift = last_day - max(date.fromisoformat(day) for day in person["history"])
    return person | {
        key: {
            (date.fromisoformat(day) + shift).isoformat(): value
            for day, value in person[key].items()
        }
        for key in ("history", "summary", "personality")
        if key in person
    }
