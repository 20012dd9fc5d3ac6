"""Two stores to move between, each opened as often as a test likes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.moving.mover import Mover, Outcome
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA


@dataclass(frozen=True)
class Place:
    """A place to keep memory.

    Attributes:
        name: for people.
        open: opens it, as another process would.
    """

    name: str
    open: Callable[[], MovableStore]


def a_folder(path: Path, *, fold_at: int = 1 << 20) -> Place:
    """Files in a data directory."""
    return Place(str(path), lambda: FileStore(path, fold_at=fold_at))


def a_database(database: Database, *, fold_at: int = 1 << 20) -> Place:
    """Rows in a database; the connections are shared, the stores are not."""
    return Place(database.place, lambda: PostgresStore(database, fold_at=fold_at))


def in_memory(name: str) -> Place:
    """A store that is the same each time it is opened."""
    store = InMemoryStore()
    return Place(name, lambda: store)


def mover(source: Place, target: Place) -> Mover:
    """What moves from one to the other, all opened anew."""
    return Mover(
        source.open(),
        target.open(),
        target.open(),
        source_name=source.name,
        target_name=target.name,
    )


def move(source: Place, target: Place, scope: Scope = NORA) -> Outcome:
    """Move one memory, which must not fail."""
    (outcome,) = mover(source, target).move([scope])
    if outcome.error is not None:
        raise outcome.error
    return outcome
