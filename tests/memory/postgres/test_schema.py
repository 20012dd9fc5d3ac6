"""The tables come forward by numbered steps, once, and never under a program that does not know them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from siliconfriend.cli.main import program
from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory.postgres import schema
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import NORA, a_profile
from tests.postgres_server import ADMIN, APP, OWNER, PostgresServer


@pytest.fixture
def empty(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of the owner's with pgvector and no table of ours."""
    name = postgres_server.fresh(None)
    postgres_server.run("CREATE EXTENSION vector", name)
    yield name
    postgres_server.drop(name)


def test_the_steps_are_numbered() -> None:
    """Each has a number of its own, by which they are applied."""
    numbers = [step.number for step in schema.migrations()]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1
    assert all(step.name.startswith(f"{step.number:04}_") for step in schema.migrations())


def test_who_may_makes_the_tables_by_itself(postgres_server: PostgresServer, empty: str) -> None:
    """One role for all, as on a single machine: the first call makes them, the second finds them."""
    for _ in range(2):
        store = PostgresStore(Database(postgres_server.address(empty, OWNER)))
        store.create(NORA, a_profile())
        assert store.scopes() == [NORA]


def test_who_may_not_is_told_what_to_run(postgres_server: PostgresServer, empty: str) -> None:
    """The program's role makes nothing; after ``database upgrade`` of the owner's it works."""
    store = PostgresStore(Database(postgres_server.address(empty, APP)))
    with pytest.raises(ConfigurationError) as raised:
        store.scopes()
    assert (raised.value.key, raised.value.exit_code) == ("database_behind", 3)
    assert f"database upgrade --role {APP}" in raised.value.message("cn")
    owner = {"SILICONFRIEND_STORE": postgres_server.address(empty, OWNER)}
    done = CliRunner().invoke(program, ["database", "upgrade", "--role", APP], env=owner)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "0001_memory.sql" in done.stderr
    again = CliRunner().invoke(program, ["database", "upgrade"], env=owner)
    assert "0001" not in again.stderr
    assert store.create(NORA, a_profile()).sequence == 1


def test_the_programs_role_cannot_upgrade(postgres_server: PostgresServer, empty: str) -> None:
    """It is told so, and nothing is left behind."""
    with pytest.raises(ConfigurationError) as raised:
        Database(postgres_server.address(empty, APP)).upgrade()
    assert raised.value.key == "database_behind"
    assert postgres_server.run("SELECT to_regnamespace('siliconfriend')", empty) == [(None,)]


def test_a_role_that_is_not_there(postgres_server: PostgresServer, empty: str) -> None:
    """Rights for nobody: nothing is applied either."""
    with pytest.raises(ConfigurationError) as raised:
        Database(postgres_server.address(empty, OWNER)).upgrade("nobody_at_all")
    assert raised.value.key == "database_role_unknown"
    assert postgres_server.run("SELECT to_regnamespace('siliconfriend')", empty) == [(None,)]


def test_several_programs_that_start_at_once(postgres_server: PostgresServer, empty: str) -> None:
    """One makes the tables, the others wait for it and find them."""
    failed: list[Exception] = []

    def start() -> None:
        try:
            PostgresStore(Database(postgres_server.address(empty, OWNER))).scopes()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    applied = postgres_server.run("SELECT count(*) FROM siliconfriend.migration", empty)
    assert applied == [(len(schema.migrations()),)]


def test_a_newer_database_is_refused(
    database: Database, postgres_server: PostgresServer, database_name: str
) -> None:
    """A step this program does not know: it must not write there."""
    postgres_server.run(
        "INSERT INTO siliconfriend.migration (number, name, hash) VALUES (999, '0999_x.sql', '')",
        database_name,
    )
    with pytest.raises(StoreError) as raised:
        PostgresStore(database).scopes()
    assert (raised.value.key, raised.value.exit_code) == ("database_too_new", 4)
    assert "999" in raised.value.message("cn")


def test_a_step_that_was_changed_later_is_noticed(
    database: Database, postgres_server: PostgresServer, database_name: str
) -> None:
    """Its hash is another one than the program's: nobody knows which tables are there."""
    postgres_server.run("UPDATE siliconfriend.migration SET hash = 'x'", database_name)
    with pytest.raises(StoreError) as raised:
        PostgresStore(database).scopes()
    assert (raised.value.key, raised.value.exit_code) == ("database_altered", 4)


def test_a_step_that_fails_leaves_nothing(
    postgres_server: PostgresServer, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All steps that are pending are one transaction."""
    steps = (*schema.migrations(), schema.Migration(999, "0999_bad.sql", "CREATE NONSENSE"))
    monkeypatch.setattr(schema, "migrations", lambda: steps)
    with pytest.raises(StoreError) as raised:
        Database(postgres_server.address(empty, OWNER)).upgrade()
    assert raised.value.key == "database_failed"
    assert postgres_server.run("SELECT to_regnamespace('siliconfriend')", empty) == [(None,)]


def test_a_queue_of_another_version_is_never_made(
    postgres_server: PostgresServer, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package brings other tables than are known here, none of ours is made either."""
    monkeypatch.setattr("siliconfriend.memory.postgres.queue_tables.TABLES", "02.99.sql")
    with pytest.raises(ConfigurationError, match="procrastinate"):
        Database(postgres_server.address(empty, OWNER)).upgrade()
    assert postgres_server.run("SELECT to_regnamespace('siliconfriend')", empty) == [(None,)]


def test_memory_in_files_has_no_database() -> None:
    """``database upgrade`` says so."""
    done = CliRunner().invoke(program, ["database", "upgrade"])
    assert done.exit_code == 2
    assert "SILICONFRIEND_STORE" in done.stderr


def test_an_administrator_adds_what_is_missing(postgres_server: PostgresServer) -> None:
    """Who may do everything needs nothing prepared."""
    name = postgres_server.fresh(None)
    done = Database(postgres_server.address(name, ADMIN)).upgrade(APP)
    assert done == [step.name for step in schema.migrations()]
    postgres_server.drop(name)
