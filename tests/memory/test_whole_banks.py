"""MemoryBank's own banks, where they are at hand: all in, all out, and nothing twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.memorybank import export_memorybank
from siliconfriend.memory.store import InMemoryStore
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NOW

BESIDE = Path(__file__).parents[3] / "shared"
BANKS = Path(os.environ.get("SILICONFRIEND_SHARED", BESIDE)) / "data" / "memorybank"

pytestmark = pytest.mark.skipif(
    not BANKS.is_dir(), reason="NOT TESTED: no MemoryBank data (SILICONFRIEND_SHARED names it)"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_bank_goes_in_and_out(home: Path, language: Language) -> None:
    """Equal in meaning, names trimmed; a second import adds nothing; our own form loses nothing."""
    data = (BANKS / f"bank_{language}.json").read_bytes()
    bank = {name.strip(): person for name, person in json.loads(data).items()}
    store, copy = FileStore(home), InMemoryStore()
    zone = ZoneInfo("Asia/Shanghai")
    turns = sum(len(day) for person in bank.values() for day in person["history"].values())
    for expected in (turns, 0):
        report = import_bank(store, data, language=language, zone=zone, now=NOW)
        assert report.turns == expected
    exported, native = {}, {}
    for scope in store.scopes():
        exported |= export_memorybank(store.load(scope))
        native |= export_native(store.load(scope))
    assert exported == bank
    import_bank(copy, json.dumps(native), language="en", zone=ZoneInfo("UTC"), now=NOW)
    for scope in store.scopes():
        there, here = copy.load(scope), store.load(scope)
        assert (there.profile, dict(there.days)) == (here.profile, dict(here.days))
