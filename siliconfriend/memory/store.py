"""The store of memories: JSON documents in SQL, the same over SQLite files, memory and PostgreSQL.

Every method names the scope: there is no call that reads or writes across people. All writing goes
through :meth:`MemoryStore.edit`, a block that sees the newest memory under that scope's lock and
whose changes are written when it ends. The block must be quick and must never call a model; what a
model was asked is compared with the memory as it is *then* (by hash or id), and a stale answer adds
no changes. One contract suite (``tests/memory/test_store_contract.py``) runs over every engine.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from siliconfriend.errors import DamagedMemory, MemoryElsewhere, SiliconFriendError, UnknownPerson
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.database import Database
from siliconfriend.memory.days import LazyDays
from siliconfriend.memory.documents import (
    NO_DATE,
    Document,
    encode_record,
    parse_rest,
    parts_without_date,
)
from siliconfriend.memory.edits import Edit, plan_edit, settle_edit
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.rows import ScopeRows, State
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.memory.seal import Sealer
from siliconfriend.memory.snapshots import Repair, Snapshot, SnapshotReader

__all__ = ["Edit", "MemoryStore", "RecalledStore", "Repair", "Snapshot"]

Everything = tuple[State, dict[str, list[Document]], frozenset[str]]
"""A memory as it is stored: its state, its documents by date, and the ids that stay erased."""

_LOG = logging.getLogger(__name__)


class RecalledStore(Protocol):
    """Part of a store that recall uses: read memories, strengthen recalled ones."""

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot; as :meth:`MemoryStore.load`."""
        ...

    def edit(self, scope: Scope) -> AbstractContextManager[Edit]:
        """Return a block that writes; as :meth:`MemoryStore.edit`."""
        ...


class MemoryStore(SnapshotReader):
    """Keeps every person's memory with every companion.

    Safe to share between threads, and between processes.

    Args:
        language: of the warnings it logs.
        wait: seconds until a lock that is held elsewhere raises MemoryBusy.

    Raises:
        ConfigurationError, StoreError: from every method, where the database cannot be used.
        DamagedMemory: from every method that needs the memory, where some of it is lost.
        MemoryBusy: from every method that needs the memory, where its lock is not free.
    """

    # What differs between the engines.

    @abstractmethod
    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""

    def _put_key(self, rows: ScopeRows, key: bytes | None) -> None:
        """Keep the key of a memory; called within the transaction that writes its rows."""
        rows.put_key(key)

    def unreadable(self) -> list[str]:
        """Names of what is kept but cannot be read as anybody's memory, sorted."""
        return []

    def _forget_deleted(self, database: Database, scope: Scope) -> None:
        """Leave nothing of deleted rows in the database's pages."""

    def _after_edit(self, scope: Scope, *, is_durable: bool) -> None:
        """Called under the lock when an edit is on the disk; what follows it must be, too, or may."""

    # What is the same.

    def exists(self, scope: Scope) -> bool:
        """Return True if the scope has a memory, even a damaged one."""
        try:
            with self.database(scope).transaction(scope.person, read_only=True) as transaction:
                rows = ScopeRows(transaction, Sealer(scope))
                return not self._is_nobody(rows)
        except (UnknownPerson, FileNotFoundError):
            return False
        except DamagedMemory:
            return True

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        with self._locks.holding(scope):
            begun = None
            with self._locked(scope, begin=True) as rows:
                if self._state(rows) is None and self._is_nothing(rows):
                    memory = PersonMemory(replace(profile, name=scope.person), sequence=1)
                    documents = [
                        (name, kind, encode_record(record, profile))
                        for name, kind, record in parts_without_date(memory)
                    ]
                    parse_rest(documents)
                    begun = State.new(1)
                    rows.place(begun, {NO_DATE: documents}, frozenset())
            snapshot = self._load(scope)
            if begun is not None:
                self._after_edit(scope, is_durable=False)
            return snapshot.memory

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot, with what other processes wrote.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: it cannot be read whole; nothing was changed.
        """
        with self._locks.holding(scope):
            return self._load(scope).memory

    @contextmanager
    def edit(self, scope: Scope) -> Iterator[Edit]:
        """Hold the scope's lock for a block, then write the changes it added.

        When the block ends they are durable, all of them; when it raises, none is written.

        Raises:
            UnknownPerson: nothing is remembered of them.
            MemoryBusy: another process held the lock for longer than 30 s.
            MemoryElsewhere: the memory has moved to another store.
            RuntimeError: the block calls the store for the same scope.
            ValueError: a change could not be read back; none is written.
        """
        with self._locks.holding(scope):
            if scope in self._damaged:
                self._load(scope)
            before = plan = after = None
            try:
                with self._locked(scope) as rows:
                    before = self._newest(rows, lock=True)
                    if before.state.moved_to:
                        place = before.state.moved_to
                        raise MemoryElsewhere("memory_moved", name=scope.person, other=place)
                    edit = Edit(before.memory)
                    yield edit
                    if edit.changes:
                        plan = plan_edit(before, edit.changes)
                        plan.write(rows)
                        after = self._read(rows, plan.state, before)
            except SiliconFriendError as error:
                if plan is None or before is None:
                    raise
                settle_edit(self, scope, before, plan, error)
                after = self._load(scope)
            edit.finish((after or before).memory)
            if after is not None:
                self._snapshots.keep(scope, after)
                is_erasing = any(isinstance(it, Erase) for it in edit.changes)
                self._after_writing(scope, is_erasing=is_erasing)

    def tidy(self, scope: Scope) -> None:
        """Store the outlines of changed days, write the readable copy, drop decoded days.

        Changes nothing that is remembered. Called at the end of a night and after an import.
        """
        with self._locks.holding(scope):
            with self._locked(scope) as rows:
                snapshot = self._newest(rows, lock=True)
                days = LazyDays.of(snapshot.memory.days)
                missing = {
                    date: row for date, row in rows.days().items() if date and row.outline is None
                }
                rows.put_days(
                    {
                        date: row._replace(
                            outline=rows.sealed_outline(date, days.held[date].outline)
                        )
                        for date, row in missing.items()
                    }
                )
            self._after_edit(scope, is_durable=True)
            for held in days.held.values():
                held.release()

    def rewrite(self, scope: Scope) -> None:
        """Write everything anew: nothing of the store keeps words the memory no longer has.

        What was set aside goes with them. An ``Erase`` does this by itself.
        """
        with self._locks.holding(scope):
            self._load(scope)
            self._erase_traces(scope)

    def repair(self, scope: Scope) -> Repair | None:
        """Put a damaged memory right from what is left of it; None where nothing is damaged.

        What was damaged is kept beside it as it was.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: there is nothing to build on; nothing was changed.
        """
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            try:
                with self._locked(scope) as rows:
                    self._newest(rows, lock=True)
                    self._check(rows)
            except (Unreadable, DamagedMemory) as error:
                done = self._mend(scope, error, is_asked=True)
                self._damaged.discard(scope)
                self._load(scope)
                return done
            return None

    def delete(self, scope: Scope) -> None:
        """Remove everything of the scope for good, caches and copies with it."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            database = self.database(scope)
            with self._naming(scope), database.transaction(scope.person) as transaction:
                rows = ScopeRows(transaction, Sealer(scope))
                if self._is_nobody(rows):
                    raise UnknownPerson("unknown_person", name=scope.person)
                rows.clear()
            self._forget_deleted(database, scope)

    def rows(self, scope: Scope) -> Iterator[tuple[str, bytes]]:
        """All words that the rows of a scope hold, decrypted, with the name of their place."""
        try:
            database = self.database(scope)
        except UnknownPerson:
            return
        with database.transaction(scope.person, read_only=True) as transaction:
            yield from ScopeRows(transaction, self._sealer(scope)).stored_words()

    def documents(self, scope: Scope) -> Everything:
        """Everything of a memory as it is stored, of one moment: what a copy is made of."""
        with (
            self._naming(scope),
            self.database(scope).transaction(scope.person, read_only=True) as transaction,
        ):
            return self._everything(ScopeRows(transaction, self._sealer(scope)))

    def place(
        self,
        scope: Scope,
        state: State,
        documents: Mapping[str, Sequence[Document]],
        erased: frozenset[str],
        *,
        key: bytes | None = None,
    ) -> None:
        """Write a whole memory in the place of what is there, encrypted where a key is given."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            place = self.folder(scope) or Path(folder_id(scope.person))
            cipher = None if key is None else KEYRING.unlock(place, key)
            with self._locked(scope, begin=True) as rows:
                rows.sealer = Sealer(scope, cipher)
                rows.place(replace(state, moved_to=""), documents, erased)
                self._put_key(rows, key)
            self._load(scope)
            self._erase_traces(scope)

    def encrypt(self, scope: Scope, key: bytes | None) -> None:
        """Write every row anew, encrypted with a key as ``key.json`` holds it, or plain with None.

        Stopped in between it leaves rows that are read all the same; run again, it ends it.

        Raises:
            StoreError: the memory is locked, or no passphrase that is known opens the key.
        """
        with self._locks.holding(scope):
            self._load(scope)
            old = self.cipher(scope)
            place = self.folder(scope) or Path(folder_id(scope.person))
            new = None if key is None else KEYRING.unlock(place, key)
            with self._locked(scope) as rows:
                self._put_key(rows, key)
                rows.sealer = Sealer(scope, old or new)
                state, documents, erased = self._everything(rows)
                numbers = {date: row.changed for date, row in rows.days().items()}
                rows.sealer = Sealer(scope, new)
                rows.place(state, documents, erased, changed=numbers)
            self._load(scope)
            self._erase_traces(scope)
            self._drop_key(scope, key)

    def _drop_key(self, scope: Scope, key: bytes | None) -> None:
        """Called when a memory is plain again."""

    @contextmanager
    def moving_out(self, scope: Scope, place: str) -> Iterator[Everything]:
        """Hold a memory still for a block; at its end it has moved to ``place``, unless that is empty."""
        with self._locks.holding(scope):
            self._load(scope)
            with self._locked(scope) as rows:
                rows.state(lock=True)
                state, documents, erased = self._everything(rows)
                yield state, documents, erased
                if place:
                    rows.put_state(replace(state, moved_to=state.moved_to or place))

    def moved_to(self, scope: Scope) -> str:
        """Return the place a memory has moved to; empty where it is here."""
        with self._locks.holding(scope):
            return self._load(scope).state.moved_to

    def close(self) -> None:
        """Close the connections that are not in use."""

    def _everything(self, rows: ScopeRows) -> Everything:
        state = rows.state()
        if state is None:
            raise UnknownPerson("unknown_person", name=rows.scope.person)
        return state, rows.documents_between(NO_DATE, "9999-99-99"), rows.erased()

    def _is_nobody(self, rows: ScopeRows) -> bool:
        try:
            return rows.state() is None and self._is_nothing(rows)
        except Unreadable:
            return False

    def _after_writing(self, scope: Scope, *, is_erasing: bool) -> None:
        """Do what follows an edit that is durable already: a failure is only logged.

        One of erasing is raised: words may still be there.
        """
        if is_erasing:
            self._erase_traces(scope)
            return
        try:
            self._after_edit(scope, is_durable=False)
        except SiliconFriendError as error:
            _LOG.warning(error.message(self.language))

    def _erase_traces(self, scope: Scope) -> None:
        self._forget_deleted(self.database(scope), scope)
        self._after_edit(scope, is_durable=True)
