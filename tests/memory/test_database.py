"""The driver under the store: the address, transactions, tables and errors, alike on both engines."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, MemoryBusy, StoreError
from siliconfriend.memory.database import Database, SQLiteDatabase
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.schema import Schema
from tests.postgres_server import APP, OWNER, PostgresServer

NOTES = Schema(
    "notes",
    (
        "CREATE TABLE note (person {text} NOT NULL, number {int} NOT NULL,"
        " data {bytes} NOT NULL, PRIMARY KEY (person, number))",
    ),
    walled=("note",),
)
INSERT = "INSERT INTO note (person, number, data) VALUES (?, ?, ?)"


@pytest.fixture
def postgres_address(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database whose tables belong to another role than the program's."""
    name = postgres_server.fresh(None)
    PostgresDatabase(postgres_server.address(name, OWNER), NOTES).upgrade(APP)
    yield postgres_server.address(name)
    postgres_server.drop(name)


@pytest.fixture(params=("file", "memory", pytest.param("postgresql", marks=pytest.mark.slow)))
def notes(request: pytest.FixtureRequest, home: Path) -> Iterator[Database]:
    """Each engine, with one table."""
    made: dict[str, Callable[[], Database]] = {
        "file": lambda: SQLiteDatabase(home / "notes.sqlite", NOTES),
        "memory": lambda: SQLiteDatabase(None, NOTES),
        "postgresql": lambda: PostgresDatabase(
            request.getfixturevalue("postgres_address"), NOTES, wait=0.3
        ),
    }
    database = made[request.param]()
    yield database
    database.close()


def test_rows_come_back_as_they_were_written(notes: Database) -> None:
    """Values are given apart from the statement; percent signs in it mean nothing."""
    with notes.transaction("Nora") as transaction:
        transaction.many(INSERT, [("Nora", 1, b"a\0b"), ("Nora", 2, b"")])
        assert transaction.change("UPDATE note SET data = ? WHERE number = ?", (b"c", 2)) == 1
    with notes.transaction("Nora", read_only=True) as transaction:
        rows = transaction.execute(
            "SELECT number, data FROM note WHERE person LIKE 'N%' ORDER BY 1"
        )
        assert [(number, bytes(data)) for number, data in rows] == [(1, b"a\0b"), (2, b"c")]
        assert transaction.one("SELECT 1 FROM note WHERE number = ?", (9,)) is None


def test_a_block_that_raises_leaves_nothing(notes: Database) -> None:

    def fail() -> None:
        with notes.transaction("Nora") as transaction:
            transaction.execute(INSERT, ("Nora", 1, b""))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with notes.transaction("Nora") as transaction:
        assert transaction.execute("SELECT * FROM note") == []


def test_reading_joins_the_transaction_of_its_thread(notes: Database) -> None:
    with notes.transaction("Nora") as transaction:
        transaction.execute(INSERT, ("Nora", 1, b""))
        with notes.reading("Nora") as reading:
            assert len(reading.execute("SELECT * FROM note")) == 1


def test_row_security_shows_only_the_persons_rows(postgres_address: str) -> None:
    """Without a WHERE, PostgreSQL gives a transaction nobody else's rows."""
    database = PostgresDatabase(postgres_address, NOTES)
    with database.transaction("Nora") as transaction:
        transaction.execute(INSERT, ("Nora", 1, b""))
    with pytest.raises(ConfigurationError), database.transaction("Ada") as transaction:
        transaction.execute(INSERT, ("Nora", 2, b""))
    for person, count in (("Nora", 1), ("Ada", 0), (None, 0)):
        with database.transaction(person, read_only=True) as transaction:
            assert len(transaction.execute("SELECT * FROM note")) == count


def test_who_finds_no_free_connection_is_told_after_a_while(postgres_address: str) -> None:
    database = PostgresDatabase(postgres_address, NOTES, wait=1, most=1)
    with database.transaction("Nora"), pytest.raises(MemoryBusy), database.transaction("Ada"):
        pytest.fail("there is one connection")
    with database.transaction("Ada") as transaction:
        first = transaction.one("SELECT pg_backend_pid()")
    with database.transaction("Nora") as transaction:
        assert transaction.one("SELECT pg_backend_pid()") == first
    database.close()


def test_a_connection_that_broke_unused_is_replaced(
    postgres_address: str, postgres_server: PostgresServer
) -> None:
    database = PostgresDatabase(postgres_address, NOTES)
    with database.transaction("Nora"), database.transaction("Ada"):
        pass
    name = conninfo_to_dict(postgres_address)["dbname"]
    postgres_server.run(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    )
    for _ in range(3):
        with database.transaction("Nora") as transaction:
            assert transaction.execute("SELECT * FROM note") == []
    database.close()


def test_a_role_that_may_not_make_tables_is_told(postgres_address: str) -> None:
    more = Schema("more", ("CREATE TABLE more (person {text})",))
    with pytest.raises(ConfigurationError, match="upgrade"):
        PostgresDatabase(postgres_address, NOTES, more).reading().__enter__()
    with PostgresDatabase(postgres_address, NOTES).reading() as transaction:
        assert transaction.execute("SELECT part FROM made") == [("notes",)]


def test_a_replaced_file_is_opened_anew(home: Path) -> None:
    path = home / "notes.sqlite"
    database, other = SQLiteDatabase(path, NOTES), SQLiteDatabase(home / "other.sqlite", NOTES)
    for each, number in ((database, 1), (other, 2)):
        with each.transaction() as transaction:
            transaction.execute(INSERT, ("Nora", number, b""))
    other.close()
    (home / "other.sqlite").replace(path)
    with database.transaction() as transaction:
        assert transaction.one("SELECT number FROM note") == (2,)


def test_tables_of_another_version_are_refused(home: Path) -> None:
    database = SQLiteDatabase(home / "notes.sqlite", NOTES)
    with database.transaction() as transaction:
        transaction.execute("UPDATE made SET hash = 'x'")
    database.close()
    with pytest.raises(StoreError), database.transaction():
        pytest.fail("opened")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_opens_its_own(home: Path) -> None:
    database = SQLiteDatabase(home / "notes.sqlite", NOTES)
    with database.transaction() as transaction:
        transaction.execute(INSERT, ("Nora", 1, b""))
    child = os.fork()
    if child == 0:
        with database.transaction() as transaction:
            transaction.execute(INSERT, ("Nora", 2, b""))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    with database.transaction() as transaction:
        assert len(transaction.execute("SELECT * FROM note")) == 2


def test_an_address_is_a_database(settings: Settings) -> None:
    """A ``postgresql://`` address opens the store there, which connects when it is first used."""
    store = open_store(replace(settings, store="postgresql://ada:secret@127.0.0.1:1/db"))
    assert isinstance(store, PostgresStore)
    with pytest.raises(StoreError) as raised:
        store.scopes()
    assert raised.value.key == "database_unreachable"
    assert "127.0.0.1/db" in raised.value.message("cn")
    assert "secret" not in raised.value.message("en")


@pytest.mark.parametrize("address", ["postgresql://[/db", "postgresql://host/db?colour=red"])
def test_an_address_that_is_none_is_a_matter_of_settings(settings: Settings, address: str) -> None:
    """What libpq cannot read is refused in plain words before anything is opened."""
    with pytest.raises(ConfigurationError) as raised:
        open_store(replace(settings, store=address))
    assert raised.value.exit_code == 3
    assert "SILICONFRIEND_STORE" in raised.value.message("cn")


def test_missing_packages_are_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.startswith("siliconfriend.memory.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError, match="siliconfriend\\[postgres\\]"):
        open_store(replace(settings, store="postgresql://host/db"))
