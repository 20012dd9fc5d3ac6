"""Open the store that the settings name; only that store's module is imported."""

from collections.abc import Iterator
from contextlib import contextmanager

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.schema import MEMORY, Schema
from siliconfriend.memory.store import MemoryStore


def open_store(settings: Settings) -> MemoryStore:
    """Return the store for ``settings.store``.

    Raises:
        ConfigurationError: packages are missing, or the address is invalid.
    """
    if settings.passphrase is not None:
        KEYRING.offer(settings.passphrase)
    if settings.store == "file":
        from siliconfriend.memory.file_store import FileStore

        return FileStore(settings.home, language=settings.language)
    with _naming_the_package():
        from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
    return PostgresStore(PostgresDatabase(settings.store), language=settings.language)


def upgrade_database_of(settings: Settings, *schemas: Schema, role: str | None = None) -> list[str]:
    """Make the missing tables of ``settings.store``; return the parts made.

    Args:
        settings: name the database.
        schemas: schemas of other parts of the program, besides the memories.
        role: database role that receives the privileges the program needs.
    """
    with _naming_the_package():
        from siliconfriend.memory.postgresql import PostgresDatabase
    return PostgresDatabase(settings.store, MEMORY, *schemas).upgrade(role)


@contextmanager
def _naming_the_package() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ConfigurationError("database_package") from error
