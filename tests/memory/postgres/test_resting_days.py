"""Days rest in rows of their own: read when they are asked for, written when they changed, never moved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from siliconfriend.errors import DamagedMemory, StoreError
from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.day_rows import DayRows
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.postgres_server import PostgresServer

DAYS = [(date(2025, 1, 1) + timedelta(days=number)).isoformat() for number in range(100)]


@pytest.fixture
def store(database: Database) -> PostgresStore:
    """A hundred days that rest, a turn each."""
    store = PostgresStore(database)
    store.create(NORA, a_profile())
    put(store, NORA, *(PutTurn(a_turn(f"on {day}", day=day)) for day in DAYS))
    store.fold(NORA)
    return store


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many days each query of records gave."""
    sizes: list[int] = []
    fetch = DayRows._fetch

    def counting(self: DayRows, day: str) -> dict[str, bytes]:
        found = fetch(self, day)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(DayRows, "_fetch", counting)
    return sizes


def test_a_memory_is_opened_without_reading_its_days(store: PostgresStore, read: list[int]) -> None:
    """A talk that says something new today reads none of them."""
    other = PostgresStore(store.database)
    assert list(other.load(NORA).days) == DAYS
    put(other, NORA, PutTurn(a_turn("today", day="2026-01-01")))
    assert read == []


def test_one_day_is_read_with_a_few(store: PostgresStore, read: list[int]) -> None:
    """Out of order each is fetched with the few behind it."""
    days = PostgresStore(store.database).load(NORA).days
    for number in (50, 10, 90):
        assert days[DAYS[number]].turns[0].query == f"on {DAYS[number]}"
    assert read == [4, 4, 4]


@pytest.mark.parametrize("backwards", [False, True], ids=["onwards", "backwards"])
def test_days_in_order_are_read_by_growing_handfuls(
    store: PostgresStore, read: list[int], backwards: bool
) -> None:
    """A hundred days take a few queries, each day once."""
    days = PostgresStore(store.database).load(NORA).days
    order: Sequence[str] = DAYS[::-1] if backwards else DAYS
    assert [days[day].turns[0].query for day in order] == [f"on {day}" for day in order]
    assert len(read) <= 7
    assert sum(read) == 100


def test_a_fold_writes_the_days_that_changed(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """Two of a hundred; the others stay the rows they were."""
    put(store, NORA, PutTurn(a_turn("more", day=DAYS[3], position=1)))
    put(store, NORA, PutTurn(a_turn("today", day="2026-01-01")))
    store.fold(NORA)
    written = postgres_server.run(
        "SELECT since, count(*) FROM siliconfriend.day WHERE until IS NULL GROUP BY since"
        " ORDER BY since",
        database_name,
    )
    assert written == [(2, 99), (3, 2)]


def test_an_append_writes_its_lines_and_nothing_else(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """However much is remembered: one row of the log, and the memory's own row."""

    def rows() -> dict[str, tuple[int, int, int]]:
        found = postgres_server.run(
            "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables"
            " WHERE schemaname = 'siliconfriend'",
            database_name,
        )
        return {name: (inserted, updated, deleted) for name, inserted, updated, deleted in found}

    def settled() -> dict[str, tuple[int, int, int]]:
        with store.database.connection() as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
        store.database.close()
        return rows()

    before = settled()
    put(store, NORA, PutTurn(a_turn("new", day="2026-01-01")))
    after = settled()
    changed = {
        name: tuple(now - then for now, then in zip(after[name], before[name], strict=True))
        for name in after
        if after[name] != before[name]
    }
    assert changed == {"change": (1, 0, 0), "scope": (0, 1, 0)}


def test_a_process_lets_go_of_days_that_rest(store: PostgresStore) -> None:
    """What it wrote stays what it is, in the bytes it is written in."""
    held = put(store, NORA, PutTurn(a_turn("more", day=DAYS[3], position=1)))
    before = held.days[DAYS[3]]
    store.fold(NORA)
    assert held.days[DAYS[3]] is not before
    assert held.days[DAYS[3]] == before
    put(store, NORA, Erase((a_turn(day=DAYS[3]).id,)))
    assert held.days[DAYS[3]] == before


def test_a_snapshot_reads_days_as_they_were(store: PostgresStore) -> None:
    """Others put the memory to rest twice meanwhile; what was not read yet is still the old day."""
    held = PostgresStore(store.database).load(NORA)
    for position in (1, 2):
        put(store, NORA, PutTurn(a_turn("later", day=DAYS[3], position=position)))
        store.fold(NORA)
    assert [turn.query for turn in held.days[DAYS[3]].turns] == [f"on {DAYS[3]}"]
    assert len(PostgresStore(store.database).load(NORA).days[DAYS[3]].turns) == 3


def test_a_day_that_is_gone_from_under_a_snapshot_is_said_to_be(store: PostgresStore) -> None:
    """Erased meanwhile: the old words are nowhere, and the newest memory is one call away."""
    held = PostgresStore(store.database).load(NORA)
    put(store, NORA, Erase((a_turn(day=DAYS[3]).id,)))
    with pytest.raises(StoreError) as raised:
        held.days[DAYS[3]]
    assert raised.value.key == "memory_moved_on"
    assert held.days[DAYS[4]].turns[0].query == f"on {DAYS[4]}"


def test_another_process_reads_on_over_folds(store: PostgresStore, read: list[int]) -> None:
    """The lines since are still there: it needs no day that it did not know."""
    other = PostgresStore(store.database)
    other.load(NORA)
    for position in range(4):
        put(store, NORA, PutTurn(a_turn("new", day="2026-01-01", position=position)))
        store.fold(NORA)
        assert other.load(NORA) == store.load(NORA)
    put(other, NORA, PutTurn(a_turn("other", day="2026-01-02")))
    assert store.load(NORA).sequence == other.load(NORA).sequence


def test_a_database_put_back_to_an_earlier_hour_is_read_anew(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """The same numbers with other words behind them are another history."""
    put(store, NORA, PutTurn(a_turn("this way", day="2026-01-01")))
    postgres_server.run("DELETE FROM siliconfriend.change WHERE sequence = 102", database_name)
    postgres_server.run("UPDATE siliconfriend.scope SET sequence = 101", database_name)
    other = PostgresStore(store.database)
    put(other, NORA, PutTurn(a_turn("that way", day="2026-01-01")))
    put(other, NORA, PutTurn(a_turn("and on", day="2026-01-01", position=1)))
    turns = store.load(NORA).days["2026-01-01"].turns
    assert [turn.query for turn in turns] == ["that way", "and on"]


FLIPPED = {
    "a line": ("change", "line", "sequence = 102"),
    "a day": ("day", "records", f"date = '{DAYS[0]}' AND until IS NULL"),
}


@pytest.mark.parametrize("what", FLIPPED)
def test_no_flipped_byte_passes_for_what_was_said(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str, what: str
) -> None:
    """Whichever it is, the memory is the same or is said to be damaged."""
    put(store, NORA, PutTurn(a_turn("new", day="2026-01-01")))
    whole = {day: store.load(NORA).days[day] for day in (DAYS[0], "2026-01-01")}
    table, column, where = FLIPPED[what]
    query = f"SELECT {column} FROM siliconfriend.{table} WHERE {where}"
    ((data,),) = postgres_server.run(query, database_name)
    chance, noticed = random.Random(7), 0
    for _ in range(12):
        flipped = bytearray(data)
        flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        _write(postgres_server, database_name, FLIPPED[what], bytes(flipped))
        try:
            memory = PostgresStore(store.database).load(NORA)
            assert {day: memory.days[day] for day in whole} == whole
        except DamagedMemory:
            noticed += 1
    assert noticed == 12


def _write(server: PostgresServer, database: str, place: tuple[str, str, str], data: bytes) -> None:
    table, column, where = place
    server.run(
        f"UPDATE siliconfriend.{table} SET {column} = '\\x{data.hex()}' WHERE {where}", database
    )
