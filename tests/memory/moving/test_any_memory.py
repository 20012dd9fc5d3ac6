"""Whatever a memory holds goes with it, and nothing of it could be lost unnoticed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siliconfriend.memory.changes import Change, Erase
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.moving.fingerprint import differences, fingerprint
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.records import PersonMemory
from tests.memory.histories import changes
from tests.memory.moving.places import a_database, a_folder, move
from tests.memory.people import NORA, a_profile
from tests.memory.stored import put
from tests.postgres_server import PostgresServer

updates = st.lists(st.lists(changes, max_size=4), max_size=5)


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(updates, updates, st.booleans())
def test_any_memory_moves_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[list[Change]],
    later: list[list[Change]],
    is_folded: bool,
) -> None:
    """There it is equal; changed there and moved back it is equal again."""
    folder = tmp_path_factory.mktemp("any")
    source, target = a_folder(folder / "a"), a_folder(folder / "b")
    store = source.open()
    store.create(NORA, a_profile())
    for several in history:
        put(store, NORA, *several)
    if is_folded:
        store.fold(NORA)
    move(source, target)
    there = target.open()
    assert there.load(NORA) == store.load(NORA)
    for several in later:
        put(there, NORA, *several)
    move(target, source)
    assert source.open().load(NORA) == there.load(NORA)


@pytest.mark.slow
def test_any_memory_goes_through_the_database(
    postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Into rows, changed there, and out into files: at every step the two are equal."""
    database = Database(postgres_server.address(postgres_server.fresh()))
    rows = a_database(database, fold_at=2000)

    @settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
    @given(updates, updates)
    def there_and_back(history: list[list[Change]], later: list[list[Change]]) -> None:
        source = a_folder(tmp_path_factory.mktemp("any"))
        store = source.open()
        store.create(NORA, a_profile())
        for several in history:
            put(store, NORA, *several)
        move(source, rows)
        there = rows.open()
        assert there.load(NORA) == store.load(NORA)
        for several in later:
            put(there, NORA, *several)
        move(rows, source)
        assert source.open().load(NORA) == rows.open().load(NORA)
        there.delete(NORA)

    there_and_back()
    database.close()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(changes, max_size=8), changes)
def test_a_memory_that_differs_has_another_hash(history: list[Change], change: Change) -> None:
    """Any change that changes anything changes the digest, and is named; one that does not does not."""
    store = InMemoryStore()
    store.create(NORA, a_profile())
    before = put(store, NORA, *history)
    after = change.apply(before)
    is_same = _content(before) == _content(after)
    assert (fingerprint(before).digest == fingerprint(after).digest) == is_same
    is_erasing = isinstance(change, Erase)  # an id alone has no hash, and a place all the same
    assert (differences(before, after) == []) == is_same or is_erasing
    known = fingerprint(before)
    changed = [it for it in after.days if before.days.get(it) != after.days[it]]
    assert fingerprint(after, known, changed) == fingerprint(after)


def _content(memory: PersonMemory) -> tuple[object, ...]:
    texts = (memory.overall_history, memory.overall_personality, memory.last_reflection)
    return (memory.profile, dict(memory.days), memory.erased, *texts)
