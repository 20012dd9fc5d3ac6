"""Memory that ends with the program: for tests, for trying things out, for evaluation.

Every change passes through the same lines that the file store writes, so what could not
be kept on disk is refused here too, and both hold equal records afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from siliconfriend.errors import MemoryElsewhere, UnknownPerson
from siliconfriend.memory import lines
from siliconfriend.memory.changes import PutProfile
from siliconfriend.memory.moving.note import MoveNote, check_open
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit, Repair


class InMemoryStore:
    """A :class:`~siliconfriend.memory.store.MemoryStore` without files; safe between threads."""

    def __init__(self) -> None:
        self._memories: dict[Scope, PersonMemory] = {}
        self._notes: dict[Scope, MoveNote] = {}
        self._keys: dict[Scope, bytes] = {}
        self._lock = threading.RLock()
        self._held: set[Scope] = set()

    def folder(self, scope: Scope) -> None:
        """No caches on disk."""

    def rows(self, scope: Scope) -> Iterable[tuple[str, bytes]]:
        """All lies in this process."""
        return ()

    def scopes(self) -> list[Scope]:
        """Every scope that has a memory, sorted by person and companion."""
        with self._lock:
            return sorted(self._memories)

    def unreadable(self) -> list[str]:
        """Nothing here can be damaged."""
        return []

    def exists(self, scope: Scope) -> bool:
        """True if the scope has a memory."""
        return scope in self._memories

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        with self._holding(scope):
            if scope not in self._memories:
                first = PutProfile(replace(profile, name=scope.person))
                data = lines.encode([first], after=0)
                memory = lines.replay(PersonMemory(first.profile), lines.decode(data))
                self._memories[scope] = memory
            return self._memories[scope]

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot."""
        with self._holding(scope):
            return self._known(scope)

    @contextmanager
    def edit(self, scope: Scope, *, move: str = "") -> Iterator[Edit]:
        """Keep the changes of a block when it ends; nothing where it raises."""
        with self._holding(scope):
            edit = Edit(self._known(scope), self._notes.get(scope))
            check_open(edit.note, scope.person, move)
            yield edit
            data = lines.encode(edit.changes, edit.memory.sequence)
            self._memories[scope] = lines.replay(edit.memory, lines.decode(data))
            if edit.note is not None:
                self._notes[scope] = edit.note
            edit.finish(self._memories[scope])

    @property
    def keeps_keys(self) -> bool:
        """True: they are kept, though nothing is encrypted that ends with the program."""
        return True

    def move_note(self, scope: Scope) -> MoveNote | None:
        """What stands beside a memory of a move."""
        return self._notes.get(scope)

    def key(self, scope: Scope) -> bytes | None:
        """The key that came with a memory; nothing here is encrypted with it."""
        return self._keys.get(scope)

    def place(
        self,
        scope: Scope,
        memory: PersonMemory,
        *,
        key: bytes | None,
        note: MoveNote,
        over: MoveNote | None,
    ) -> None:
        """Keep a whole memory as it is, in the place of a copy of the same one."""
        with self._holding(scope):
            if self._notes.get(scope) != over or (over is None and scope in self._memories):
                raise MemoryElsewhere("move_taken", name=scope.person, other="memory")
            self._memories[scope], self._notes[scope] = memory, note
            if key is not None:
                self._keys[scope] = key

    def fold(self, scope: Scope, *, least_share: float = 0.0) -> None:
        """Nothing to tidy."""
        with self._holding(scope):
            self._known(scope)

    def rewrite(self, scope: Scope) -> None:
        """Nothing older is kept."""
        self.fold(scope)

    def repair(self, scope: Scope) -> Repair | None:
        """Nothing here can be damaged."""
        self.fold(scope)
        return None

    def delete(self, scope: Scope) -> None:
        """Forget the scope for good."""
        with self._holding(scope):
            self._known(scope)
            for kept in (self._memories, self._notes, self._keys):
                kept.pop(scope, None)

    def _known(self, scope: Scope) -> PersonMemory:
        if scope not in self._memories:
            raise UnknownPerson("unknown_person", name=scope.person)
        return self._memories[scope]

    @contextmanager
    def _holding(self, scope: Scope) -> Iterator[None]:
        with self._lock:
            if scope in self._held:
                msg = "the block of an edit must not call the store"
                raise RuntimeError(msg)
            self._held.add(scope)
            try:
                yield
            finally:
                self._held.remove(scope)
