"""Passages: cached vectors and analyses of the texts of a memory.

Each text has a vector per embedder and an analysis per version of the rules, stored beside the
records under the SHA-256 of the text (a keyed hash in an encrypted memory), so that no process
repeats the work of another. They can be deleted at any time.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Literal, Protocol

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.codec import NO_DATE, Unreadable
from siliconfriend.memory.database import SQLiteDatabase, Transaction
from siliconfriend.memory.encryption import Sealer
from siliconfriend.memory.schema import PASSAGES
from siliconfriend.memory.scope import Scope

Table = Literal["vector", "analysis"]
MAKERS: Mapping[Table, str] = {"vector": "embedder", "analysis": "rules"}
"""The column of each table with the embedder or rules."""

MOST_NAMED = 400
"""Maximum number of digests in one statement; for more, all rows are read."""


class PassageRows:
    """The passages of one scope in a transaction of its person."""

    def __init__(self, transaction: Transaction, sealer: Sealer) -> None:
        self._transaction, self._sealer = transaction, sealer
        self._own = (sealer.scope.person, sealer.scope.companion)

    def read(self, table: Table, maker: str, digests: Collection[str]) -> dict[str, bytes]:
        """Return the stored data of texts by their digests; damaged rows are skipped."""
        named = {self._name(digest): digest for digest in digests}
        statement = (
            f"SELECT digest, data, seal FROM {table}"  # noqa: S608
            f" WHERE person = ? AND companion = ? AND {MAKERS[table]} = ?"
        )
        values: tuple[str, ...] = (*self._own, maker)
        if 0 < len(named) <= MOST_NAMED:
            statement += f" AND digest IN ({', '.join('?' * len(named))})"
            values += (*named,)
        found = {}
        for name, data, seal in self._transaction.execute(statement, values) if named else ():
            if name in named:
                with suppress(Unreadable):
                    place = f"{table} {maker} {name}"
                    found[named[name]] = self._sealer.open(NO_DATE, place, data, seal)
        return found

    def count(self, table: Table, maker: str) -> int:
        """Return the number of passages."""
        row = self._transaction.one(
            f"SELECT count(*) FROM {table}"  # noqa: S608
            f" WHERE person = ? AND companion = ? AND {MAKERS[table]} = ?",
            (*self._own, maker),
        )
        return 0 if row is None else int(row[0])

    def put(self, table: Table, maker: str, made: Mapping[str, bytes]) -> None:
        """Store the data of texts by their digests."""
        named = {self._name(digest): data for digest, data in made.items()}
        self.put_named(table, maker, named)

    def retain(self, digests: Collection[str]) -> int:
        """Delete the passages of all other texts; return their number."""
        names, removed = {self._name(digest) for digest in digests}, 0
        for table in MAKERS:
            rows = self._transaction.execute(
                f"SELECT DISTINCT digest FROM {table} WHERE person = ? AND companion = ?",  # noqa: S608
                self._own,
            )
            gone = [name for (name,) in rows if name not in names]
            self._transaction.many(
                f"DELETE FROM {table} WHERE person = ? AND companion = ? AND digest = ?",  # noqa: S608
                ((*self._own, name) for name in gone),
            )
            removed += len(gone)
        return removed

    def everything(self) -> dict[tuple[Table, str], dict[str, bytes]]:
        """Return all passages by table and maker, under their stored names."""
        found: dict[tuple[Table, str], dict[str, bytes]] = {}
        for table, column in MAKERS.items():
            rows = self._transaction.execute(
                f"SELECT {column}, digest, data, seal FROM {table}"  # noqa: S608
                " WHERE person = ? AND companion = ?",
                self._own,
            )
            for maker, name, data, seal in rows:
                with suppress(Unreadable):
                    opened = self._sealer.open(NO_DATE, f"{table} {maker} {name}", data, seal)
                    found.setdefault((table, maker), {})[name] = opened
        return found

    def put_named(self, table: Table, maker: str, named: Mapping[str, bytes]) -> None:
        """Store passages under their names in another store with the same key."""
        column = MAKERS[table]
        self._transaction.many(
            f"INSERT INTO {table} (person, companion, {column}, digest, data, seal)"  # noqa: S608
            f" VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (person, companion, {column}, digest)"
            " DO UPDATE SET data = excluded.data, seal = excluded.seal",
            (
                (
                    *self._own,
                    maker,
                    name,
                    *self._sealer.seal(NO_DATE, f"{table} {maker} {name}", value),
                )
                for name, value in named.items()
            ),
        )

    def _name(self, digest: str) -> str:
        cipher = self._sealer.cipher
        return digest if cipher is None else cipher.digest(digest)


class PassageStore(Protocol):
    """A store that keeps passages."""

    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> AbstractContextManager[PassageRows | None]:
        """Open the passages of a scope; as :meth:`MemoryStore.passages`."""
        ...


class PassageFile:
    """Passages in a separate file, for texts outside any memory: a companion's story."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = SQLiteDatabase(path, PASSAGES)

    @contextmanager
    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> Iterator[PassageRows | None]:
        """Yield the passages in a transaction, for writing if ``erasures`` is given.

        None is yielded if the file, or the folder to create it in, is missing. A damaged file is
        deleted.
        """
        is_read = erasures is None
        if not (self._path if is_read else self._path.parent).exists():
            yield None
            return
        try:
            with self._database.transaction(read_only=is_read) as transaction:
                yield PassageRows(transaction, Sealer(scope))
        except DamagedMemory:
            self._database.close()
            self._path.unlink(missing_ok=True)
            raise
