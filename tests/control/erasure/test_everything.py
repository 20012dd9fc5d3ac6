"""A deleted person is in no row of any table, on either engine."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from siliconfriend.config import Settings
from siliconfriend.installation.subscriptions import Subscription
from siliconfriend.memory.scope import Scope
from siliconfriend.person import administration
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.embedding import WordEmbedder
from tests.postgres_server import PostgresServer

CANARY = "Zanzifrax"
WORDS = f"My HIV test at {CANARY} was positive?"
BAD = {"summary": WORDS, "traits": WORDS, "mood": WORDS, "strategy": WORDS}
"""What a night refuses, and must keep nowhere."""


def _of_files(home: Path) -> Iterator[tuple[str, Any]]:
    for path in home.rglob("*.sqlite"):
        with closing(sqlite3.connect(path)) as base:
            names = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (table,) in names:
                for row in base.execute(f'SELECT * FROM "{table}"'):
                    yield f"{path.name} {table}", row


def _of_database(server: PostgresServer, database: str) -> Iterator[tuple[str, Any]]:
    with psycopg.connect(server.address(database, "postgres")) as connection:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = 'siliconfriend'"
        for (table,) in connection.execute(query).fetchall():
            for row in connection.execute(f'SELECT * FROM siliconfriend."{table}"'.encode()):
                yield table, row


def _holding(rows: Iterator[tuple[str, Any]], *words: str) -> set[str]:
    """The tables with one of the words in any column."""
    found = set()
    for table, row in rows:
        data = b" ".join(one if isinstance(one, bytes) else str(one).encode() for one in row)
        if any(word.encode() in data for word in words):
            found.add(table)
    return found


@pytest.mark.parametrize("is_encrypted", [False, True], ids=["plain", "encrypted"])
@pytest.mark.parametrize("engine", ["files", "PostgreSQL"])
def test_no_table_holds_a_deleted_person(
    request: pytest.FixtureRequest, settings: Settings, engine: str, is_encrypted: bool
) -> None:
    server, database = None, ""
    if engine == "PostgreSQL":
        address = request.getfixturevalue("database_address")
        server = request.getfixturevalue("postgres_server")
        database = str(conninfo_to_dict(address)["dbname"])
        settings = replace(settings, store=address)

    def rows() -> Iterator[tuple[str, Any]]:
        return _of_files(settings.home) if server is None else _of_database(server, database)

    chat = ScriptedChatModel(otherwise=lambda _messages: BAD, is_able=True)
    clock = MovingClock("2026-11-20T20:00:00+00:00")
    with MemoryBank(settings=settings, clock=clock, chat=chat, embedder=WordEmbedder()) as bank:
        for name in (CANARY, "Otto"):
            person = bank.person(name)
            person.add(WORDS if name == CANARY else "It rained.", "I am here.")
            bank.installation.passwords.set(name, "a long password")
            bank.installation.keys.make_for(name)
            bank.installation.sessions.open(name, "hash")
            browser = Subscription(Scope.of(name), f"https://push.example/{name}", "key", "secret")
            bank.installation.subscriptions.add(browser)
            if name == CANARY and is_encrypted:
                administration.encrypt(bank, name, "correct horse battery")
            person.recall("test")
        clock.move(days=2)
        bank.night()
        digest = Scope.of(CANARY).digest
        assert len(_holding(rows(), CANARY, digest)) > 5
        if not is_encrypted:
            assert not _holding(rows(), WORDS) & {
                "installation.sqlite night_report",
                "night_report",
            }
            person = bank.person(CANARY)
            assert person.erase(next(person.turns()).id).left == 0
            assert _holding(rows(), WORDS) == set()
            person.add(WORDS)
        deleted = bank.delete(CANARY)
        assert deleted.proof.found_in == ()
        assert _holding(rows(), CANARY, digest) == set()
        assert bank.person("Otto").is_known()
        assert bank.installation.passwords.hash_of("Otto") is not None
        assert len(bank.installation.subscriptions.all()) == 1
