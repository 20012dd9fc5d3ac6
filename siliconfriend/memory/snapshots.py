"""Read memories as snapshots.

A cached snapshot is valid for exactly one state of the database, identified by epoch and last edit.
For any other state all day rows are read again; days with the same edit are not decoded again.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from siliconfriend.errors import DamagedMemory, MemoryBusy, UnknownPerson
from siliconfriend.memory.codec import NO_DATE, Unreadable, decode_day, parse_rest
from siliconfriend.memory.database import MAX_WAIT, Database
from siliconfriend.memory.encryption import KEYRING, AskPassphrase, Cipher, Sealer
from siliconfriend.memory.passages import PassageRows
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.rows import DayRow, MemoryState, ScopeRows, Stored
from siliconfriend.memory.scope import Scope, check_newcomers, folder_id
from siliconfriend.texts import Language, text

MAX_KEPT = 32
"""Number of scopes whose newest snapshot is cached."""

FEW = 8
"""Maximum number of changed days that are read one by one; else the whole memory is read."""

_WARN_ONCE = lru_cache(maxsize=1024)(logging.getLogger(__name__).warning)
_Kept = TypeVar("_Kept")


class Snapshot(NamedTuple):
    """A memory at one state, and its day rows by date."""

    memory: PersonMemory
    state: MemoryState
    days: Mapping[str, DayRow]


class SnapshotReader(ABC):
    """Reads memories.

    Attributes:
        wait: seconds to wait for a lock.
        ask: prompts for the passphrase of an encrypted memory; None never prompts.

    Raises:
        DamagedMemory: raised by every method that reads a damaged row. Nothing is changed; only
            :meth:`MemoryStore.repair` repairs.
    """

    def __init__(self, *, language: Language = "en", wait: float = MAX_WAIT) -> None:
        self.language: Language = language
        self.wait = wait
        self.ask: AskPassphrase | None = None
        self._locks = _ThreadLocks(wait)
        self._snapshots: Recent[Snapshot] = Recent(MAX_KEPT)

    # Differences between the engines.

    @abstractmethod
    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""

    @abstractmethod
    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the database of a memory; ``begin`` allows a new one.

        UnknownPerson: the scope has no memory.
        """

    def locked_key(self, scope: Scope) -> bytes | None:
        """Return the locked key of an encrypted memory; None for a plain one."""
        with self.database(scope).reading(scope.person) as transaction:
            return ScopeRows(transaction, Sealer(scope)).key()

    def folder(self, scope: Scope) -> Path | None:
        """Return the folder of the scope's caches; None without caches on disk."""
        return None

    @property
    def open_snapshots(self) -> int:
        """The number of memories that this process holds."""
        return len(self._snapshots)

    def unreadable(self) -> list[str]:
        """Return the names of stored memories whose owner is unknown, sorted."""
        return []

    def _is_nothing(self, rows: ScopeRows) -> bool:
        """Return True if there is no memory, False if its row was lost."""
        return True

    # Common to all engines.

    def exists(self, scope: Scope) -> bool:
        """Return True if the scope has a memory, even a damaged one."""
        try:
            with self._rows(scope, sealer=Sealer(scope), read_only=True) as rows:
                return not self._is_absent(rows)
        except UnknownPerson:
            return False
        except DamagedMemory:
            return True

    def check_newcomer(self, scope: Scope) -> None:
        """Reject a new name that resembles a known one (RefusedName)."""
        if not self.exists(scope):
            check_newcomers([scope], self.scopes())

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot (UnknownPerson: the scope has no memory)."""
        with self._locks.holding(scope), self._rows(scope, read_only=True) as rows:
            return self._newest(rows).memory

    def state(self, scope: Scope) -> MemoryState | None:
        """Return the state of a memory; None without a memory."""
        with self._rows(scope, sealer=Sealer(scope), read_only=True) as rows:
            return rows.state()

    def changed_since(self, scope: Scope, sequence: int) -> list[str]:
        """Return the dates of the days that changed after the change with this number."""
        with self._rows(scope, read_only=True) as rows:
            return [date for date, row in rows.days().items() if date and row.changed > sequence]

    def stored(self, scope: Scope) -> Stored:
        """Return a consistent copy of a memory in its stored form."""
        with self._rows(scope, read_only=True) as rows:
            return rows.stored()

    def rows(self, scope: Scope) -> Iterator[tuple[str, bytes]]:
        """Yield every stored text of a scope, decrypted, with its table."""
        with suppress(UnknownPerson), self._rows(scope, read_only=True) as rows:
            yield from rows.stored_words()

    @contextmanager
    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> Iterator[PassageRows | None]:
        """Yield the vectors and analyses of a memory's texts in a transaction.

        To write, give ``erasures``, the number of erased ids when the texts were read. None is
        yielded if ids were erased since, so that erased words are not written back.
        """
        if erasures is None:
            with self.database(scope).reading(scope.person) as transaction:
                yield PassageRows(transaction, Sealer(scope, self.cipher(scope)))
            return
        with self._locks.holding(scope), self._rows(scope) as rows:
            is_there = rows.state(lock=True) is not None
            is_known = is_there and len(rows.erased()) <= erasures
            yield PassageRows(rows.transaction, rows.sealer) if is_known else None

    def cipher(self, scope: Scope) -> Cipher | None:
        """Return the cipher of a memory, None for a plain one (StoreError: locked)."""
        return self._unlocked(scope, self.locked_key(scope))

    def _unlocked(self, scope: Scope, key: bytes | None) -> Cipher | None:
        place = self.folder(scope) or Path(folder_id(scope.person))
        return None if key is None else KEYRING.unlock(place, key, self.ask)

    @contextmanager
    def _rows(
        self,
        scope: Scope,
        *,
        sealer: Sealer | None = None,
        read_only: bool = False,
        begin: bool = False,
    ) -> Iterator[ScopeRows]:
        """Yield the rows of a memory in a transaction; ``begin`` allows a new memory."""
        try:
            database = self.database(scope, begin=begin)
            with database.transaction(scope.person, read_only=read_only) as transaction:
                yield ScopeRows(transaction, sealer or Sealer(scope, self.cipher(scope)))
        except (Unreadable, DamagedMemory) as error:
            self._snapshots.forget(scope)
            if isinstance(error, DamagedMemory) and error.key != "database_damaged":
                raise
            raise _unreadable_row(scope, error) from error

    def _is_absent(self, rows: ScopeRows) -> bool:
        try:
            return rows.state() is None and self._is_nothing(rows)
        except Unreadable:
            return False

    def _newest(self, rows: ScopeRows, *, lock: bool = False) -> Snapshot:
        """Return the cached snapshot if it has the current state, else read a new one."""
        scope = rows.scope
        state = rows.state(lock=lock)
        if state is None:
            self._snapshots.forget(scope)
            if not self._is_nothing(rows):
                raise Unreadable("scope: its row is missing")
            raise UnknownPerson("unknown_person", name=scope.person)
        known = self._snapshots.get(scope)
        if known is not None and _moment(known.state) == _moment(state):
            newest = known._replace(state=state)
        else:
            newest = self._read(rows, state, known)
        self._snapshots.keep(scope, newest)
        return newest

    def _read(self, rows: ScopeRows, state: MemoryState, known: Snapshot | None) -> Snapshot:
        """Read a snapshot, reusing the unchanged days of the known one."""
        found, before = rows.days(), {} if known is None else known.days
        if len(found) != state.days:
            raise Unreadable(f"{state.days - len(found)} days are missing")
        if NO_DATE not in found:
            raise Unreadable("the profile is missing")
        changed = [
            date
            for date, row in found.items()
            if date not in before or before[date].edit != row.edit
        ]
        if len(changed) <= FEW:
            documents = {date: rows.documents(date) for date in changed}
        else:
            documents = rows.documents_between()
        days = {} if known is None else {**known.memory.days}
        days |= {date: decode_day(date, documents[date]) for date in changed if date}
        days = {date: days[date] for date in found if date}
        if known is not None and NO_DATE not in changed:
            memory = replace(known.memory, days=days, sequence=state.sequence)
        else:
            fields = parse_rest(documents[NO_DATE])
            memory = PersonMemory(
                **fields, days=days, erased=rows.erased(), sequence=state.sequence
            )
        return Snapshot(memory, state, found)

    def _warn(self, key: str, **details: object) -> None:
        _WARN_ONCE(text("errors", key, self.language, **details))


def _moment(state: MemoryState) -> tuple[str, str]:
    return state.epoch, state.last_edit


def _unreadable_row(scope: Scope, error: Unreadable | DamagedMemory) -> DamagedMemory:
    cause: object = error
    if isinstance(error, DamagedMemory) and error.key == "database_damaged":
        cause = "{path}: {cause}".format(**error.details)
    return DamagedMemory("memory_row_unreadable", name=scope.person, cause=cause)


class Recent(Generic[_Kept]):
    """Thread-safe LRU cache by scope; ``drop`` is called with each removed value."""

    def __init__(self, most: int, drop: Callable[[_Kept], object] = id) -> None:
        self._most, self._drop = most, drop
        self._known: OrderedDict[Scope, _Kept] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, scope: Scope) -> _Kept | None:
        """Return the cached value of a scope, or None."""
        with self._guard:
            return self._known.get(scope)

    def keep(self, scope: Scope, known: _Kept) -> None:
        """Cache a value, evicting the least recently used beyond the limit."""
        with self._guard:
            self._known[scope] = known
            self._known.move_to_end(scope)
            while len(self._known) > self._most:
                self._drop(self._known.popitem(last=False)[1])

    def forget(self, *scopes: Scope) -> None:
        """Remove the values of these scopes, or of all."""
        with self._guard:
            for scope in scopes or tuple(self._known):
                if scope in self._known:
                    self._drop(self._known.pop(scope))


class _ThreadLocks:
    """A lock per scope between the threads of this process; the database locks processes."""

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._guard = threading.Lock()
        self._known: WeakValueDictionary[Scope, threading.Lock] = WeakValueDictionary()
        self._mine = threading.local()

    @contextmanager
    def holding(self, scope: Scope) -> Iterator[None]:
        """Hold a scope's lock (RuntimeError: this thread holds it already)."""
        mine: set[Scope] = self._mine.__dict__.setdefault("scopes", set())
        if scope in mine:
            msg = "the block of an edit must not call the store"
            raise RuntimeError(msg)
        with self._guard:
            lock = self._known.setdefault(scope, threading.Lock())
        if not lock.acquire(timeout=self._wait):
            raise MemoryBusy("memory_busy", name=scope.person, seconds=round(self._wait))
        mine.add(scope)
        try:
            yield
        finally:
            mine.discard(scope)
            lock.release()
