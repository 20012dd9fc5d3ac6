"""Read a memory: its newest snapshot, whose days are decoded when they are first read.

A snapshot is valid for one state of the database, named by its epoch and last edit. For any other
state all rows of dates are read again; a day whose row names the same edit is the same day.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from siliconfriend.errors import DamagedMemory, MemoryBusy, UnknownPerson
from siliconfriend.memory.codec import NO_DATE, Document, Form, Unreadable, parse_rest
from siliconfriend.memory.database import MAX_WAIT, Database
from siliconfriend.memory.days import DaySource, HeldDay, LazyDays
from siliconfriend.memory.encryption import KEYRING, Ask, Cipher, Sealer
from siliconfriend.memory.passages import PassageRows
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.rows import DayRow, ScopeRows, State, Stored
from siliconfriend.memory.scope import Scope, check_newcomers, folder_id
from siliconfriend.texts import Language, text

MAX_KEPT = 32
"""Number of scopes whose newest snapshot is cached."""

_WARN_ONCE = lru_cache(maxsize=1024)(logging.getLogger(__name__).warning)
_Kept = TypeVar("_Kept")


class Snapshot(NamedTuple):
    """A memory as of one state of its rows; ``fields`` are what belongs to no date, of an edit."""

    memory: PersonMemory
    state: State
    fields: tuple[str, Form]


class SnapshotReader(ABC):
    """Reads memories.

    Attributes:
        wait: seconds that it waits for a lock.
        ask: asks for the passphrase of an encrypted memory; nobody is asked without it.

    Raises:
        DamagedMemory: from every method that reads rows, where some are not what was written.
            Nothing is changed then; only :meth:`MemoryStore.repair` does that.
    """

    def __init__(self, *, language: Language = "en", wait: float = MAX_WAIT) -> None:
        self.language: Language = language
        self.wait = wait
        self.ask: Ask | None = None
        self._locks = _ThreadLocks(wait)
        self._snapshots: Recent[Snapshot] = Recent(MAX_KEPT)

    # What differs between the engines.

    @abstractmethod
    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""

    @abstractmethod
    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the database of a memory, or with ``begin`` the one in which it may begin.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """

    def locked_key(self, scope: Scope) -> bytes | None:
        """Return the key of an encrypted memory, locked; None where it is plain."""
        with self.database(scope).reading(scope.person) as transaction:
            return ScopeRows(transaction, Sealer(scope)).key()

    def folder(self, scope: Scope) -> Path | None:
        """Return the folder of the scope's caches; None without caches on disk."""
        return None

    def unreadable(self) -> list[str]:
        """Names of what is kept but cannot be read as anybody's memory, sorted."""
        return []

    def _is_nothing(self, rows: ScopeRows) -> bool:
        """Return True if no memory is there, rather than one whose row was lost."""
        return True

    # What is the same.

    def exists(self, scope: Scope) -> bool:
        """Return True if the scope has a memory, even a damaged one."""
        try:
            with self._rows(scope, sealer=Sealer(scope), read_only=True) as rows:
                return not self._is_nobody(rows)
        except UnknownPerson:
            return False
        except DamagedMemory:
            return True

    def check_newcomer(self, scope: Scope) -> None:
        """Refuse to begin with a name that looks like a known one; who is known passes."""
        if not self.exists(scope):
            check_newcomers([scope], self.scopes())

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot, with what other processes wrote.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        with self._locks.holding(scope), self._rows(scope, read_only=True) as rows:
            return self._newest(rows).memory

    def state(self, scope: Scope) -> State | None:
        """Return the state of a memory alone; None where there is no memory."""
        with self._rows(scope, sealer=Sealer(scope), read_only=True) as rows:
            return rows.state()

    def stored(self, scope: Scope) -> Stored:
        """Everything of a memory as it is stored, of one moment: what a copy is made of."""
        with self._rows(scope, read_only=True) as rows:
            return rows.stored()

    def rows(self, scope: Scope) -> Iterator[tuple[str, bytes]]:
        """All words that the rows of a scope hold, decrypted, with the name of their place."""
        with suppress(UnknownPerson), self._rows(scope, read_only=True) as rows:
            yield from rows.stored_words()

    @contextmanager
    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> Iterator[PassageRows | None]:
        """The vectors and analyses of a memory's texts in a transaction.

        To write, give the number of ids that were ``erasures`` when the texts were read. None is
        yielded where more are erased by now: their words must not come back.
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
        """Return the cipher of a memory, None where it is plain; StoreError where it is locked."""
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
        """The rows of a memory in a transaction, which locks the memory unless it only reads.

        With ``begin`` also where there is no memory yet.
        """
        try:
            database = self.database(scope, begin=begin)
            with database.transaction(scope.person, read_only=read_only) as transaction:
                yield ScopeRows(transaction, sealer or Sealer(scope, self.cipher(scope)))
        except (Unreadable, DamagedMemory) as error:
            self._snapshots.forget(scope)
            if isinstance(error, DamagedMemory) and error.key != "database_damaged":
                raise
            raise _unreadable_row(scope, error) from error

    def _is_nobody(self, rows: ScopeRows) -> bool:
        try:
            return rows.state() is None and self._is_nothing(rows)
        except Unreadable:
            return False

    def _newest(self, rows: ScopeRows, *, lock: bool = False) -> Snapshot:
        """Return the newest snapshot: the one kept here if it is of the present state."""
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
            newest = self._read(rows, state, rows.days(), known)
        self._snapshots.keep(scope, newest)
        return newest

    def _read(
        self,
        rows: ScopeRows,
        state: State,
        days: Mapping[str, DayRow],
        known: Snapshot | None,
        *,
        is_part: bool = False,
    ) -> Snapshot:
        """Make a snapshot of these rows of dates; the rest of a part is as in the known snapshot."""
        before = {} if known is None else LazyDays.of(known.memory.days).held
        if not is_part and len(days) != state.days:
            raise Unreadable(f"{state.days - len(days)} days are missing")
        fields = None if known is None else known.fields
        if (rest := days.get(NO_DATE)) and (fields is None or fields[0] != rest.edit):
            parsed = parse_rest(rows.documents(NO_DATE))
            fields = rest.edit, {**parsed, "erased": rows.erased()}
        if fields is None:
            raise Unreadable("the profile is missing")

        def fetch(first: str, last: str) -> dict[str, list[Document]]:
            return self._documents(rows.scope, first, last)

        source = DaySource(fetch, rows.sealer)
        held = {
            date: known_day
            if (known_day := before.get(date)) and known_day.edit == row.edit
            else HeldDay(date, source=source, edit=row.edit, stored_outline=row.outline)
            for date, row in days.items()
            if date
        }
        if is_part:
            held = dict(sorted({**before, **held}.items()))
        memory = PersonMemory(**fields[1], days=LazyDays(held), sequence=state.sequence)
        return Snapshot(memory, state, fields)

    def _documents(self, scope: Scope, first: str, last: str) -> dict[str, list[Document]]:
        """The documents of dates as they are stored now."""
        try:
            with self.database(scope).reading(scope.person) as transaction:
                sealer = Sealer(scope, self.cipher(scope))
                return ScopeRows(transaction, sealer).documents_between(first, last)
        except (Unreadable, DamagedMemory) as error:
            if first != last:  # what was read ahead is not what was asked for
                return self._documents(scope, first, first)
            raise _unreadable_row(scope, error) from error

    def _warn(self, key: str, **details: object) -> None:
        _WARN_ONCE(text("errors", key, self.language, **details))


def _moment(state: State) -> tuple[str, str]:
    return state.epoch, state.last_edit


def _unreadable_row(scope: Scope, error: Unreadable | DamagedMemory) -> DamagedMemory:
    cause: object = error
    if isinstance(error, DamagedMemory) and error.key == "database_damaged":
        cause = "{path}: {cause}".format(**error.details)
    return DamagedMemory("memory_row_unreadable", name=scope.person, cause=cause)


class Recent(Generic[_Kept]):
    """Cache of the ``most`` recently used scopes; ``drop`` is called with what goes. Thread-safe."""

    def __init__(self, most: int, drop: Callable[[_Kept], object] = id) -> None:
        self._most, self._drop = most, drop
        self._known: OrderedDict[Scope, _Kept] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, scope: Scope) -> _Kept | None:
        """Return the cached value of a scope, or None."""
        with self._guard:
            return self._known.get(scope)

    def keep(self, scope: Scope, known: _Kept) -> None:
        """Keep it, in place of what was used longest ago."""
        with self._guard:
            self._known[scope] = known
            self._known.move_to_end(scope)
            while len(self._known) > self._most:
                self._drop(self._known.popitem(last=False)[1])

    def forget(self, *scopes: Scope) -> None:
        """Keep nothing of these scopes, or of any."""
        with self._guard:
            for scope in scopes or tuple(self._known):
                if scope in self._known:
                    self._drop(self._known.pop(scope))


class _ThreadLocks:
    """A lock for each scope between the threads of this process; the database locks processes."""

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._guard = threading.Lock()
        self._known: WeakValueDictionary[Scope, threading.Lock] = WeakValueDictionary()
        self._mine = threading.local()

    @contextmanager
    def holding(self, scope: Scope) -> Iterator[None]:
        """Hold a scope's lock; RuntimeError where this thread does, so that a change would be lost."""
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
