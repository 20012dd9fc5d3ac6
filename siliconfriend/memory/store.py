"""The store of memories: JSON documents in SQL, the same over SQLite files, memory and PostgreSQL.

Every method names the scope: there is no call that reads or writes across people. All writing goes
through :meth:`MemoryStore.edit`, a block that sees the newest memory under that scope's lock and
whose changes are written when it ends. The block must be quick and must never call a model; what a
model answered is compared with the memory as it is *then*. One contract suite
(``tests/memory/test_store_contract.py``) runs over every engine.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Protocol

from siliconfriend.errors import (
    DamagedMemory,
    MemoryBusy,
    MemoryElsewhere,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
)
from siliconfriend.memory.changes import Edit, EditPlan, Erase, plan_edit
from siliconfriend.memory.codec import (
    NO_DATE,
    Unreadable,
    decode_record,
    documents_of,
    parse_rest,
)
from siliconfriend.memory.damage import Repair, Salvage, rebuild
from siliconfriend.memory.database import IS_LOST, Database, SQLiteDatabase
from siliconfriend.memory.days import LazyDays
from siliconfriend.memory.encryption import Sealer
from siliconfriend.memory.passages import PassageRows
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.rows import TABLES, ScopeRows, State, Stored
from siliconfriend.memory.schema import MEMORY
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.snapshots import Snapshot, SnapshotReader

SETTLED_WITHIN = 3
"""Times the longest wait until nobody knows whether a change was written whose connection broke."""

PAUSE = 0.2
"""Seconds between two tries to reach a database that is gone."""

_LOG = logging.getLogger(__name__)


class RecalledStore(Protocol):
    """Part of a store that recall uses: read memories, strengthen recalled ones."""

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot; as :meth:`MemoryStore.load`."""
        ...

    def edit(self, scope: Scope) -> AbstractContextManager[Edit]:
        """Return a block that writes; as :meth:`MemoryStore.edit`."""
        ...

    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> AbstractContextManager[PassageRows | None]:
        """Open what is derived from texts; as :meth:`MemoryStore.passages`."""
        ...


class MemoryStore(SnapshotReader):
    """Keeps every person's memory with every companion; safe between threads and processes.

    Raises:
        ConfigurationError, StoreError: from every method, where the database cannot be used.
        DamagedMemory: from every method that needs the memory, where some of it is lost.
        MemoryBusy: from every method that needs the memory, where its lock is not free.
    """

    # What differs between the engines.

    def _put_key(self, rows: ScopeRows, key: bytes | None) -> None:
        """Keep the key of a memory; called within the transaction that writes its rows."""
        rows.put_key(key)

    def _drop_key(self, scope: Scope) -> None:
        """Called when the rows of a memory are plain again."""

    def _write_copy(self, scope: Scope, *, is_durable: bool) -> None:
        """Write the readable copy, under the lock; unless ``is_durable`` a large one is left as it is."""

    def _is_copied(self, scope: Scope, state: State) -> bool:
        """Return True if the readable copy is of this state, durably, or there is none to write."""
        return True

    def _repair(self, scope: Scope) -> Repair | None:
        """Repair a memory in its place, under the lock; as :meth:`repair`."""
        with self._rows(scope) as rows:
            if not self._is_damaged(rows):
                return None
            done = rebuild(Salvage.of(rows), None, "record")
            if done is None:
                raise DamagedMemory("memory_rows_lost", name=scope.person)
            stored, repair = done
            rows.place(stored)
        return repair

    def close(self) -> None:
        """Close the connections that are not in use."""

    # What is the same.

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        with self._locks.holding(scope):
            with self._rows(scope, begin=True) as rows:
                is_new = self._is_nobody(rows)
                if is_new:
                    memory = PersonMemory(replace(profile, name=scope.person))
                    documents = documents_of(memory)
                    parse_rest(documents[NO_DATE])
                    rows.place(Stored(State.new(1), documents, frozenset()))
                snapshot = self._newest(rows)
            if is_new:
                self._write_copy(scope, is_durable=False)
            return snapshot.memory

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
            before = plan = after = None
            try:
                with self._rows(scope) as rows:
                    before = self._newest(rows, lock=True)
                    if before.state.moved_to:
                        place = before.state.moved_to
                        raise MemoryElsewhere("memory_moved", name=scope.person, other=place)
                    edit = Edit(before.memory)
                    yield edit
                    if edit.changes:
                        plan = plan_edit(
                            before.memory, before.state.epoch, edit.changes, rows.sealer
                        )
                        plan.write(rows)
                        after = self._read(rows, plan.state, plan.days, before, is_part=True)
            except SiliconFriendError as error:
                if plan is None or before is None:
                    raise
                self._settle(scope, before, plan, error)
                with self._rows(scope, read_only=True) as rows:
                    after = self._newest(rows)
            edit.finish((after or before).memory)
            if after is not None:
                self._snapshots.keep(scope, after)
                is_erasing = any(isinstance(change, Erase) for change in edit.changes)
                self._after_writing(scope, is_erasing=is_erasing)

    def tidy(self, scope: Scope) -> None:
        """Write the readable copy if it is outdated, and drop decoded days."""
        with self._locks.holding(scope):
            with self._rows(scope, read_only=True) as rows:
                snapshot = self._newest(rows)
            held = LazyDays.of(snapshot.memory.days).held.values()
            if any(day.is_stale for day in held):  # an earlier version wrote the outlines
                with self._rows(scope) as rows:
                    self._newest(rows, lock=True)
                    rows.place(rows.stored())
                self._snapshots.forget(scope)
            if not self._is_copied(scope, snapshot.state):
                self._write_copy(scope, is_durable=True)
            for day in held:
                day.release()

    def rewrite(self, scope: Scope) -> None:
        """Write everything anew: nothing of the store keeps words the memory no longer has.

        What was set aside goes with them. An ``Erase`` does this by itself.
        """
        with self._locks.holding(scope):
            with self._rows(scope, read_only=True) as rows:
                self._newest(rows)
            self._erase_traces(scope)

    def forget_texts(self, scope: Scope, kept: Collection[str]) -> None:
        """Delete the vectors and analyses of all texts but those of these digests, for good."""
        with self._locks.holding(scope):
            with self._rows(scope) as rows:
                removed = PassageRows(rows.transaction, rows.sealer).retain(kept)
            if removed:
                self.database(scope).vacuum(*TABLES)

    def repair(self, scope: Scope) -> Repair | None:
        """Rebuild a damaged memory from what is left of it; None where nothing is damaged.

        It happens under the write lock, so that no change of another process is lost. What was
        damaged is kept beside it as it was.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: there is nothing to build on; nothing was changed.
        """
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            done = self._repair(scope)
            if done is not None:
                self._write_copy(scope, is_durable=True)
            return done

    def _is_damaged(self, rows: ScopeRows) -> bool:
        """Read everything of a memory; False if it is all what was written."""
        try:
            self._newest(rows, lock=True)
            for date, documents in rows.documents_between().items():
                for _, kind, data in documents:
                    decode_record(kind, data, date)
            if rows.transaction.engine == "sqlite":
                return rows.transaction.execute("PRAGMA integrity_check(1)") != [("ok",)]
        except (Unreadable, DamagedMemory):
            return True
        return False

    def delete(self, scope: Scope) -> None:
        """Remove everything of the scope for good, caches and copies with it."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            with self._rows(scope, sealer=Sealer(scope)) as rows:
                if self._is_nobody(rows):
                    raise UnknownPerson("unknown_person", name=scope.person)
                rows.clear()
            self.database(scope).vacuum(*TABLES)

    def place(self, scope: Scope, stored: Stored, *, key: bytes | None = None) -> None:
        """Write a whole memory in the place of what is there, encrypted where a key is given."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            cipher = self._unlocked(scope, key)
            with self._rows(scope, begin=True) as rows:
                rows.sealer = Sealer(scope, cipher)
                PassageRows(rows.transaction, rows.sealer).retain(())
                rows.place(stored._replace(state=stored.state._replace(moved_to="")))
                self._put_key(rows, key)
            self._erase_traces(scope)

    def encrypt(self, scope: Scope, key: bytes | None) -> None:
        """Write every row anew, encrypted with a key as ``key.json`` holds it, or plain with None.

        Stopped in between it leaves rows that are read all the same; run again, it ends it. Where
        no passphrase that is known opens a key, StoreError is raised.
        """
        with self._locks.holding(scope):
            old, new = self.cipher(scope), self._unlocked(scope, key)
            with self._rows(scope) as rows:
                self._newest(rows, lock=True)
                rows.sealer = Sealer(scope, old or new)
                stored = rows.stored()
                # The names of passages are keyed hashes, which cannot be converted.
                PassageRows(rows.transaction, rows.sealer).retain(())
                rows.sealer = Sealer(scope, new)
                rows.place(stored)
                self._put_key(rows, key)
            if key is None:
                self._drop_key(scope)
            self._snapshots.forget(scope)
            self._erase_traces(scope)

    @contextmanager
    def moving_out(self, scope: Scope, place: str) -> Iterator[Stored]:
        """Hold a memory still for a block; at its end it has moved to ``place``, unless that is empty."""
        with self._locks.holding(scope), self._rows(scope) as rows:
            self._newest(rows, lock=True)
            stored = rows.stored()
            yield stored
            if place:
                moved_to = stored.state.moved_to or place
                rows.put_state(stored.state._replace(moved_to=moved_to))

    def _settle(
        self, scope: Scope, before: Snapshot, plan: EditPlan, error: SiliconFriendError
    ) -> None:
        """Find out whether an edit was committed whose connection broke, and write it if not."""
        self._snapshots.forget(scope)
        until, is_lost = time.monotonic() + SETTLED_WITHIN * self.wait, error.details.get(IS_LOST)
        while True:
            try:
                with self._rows(scope) as rows:
                    state = rows.state(lock=True)
                    if state is not None and state.last_edit == plan.state.last_edit:
                        return
                    if not is_lost:
                        raise error
                    if state is None or state.last_edit != before.state.last_edit:
                        raise StoreError("edit_not_written", name=scope.person)
                    plan.write(rows)
                    return
            except SiliconFriendError as again:
                if not (again.details.get(IS_LOST) or (is_lost and isinstance(again, MemoryBusy))):
                    raise
                if time.monotonic() > until:
                    name = scope.person
                    raise StoreError("edit_unknown", name=name, cause=again) from again
            time.sleep(PAUSE)

    def _after_writing(self, scope: Scope, *, is_erasing: bool) -> None:
        """Do what follows an edit that is durable already.

        A failure is only logged, unless it was one of erasing: words may still be there.
        """
        try:
            if is_erasing:
                self._erase_traces(scope)
            else:
                self._write_copy(scope, is_durable=False)
        except SiliconFriendError as error:
            if is_erasing:
                raise
            _LOG.warning(error.message(self.language))

    def _erase_traces(self, scope: Scope) -> None:
        """Leave nothing of deleted rows in the database's pages, nor in a copy."""
        self.database(scope).vacuum(*TABLES)
        self._write_copy(scope, is_durable=True)


class InMemoryStore(MemoryStore):
    """The store in memory, gone with the program: a database for each scope."""

    def __init__(self) -> None:
        super().__init__()
        self._databases: dict[Scope, SQLiteDatabase] = {}

    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""
        return sorted(self._databases)

    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the database of a memory, or with ``begin`` the one in which it may begin."""
        if scope not in self._databases:
            if not begin:
                raise UnknownPerson("unknown_person", name=scope.person)
            self._databases[scope] = SQLiteDatabase(None, MEMORY)
        return self._databases[scope]

    def delete(self, scope: Scope) -> None:
        """Forget the scope for good."""
        super().delete(scope)
        self._databases.pop(scope).close()
