"""The samples: users, shifted in time so that their last day is yesterday, and a companion."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.shipped import SAMPLES
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.characters.cards.card import CompanionSource

BY_LANGUAGE: Mapping[Language, str] = {"en": "maya.json", "cn": "lin-xiao.json"}
SAMPLE_COMPANION = "Pebble"
"""The companion that comes with the program; its folder has its name in small letters."""

DATED = ("history", "summary", "personality")
"""The parts of a MemoryBank person that are keyed by date."""


def read_sample(language: Language) -> tuple[str, dict[str, Any]]:
    """Load the sample user of a language: the name and MemoryBank's record of them.

    Raises:
        ConfigurationError: the samples are not where they should be.
    """
    path = SAMPLES / BY_LANGUAGE[language]
    try:
        ((name, person),) = json.loads(path.read_text(encoding="utf-8")).items()
    except (OSError, ValueError) as error:
        raise ConfigurationError("samples_missing") from error
    return name, person


def read_sample_companion(settings: Settings, name: str) -> CompanionSource:
    """Load the sample companion, under another name if one was given."""
    from siliconfriend.characters.importing import read_source

    folder = SAMPLES / "companions" / SAMPLE_COMPANION.lower()
    brought = read_source(folder, settings.zone)
    if name == SAMPLE_COMPANION or brought.character is None:
        return brought
    texts = brought.character.texts.values()
    return read_source(folder, settings.zone, {it.called: name for it in texts})


def shift_dates(person: dict[str, Any], last_day: date) -> dict[str, Any]:
    """Shift every date of a person by the same number of days, the last to ``last_day``."""
    shift = last_day - max(date.fromisoformat(day) for day in person["history"])
    return person | {
        key: {(date.fromisoformat(day) + shift).isoformat(): it for day, it in person[key].items()}
        for key in DATED
        if key in person
    }
