"""Where the indexes of a store's memories are kept; imported only for the one there is."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.memory.factory import database_of
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_storage import IndexStorage


def open_indexes(settings: Settings, store: MemoryStore) -> IndexStorage:
    """Open the place beside a store that the settings name, or that was given in its stead.

    In the same database as the memory, so that what deletes a person there deletes their index.
    """
    database = database_of(settings, store)
    if database is not None:
        from siliconfriend.recall.postgres.postgres_index import PostgresIndexes

        return PostgresIndexes(database)
    from siliconfriend.recall.index_files import IndexFiles

    return IndexFiles(store.folder)
