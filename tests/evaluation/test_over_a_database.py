"""Measured over a database: in one of its own, with the results of files, and nothing left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.bench import open_bench
from siliconfriend.evaluation.datasets import read_questions
from siliconfriend.evaluation.probing import evaluate_probing
from siliconfriend.memory.postgres_store import PostgresStore
from siliconfriend.memory.postgresql import PostgresDatabase
from tests.evaluation import banks
from tests.postgres_server import ADMIN, APP, PostgresServer

RECIPES = ["siliconfriend", "memorybank", "memoryos"]


@pytest.fixture
def over_database(
    settings: Settings, postgres_server: PostgresServer, database_name: str
) -> Settings:
    """Settings whose store is a database, for a role that may make another."""
    return replace(settings, store=postgres_server.address(database_name, ADMIN))


def databases(server: PostgresServer) -> set[str]:
    """The names of all databases of a server."""
    return {name for (name,) in server.run("SELECT datname FROM pg_database")}


def measured(settings: Settings, folder: Path) -> list[dict[str, Any]]:
    """What probing finds over a store of the configured kind, without the time it took."""
    questions = read_questions(banks.write(folder)[1])
    with open_bench(settings, embedder=banks.embedder()) as bench:
        people = bench.import_bank(banks.BANK)
        results = evaluate_probing(bench, people, questions, RECIPES, ks=(1, 3, 6))
    return [{**it, "seconds": 0} for it in results]


def test_a_database_gives_what_files_give(
    settings: Settings, over_database: Settings, tmp_path: Path
) -> None:
    """Every recipe, hit for hit."""
    assert measured(over_database, tmp_path) == measured(settings, tmp_path)


def test_memories_and_indexes_are_in_a_database_that_goes(
    over_database: Settings, postgres_server: PostgresServer
) -> None:
    """Also where the measurement fails; in the configured one nothing was written."""
    before = databases(postgres_server)

    def fail() -> None:
        with open_bench(over_database) as bench:
            bench.import_bank(banks.BANK)
            assert isinstance(bench.store, PostgresStore)
            assert len(databases(postgres_server) - before) == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert databases(postgres_server) == before
    assert PostgresStore(PostgresDatabase(over_database.store)).scopes() == []


def test_a_role_that_may_not_is_told_what_to_do(
    settings: Settings, postgres_server: PostgresServer, database_name: str
) -> None:
    """It may make no database."""
    role = APP
    before = databases(postgres_server)
    address = postgres_server.address(database_name, role)
    with pytest.raises(ConfigurationError) as error:
        open_bench(replace(settings, store=address)).__enter__()
    assert error.value.key == "database_temporary"
    assert role in str(error.value)
    assert databases(postgres_server) == before
