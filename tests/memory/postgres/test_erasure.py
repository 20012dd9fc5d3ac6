"""What was erased is in no row of a database, looked for in a dump of all of it."""

from __future__ import annotations

import subprocess

import pytest

from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from tests.memory.people import DATES, NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.postgres_server import ADMIN, PostgresServer, programs


def _dump(server: PostgresServer, database: str) -> str:
    """Everything in the tables as text, what is binary decoded."""
    command = [str(programs() / "pg_dump"), "--data-only", "--inserts"]
    done = subprocess.run(
        [*command, server.address(database, ADMIN)], capture_output=True, text=True, check=True
    )
    parts = done.stdout.split("'\\x")
    binary = [
        bytes.fromhex(part.partition("'")[0]).decode("utf-8", "replace") for part in parts[1:]
    ]
    return done.stdout + "\n".join(binary)


@pytest.fixture
def store(postgres: PostgresDatabase) -> PostgresStore:
    """Two days, tidy."""
    store = PostgresStore(postgres)
    store.create(NORA, a_profile())
    secret = a_turn("My secret garden lies in Kilkenny.")
    put(store, NORA, PutTurn(secret), PutTurn(a_turn("It rained.", position=1)))
    put(store, NORA, PutTurn(a_turn("Sun.", day=DATES[1])))
    store.tidy(NORA)
    return store


def test_no_row_holds_the_words_when_the_edit_ends(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """All in the transaction of the erasing; another process that knew them reads anew."""
    other = PostgresStore(store.shared)
    other.load(NORA)
    assert "Kilkenny" in _dump(postgres_server, database_name)
    after = put(store, NORA, Erase((a_turn().id,)))
    assert "Kilkenny" not in _dump(postgres_server, database_name)
    assert store.load(NORA) == other.load(NORA) == after
    assert not any(b"Kilkenny" in data for _, data in store.rows(NORA))


def test_a_deleted_person_is_in_no_row(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """No table has anything of them."""
    store.delete(NORA)
    dump = _dump(postgres_server, database_name)
    assert [line for line in dump.splitlines() if "Nora" in line or NORA.digest in line] == []
