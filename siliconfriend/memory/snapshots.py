"""Read a memory: the newest snapshot, refreshed by what changed, and days on demand."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from siliconfriend.errors import DamagedMemory, MemoryBusy, UnknownPerson
from siliconfriend.memory.codec import NO_DATE, Document, Unreadable, decode_record, parse_rest
from siliconfriend.memory.damage import Repair
from siliconfriend.memory.database import MAX_WAIT, Database
from siliconfriend.memory.days import DaySource, HeldDay, LazyDays
from siliconfriend.memory.encryption import KEYRING, Cipher, Sealer
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.rows import ScopeRows, State, Stored
from siliconfriend.memory.scope import Scope, check_newcomers, folder_id
from siliconfriend.texts import Language, text

MAX_KEPT = 32
"""Scopes whose newest snapshot a store keeps at hand."""

_WARN_ONCE = lru_cache(maxsize=1024)(logging.getLogger(__name__).warning)
_Kept = TypeVar("_Kept")


class Snapshot(NamedTuple):
    """A memory as of one moment, with the state it was read at."""

    memory: PersonMemory
    state: State


class SnapshotReader(ABC):
    """Reads the newest memory of a scope under its lock, for which it waits so many seconds."""

    def __init__(self, *, language: Language = "en", wait: float = MAX_WAIT) -> None:
        self.language: Language = language
        self.wait = wait
        self._locks = _ThreadLocks(wait)
        self._snapshots: Recent[Snapshot] = Recent(MAX_KEPT)
        self._damaged: set[Scope] = set()

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

    def _copied(self, scope: Scope, date: str, epoch: str) -> list[Document] | None:
        """Return the documents of a damaged date from a copy that is as new; None without one."""
        return None

    def _is_nothing(self, rows: ScopeRows) -> bool:
        """Return True if no memory is there, rather than one whose row was lost."""
        return True

    def _mend(self, scope: Scope, cause: Exception, *, is_asked: bool = False) -> Repair | None:
        """Put a damaged memory right, unasked only where nothing is lost; else DamagedMemory."""
        if isinstance(cause, DamagedMemory):
            raise cause
        raise _unreadable_row(scope, cause) from cause

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
            DamagedMemory: it cannot be read whole; nothing was changed.
        """
        with self._locks.holding(scope):
            return self._load(scope).memory

    def state(self, scope: Scope) -> State | None:
        """Return the state of a memory alone; None for no memory (Unreadable: it is damaged)."""
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

    def cipher(self, scope: Scope) -> Cipher | None:
        """Return the cipher of a memory, None where it is plain; StoreError where it is locked."""
        return self._unlocked(scope, self.locked_key(scope))

    def _unlocked(self, scope: Scope, key: bytes | None) -> Cipher | None:
        place = self.folder(scope) or Path(folder_id(scope.person))
        return None if key is None else KEYRING.unlock(place, key)

    @contextmanager
    def _rows(
        self,
        scope: Scope,
        *,
        sealer: Sealer | None = None,
        read_only: bool = False,
        begin: bool = False,
    ) -> Iterator[ScopeRows]:
        """The rows of a memory in a transaction, which holds its lock unless it only reads.

        With ``begin`` also where there is no memory yet.
        """
        database = self.database(scope, begin=begin)
        with database.transaction(scope.person, read_only=read_only) as transaction:
            yield ScopeRows(transaction, sealer or Sealer(scope, self.cipher(scope)))

    def _is_nobody(self, rows: ScopeRows) -> bool:
        try:
            return rows.state() is None and self._is_nothing(rows)
        except Unreadable:
            return False

    def _load(self, scope: Scope) -> Snapshot:
        try:
            if scope in self._damaged:
                with self._rows(scope) as rows:
                    self._check(rows)
                self._damaged.discard(scope)
            with self._rows(scope, read_only=True) as rows:
                return self._newest(rows)
        except (Unreadable, DamagedMemory) as error:
            self._snapshots.forget(scope)
            self._mend(scope, error)
            self._damaged.discard(scope)
        with self._rows(scope) as rows:
            return self._newest(rows)

    def _know(self, scope: Scope) -> None:
        """Have a snapshot of a memory, mended if need be, before its rows are held."""
        if scope in self._damaged or self._snapshots.get(scope) is None:
            self._load(scope)

    def _newest(self, rows: ScopeRows, *, lock: bool = False) -> Snapshot:
        """Return the newest snapshot; what did not change is that of the one known here."""
        scope = rows.scope
        state = rows.state(lock=lock)
        if state is None:
            self._snapshots.forget(scope)
            if not self._is_nothing(rows):
                raise Unreadable("scope: its row is missing")
            raise UnknownPerson("unknown_person", name=scope.person)
        known = self._snapshots.get(scope)
        if known is not None and known.state.epoch != state.epoch:
            known = None
        if known is not None and known.state.sequence == state.sequence:
            newest = known._replace(state=state)
        else:
            newest = self._read(rows, state, known)
        self._snapshots.keep(scope, newest)
        return newest

    def _read(self, rows: ScopeRows, state: State, known: Snapshot | None) -> Snapshot:
        changed = rows.days(None if known is None else known.state.sequence)
        if known is None and len(changed) != state.days:
            raise Unreadable(f"{state.days - len(changed)} days are missing")
        memory = None if known is None else known.memory
        if memory is None or NO_DATE in changed:
            days = LazyDays({}, state.epoch) if memory is None else memory.days
            fields = parse_rest(rows.documents(NO_DATE))
            memory = PersonMemory(**fields, days=days, erased=rows.erased())

        def fetch(first: str, last: str) -> dict[str, list[Document]]:
            return self._documents(rows.scope, first, last, state.epoch)

        source = DaySource(fetch, rows.sealer)
        held = {
            date: HeldDay(date, source=source, changed=row.changed, stored_outline=row.outline)
            for date, row in changed.items()
            if date
        }
        days = LazyDays.of(memory.days).with_held(held) if held else memory.days
        return Snapshot(replace(memory, days=days, sequence=state.sequence), state)

    def _check(self, rows: ScopeRows) -> None:
        for date, documents in rows.documents_between().items():
            for _, kind, data in documents:
                decode_record(kind, data, date)

    def _documents(
        self, scope: Scope, first: str, last: str, epoch: str
    ) -> dict[str, list[Document]]:
        """The documents of dates as they are stored now, from a copy where they are damaged."""
        try:
            with self.database(scope).reading(scope.person) as transaction:
                sealer = Sealer(scope, self.cipher(scope))
                return ScopeRows(transaction, sealer).documents_between(first, last)
        except (Unreadable, DamagedMemory) as error:
            if first != last:
                return self._documents(scope, first, first, epoch)
            self._damaged.add(scope)
            documents = self._copied(scope, first, epoch)
            if documents is None:
                raise _unreadable_row(scope, error) from error
            return {first: documents}

    def _warn(self, key: str, **details: object) -> None:
        _WARN_ONCE(text("errors", key, self.language, **details))


def _unreadable_row(scope: Scope, cause: Exception) -> DamagedMemory:
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
