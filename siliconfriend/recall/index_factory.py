"""Where the indexes of a store's memories are kept; imported only for the one there is."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_storage import IndexStorage


def open_indexes(settings: Settings, store: MemoryStore) -> IndexStorage:
    """Open the place beside a store that the settings name, or that was given in its stead.

    In the same database as the memory, so that what deletes a person there deletes their index.
    """
    if settings.store != "file":
        from siliconfriend.memory.postgres.postgres_store import PostgresStore
        from siliconfriend.recall.postgres.postgres_index import PostgresIndexes

        if isinstance(store, PostgresStore):
            return PostgresIndexes(store.database)
    from siliconfriend.recall.index_files import IndexFiles

    return IndexFiles(store.folder)
