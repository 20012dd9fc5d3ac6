"""Every part of a score has a name in both languages, since the page shows them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from siliconfriend import MemoryBank
from siliconfriend.config import load_settings
from siliconfriend.testing import WordEmbedder
from siliconfriend.texts import LANGUAGES, area


def test_each_part_can_be_shown(home: Path) -> None:
    """Those of the recipe that replies are made with."""
    settings = load_settings(home=home, environ={}, llm="offline", embedding="none")
    ada = MemoryBank(settings=settings, embedder=WordEmbedder()).person("Ada")
    ada.add("Kit planted beans by the wall.", at="2026-03-01")
    now = datetime(2026, 3, 9, 9, tzinfo=UTC)
    (found,) = ada.recall("What did Kit plant by the wall?", at=now).memories
    for language in LANGUAGES:
        assert set(found.parts) <= set(area("web", language)["parts"])
