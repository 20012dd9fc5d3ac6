"""The rows of one memory: every statement on the tables of :data:`~siliconfriend.memory.schema.MEMORY`."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.codec import NO_DATE, Document, Unreadable
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.encryption import Sealer
from siliconfriend.memory.passages import PassageRows
from siliconfriend.memory.scope import Scope

_OWN = "person = ? AND companion = ?"

TABLES = ("vector", "analysis", "record", "day", "erased", "scope_key", "scope")
"""The tables of a memory; the referenced table is last."""


class State(NamedTuple):
    """The row of a memory as a whole.

    Attributes:
        epoch: drawn when the memory began; copies in other stores are the same memory by it.
        sequence: number of the last change.
        days: number of dates that have a row.
        last_edit: drawn by the last edit: two states with the same one are the same memory.
        moved_to: where the memory has moved to; empty where it is here.
    """

    epoch: str
    sequence: int
    days: int
    last_edit: str
    moved_to: str = ""

    @classmethod
    def new(cls, sequence: int = 0) -> State:
        """Return the state of a new memory with a new epoch."""
        return cls(secrets.token_hex(8), sequence, 0, secrets.token_hex(8))


class Stored(NamedTuple):
    """The stored form of a memory: documents by date, and erased ids."""

    state: State
    documents: Mapping[str, Sequence[Document]]
    erased: frozenset[str]


class DayRow(NamedTuple):
    """The row of a date.

    Attributes:
        changed: number of its last change.
        records: how many it has.
        edit: ``last_edit`` of the edit that changed it: rows with the same one are the same day.
        outline: as it is stored, if it is.
    """

    changed: int
    records: int
    edit: str
    outline: bytes | None = None


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

    def state(self, *, lock: bool = False) -> State | None:
        """The state, None where there is no memory; with ``lock`` others wait until it is written."""
        row = self.transaction.one(
            f"SELECT {', '.join(State._fields)}, seal FROM scope WHERE {_OWN}"
            + (self.transaction.for_update if lock else ""),
            self._own,
        )
        if row is None:
            return None
        if self._seal(NO_DATE, "scope", *row[:-1]) != row[-1]:
            raise Unreadable("scope: the checksum is another one")
        return State(*row[:-1])

    def put_state(self, state: State) -> None:
        """Write the state."""
        row = (*state, self._seal(NO_DATE, "scope", *state))
        self._put("scope", (), (*State._fields, "seal"), [row])

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
        """Return the rows of dates, by date ascending."""
        rows = self.transaction.execute(
            f"SELECT date, changed, records, edit, outline, seal FROM day WHERE {_OWN}"
            " ORDER BY date",
            self._own,
        )
        found = {}
        for date, changed, records, edit, outline, seal in rows:
            if self._seal(date, "day", changed, records, edit) == seal:
                found[date] = DayRow(changed, records, edit, outline)
            elif not skip_damaged:
                raise Unreadable(f"{date}: the checksum is another one")
        return found

    def put_days(self, days: Mapping[str, DayRow]) -> None:
        """Write rows of dates."""
        rows = ((date, *row, self._seal(date, "day", *row[:3])) for date, row in days.items())
        self._put("day", ("date",), (*DayRow._fields, "seal"), rows)

    def put_outlines(self, outlines: Iterable[tuple[str, bytes | None]]) -> None:
        """Write the outlines of dates, as they are stored."""
        self.transaction.many(
            f"UPDATE day SET outline = ? WHERE {_OWN} AND date = ?",
            ((outline, *self._own, date) for date, outline in outlines),
        )

    def documents(self, date: str) -> list[Document]:
        """Return the documents of a date, and as ``""`` of what belongs to none."""
        return self.documents_between(date, date).get(date, [])

    def documents_between(
        self, first: str = NO_DATE, last: str = "9999-99-99"
    ) -> dict[str, list[Document]]:
        """Return the documents of dates, by date ascending; all of a date or an error."""
        counts = self.transaction.execute(
            f"SELECT date, records FROM day WHERE {_OWN} AND date BETWEEN ? AND ? ORDER BY date",
            (*self._own, first, last),
        )
        found: dict[str, list[Document]] = {date: [] for date, _ in counts}
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
    ) -> Iterator[tuple[str, Document, Unreadable | None]]:
        """Date and document of records, and the error where it is not what was written."""
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

    def put_documents(self, date: str, documents: Iterable[Document]) -> None:
        """Write documents of a date, in place of those with their ids."""
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
            raise Unreadable("erased: the checksum is another one")
        return frozenset(name for name, _ in rows)

    def put_erased(self, ids: Iterable[str]) -> None:
        """Add erased ids, which are never reused."""
        rows = ((name, self._seal(NO_DATE, "erased", name)) for name in sorted(ids))
        self._put("erased", ("id",), ("seal",), rows)

    def key(self) -> bytes | None:
        """Return the locked key of an encrypted memory, where it is kept in the database."""
        row = self.transaction.one(f"SELECT data FROM scope_key WHERE {_OWN}", self._own)
        return None if row is None else bytes(row[0])

    def put_key(self, data: bytes | None) -> None:
        """Write the locked key, or delete it."""
        self.transaction.execute(f"DELETE FROM scope_key WHERE {_OWN}", self._own)
        self._put("scope_key", (), ("data",), [] if data is None else [(data,)])

    def clear(self) -> None:
        """Delete every row of the scope."""
        for table in TABLES:
            self.transaction.execute(f"DELETE FROM {table} WHERE {_OWN}", self._own)

    def stored(self) -> Stored:
        """Return the whole memory; UnknownPerson where there is none."""
        state = self.state()
        if state is None:
            raise UnknownPerson("unknown_person", name=self.scope.person)
        return Stored(state, self.documents_between(), self.erased())

    def seal_anew(self, sealer: Sealer) -> None:
        """Rewrite every record with another seal, for example to encrypt a memory."""
        documents = self.documents_between()
        self.sealer = sealer
        for date, found in documents.items():
            self.put_documents(date, found)
        self.put_outlines((date, None) for date in documents)
        for table in ("vector", "analysis"):  # a keyed hash cannot be converted to a plain one
            self.transaction.execute(f"DELETE FROM {table} WHERE {_OWN}", self._own)

    def place(self, stored: Stored) -> None:
        """Replace the stored memory by a whole memory."""
        state, days, erased = stored
        key = self.key()
        self.clear()
        self.put_state(state._replace(days=len(days)))
        self.put_key(key)
        self.put_erased(erased)
        for date, documents in days.items():
            count = len(documents) + (len(erased) if date == NO_DATE else 0)
            self.put_days({date: DayRow(state.sequence, count, state.last_edit)})
            self.put_documents(date, documents)

    def stored_words(self) -> Iterator[tuple[str, bytes]]:
        """Yield all that the rows hold, decrypted, each with the name of its place.

        A row that cannot be opened is given as it is.
        """
        for _, (*_, data), _ in self._records():
            yield "record", data
        for (outline,) in self.transaction.execute(
            f"SELECT outline FROM day WHERE {_OWN}", self._own
        ):
            yield "day", bytes(outline or b"")
        passages = PassageRows(self.transaction, self.sealer).everything()
        for (table, _), named in passages.items():
            for name, data in named.items():
                yield table, name.encode() + b" " + data

    def readable_documents(self) -> dict[str, dict[str, Document]]:
        """Return every document with a valid seal, by date and id."""
        found: dict[str, dict[str, Document]] = defaultdict(dict)
        for date, document, error in self._records():
            if error is None:
                found[date][document[0]] = document
        return found
