"""The store that the settings name; each is imported only when it is the one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.store import MemoryStore

if TYPE_CHECKING:
    from siliconfriend.memory.postgres.database import Database


def open_store(settings: Settings) -> MovableStore:
    """The store for ``settings.store``.

    Raises:
        ConfigurationError: the packages for it are missing, or its address is none.
    """
    if settings.store != "file":
        return _open_postgres_store(settings)
    from siliconfriend.memory.encryption import KEYRING
    from siliconfriend.memory.file_store import FileStore

    if settings.passphrase is not None:
        KEYRING.offer(settings.passphrase)
    return FileStore(settings.home, language=settings.language)


def database_of(settings: Settings, store: MemoryStore) -> Database | None:
    """The database that a store keeps memory in; None where it keeps it in none."""
    if settings.store == "file":
        return None
    with _naming_the_package():
        from siliconfriend.memory.postgres.postgres_store import PostgresStore

    return store.database if isinstance(store, PostgresStore) else None


@contextmanager
def temporary_place(settings: Settings) -> Iterator[Settings]:
    """The settings with an empty place of the configured kind, which is removed when the block ends.

    Raises:
        ConfigurationError, StoreError: none can be made; errors as :func:`open_store`.
    """
    with tempfile.TemporaryDirectory(prefix="siliconfriend-") as folder:
        elsewhere = replace(settings, home=Path(folder))
        if settings.store == "file":
            yield elsewhere
            return
        with _naming_the_package():
            from siliconfriend.memory.postgres.temporary import temporary_database
        with temporary_database(settings.store) as address:
            yield replace(elsewhere, store=address)


def upgrade_database_of(settings: Settings, role: str | None = None) -> list[str]:
    """Bring the tables of ``settings.store`` forward, and give a role what a program needs.

    Returns:
        The names of the steps that were applied.

    Raises:
        ConfigurationError, StoreError: it cannot be done; nothing was changed.
    """
    with _naming_the_package():
        from siliconfriend.memory.postgres.database import Database

    return Database(settings.store).upgrade(role)


def _open_postgres_store(settings: Settings) -> MovableStore:
    with _naming_the_package():
        from siliconfriend.memory.postgres.database import Database
        from siliconfriend.memory.postgres.postgres_store import PostgresStore

    return PostgresStore(Database(settings.store), language=settings.language)


@contextmanager
def _naming_the_package() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ConfigurationError("database_package") from error
