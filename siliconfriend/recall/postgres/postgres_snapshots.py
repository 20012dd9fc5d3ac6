"""The snapshot of one scope's index in a row: opening an index of years is one reading.

Of a memory of which the vectors alone would fill a process it is kept without them: they are
compared where they lie.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.index_snapshot import (
    IndexSnapshot,
    dump_snapshot,
    load_snapshot,
    snapshot_stamp,
)

MOST_VECTORS = 1 << 28
"""Bytes of one person's vectors that are read into a process: 170,000 memories of 384 numbers each,
half of what the process keeps of everybody. Compared in the database each recall takes several
times as long (``benchmarks/exact_search.py``)."""

_LOG = logging.getLogger(__name__)


class PostgresSnapshots:
    """The :class:`~siliconfriend.recall.index_storage.SnapshotStorage` of one scope in a database.

    Args:
        database: where the row is.
        scope: whose index it is.
        stamps: by what rules and with which embedder the rows are made.
    """

    def __init__(self, database: Database, scope: Scope, stamps: Mapping[str, str]) -> None:
        self._database = database
        self._scope = scope
        self._stamp = snapshot_stamp(stamps)

    def load(self) -> IndexSnapshot | None:
        """The snapshot; None where there is none, or it was made otherwise, or is damaged.

        Raises:
            StoreError: the database cannot be read.
        """
        query = "SELECT data FROM siliconfriend.index_snapshot WHERE person = %s AND companion = %s AND stamp = %s"
        values = (self._scope.person, self._scope.companion, self._stamp)
        with self._database.transaction(self._scope.person, read_only=True) as connection:
            row = connection.execute(query, values, binary=True).fetchone()
        return None if row is None else load_snapshot(row[0], self._stamp)

    def save(self, snapshot: IndexSnapshot) -> None:
        """Write a snapshot in place of the one before; where that fails that one stays."""
        if snapshot.vectors is not None and snapshot.vectors.nbytes > MOST_VECTORS:
            snapshot = replace(snapshot, vectors=None)
        statement = (
            "INSERT INTO siliconfriend.index_snapshot (person, companion, stamp, data)"
            " SELECT person, companion, %s, %s FROM siliconfriend.scope WHERE person = %s AND companion = %s"
            " ON CONFLICT (person, companion)"
            " DO UPDATE SET stamp = excluded.stamp, data = excluded.data"
        )
        data = dump_snapshot(snapshot, self._stamp)
        values = (self._stamp, data, self._scope.person, self._scope.companion)
        try:
            with self._database.transaction(self._scope.person) as connection:
                connection.execute(statement, values)
        except (StoreError, ConfigurationError):
            _LOG.debug("the snapshot of an index could not be kept", exc_info=True)

    def remove(self) -> None:
        """Remove the snapshot; the next recall makes its rows again from the cache.

        Raises:
            ConfigurationError, StoreError: it cannot be removed.
        """
        statement = "DELETE FROM siliconfriend.index_snapshot WHERE person = %s AND companion = %s"
        values = (self._scope.person, self._scope.companion)
        with self._database.transaction(self._scope.person) as connection:
            connection.execute(statement, values)
