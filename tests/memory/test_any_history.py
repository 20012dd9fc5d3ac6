"""Whatever happens to a memory, the files say the same as a memory that never left the program."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siliconfriend.memory.changes import Change
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.records import PersonMemory
from tests.memory.histories import changes
from tests.memory.people import NORA, NOW, a_profile
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore

pytestmark = pytest.mark.slow

updates = st.lists(st.lists(changes, max_size=4), max_size=6)


def _lived(history: list[list[Change]]) -> PersonMemory:
    store = TemporaryStore()
    store.create(NORA, a_profile())
    for several in history:
        put(store, NORA, *several)
    return store.load(NORA)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(updates, st.sets(st.integers(0, 6)), st.sets(st.integers(0, 6)))
def test_files_hold_what_was_remembered(
    history: list[list[Change]], tidied: set[int], reopened: set[int]
) -> None:
    """Any changes, with tidying and new processes in between, read back as they were made.

    The copy, of which each change writes its own days, is the one that is written of all days.
    """
    with tempfile.TemporaryDirectory() as home:
        store = FileStore(Path(home))
        store.create(NORA, a_profile())
        for number, several in enumerate(history):
            put(store, NORA, *several)
            if number in tidied:
                store.tidy(NORA)
            if number in reopened:
                store = FileStore(Path(home))
        copy = (store.folder(NORA) / "memory.json").read_bytes()
        store.rewrite(NORA)
        assert (store.folder(NORA) / "memory.json").read_bytes() == copy
        expected = _lived(history)
        assert store.load(NORA) == expected
        assert FileStore(Path(home)).load(NORA) == expected


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(updates)
def test_our_own_export_loses_nothing(history: list[list[Change]]) -> None:
    memory = _lived(history)
    bank = json.loads(json.dumps(export_native(memory)))
    store = TemporaryStore()
    for _ in range(2):
        report = import_bank(
            store, bank, language="cn", companion="default", zone=memory.profile.zone, now=NOW
        )
        brought = store.load(NORA)
        assert brought.profile == memory.profile
        assert dict(brought.days) == dict(memory.days)
        assert brought.overall_history == memory.overall_history
        assert brought.overall_personality == memory.overall_personality
        assert brought.erased == memory.erased
    assert report.turns == 0
