"""What a companion calls itself, decided in one place for the talk, the night and the page."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.config import Settings
from siliconfriend.errors import DamagedMemory
from siliconfriend.lore.companion_folder import CompanionFolder
from siliconfriend.texts import Language


def companion_name(settings: Settings, companion: str, language: Language) -> str:
    """What it is called in its own texts wins; then a name that was set; then its name.

    The companion called ``default`` has the usual name instead of that one, and so has one
    whose file is damaged: a night can still be had.
    """
    usual = settings.speaking(language).companion_name
    try:
        character = CompanionFolder(settings.home, companion).read_character()
    except (FileNotFoundError, NotADirectoryError, DamagedMemory):
        return usual
    own = character.manner(language).called
    if not own and settings.sources.get("companion_name", "default") != "default":
        return usual
    return own or character.called(language)


def speaking_as(settings: Settings, language: Language) -> Settings:
    """The settings for a person of ``language``, with the name of the companion they name."""
    name = companion_name(settings, settings.companion, language)
    sources = settings.sources
    if name != settings.speaking(language).companion_name:
        sources = {**sources, "companion_name": "file"}
    return replace(settings, companion_name=name, sources=sources)
