"""The store of memories: JSON documents in SQL, over SQLite files and over PostgreSQL.

Every method takes a scope; no call reads or writes across people. Writes go through
:meth:`MemoryStore.edit`, a block that holds the scope's lock, sees the newest memory and writes its
changes at the end. The block must be short and must not call a model. One contract suite
(``tests/memory/test_store_contract.py``) runs over every engine.
"""

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
from siliconfriend.memory.database import IS_LOST
from siliconfriend.memory.encryption import Cipher, Sealer
from siliconfriend.memory.passages import PassageRows, PassageStore
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.rows import TABLES, MemoryState, ScopeRows, Stored
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.snapshots import Snapshot, SnapshotReader

SETTLED_WITHIN = 3
"""Multiple of ``wait`` after which the outcome of an edit with a broken connection is unknown."""

PAUSE = 0.2
"""Seconds between attempts to reach a lost database."""

_LOG = logging.getLogger(__name__)


class RecalledStore(PassageStore, Protocol):
    """The part of a store that recall uses."""

    def load(self, scope: Scope) -> PersonMemory:
        """Return the newest snapshot, like :meth:`MemoryStore.load`."""
        ...

    def changed_since(self, scope: Scope, sequence: int) -> list[str]:
        """Return the dates of changed days, like :meth:`MemoryStore.changed_since`."""
        ...

    def edit(self, scope: Scope) -> AbstractContextManager[Edit]:
        """Edit a memory, like :meth:`MemoryStore.edit`."""
        ...


class MemoryStore(SnapshotReader):
    """Stores every person's memory with every companion; safe between threads and processes.

    Raises:
        ConfigurationError, StoreError: raised by every method if the database cannot be used.
        DamagedMemory: raised by every method that reads a damaged memory.
        MemoryBusy: raised by every method that waits too long for the memory's lock.
    """

    # Differences between the engines.

    def _write_copy(self, scope: Scope, *, is_durable: bool) -> None:
        """Write the readable copy under the lock; a large copy only with ``is_durable``."""

    def _is_copied(self, scope: Scope, state: MemoryState) -> bool:
        """Return True if a durable copy of this state exists, or the engine writes no copies."""
        return True

    def _repair(self, scope: Scope) -> Repair | None:
        """Repair a memory under the lock, like :meth:`repair`."""
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
        """Close idle connections."""

    # Common to all engines.

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Create a memory, encrypted if the person is; return an existing one unchanged."""
        with self._locks.holding(scope):
            cipher = None if self.exists(scope) else self._cipher_of_person(scope.person)
            with self._rows(scope, begin=True) as rows:
                is_new = self._is_absent(rows)
                if is_new:
                    memory = PersonMemory(replace(profile, name=scope.person))
                    documents = documents_of(memory)
                    parse_rest(documents[NO_DATE])
                    rows.sealer = Sealer(scope, cipher)
                    rows.place(Stored(MemoryState.new(1), documents, frozenset()))
                    rows.put_key(cipher)
                snapshot = self._newest(rows)
            if is_new:
                self._write_copy(scope, is_durable=False)
            return snapshot.memory

    def _cipher_of_person(self, person: str) -> Cipher | None:
        """Return the cipher of a person's memories with other companions."""
        ciphers = (self.cipher(scope) for scope in self.scopes() if scope.person == person)
        return next(filter(None, ciphers), None)

    @contextmanager
    def edit(self, scope: Scope) -> Iterator[Edit]:
        """Hold the scope's lock for a block, then write its changes in one durable transaction.

        An exception in the block discards the changes.

        Raises:
            UnknownPerson: the scope has no memory.
            MemoryBusy: another process held the lock for longer than ``wait`` seconds.
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
                        plan = plan_edit(before.memory, before.state.epoch, edit.changes)
                        plan.write(rows)
                        days = {**before.days, **plan.days}
                        after = Snapshot(plan.memory, plan.state, days)
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
        """Write the readable copy if it is outdated."""
        with self._locks.holding(scope):
            with self._rows(scope, read_only=True) as rows:
                snapshot = self._newest(rows)
            if not self._is_copied(scope, snapshot.state):
                self._write_copy(scope, is_durable=True)

    def rewrite(self, scope: Scope) -> None:
        """Remove deleted words from database pages, the copy and set aside files.

        An ``Erase`` does this by itself.
        """
        with self._locks.holding(scope):
            with self._rows(scope, read_only=True) as rows:
                self._newest(rows)
            self._erase_traces(scope)

    def forget_texts(self, scope: Scope, kept: Collection[str]) -> None:
        """Delete the vectors and analyses of all texts except these digests, permanently."""
        with self._locks.holding(scope):
            with self._rows(scope) as rows:
                removed = PassageRows(rows.transaction, rows.sealer).retain(kept)
            if removed:
                self.database(scope).vacuum(*TABLES)

    def repair(self, scope: Scope) -> Repair | None:
        """Rebuild a damaged memory from its readable parts; None if nothing is damaged.

        The write lock is held, so that no change of another process is lost. Damaged files are
        kept unchanged in a separate folder.

        Raises:
            UnknownPerson: the scope has no memory.
            DamagedMemory: nothing is readable; nothing was changed.
        """
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            done = self._repair(scope)
            if done is not None:
                self._write_copy(scope, is_durable=True)
            return done

    def _is_damaged(self, rows: ScopeRows) -> bool:
        """Verify every row of a memory."""
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
        """Delete a memory permanently, including caches and copies."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            with self._rows(scope, sealer=Sealer(scope)) as rows:
                if self._is_absent(rows):
                    raise UnknownPerson("unknown_person", name=scope.person)
                rows.clear()
            self.database(scope).vacuum(*TABLES)

    def place(self, scope: Scope, stored: Stored, *, key: bytes | None = None) -> None:
        """Replace a memory by another one, encrypted if a key is given."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            cipher = self._unlocked(scope, key)
            with self._rows(scope, begin=True) as rows:
                rows.sealer = Sealer(scope, cipher)
                PassageRows(rows.transaction, rows.sealer).retain(())
                rows.place(stored._replace(state=stored.state._replace(moved_to="")))
                rows.put_key(cipher)
            self._erase_traces(scope)

    def encrypt(self, scope: Scope, key: bytes | None) -> None:
        """Rewrite every row encrypted with a locked key, or plain with None.

        StoreError: no known passphrase unlocks the key.
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
                rows.put_key(new)
            self._snapshots.forget(scope)
            self._erase_traces(scope)

    @contextmanager
    def moving_out(self, scope: Scope, place: str) -> Iterator[Stored]:
        """Lock a memory for a block, then mark it as moved to ``place`` unless that is empty."""
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
        """Find out whether an edit with a broken connection was committed, and write it if not."""
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
        """Update the copy after an edit, which is already durable.

        A failure is only logged, except after an erasure, since words may remain.
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
        """Remove deleted rows from the database's pages and from the copy."""
        self.database(scope).vacuum(*TABLES)
        self._write_copy(scope, is_durable=True)
