"""Companions go where a data directory goes, and are looked into where it is searched."""

from __future__ import annotations

import stat
from pathlib import Path

from siliconfriend.characters.companions import CompanionFolder, Companions
from siliconfriend.characters.lore import Lore
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.testing import WordEmbedder
from tests.characters.conftest import NOW, tell


def test_a_backup_holds_companions_and_a_restore_brings_them_back(
    companions: Companions, home: Path, tmp_path: Path
) -> None:
    """Character, lore and cache are the same elsewhere, and nobody else can read them there."""
    tell(companions, "Pebble", FactDraft("Pebble likes rain."), EventDraft("A storm came."))
    companions.edit("Pebble", lambda it: it.with_texts("cn", {"persona": "沉静。"}))
    Lore(home, "Pebble", WordEmbedder()).recall("storm", now=NOW)
    back_up(home, tmp_path / "all.tar.gz", now=NOW)
    other = tmp_path / "other"
    restore(tmp_path / "all.tar.gz", other)
    again = Companions(other)
    assert again.character("Pebble") == companions.character("Pebble")
    assert again.lore("Pebble") == companions.lore("Pebble")
    (found,) = Lore(other, "Pebble", WordEmbedder()).recall("storm", now=NOW).memories
    assert found.memory.trace.pinned
    folder = CompanionFolder(other, "Pebble").path
    names = {path.name for path in folder.iterdir()}
    assert names == {"companion.toml", "lore.json", "index.sqlite"}
    for path in (folder.parent, folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
