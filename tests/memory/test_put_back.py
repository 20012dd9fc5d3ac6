"""An older database is put back, or a memory repaired, while other processes run."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.rows import TABLES
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import NORA, NOW, a_profile, a_turn
from tests.memory.stored import put, queries, say
from tests.memory.talker import talker
from tests.postgres_server import PostgresServer


@pytest.mark.parametrize("is_replaced", [True, False])
def test_an_older_file_put_back_is_noticed(
    store: FileStore, home: Path, nora: Path, is_replaced: bool
) -> None:
    path, kept = nora / "memory.sqlite", nora.parent.parent / "kept"
    with talker(str(home)) as other:
        for words in ("one", "two", "three"):
            assert other.say(words) == "kept"
            if words == "one":
                shutil.copyfile(path, kept)
        assert other.read() == queries(store) == ["one", "two", "three"]
        store.close()
        if is_replaced:
            path.unlink()
        with path.open("wb" if is_replaced else "r+b") as file:
            file.truncate()
            file.write(kept.read_bytes())
        assert other.read() == queries(store) == queries(FileStore(home)) == ["one"]
        assert other.say("four") == "kept"
        assert other.read() == queries(store) == queries(FileStore(home)) == ["one", "four"]
        assert FileStore(home).repair(NORA) is None


def test_as_many_other_changes_are_noticed(store: FileStore, home: Path, nora: Path) -> None:
    say(store, "one")
    store.close()
    kept = (nora / "memory.sqlite").read_bytes()
    say(store, "two")
    store.close()
    (nora / "memory.sqlite").write_bytes(kept)
    say(FileStore(home), "another two")
    assert queries(store) == ["one", "another two"]
    say(store, "three")
    assert queries(FileStore(home)) == ["one", "another two", "three"]


def test_rows_of_an_earlier_moment_are_noticed(
    database_address: str, postgres_server: PostgresServer
) -> None:
    """A database restored to an earlier moment, as PostgreSQL does it, under running processes."""
    store = PostgresStore(PostgresDatabase(database_address))
    store.create(NORA, a_profile())
    database = conninfo_to_dict(database_address)["dbname"]
    address = postgres_server.address(str(database), "postgres")
    with talker(database_address) as other:
        assert other.say("one") == "kept"
        with psycopg.connect(address, autocommit=True) as admin:
            for table in TABLES:
                admin.execute(f"CREATE TABLE public.{table} AS SELECT * FROM siliconfriend.{table}")
        assert other.say("two") == "kept"
        assert other.read() == queries(store) == ["one", "two"]
        with psycopg.connect(address) as admin:
            admin.execute("DELETE FROM siliconfriend.scope")
            for table in reversed(TABLES):
                admin.execute(f"INSERT INTO siliconfriend.{table} SELECT * FROM public.{table}")
        assert other.read() == queries(store) == ["one"]
        assert other.say("three") == "kept"
        assert queries(store) == queries(PostgresStore(store.shared)) == ["one", "three"]


def _years(store: MemoryStore) -> None:
    days = [(NOW - timedelta(days=200 - number)).date().isoformat() for number in range(200)]
    turns = [a_turn(f"{day} {at}", day=day, position=at) for day in days for at in range(10)]
    put(store, NORA, *map(PutTurn, turns))


def test_a_repair_loses_nothing_that_others_write(store: FileStore, home: Path, nora: Path) -> None:
    _years(store)
    store.tidy(NORA)
    store.close()
    command = [sys.executable, "-m", "tests.memory.writer", str(home), "kept", "19", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline().strip()]
        with closing(sqlite3.connect(nora / "memory.sqlite", timeout=30)) as connection:
            connection.execute(
                "UPDATE record SET seal = seal + 1 WHERE kind = 'turn' AND rowid = 9"
            )
            connection.commit()
        done = store.repair(NORA)
        told += [line.strip() for line in writer.stdout]
    assert writer.returncode == 0
    assert done is not None
    assert done.is_whole
    assert len(told) == 57
    assert set(told) <= set(queries(FileStore(home)))
    assert FileStore(home).repair(NORA) is None


def test_nothing_is_repaired_unasked(store: FileStore, home: Path, nora: Path) -> None:
    say(store, "one")
    store.tidy(NORA)
    store.close()
    with closing(sqlite3.connect(nora / "memory.sqlite")) as connection:
        connection.execute("UPDATE record SET seal = seal + 1 WHERE kind = 'turn'")
        connection.commit()
    before = {path: path.read_bytes() for path in nora.iterdir()}
    with talker(str(home)) as other:
        assert "doctor --repair" in other.read()
    assert {path: path.read_bytes() for path in nora.iterdir()} == before
