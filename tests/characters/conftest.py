"""A data directory with companions in it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.entries import add_entries
from siliconfriend.memory.drafts import Draft
from siliconfriend.memory.records import PersonMemory

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
BEGINNING = ("UTC", NOW)


@pytest.fixture
def companions(home: Path) -> Companions:
    """No companion yet."""
    return Companions(home)


def tell(companions: Companions, name: str, *drafts: Draft) -> PersonMemory:
    """The lore of a companion after these were added; a new companion begins."""
    if not companions.exists(name):
        companions.create(Character(name))
    with companions.edit_lore(name, *BEGINNING) as edit:
        edit.add(*add_entries(edit.memory, drafts, now=NOW, made_by="person"))
    return edit.memory_after
