"""Erase memories or whole people from every place with their words, and prove the erasure.

An erasure is a job. Its intent (scope and ids, no words) is stored before the first change and
removed after a search finds no words. The next start, night or ``doctor`` resumes an interrupted
erasure.
"""

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import Clock
from siliconfriend.control.edit import find_memories
from siliconfriend.control.erasure.plan import ErasurePlan, all_texts, plan_erasure
from siliconfriend.control.erasure.proof import (
    PEOPLE,
    ErasedWords,
    Proof,
    own_backups,
    replace_backups,
    search_files,
    search_rows,
    sweep_everywhere,
)
from siliconfriend.errors import (
    DamagedMemory,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
)
from siliconfriend.installation.installation import Installation
from siliconfriend.installation.jobs import Job
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.atomic import translate_file_errors
from siliconfriend.memory.changes import apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.memory.store import MemoryStore

BEGUN, MEMORY_GONE = "begun", "memory gone"
"""Stages of an erasure."""
UNREADABLE = ""
"""Placeholder creation time of an unreadable memory."""
MAX_WAIT = 120.0
"""Seconds that an erasure waits for another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure(Proof):
    """The ids that an erasure touched, as in :class:`ErasurePlan`, and the final search."""

    erased: tuple[str, ...]
    derived: tuple[str, ...] = ()
    unquoted: tuple[str, ...] = ()
    rebuilt: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of removed derived texts, which the night rebuilds from the remaining memories."""
        stay = {*self.unquoted, *self.rebuilt}
        return tuple(identifier for identifier in self.derived if identifier not in stay)


@dataclass(frozen=True, slots=True)
class Resumed:
    """A resumed erasure with its proof, or the error that prevented it.

    ``person`` is empty if the intent is unreadable; ``ids`` is empty for a whole person. ``error``
    is also set if words remain, together with the proof.
    """

    person: str
    ids: tuple[str, ...]
    proof: Proof | None = None
    error: SiliconFriendError | None = None

    @property
    def kind(self) -> Literal["erase", "delete"]:
        """``erase`` for single memories, ``delete`` for a whole person."""
        return "erase" if self.ids else "delete"


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases in one installation, whose data directory is ``home``."""

    store: MemoryStore
    home: Path
    rewrite_index: Callable[[Scope], object]
    installation: Installation
    clock: Clock

    def erase(self, scope: Scope, ids: Collection[str]) -> Erasure:
        """Erase memories and everything derived from them, then search for what is left.

        Raises: UsageError: an id is unknown; nothing is erased. StoreError, ConfigurationError:
        interrupted, and resumed later. MemoryBusy: another erasure ran for :data:`MAX_WAIT`.
        """
        with self._alone(scope.person):
            find_memories(self.store.load(scope), ids)
            job = self._begin([scope], ids=list(ids))
            self.installation.audit.record("erase", scope.person, list(ids))
            with self._telling("erasure_unfinished"):
                return self._erase(job, scope, ids)

    def delete(self, scopes: Sequence[Scope]) -> Proof:
        """Delete memories of one person permanently, then search for remaining words.

        Raises:
            UnknownPerson: one of the memories does not exist.
            DamagedMemory: a memory to keep is unreadable; nothing is deleted.
            StoreError, ConfigurationError, MemoryBusy: as :meth:`erase`.
        """
        for scope in scopes:
            if not self.store.exists(scope):
                raise UnknownPerson("unknown_person", name=scope.person)
        with self._alone(scopes[0].person):
            known = self._known(scopes)
            job = self._begin(scopes, ids=None, whole=not self._others(scopes))
            with self._telling("erasure_unfinished"):
                return self._delete(job, scopes, *known)

    def resume(self) -> list[Resumed]:
        """Resume every interrupted erasure, except those that another process is running."""
        done: list[Resumed] = []
        jobs = self.installation.jobs
        for stopped in jobs.unfinished():
            with suppress(MemoryBusy), self._alone(stopped.person, wait=0):
                # The other process may have finished or continued the job meanwhile.
                job = next(
                    (other for other in jobs.unfinished() if other.name == stopped.name),
                    None,
                )
                if job is not None:
                    done.append(self._resume(job))
        return done

    @contextmanager
    def _alone(self, person: str, wait: float = MAX_WAIT) -> Iterator[None]:
        """Lock erasures: one at a time in a data directory, since all replace the same backups."""
        name = f"job/{scope_key(Scope(person))}" if self.installation.is_shared else "job"
        lease = self.installation.leases.lease(name)
        if not lease.acquire(wait):
            raise MemoryBusy("erasing_going_on", seconds=round(wait))
        try:
            yield
        finally:
            lease.give_back()

    def _begin(self, scopes: Sequence[Scope], **intent: Any) -> Job:
        created = {scope.companion: self._created(scope) for scope in scopes}
        intent |= {"person": scopes[0].person, "companions": created, "step": BEGUN}
        with self._telling("erasure_not_begun"):
            return self.installation.jobs.begin(intent)

    def _erase(self, job: Job, scope: Scope, ids: Collection[str]) -> Erasure:
        memory = self.store.load(scope)
        plan, words = _plan(memory, scope, ids)
        job = self._search_before(job, words, gone=list(plan.gone))
        with self.store.edit(scope) as edit:
            if edit.memory.sequence != memory.sequence:
                plan, words = _plan(edit.memory, scope, ids)
            edit.add(*plan.changes)
        self.installation.forget_nights([scope])
        self._rewrite(scope)
        plans = [plan, *self._erase_quotations([scope], plan.gone)]
        in_tables = search_rows(self.store.rows(scope), words)
        proof = self._prove(job, words, in_tables, self.store.folder(scope))
        return Erasure(
            searched=proof.searched,
            found_in=proof.found_in,
            erased=plan.erased,
            derived=tuple(id_ for each in plans for id_ in each.derived),
            unquoted=tuple(id_ for each in plans for id_ in each.unquoted),
            rebuilt=tuple(id_ for each in plans for id_ in each.rebuilt),
        )

    def _erase_quotations(
        self, scopes: Sequence[Scope], gone: Collection[str]
    ) -> list[ErasurePlan]:
        """Erase quotes in replies of the person's other companions, which may share memories."""
        plans = []
        for other in self._others(scopes):
            with self.store.edit(other) as edit:
                plan = plan_erasure(edit.memory, other, (), quoted=gone)
                edit.add(*plan.changes)
            if plan.changes:
                self._rewrite(other)
                plans.append(plan)
        return plans

    def _rewrite(self, scope: Scope) -> None:
        self.store.rewrite(scope)
        self.rewrite_index(scope)

    def _others(self, scopes: Sequence[Scope]) -> list[Scope]:
        person = scopes[0].person
        return [
            scope for scope in self.store.scopes() if scope.person == person and scope not in scopes
        ]

    def _delete(
        self, job: Job, scopes: Sequence[Scope], ids: Collection[str], words: ErasedWords
    ) -> Proof:
        job = self._search_before(job, words)
        self._erase_quotations(scopes, ids)
        left = self.delete_everything(scopes, is_whole=job.intent["whole"])
        return self._prove(job, words, Proof(0, left))

    def delete_everything(self, scopes: Sequence[Scope], *, is_whole: bool) -> tuple[str, ...]:
        """Delete memories of one person from every table and folder, on either engine.

        ``is_whole``: also delete password, key, sessions and nights. The job stays until the
        deletion is proven. Returns the places with remaining words.
        """
        name = scopes[0].person
        self.installation.forget_nights(scopes)
        if is_whole:
            self.installation.forget_person(name)
        for scope in scopes:
            self.store.delete(scope)
        folder = self.home / PEOPLE / folder_id(name)
        if is_whole and not any(scope.person == name for scope in self.store.scopes()):
            shutil.rmtree(folder, ignore_errors=True)
        left = [place for scope in scopes for place, _data in self.store.rows(scope)]
        if is_whole and folder.exists():
            left.append(f"{PEOPLE}/{folder.name}")
        return tuple(dict.fromkeys(left))

    def _known(self, scopes: Sequence[Scope]) -> tuple[set[str], ErasedWords]:
        """Collect the ids and words of memories before they are deleted."""
        kept = [
            words for other in self._others(scopes) for words in all_texts(self.store.load(other))
        ]
        texts, ids = list[str](), set[str]()
        for scope in scopes:
            # The words of a damaged memory are unknown; search for its ids only.
            with suppress(DamagedMemory):
                memory = self.store.load(scope)
                texts += (part for turn in memory.turns() for part in (turn.query, turn.response))
                texts += all_texts(memory)
                ids |= {record.id for record in memory.memories()}
        return ids, ErasedWords(texts, kept, scopes)

    def _created(self, scope: Scope) -> str:
        try:
            return self.store.load(scope).profile.created.isoformat()
        except DamagedMemory:
            return UNREADABLE

    def _resume(self, job: Job) -> Resumed:
        person, ids = job.person, tuple(job.intent.get("ids") or ())
        try:
            with self._telling("erasure_unfinished"):
                if "companions" not in job.intent:
                    raise StoreError("job_unreadable", path=job.place)
                proof = self._go_on(job, ids)
                left = ", ".join(str(self.home / place) for place in proof.found_in)
                error = StoreError("erasure_left", name=person, path=left) if left else None
                return Resumed(person, ids, proof, error)
        except SiliconFriendError as error:
            return Resumed(person, ids, error=error)

    def _go_on(self, job: Job, ids: Sequence[str]) -> Proof:
        """Resume a deletion; keep a memory created later under the same name."""
        person, created = job.person, job.intent["companions"]
        if job.intent["step"] != BEGUN:
            return self._finish(job)
        for scope in self.store.scopes():  # a backup may have been changed but not rewritten
            if scope.person == person and (ids or scope.companion not in created):
                self._rewrite(scope)
        was = {Scope(person, companion): moment for companion, moment in created.items()}
        there = [scope for scope in was if self.store.exists(scope)]
        there = [path for path in there if self._created(path) in (was[path], UNREADABLE)]
        if there and not ids:
            return self._delete(job, there, *self._known(there))
        for scope in there:
            memory = self.store.load(scope)
            left = [identifier for identifier in ids if memory.find(identifier) is not None]
            if left:
                return self._erase(job, scope, left)
            self._erase_quotations([scope], job.intent.get("gone", ()))
        return self._finish(job)

    def _finish(self, job: Job) -> Proof:
        """Finish an erasure whose words are lost because the memory is already deleted."""
        job = self._replace_backups(job)
        left = [name for name in job.intent.get("places", ()) if (self.home / name).exists()]
        job.end()
        return Proof(job.intent.get("searched", 0), tuple(left))

    def _search_before(self, job: Job, words: ErasedWords, **changes: Any) -> Job:
        """Record other files with remaining words; our backups are replaced."""
        sweep_everywhere(self.home)
        skip = own_backups(self.home, job.person)
        found = search_files(self.home, None, words, skip=skip)
        return job.update(places=list(found.found_in), searched=found.searched, **changes)

    def _prove(
        self, job: Job, words: ErasedWords, in_tables: Proof, folder: Path | None = None
    ) -> Proof:
        """Replace our backups, then search the files; ``folder`` belongs to a kept memory."""
        job = self._replace_backups(job)
        found = search_files(self.home, folder, words)
        job.end()
        places = (*found.found_in, *in_tables.found_in)
        return Proof(found.searched + in_tables.searched, places)

    def _replace_backups(self, job: Job) -> Job:
        job = job.update(step=MEMORY_GONE)
        replace_backups(self.home, job.person, self.clock.now(ZoneInfo("UTC")))
        return job

    @contextmanager
    def _telling(self, key: str) -> Iterator[None]:
        try:
            with translate_file_errors(self.home):
                yield
        except SiliconFriendError as error:
            cause = error.details["cause"] if error.key == "store_unwritable" else error
            raise type(error)(key, cause=cause) from error


def _plan(
    memory: PersonMemory, scope: Scope, ids: Collection[str]
) -> tuple[ErasurePlan, ErasedWords]:
    plan = plan_erasure(memory, scope, ids)
    return plan, ErasedWords(plan.words, all_texts(apply_all(memory, plan.changes)))
