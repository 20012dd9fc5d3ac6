"""Pairs of places to move between, so that each kind is moved out of and into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from siliconfriend.memory.postgres.database import Database
from tests.memory.moving.places import Place, a_database, a_folder, in_memory

PAIRS = (
    ("files", "files"),
    ("files that fold", "in memory"),
    ("in memory", "files that fold"),
    ("files", "database"),
    ("database", "files"),
    ("database that folds", "files that fold"),
    ("database", "database that folds"),
)


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]} to {pair[1]}")
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Place, Place]]:
    """Where memories are, and where they go."""
    with ExitStack() as stack:
        kinds = dict(zip(("source", "target"), request.param, strict=True))
        source, target = (_place(request, stack, it, tmp_path / name) for name, it in kinds.items())
        yield source, target


@pytest.fixture
def source(pair: tuple[Place, Place]) -> Place:
    """Where memories are."""
    return pair[0]


@pytest.fixture
def target(pair: tuple[Place, Place]) -> Place:
    """Where they go."""
    return pair[1]


def _place(request: pytest.FixtureRequest, stack: ExitStack, kind: str, path: Path) -> Place:
    folds = {"fold_at": 0} if "fold" in kind else {}
    if kind == "in memory":
        return in_memory(path.name)
    if not kind.startswith("database"):
        return a_folder(path, **folds)
    server = request.getfixturevalue("postgres_server")
    name = server.fresh()
    database = Database(server.address(name))
    stack.callback(server.drop, name)
    stack.callback(database.close)
    return a_database(database, **folds)
