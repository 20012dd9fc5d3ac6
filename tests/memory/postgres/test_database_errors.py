"""What a database can refuse: one plain sentence in each language, and the right exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from siliconfriend.cli.main import program
from siliconfriend.errors import ConfigurationError, MemoryBusy, SiliconFriendError, StoreError
from siliconfriend.memory.postgres import schema
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say
from tests.postgres_server import ADMIN, APP, OWNER, TEMPLATE, PostgresServer


def _refused(database: Database) -> SiliconFriendError:
    with pytest.raises(SiliconFriendError) as raised:
        PostgresStore(database).scopes()
    for language in ("en", "cn"):
        told = raised.value.message(language)
        assert "{" not in told
        assert "\n" not in told
    return raised.value


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    """No server at that place: the memory is safe in it, and it cannot be reached."""
    error = _refused(Database(f"postgresql:///db?host={tmp_path}"))
    assert (error.key, error.exit_code) == ("database_unreachable", StoreError.exit_code)
    assert str(tmp_path) in error.message("en")


def test_a_wrong_password_is_not_shown(postgres_server: PostgresServer, database_name: str) -> None:
    """The role ``locked`` is asked for one; neither a wrong one nor none gets in."""
    address = postgres_server.address(database_name, "locked")
    for wrong in (address, address.replace("locked", "locked:sesame")):
        error = _refused(Database(wrong))
        assert (error.key, error.exit_code) == ("database_password", ConfigurationError.exit_code)
        assert "sesame" not in error.message("en")


@pytest.mark.parametrize("what", ["database", "role"])
def test_a_name_the_server_does_not_know(
    postgres_server: PostgresServer, database_name: str, what: str
) -> None:
    """A database or a role that was never made."""
    names = ("nowhere", APP) if what == "database" else (database_name, "nobody")
    error = _refused(Database(postgres_server.address(*names)))
    assert (error.key, error.exit_code) == ("database_missing", ConfigurationError.exit_code)


def test_a_server_that_is_too_old(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names its version and the oldest that will do."""
    monkeypatch.setattr(schema, "OLDEST_SERVER", 990000)
    error = _refused(database)
    assert (error.key, error.exit_code) == ("database_too_old", 3)
    assert "99" in error.message("cn")


def test_a_server_without_pgvector(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An extension the server does not have cannot be added by anybody."""
    monkeypatch.setattr(schema, "EXTENSION", "no_such_extension")
    name = postgres_server.fresh(None)
    error = _refused(Database(postgres_server.address(name, ADMIN)))
    assert (error.key, error.exit_code) == ("database_no_pgvector", 3)
    postgres_server.drop(name)


def test_pgvector_that_only_an_administrator_may_add(postgres_server: PostgresServer) -> None:
    """The owner of the database is told what to have run."""
    name = postgres_server.fresh(None)
    error = _refused(Database(postgres_server.address(name, OWNER)))
    assert (error.key, error.exit_code) == ("database_pgvector_forbidden", 3)
    assert "CREATE EXTENSION vector" in error.message("cn")
    postgres_server.drop(name)


def test_a_database_in_another_encoding(postgres_server: PostgresServer) -> None:
    """Words could not be kept as they are."""
    postgres_server.run(
        "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C' STRATEGY FILE_COPY"
    )
    assert _refused(Database(postgres_server.address("latin", ADMIN))).key == "database_encoding"
    postgres_server.drop("latin")


def test_a_copy_that_is_only_read(
    database: Database, postgres_server: PostgresServer, database_name: str
) -> None:
    """Reading goes on; writing is refused and nothing is changed."""
    store = PostgresStore(database)
    begun = store.create(NORA, a_profile())
    postgres_server.run(f"ALTER DATABASE {database_name} SET default_transaction_read_only = on")
    copy = PostgresStore(Database(postgres_server.address(database_name)))
    assert copy.load(NORA) == begun
    with pytest.raises(StoreError) as raised:
        say(copy, "lost?")
    assert (raised.value.key, raised.value.exit_code) == ("database_read_only", 4)
    assert store.load(NORA) == begun


def test_a_memory_that_another_program_holds(
    database: Database, postgres_server: PostgresServer, database_name: str
) -> None:
    """Its row's lock is waited for as long as is allowed; reading never waits for it."""
    store = PostgresStore(database)
    begun = store.create(NORA, a_profile())
    hasty = PostgresStore(Database(postgres_server.address(database_name), wait=0.05))
    with store.edit(NORA):
        assert hasty.load(NORA) == begun
        for change in (lambda: say(hasty, "x"), lambda: hasty.delete(NORA)):
            with pytest.raises(MemoryBusy, match="Nora") as raised:
                change()
            assert raised.value.exit_code == 4
    assert say(hasty, "now").sequence == 2


def test_all_connections_in_use(postgres_server: PostgresServer, database_name: str) -> None:
    """Who waits for one too long is told that the database is busy."""
    database = Database(postgres_server.address(database_name), wait=0.05, most=1)
    with (
        database.transaction("Nora"),
        pytest.raises(MemoryBusy) as raised,
        database.transaction("Ada"),
    ):
        pass
    assert raised.value.key == "database_busy"


def test_a_full_disk_is_said_plainly(database: Database) -> None:
    """The server's own error for it, raised by itself."""
    with pytest.raises(StoreError) as raised, database.transaction() as connection:
        connection.execute("DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$")
    assert (raised.value.key, raised.value.exit_code) == ("database_full", 4)


def test_no_row_is_told_in_an_error(database: Database) -> None:
    """The server's details name values; the sentence does not."""
    twice = "('Nora', 'My secret', 1, 1, 1, 1, 1, 1)"
    with pytest.raises(StoreError) as raised, database.transaction("Nora") as connection:
        connection.execute(f"INSERT INTO siliconfriend.scope VALUES {twice}, {twice}".encode())
    assert raised.value.key == "database_failed"
    assert "secret" not in raised.value.message("en")


def test_the_command_line_ends_with_the_code(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence on standard error, and nothing on standard output."""
    monkeypatch.setenv("SILICONFRIEND_STORE", postgres_server.address("nowhere"))
    result = CliRunner().invoke(program, ["users", "list"])
    assert (result.exit_code, result.stdout) == (3, "")
    assert "nowhere" in result.stderr


def test_a_person_in_a_database_is_not_encrypted(
    database: Database, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command says what to do instead, before it asks for a passphrase."""
    PostgresStore(database).create(NORA, a_profile())
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    result = CliRunner().invoke(program, ["users", "encrypt", "Nora"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "disk" in result.stderr


def test_the_template_is_whole(postgres_server: PostgresServer) -> None:
    """Databases of tests begin with every migration applied."""
    postgres_server.drop(postgres_server.fresh())
    applied = postgres_server.run("SELECT number FROM siliconfriend.migration", TEMPLATE)
    assert [number for (number,) in applied] == [it.number for it in schema.migrations()]
