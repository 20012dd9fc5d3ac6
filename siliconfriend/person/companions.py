"""Begin companions and take them in from files, in the same steps at every door."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions, LoreDefaults
from siliconfriend.characters.importing import ImportResult, import_companion, read_source
from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.memory.scope import clean_name
from siliconfriend.person.sample_people import read_sample_companion


def create_companion(
    settings: Settings, character: Character, *, now: datetime, is_sample: bool = False
) -> None:
    """Begin a companion; ``is_sample`` gives it everything of the one that comes along.

    Raises:
        UsageError: there is one of that name.
    """
    companions, name = Companions(settings.home), character.name
    source = read_sample_companion(settings, name) if is_sample else None
    prepare_home(settings.home)
    companions.create(character)
    if source is not None:
        began = LoreDefaults(settings.timezone, now)
        import_companion(companions, name, source, began)


def import_companion_file(
    settings: Settings, path: Path, *, now: datetime, name: str | None = None, is_new: bool = False
) -> ImportResult:
    """Take in what a file or a folder brings, under the name it says unless one is given.

    Raises:
        UnreadableFile: it is no card nor lore, or names no companion.
        UsageError: the companion ``is_new`` and there is one of that name.
        RefusedName: it cannot be a name.
    """
    companions, source = Companions(settings.home), read_source(path, settings.zone)
    inside = name if name is not None else source.character and source.character.name
    if not inside:
        raise UnreadableFile("companion_name_missing", path=path)
    wanted = clean_name(inside)
    if is_new and companions.exists(wanted):
        raise UsageError("companion_exists", name=wanted)
    prepare_home(settings.home)
    began = LoreDefaults(settings.timezone, now)
    return import_companion(companions, wanted, source, began)
