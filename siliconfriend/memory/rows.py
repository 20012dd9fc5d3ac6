"""The rows of one memory: all statements on the tables of :data:`~siliconfriend.memory.schema.MEMORY`."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.codec import NO_DATE, EncodedRecord, Unreadable
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.encryption import Cipher, Sealer
from siliconfriend.memory.passages import PassageRows
from siliconfriend.memory.scope import Scope

_OWN = "person = ? AND companion = ?"

TABLES = ("vector", "analysis", "record", "day", "erased", "scope_key", "scope")
"""The tables of a memory."""


class MemoryState(NamedTuple):
    """The row of a memory in ``scope``.

    Attributes:
        epoch: random id of the memory, equal for its copies in other stores.
        sequence: number of the last change.
        days: number of day rows.
        last_edit: random id of the last edit; equal ids mean equal memories.
        moved_to: the store it was moved to; empty if it is here.
    """

    epoch: str
    sequence: int
    days: int
    last_edit: str
    moved_to: str = ""

    @classmethod
    def new(cls, sequence: int = 0) -> MemoryState:
        """Return the state of a new memory with a new epoch."""
        return cls(secrets.token_hex(8), sequence, 0, secrets.token_hex(8))


class DayRow(NamedTuple):
    """The row of a date in ``day``.

    Attributes:
        changed: number of its last change.
        records: number of its records, for the empty date with the erased ids.
        edit: id of the edit that last changed it; equal ids mean equal days.
    """

    changed: int
    records: int
    edit: str


class Stored(NamedTuple):
    """The stored form of a memory: documents by date, and erased ids."""

    state: MemoryState
    documents: Mapping[str, Sequence[EncodedRecord]]
    erased: frozenset[str]


class ScopeRows:
    """The rows of one scope in a transaction of its person.

    Raises:
        Unreadable: raised by every read if a row is corrupt.
    """

    def __init__(self, transaction: Transaction, sealer: Sealer) -> None:
        self.transaction = transaction
        self.sealer = sealer
        self.scope: Scope = sealer.scope
        self._own = (self.scope.person, self.scope.companion)

    def state(self, *, lock: bool = False) -> MemoryState | None:
        """Return the state, None without a memory; ``lock`` locks the row for writing."""
        row = self.transaction.one(
            f"SELECT {', '.join(MemoryState._fields)}, seal FROM scope WHERE {_OWN}"
            + (self.transaction.for_update if lock else ""),
            self._own,
        )
        if row is None:
            return None
        if self._seal(NO_DATE, "scope", *row[:-1]) != row[-1]:
            raise Unreadable("scope: wrong checksum")
        return MemoryState(*row[:-1])

    def put_state(self, state: MemoryState) -> None:
        """Write the state."""
        row = (*state, self._seal(NO_DATE, "scope", *state))
        self._put("scope", (), (*MemoryState._fields, "seal"), [row])

    def _seal(self, date: str, table: str, *values: object) -> int:
        words = " ".join(map(str, values))
        return self.sealer.checksum(date, table, words.encode("utf-8", "replace"))

    def _put(
        self, table: str, key: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> None:
        keys = ("person", "companion", *key)
        names, sets = (*keys, *columns), (f"{column} = excluded.{column}" for column in columns)
        self.transaction.many(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {', '.join(sets)}",
            ((*self._own, *row) for row in rows),
        )

    def days(self, *, skip_damaged: bool = False) -> dict[str, DayRow]:
        """Return the day rows by ascending date."""
        rows = self.transaction.execute(
            f"SELECT date, {', '.join(DayRow._fields)}, seal FROM day WHERE {_OWN} ORDER BY date",
            self._own,
        )
        found = {}
        for date, *values, seal in rows:
            row = DayRow(*values)
            if self._seal(date, "day", *row) == seal:
                found[date] = row
            elif not skip_damaged:
                raise Unreadable(f"{date}: wrong checksum")
        return found

    def put_days(self, days: Mapping[str, DayRow]) -> None:
        """Write day rows."""
        rows = ((date, *row, self._seal(date, "day", *row)) for date, row in days.items())
        self._put("day", ("date",), (*DayRow._fields, "seal"), rows)

    def documents(self, date: str) -> list[EncodedRecord]:
        """Return the documents of a date, or of ``""`` for those without a date."""
        return self.documents_between(date, date).get(date, [])

    def documents_between(
        self, first: str = NO_DATE, last: str = "9999-99-99"
    ) -> dict[str, list[EncodedRecord]]:
        """Return the complete documents of each date between two, by ascending date."""
        counts = self.transaction.execute(
            f"SELECT date, records FROM day WHERE {_OWN} AND date BETWEEN ? AND ? ORDER BY date",
            (*self._own, first, last),
        )
        found: dict[str, list[EncodedRecord]] = {date: [] for date, _ in counts}
        for date, document, error in self._records(" AND date BETWEEN ? AND ?", (first, last)):
            if error is not None:
                raise error
            if date not in found:
                raise Unreadable(f"{date} {document[0]}: its day is missing")
            found[date].append(document)
        for date, count in counts:
            extra = len(self.erased()) if date == NO_DATE else 0
            if len(found[date]) + extra != count:
                raise Unreadable(f"{date}: {count} rows were expected")
        return found

    def _records(
        self, where: str = "", values: Sequence[str] = ()
    ) -> Iterator[tuple[str, EncodedRecord, Unreadable | None]]:
        """Yield date and document of each record, with an error if it is damaged."""
        rows = self.transaction.execute(
            f"SELECT date, id, kind, doc, seal FROM record WHERE {_OWN}{where} ORDER BY date, id",
            (*self._own, *values),
        )
        unseal = self.sealer.open
        for date, name, kind, doc, seal in rows:
            try:
                yield date, (name, kind, unseal(date, f"{kind} {name}", doc, seal)), None
            except Unreadable as error:
                data = doc if isinstance(doc, bytes) else str(doc).encode()
                yield date, (name, kind, data), error

    def put_documents(self, date: str, documents: Iterable[EncodedRecord]) -> None:
        """Insert or replace documents of a date."""
        rows = (
            (date, name, kind, *self.sealer.seal(date, f"{kind} {name}", data))
            for name, kind, data in documents
        )
        self._put("record", ("date", "id"), ("kind", "doc", "seal"), rows)

    def remove_documents(self, date: str, names: Iterable[str]) -> None:
        """Delete documents of a date by their ids."""
        self.transaction.many(
            f"DELETE FROM record WHERE {_OWN} AND date = ? AND id = ?",
            ((*self._own, date, name) for name in names),
        )

    def erased(self) -> frozenset[str]:
        """Return the erased ids, which are never reused."""
        rows = self.transaction.execute(f"SELECT id, seal FROM erased WHERE {_OWN}", self._own)
        if any(self._seal(NO_DATE, "erased", name) != seal for name, seal in rows):
            raise Unreadable("erased: wrong checksum")
        return frozenset(name for name, _ in rows)

    def put_erased(self, ids: Iterable[str]) -> None:
        """Add erased ids, which are never reused."""
        rows = ((name, self._seal(NO_DATE, "erased", name)) for name in sorted(ids))
        self._put("erased", ("id",), ("seal",), rows)

    def key(self) -> bytes | None:
        """Return the locked key of an encrypted memory; None for a plain one."""
        row = self.transaction.one(f"SELECT data FROM scope_key WHERE {_OWN}", self._own)
        if row is None:
            return None
        return row[0] if isinstance(row[0], bytes) else str(row[0]).encode()  # a flipped bit

    def put_key(self, cipher: Cipher | None) -> None:
        """Write the locked key of a cipher, or delete the key."""
        self.transaction.execute(f"DELETE FROM scope_key WHERE {_OWN}", self._own)
        self._put("scope_key", (), ("data",), [] if cipher is None else [(cipher.locked,)])

    def clear(self) -> None:
        """Delete every row of the scope: all other tables reference its row."""
        self.transaction.execute(f"DELETE FROM scope WHERE {_OWN}", self._own)

    def stored(self) -> Stored:
        """Return the whole memory (UnknownPerson: there is none)."""
        state = self.state()
        if state is None:
            raise UnknownPerson("unknown_person", name=self.scope.person)
        return Stored(state, self.documents_between(), self.erased())

    def place(self, stored: Stored) -> None:
        """Replace the records by a whole memory; vectors, analyses and key stay."""
        state, days, erased = stored
        for table in ("record", "day", "erased"):
            self.transaction.execute(f"DELETE FROM {table} WHERE {_OWN}", self._own)
        self.put_state(state._replace(days=len(days)))
        self.put_erased(erased)
        rows = {}
        for date, documents in days.items():
            self.put_documents(date, documents)
            count = len(documents) + (0 if date else len(erased))
            rows[date] = DayRow(state.sequence, count, state.last_edit)
        self.put_days(rows)

    def stored_words(self) -> Iterator[tuple[str, bytes]]:
        """Yield every stored text, decrypted, with its table; unreadable rows as they are."""
        for _, (*_, data), _ in self._records():
            yield "record", data
        passages = PassageRows(self.transaction, self.sealer).everything()
        for (table, _), named in passages.items():
            for name, data in named.items():
                yield table, name.encode() + b" " + data

    def readable_documents(self) -> dict[str, dict[str, EncodedRecord]]:
        """Return every document with a valid seal, by date and id."""
        found: dict[str, dict[str, EncodedRecord]] = defaultdict(dict)
        for date, document, error in self._records():
            if error is None:
                found[date][document[0]] = document
        return found
