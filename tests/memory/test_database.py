"""The driver under the store: transactions, tables and errors, the same on both engines."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError, DamagedMemory, MemoryBusy, StoreError
from siliconfriend.memory.database import Database, SQLiteDatabase
from siliconfriend.memory.postgresql import PostgresDatabase
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
    """All of a transaction is undone, and the next one works."""

    def fail() -> None:
        with notes.transaction("Nora") as transaction:
            transaction.execute(INSERT, ("Nora", 1, b""))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with notes.transaction("Nora") as transaction:
        assert transaction.execute("SELECT * FROM note") == []


def test_reading_joins_the_transaction_of_its_thread(notes: Database) -> None:
    """What is read inside a transaction sees what it wrote."""
    with notes.transaction("Nora") as transaction:
        transaction.execute(INSERT, ("Nora", 1, b""))
        with notes.reading("Nora") as reading:
            assert len(reading.execute("SELECT * FROM note")) == 1


def test_writers_follow_each_other(notes: Database) -> None:
    """No increment of many threads is lost."""
    with notes.transaction("Nora") as transaction:
        transaction.execute(INSERT, ("Nora", 0, b""))

    def count() -> None:
        for _ in range(10):
            with notes.transaction("Nora") as transaction:
                row = transaction.one("SELECT number FROM note" + transaction.for_update)
                assert row is not None
                transaction.execute("UPDATE note SET number = ?", (row[0] + 1,))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with notes.transaction("Nora") as transaction:
        assert transaction.one("SELECT number FROM note") == (40,)


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


def test_a_role_that_may_not_make_tables_is_told(postgres_address: str) -> None:
    """They are brought forward by the role that owns them, and nothing is half-made."""
    more = Schema("more", ("CREATE TABLE more (person {text})",))
    with pytest.raises(ConfigurationError, match="upgrade"):
        PostgresDatabase(postgres_address, NOTES, more).reading().__enter__()
    with PostgresDatabase(postgres_address, NOTES).reading() as transaction:
        assert transaction.execute("SELECT part FROM migration") == [("notes",)]


def test_a_held_file_is_busy(home: Path) -> None:
    """Who waits too long is told so."""
    path = home / "notes.sqlite"
    holder, waiter = SQLiteDatabase(path, NOTES), SQLiteDatabase(path, NOTES, wait=0.05)
    with holder.transaction(), pytest.raises(MemoryBusy), waiter.transaction():
        pytest.fail("two writers at once")


def test_files_are_private_and_leave_nothing_deleted(home: Path) -> None:
    """Only the owner may read; a deleted word is in no page and no journal."""
    path = home / "notes.sqlite"
    database = SQLiteDatabase(path, NOTES)
    words = b"the heron at the weir"
    for statement, values in ((INSERT, ("Nora", 1, words)), ("DELETE FROM note", ())):
        with database.transaction() as transaction:
            transaction.execute(statement, values)
    database.vacuum()
    assert path.stat().st_mode & 0o777 == 0o600
    assert words not in b"".join(it.read_bytes() for it in home.iterdir())
    assert (home / "notes.sqlite-journal").stat().st_size == 0


def test_a_replaced_file_is_opened_anew(home: Path) -> None:
    """A connection never writes into a file that is no longer at its path."""
    path = home / "notes.sqlite"
    database, other = SQLiteDatabase(path, NOTES), SQLiteDatabase(home / "other.sqlite", NOTES)
    for each, number in ((database, 1), (other, 2)):
        with each.transaction() as transaction:
            transaction.execute(INSERT, ("Nora", number, b""))
    other.close()
    (home / "other.sqlite").replace(path)
    with database.transaction() as transaction:
        assert transaction.one("SELECT number FROM note") == (2,)


def test_what_is_no_database_is_damaged(home: Path) -> None:
    """A file of other bytes is never written over."""
    home.mkdir()
    path = home / "notes.sqlite"
    path.write_bytes(b"words" * 1000)
    with pytest.raises(DamagedMemory, match=r"notes\.sqlite"), SQLiteDatabase(path).transaction():
        pytest.fail("opened")
    assert path.read_bytes() == b"words" * 1000


@pytest.mark.parametrize("change", ["hash = 'x'", "number = 7"])
def test_unknown_tables_are_refused(home: Path, change: str) -> None:
    """Steps that are newer or others than the program's are not worked on."""
    database = SQLiteDatabase(home / "notes.sqlite", NOTES)
    with database.transaction() as transaction:
        transaction.execute(f"UPDATE migration SET {change}")
    database.close()
    with pytest.raises(StoreError), database.transaction():
        pytest.fail("opened")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_opens_its_own(home: Path) -> None:
    """A child does not touch its parent's connections."""
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
