"""An erasure over a database, as a program asks for it: no table holds a word of it afterwards."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.config import Settings
from siliconfriend.memory.postgresql import SCHEMA
from siliconfriend.memory.scope import Scope
from siliconfriend.person import Person
from siliconfriend.runtime import Runtime
from siliconfriend.testing import WordEmbedder
from tests.postgres_server import PostgresServer

SECRET = "okapi"
WORDS = ("harbour", "kettle", SECRET)


def holders(server: PostgresServer, name: str, words: str) -> set[str]:
    """The tables that hold some words, as text or as the bytes of it."""
    listing = f"SELECT relname FROM pg_class WHERE relnamespace = '{SCHEMA}'::regnamespace AND relkind = 'r'"
    tables = [table for (table,) in server.run(listing, name)]
    wanted = (words, words.encode().hex())
    rows = {
        table: " ".join(
            text for (text,) in server.run(f"SELECT t::text FROM {SCHEMA}.{table} t", name)
        )
        for table in tables
    }
    return {table for table, text in rows.items() if any(it in text for it in wanted)}


def test_no_table_holds_what_was_erased(
    settings: Settings,
    postgres_server: PostgresServer,
    database_name: str,
) -> None:
    """Neither as words nor as tokens; what was said beside it is found as before."""
    address = postgres_server.address(database_name)
    runtime = Runtime(replace(settings, store=address), embedder=WordEmbedder(WORDS[:2]))
    person = Person(Scope.of("Nora"), runtime)
    person.add("I saw an okapi at the harbour.", at="2026-03-01T09:00")
    kept = person.add("The kettle is blue.", at="2026-03-02T09:00").turn
    runtime.recaller.rebuild_index(person.scope)
    runtime.recaller.learn_associations(person.scope)
    held = holders(postgres_server, database_name, SECRET)
    assert "record" in held
    (seen,) = [turn for turn in person.turns() if SECRET in turn.query]
    person.erase(seen.id)
    assert holders(postgres_server, database_name, SECRET) == set()
    assert [it.memory.id for it in person.recall("the kettle").memories] == [kept.id]
