"""A few kills of a writer and of the server; 500 of them in ``tests/long/postgres_kills.py``."""

from __future__ import annotations

import pytest

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.long.postgres_kills import check, kill_one
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say
from tests.postgres_server import PostgresServer


@pytest.mark.slow
def test_what_was_told_as_kept_is_there_after_kills() -> None:
    """A writer is killed in mid-word, then the server under another; both went on in one memory."""
    server = PostgresServer()
    try:
        database = Database(server.address(server.fresh()))
        told = kill_one(server, database.address, "first", 11, crash=False)
        told += kill_one(server, database.address, "second", 7, crash=True)
        assert len(told) >= 18
        assert check(PostgresStore(database), told, database) == (0, 0)
    finally:
        server.close()


def test_the_search_for_what_is_missing_finds_it(database: Database) -> None:
    """A turn that nobody wrote is counted as missing."""
    store = PostgresStore(database)
    store.create(NORA, a_profile())
    say(store, "kept")
    say(store, "kept")
    assert check(store, ["kept", "never said"], database) == (1, 1)
