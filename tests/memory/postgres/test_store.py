"""Over PostgreSQL: a connection that breaks in the middle of an edit, and what is left of an erasing."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from siliconfriend.errors import StoreError
from siliconfriend.memory import store as store_module
from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put, queries, say
from tests.postgres_server import PostgresServer

Commit = Callable[[psycopg.Connection], None]


@pytest.fixture
def store(postgres: PostgresDatabase) -> PostgresStore:
    """A database in which Nora is known."""
    store = PostgresStore(postgres)
    store.create(NORA, a_profile())
    return store


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "PAUSE", 0.001)


def _break_at(monkeypatch: pytest.MonkeyPatch, *times: str) -> None:
    """Break the connections that commit next, ``before`` the server hears it or ``after``."""
    commit, todo = psycopg.Connection.commit, list(times)

    def breaking(self: psycopg.Connection) -> None:
        when = todo.pop(0) if todo else ""
        if when == "after":
            commit(self)
        if when:
            self.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(self)

    monkeypatch.setattr(psycopg.Connection, "commit", breaking)


@pytest.mark.parametrize(
    "times", [("before",), ("after",), ("before", "after"), ("after", "after")], ids=" ".join
)
def test_an_edit_is_written_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, times: tuple[str, ...]
) -> None:
    _break_at(monkeypatch, *times)
    said = say(store, "I planted beans.")
    assert ([turn.query for turn in said.turns()], said.sequence) == (["I planted beans."], 2)
    say(store, "They grew.")
    for reader in (store, PostgresStore(store.shared)):
        assert queries(reader) == ["I planted beans.", "They grew."]
        assert reader.load(NORA).sequence == 3


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_erasing_is_done_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn("They grew.", position=1)))
    _break_at(monkeypatch, when)
    after = put(store, NORA, Erase((a_turn().id,)))
    assert [turn.query for turn in after.turns()] == ["They grew."]
    assert after.sequence == store.load(NORA).sequence == 4


def test_others_who_wrote_meanwhile_are_not_written_over(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break_at(monkeypatch, "before")
    other = PostgresStore(store.shared)
    settle = store_module.MemoryStore._settle

    def late(*before: Any) -> Any:
        say(other, "I was first.")
        return settle(*before)

    monkeypatch.setattr(store_module.MemoryStore, "_settle", late)

    def say_late() -> None:
        with store.edit(NORA) as edit:
            edit.add(PutTurn(a_turn("too late")))

    with pytest.raises(StoreError) as raised:
        say_late()
    assert raised.value.key == "edit_not_written"
    assert "Nora" in raised.value.message("cn")
    assert queries(store) == ["I was first."]


def test_what_nobody_can_find_out_is_said(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "SETTLED_WITHIN", 0)
    _break_at(monkeypatch, "after", "after")
    with pytest.raises(StoreError) as raised:
        say(store, "Was it heard?")
    assert raised.value.key == "edit_unknown"
    assert raised.value.exit_code == 4
    assert "Nora" in raised.value.message("en")


def _end_sessions(server: PostgresServer, database: str) -> None:
    server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE datname = '{database}' AND pid <> pg_backend_pid()"
    )


def test_a_server_that_ends_the_session_in_the_block_is_survived(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    with store.edit(NORA) as edit:
        _end_sessions(postgres_server, database_name)
        edit.add(PutTurn(a_turn("still here")))
    assert queries(store) == ["still here"]
