"""The second wall: a statement that says nothing of whose rows it wants sees nobody else's."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors, sql

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.postgres_server import APP, PostgresServer

ADA = Scope.of("Ada")
NOBODYS = {
    *("migration", "installation", "attempt"),
    *("night", "night_report", "night_hold", "forgetting_pass", "quiet_note", "model_pause"),
}
"""Tables that name no person: attempts to log in and nights go by hashes of names."""


@pytest.fixture
def both(database: Database) -> PostgresStore:
    """A database in which Nora and Ada each said something that rests, and something since."""
    store = PostgresStore(database)
    for scope in (NORA, ADA):
        store.create(scope, a_profile(scope))
        put(store, scope, PutTurn(a_turn("I planted beans.", scope=scope)))
        store.fold(scope)
        put(store, scope, PutTurn(a_turn("They grew.", scope=scope, position=1)))
    return store


@pytest.fixture
def program(
    both: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> Iterator[psycopg.Connection]:
    """A connection of the program's role, which forgot to say whose rows it wants."""
    with psycopg.connect(postgres_server.address(database_name, APP)) as connection:
        yield connection
        connection.rollback()


def _tables(connection: psycopg.Connection) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    query = (
        "SELECT c.table_name, c.column_name FROM information_schema.columns c"
        " JOIN information_schema.tables t USING (table_schema, table_name)"
        " WHERE table_schema = 'siliconfriend' AND table_type = 'BASE TABLE'"
    )
    for table, column in connection.execute(query):
        found.setdefault(table, set()).add(column)
    return {
        name: columns for name, columns in found.items() if not name.startswith("procrastinate")
    }


def _walled(connection: psycopg.Connection) -> list[str]:
    return sorted(name for name, columns in _tables(connection).items() if "person" in columns)


def _named(statement: str, table: str) -> sql.Composed:
    names = {"table": sql.Identifier("siliconfriend", table)}
    return sql.SQL(statement).format(**names)  # type: ignore[arg-type]


def _speak_as(connection: psycopg.Connection, person: str) -> None:
    connection.execute("SELECT set_config('siliconfriend.person', %s, true)", (person,))


def test_the_program_owns_nothing_and_no_table_lacks_the_wall(
    program: psycopg.Connection,
) -> None:
    """Every table says whose its rows are and hides them from its owner too, but one of the schema's own."""
    tables = _tables(program)
    assert {name for name, columns in tables.items() if "person" not in columns} <= NOBODYS
    query = (
        "SELECT relname, relrowsecurity, relforcerowsecurity, pg_has_role(relowner, 'USAGE')"
        " FROM pg_class WHERE relnamespace = 'siliconfriend'::regnamespace AND relkind = 'r'"
    )
    state = {name: (on, forced, owned) for name, on, forced, owned in program.execute(query)}
    assert {name: state[name] for name in _walled(program)} == dict.fromkeys(
        _walled(program), (True, True, False)
    )


def test_without_a_name_nothing_is_seen_written_or_removed(program: psycopg.Connection) -> None:
    """Of every table: no row to read, none to change, none to delete."""
    for table in _walled(program):
        assert program.execute(_named("SELECT 1 FROM {table}", table)).fetchall() == []
        assert program.execute(_named("UPDATE {table} SET person = 'Nora'", table)).rowcount == 0
        assert program.execute(_named("DELETE FROM {table}", table)).rowcount == 0


def test_in_one_name_only_their_rows_are_seen(program: psycopg.Connection) -> None:
    """A statement without any condition gives Nora's rows in Nora's name, and all of what is tested has some."""
    _speak_as(program, "Nora")
    for table in ("scope", "change", "resting", "day"):
        found = program.execute(_named("SELECT person FROM {table}", table)).fetchall()
        assert set(found) == {("Nora",)}
        asked = program.execute(_named("SELECT 1 FROM {table} WHERE person = 'Ada'", table))
        assert asked.fetchall() == []


def test_in_one_name_anothers_rows_cannot_be_written(program: psycopg.Connection) -> None:
    """Changing them reaches none, moving one's own to them or adding one is refused."""
    _speak_as(program, "Nora")
    program.commit()
    for table in ("scope", "change", "resting", "day"):
        _speak_as(program, "Nora")
        changed = _named("UPDATE {table} SET companion = 'x' WHERE person = 'Ada'", table)
        assert program.execute(changed).rowcount == 0
        assert (
            program.execute(_named("DELETE FROM {table} WHERE person = 'Ada'", table)).rowcount == 0
        )
        with pytest.raises(errors.InsufficientPrivilege):
            program.execute(_named("UPDATE {table} SET person = 'Ada'", table))
        program.rollback()
    _speak_as(program, "Nora")
    with pytest.raises(errors.InsufficientPrivilege):
        program.execute(
            "INSERT INTO siliconfriend.change VALUES ('Ada', 'default', 99, 'x')",
        )


def test_a_name_ends_with_its_transaction(both: PostgresStore) -> None:
    """The next one on the same connection, which names nobody, sees nothing."""
    with both.database.transaction("Nora") as connection:
        assert connection.execute("SELECT 1 FROM siliconfriend.change").fetchall()
    with both.database.transaction() as connection:
        assert connection.execute("SELECT 1 FROM siliconfriend.change").fetchall() == []


def test_the_program_learns_names_from_one_function_alone(program: psycopg.Connection) -> None:
    """It lists who there is, and gives nothing else of them."""
    found = program.execute("SELECT * FROM siliconfriend.scopes()").fetchall()
    assert found == [("Ada", "default"), ("Nora", "default")]
    with pytest.raises(errors.InsufficientPrivilege):
        program.execute("ALTER TABLE siliconfriend.day DISABLE ROW LEVEL SECURITY")
    program.rollback()
    with pytest.raises(errors.InsufficientPrivilege):
        program.execute("DROP POLICY own ON siliconfriend.day")


def test_another_role_reaches_nothing(
    both: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """One that was not granted anything cannot even list the names."""
    postgres_server.run("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN")
    for query in ("SELECT * FROM siliconfriend.scopes()", "SELECT * FROM siliconfriend.day"):
        with pytest.raises(errors.InsufficientPrivilege):
            postgres_server.run(query, database_name, "stranger")
