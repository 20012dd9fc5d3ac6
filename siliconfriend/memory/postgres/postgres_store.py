"""Memory in PostgreSQL: for many people, many processes, many machines.

The same changes as in files, in rows: an edit is one transaction that locks the memory's row,
reads what others wrote, and appends its lines; it is durable before its caller is told so. What
rests is one row a day, so that putting a memory to rest costs what changed and opening one costs
what is read. The tables are described in ``docs/postgres.md``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from psycopg import errors

from siliconfriend.errors import (
    DamagedMemory,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
)
from siliconfriend.memory import lines
from siliconfriend.memory.changes import PutProfile
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.moving.note import MoveNote, check_open, encode_note
from siliconfriend.memory.postgres.all_rows import rows_of
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.moves import changes_after, note_of, place_memory
from siliconfriend.memory.postgres.repairing import recover, repair
from siliconfriend.memory.postgres.scope_rows import ScopeRows, new_segment
from siliconfriend.memory.postgres.snapshots import Snapshot, let_rest, read_on, rest_of
from siliconfriend.memory.postgres.thread_locks import ThreadLocks
from siliconfriend.memory.postgres.writing import (
    Update,
    plan_update,
    rewrite,
    was_lost,
    write_again,
    write_update,
)
from siliconfriend.memory.recent import Recent
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit, Repair
from siliconfriend.texts import Language

FOLD_AT = 1 << 17
"""Bytes of lines from which a memory is put to rest: some 250 turns, replayed in 10 ms."""

SETTLED_WITHIN = 3
"""Times the longest wait until nobody knows whether a change was written whose connection broke."""

PAUSE = 0.2
"""Seconds between two tries to reach a database that is gone."""

_LOG = logging.getLogger(__name__)


class PostgresStore:
    """A :class:`~siliconfriend.memory.store.MemoryStore` in a PostgreSQL database.

    Safe to share between threads, and between processes on any number of machines.

    Args:
        database: where the rows are.
        language: of the warnings it logs.
        fold_at: bytes of lines from which a memory is put to rest.

    Attributes:
        database: as given.

    Raises:
        ConfigurationError, StoreError: from every method, where the database cannot be used
            (:mod:`siliconfriend.memory.postgres.database_errors`).
        DamagedMemory: from every method that needs the memory, where some of it is lost.
        MemoryBusy: from every method that needs the memory, where its lock is not free.
    """

    def __init__(
        self, database: Database, *, language: Language = "en", fold_at: int = FOLD_AT
    ) -> None:
        self.database = database
        self._language: Language = language
        self._fold_at = fold_at
        self._locks = ThreadLocks(database.wait)
        self._snapshots = Recent[Snapshot]()

    def folder(self, scope: Scope) -> None:
        """No caches on disk."""

    def rows(self, scope: Scope) -> Iterator[tuple[str, bytes]]:
        """Every row of the scope, in whichever table."""
        with self.database.transaction(scope.person, read_only=True) as connection:
            yield from rows_of(connection, scope)

    def scopes(self) -> list[Scope]:
        """Every scope that has a memory, sorted by person and companion."""
        with self.database.transaction() as connection:
            rows = connection.execute("SELECT person, companion FROM siliconfriend.scopes()")
            return [Scope(*row) for row in rows]

    def unreadable(self) -> list[str]:
        """Every row says whose it is."""
        return []

    def exists(self, scope: Scope) -> bool:
        """True if the scope has a memory, even a damaged one."""
        with self.database.transaction(scope.person) as connection:
            return ScopeRows(connection, scope).exists()

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        with self._locks.holding(scope):
            with self.database.transaction(scope.person) as connection:
                rows = ScopeRows(connection, scope)
                if rows.begin():
                    self._begin(rows, replace(profile, name=scope.person))
            return self._load(scope)

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot, with what other processes wrote."""
        with self._locks.holding(scope):
            return self._load(scope)

    @contextmanager
    def edit(self, scope: Scope, *, move: str = "") -> Iterator[Edit]:
        """Write the changes of a block; durable when it ends, nothing where it raises."""
        with self._locks.holding(scope):
            update = None
            try:
                with self._locked(scope) as (rows, before):
                    _check_open(rows, move)
                    note = note_of(rows)
                    edit = Edit(before.memory, note, partial(changes_after, rows, before.state))
                    yield edit
                    after = before
                    if edit.note is not None and edit.note != note:
                        rows.write_note(encode_note(edit.note))
                    if edit.changes:
                        update = plan_update(before.memory, edit.changes)
                        after = write_update(rows, before, update)
            except SiliconFriendError as error:
                if update is None or not was_lost(error):
                    raise
                after = self._settle(scope, before, update, move)
            self._snapshots.keep(scope, after)
            edit.finish(after.memory)
            if after.state.log_bytes > self._fold_at:
                self._fold_in_passing(scope)

    def fold(self, scope: Scope, *, least_share: float = 0.0) -> None:
        """Write the days that changed since it was last done, each into its row.

        Only where the lines have at least ``least_share`` of the bytes of what rests.
        """
        with self._locks.holding(scope):
            self._fold(scope, least_share)

    def rewrite(self, scope: Scope) -> None:
        """Fold, and leave no row that holds older words."""
        with self._locks.holding(scope):
            with self._locked(scope) as (rows, before):
                after = rewrite(rows, before, new_segment())
            self._snapshots.keep(scope, after)

    def repair(self, scope: Scope) -> Repair | None:
        """Put a damaged memory right from what is left of it; None where nothing is damaged."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            with self.database.transaction(scope.person) as connection:
                rows = ScopeRows(connection, scope)
                with self._locking(rows):
                    return repair(rows)

    def delete(self, scope: Scope) -> None:
        """Remove every row of the scope for good."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            with self.database.transaction(scope.person) as connection:
                rows = ScopeRows(connection, scope)
                with self._locking(rows):
                    if not rows.exists():
                        raise UnknownPerson("unknown_person", name=scope.person)
                    rows.delete()

    @property
    def keeps_keys(self) -> bool:
        """Nothing here is encrypted with a person's own key."""
        return False

    def key(self, scope: Scope) -> bytes | None:
        """None: nothing here is encrypted with a person's own key."""
        return None

    def move_note(self, scope: Scope) -> MoveNote | None:
        """The note of a move that is stored beside a memory."""
        with self.database.transaction(scope.person, read_only=True) as connection:
            rows = ScopeRows(connection, scope)
            rows.note = rows.read_note()
            return note_of(rows)

    def place(
        self,
        scope: Scope,
        memory: PersonMemory,
        *,
        key: bytes | None,
        note: MoveNote,
        over: MoveNote | None,
    ) -> None:
        """Write the rows of a whole memory, in the place of a copy of the same one."""
        with self._locks.holding(scope):
            self._snapshots.forget(scope)
            with self.database.transaction(scope.person) as connection:
                rows = ScopeRows(connection, scope)
                with self._locking(rows):
                    pass  # what is done now depends on how many rows each statement met
                place_memory(rows, memory, note, over, place=self.database.place)

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def _begin(self, rows: ScopeRows, profile: Profile) -> None:
        data = lines.encode([PutProfile(profile)], after=0)
        memory = lines.replay(PersonMemory(profile), lines.decode(data))
        rows.append(0, data.splitlines(keepends=True))
        found = rows.state_and_lines(1)
        assert found is not None
        rows.rest(found[0], rest_of(Snapshot(memory, found[0], {}, None), rows.scope))

    def _load(self, scope: Scope) -> PersonMemory:
        try:
            with self.database.transaction(scope.person, read_only=True) as connection:
                newest = self._newest(ScopeRows(connection, scope))
        except DamagedMemory:
            with self._locked(scope) as (_, recovered):
                newest = recovered
        self._snapshots.keep(scope, newest)
        return newest.memory

    @contextmanager
    def _locked(self, scope: Scope) -> Iterator[tuple[ScopeRows, Snapshot]]:
        """A transaction that holds the memory's lock, and the newest snapshot, mended where it can be."""
        with self.database.transaction(scope.person) as connection:
            rows = ScopeRows(connection, scope)
            with self._locking(rows):
                newest = self._mended(rows)
            yield rows, newest

    def _mended(self, rows: ScopeRows) -> Snapshot:
        try:
            return self._newest(rows)
        except DamagedMemory:
            recover(rows, self._language)
            return self._newest(rows)

    @contextmanager
    def _locking(self, rows: ScopeRows) -> Iterator[None]:
        """Take the memory's lock, in one round trip with the first statement of the block."""
        try:
            with rows.connection.pipeline():
                rows.lock()
                yield
        except errors.LockNotAvailable as error:
            details = {"name": rows.scope.person, "seconds": round(self.database.wait)}
            raise MemoryBusy("memory_busy", **details) from error

    def _newest(self, rows: ScopeRows) -> Snapshot:
        try:
            newest = read_on(self.database, rows, self._snapshots.get(rows.scope))
        except Unreadable as error:
            self._snapshots.forget(rows.scope)
            name = rows.scope.person
            raise DamagedMemory("memory_row_unreadable", name=name, cause=error) from error
        if newest is None:
            self._snapshots.forget(rows.scope)
            raise UnknownPerson("unknown_person", name=rows.scope.person)
        return newest

    def _settle(self, scope: Scope, before: Snapshot, update: Update, move: str) -> Snapshot:
        """Find out whether an update was written whose connection broke, and write it if not.

        Raises:
            StoreError: nobody could be asked, or others wrote since and it no longer fits.
        """
        until = time.monotonic() + SETTLED_WITHIN * self.database.wait
        while True:
            try:
                with self.database.transaction(scope.person) as connection:
                    rows = ScopeRows(connection, scope)
                    check = partial(_check_open, rows, move)
                    with self._locking(rows):
                        return write_again(rows, before, update, check) or self._newest(rows)
            except SiliconFriendError as error:
                if not (was_lost(error) or isinstance(error, MemoryBusy)):
                    raise
                if time.monotonic() > until:
                    raise StoreError("edit_unknown", name=scope.person, cause=error) from error
            time.sleep(PAUSE)

    def _fold(self, scope: Scope, least_share: float = 0.0) -> None:
        with self._locked(scope) as (rows, before):
            state = before.state
            after = before
            if state.log_bytes and state.log_bytes >= least_share * state.resting_bytes:
                rest = rest_of(before, scope)
                rested = rows.rest(state, rest)
                after = replace(before, state=rested, rested=before.memory.days)
        if after is not before:
            let_rest(self.database, scope, after, rest)
        self._snapshots.keep(scope, after)

    def _fold_in_passing(self, scope: Scope) -> None:
        """Fold after a change that is safe already: a failure waits for the next time."""
        try:
            self._fold(scope)
        except SiliconFriendError as error:
            _LOG.warning(error.message(self._language))


def _check_open(rows: ScopeRows, move: str) -> None:
    """Refuse to change rows that are locked, where the memory is not here."""
    check_open(note_of(rows), rows.scope.person, move)
