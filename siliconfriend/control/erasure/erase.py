"""Erase memories or whole people: everything that holds their words, with proof.

An erasing is a job. Its intent (whose memory, which ids, never a word) is stored before anything
is touched and removed when a search finds nothing, so that one that was stopped at any step is
resumed by the next start, the next night or ``doctor``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import Clock
from siliconfriend.control.edit import find_memories
from siliconfriend.control.erasure.outside import (
    PEOPLE,
    hash_of,
    own_backups,
    replace_backups,
    sweep_everywhere,
)
from siliconfriend.control.erasure.plan import ErasurePlan, all_texts, plan_erasure, texts_of
from siliconfriend.control.erasure.proof import ErasedWords, Proof, search_files, search_rows
from siliconfriend.control.erasure.quotations import SharedQuotations, remove_shared_quotations
from siliconfriend.errors import (
    DamagedMemory,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
)
from siliconfriend.installation.installation import Installation
from siliconfriend.installation.jobs import Job
from siliconfriend.memory.changes import apply_all
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_file import remove_unfinished

BEGUN, MEMORY_GONE = "begun", "memory gone"
UNREADABLE = ""
"""Creation time of an unreadable memory."""
MAX_WAIT = 120.0
"""Seconds that an erasing waits for another one."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """The result of an erasing.

    Attributes:
        erased: ids of what is gone, with the turns that only asked about it.
        derived: ids of everything else that was touched: derived texts that went with it,
            and what ``unquoted`` and ``rebuilt`` name.
        left: in how many of them something was still found; 0 is the proof.
        unquoted: ids of turns that stay and whose reply was taken out.
        rebuilt: ids of topics that stay, made again at once from the turns they keep.
    """

    erased: tuple[str, ...]
    derived: tuple[str, ...]
    searched: int
    left: int
    places: tuple[str, ...]
    unquoted: tuple[str, ...] = ()
    rebuilt: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of the derived texts that went; the night makes them again from what is left."""
        stay = {*self.unquoted, *self.rebuilt}
        return tuple(identifier for identifier in self.derived if identifier not in stay)


@dataclass(frozen=True, slots=True)
class Resumed:
    """The result of resuming an erasing that had been stopped.

    Attributes:
        person: whose memory; empty where the intent cannot be read.
        ids: what was to be erased; nothing for a whole person.
        proof: the search at its end; None where it could not be finished.
        error: why it could not.
    """

    person: str
    ids: tuple[str, ...]
    proof: Proof | None = None
    error: SiliconFriendError | None = None

    @property
    def kind(self) -> Literal["erase", "delete"]:
        """True for single memories, False for a whole person."""
        return "erase" if self.ids else "delete"

    @property
    def is_finished(self) -> bool:
        """True if nothing is left."""
        return self.proof is not None and not self.proof.found_in


@dataclass(frozen=True, slots=True)
class _Known:
    """Facts that a deletion must collect before it begins."""

    scopes: Sequence[Scope]
    is_whole: bool
    ids: dict[Scope, set[str]]
    words: ErasedWords


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases in one installation.

    Args:
        home: the data directory; None where the memories end with this program, and nothing is
            to be searched or resumed.
    """

    store: MemoryStore
    home: Path | None
    rewrite_index: Callable[[Scope], object]
    installation: Installation
    clock: Clock

    def erase(self, scope: Scope, ids: Collection[str]) -> Erasure:
        """Erase memories and everything derived from them, then search for what is left.

        Raises:
            UsageError: one of the ids is not there; nothing is erased then.
            StoreError, ConfigurationError: it is not finished, and will be resumed.
            MemoryBusy: another erasing was at work for :data:`MAX_WAIT`.
        """
        if self.home is None:
            find_memories(self.store.load(scope), ids)
            plan, shared = self._erase_in_memory(scope, ids)
            return _result(plan, shared, Proof(0, ()))
        with self.installation.jobs.one_at_a_time(scope.person, MAX_WAIT):
            find_memories(self.store.load(scope), ids)
            job = self._begin(self.home, [scope], ids=list(ids))
            with _telling("erasure_unfinished", self.home):
                return self._erase(job, self.home, scope, ids)

    def delete(self, scopes: Sequence[Scope]) -> Proof:
        """Delete memories of one person for good, then search for what is left of them.

        Raises:
            UnknownPerson: one of them is nobody's.
            DamagedMemory: one that stays cannot be read; nothing is deleted then.
            StoreError, ConfigurationError, MemoryBusy: as :meth:`erase`.
        """
        for scope in scopes:
            if not self.store.exists(scope):
                raise UnknownPerson("unknown_person", name=scope.person)
        if self.home is None:
            for scope in scopes:
                self.store.delete(scope)
            return Proof(0, ())
        with self.installation.jobs.one_at_a_time(scopes[0].person, MAX_WAIT):
            known = self._known(scopes)
            job = self._begin(self.home, scopes, ids=None, whole=known.is_whole)
            with _telling("erasure_unfinished", self.home):
                return self._delete(job, self.home, known)

    def resume(self) -> list[Resumed]:
        """Resume every erasing that was stopped; one that is at work is left to its process.

        Raises:
            ConfigurationError, StoreError: the data directory cannot be read or written.
        """
        done: list[Resumed] = []
        home, jobs = self.home, self.installation.jobs
        for stopped in [] if home is None else jobs.unfinished():
            with suppress(MemoryBusy), jobs.one_at_a_time(_person(stopped), wait=0):
                # The one at work may have ended it meanwhile, or come further.
                job = next((it for it in jobs.unfinished() if it.name == stopped.name), None)
                if job is not None and home is not None:
                    done.append(self._resume(job, home))
        return done

    def _begin(self, home: Path, scopes: Sequence[Scope], **intent: Any) -> Job:
        created = {scope.companion: self._created(scope) for scope in scopes}
        intent |= {"person": scopes[0].person, "companions": created, "step": BEGUN}
        with _telling("erasure_not_begun", home):
            return self.installation.jobs.begin(intent)

    def _erase(self, job: Job, home: Path, scope: Scope, ids: Collection[str]) -> Erasure:
        memory = self.store.load(scope)
        plan = plan_erasure(memory, scope, ids)
        gone = ErasedWords(plan.words, all_texts(apply_all(memory, plan.changes)))
        job = _search_before(job, home, gone, gone=list(plan.gone))
        done, shared = self._erase_in_memory(scope, ids, memory.sequence, plan)
        if done is not plan:  # something was said meanwhile
            gone = ErasedWords(done.words, all_texts(self.store.load(scope)))
        job = self._replace_backups(job, home)
        found = search_files(home, self.store.folder(scope), gone)
        rows = search_rows(self.store.rows(scope), gone)
        proof = Proof(found.searched + rows.searched, (*found.found_in, *rows.found_in))
        _end_or_keep(job, proof, home)
        return _result(done, shared, proof)

    def _erase_in_memory(
        self,
        scope: Scope,
        ids: Collection[str],
        sequence: int | None = None,
        planned: ErasurePlan | None = None,
    ) -> tuple[ErasurePlan, SharedQuotations]:
        """Erase from the memory by a plan, made anew where the memory is another one by now."""
        with self.store.edit(scope) as edit:
            is_same = planned is not None and edit.memory.sequence == sequence
            plan = planned if is_same and planned else plan_erasure(edit.memory, scope, ids)
            edit.add(*plan.changes)
        return plan, self._clear(scope, plan.gone)

    def _clear(self, scope: Scope, gone: Collection[str]) -> SharedQuotations:
        """Remove what store, index and other companions keep of erased ids; needs no words."""
        self.store.rewrite(scope)
        self.rewrite_index(scope)
        if (folder := self.store.folder(scope)) is not None:
            remove_unfinished(folder)
        return remove_shared_quotations(self.store, scope, gone, self.rewrite_index)

    def _delete(self, job: Job, home: Path, known: _Known) -> Proof:
        name = _person(job)
        job = _search_before(job, home, known.words)
        if known.is_whole:
            self.installation.forget_person(name)
        for scope, ids in known.ids.items():
            remove_shared_quotations(self.store, scope, ids, self.rewrite_index, known.scopes)
        for scope in known.scopes:
            self.store.delete(scope)
        folder = home / PEOPLE / folder_id(name)
        if known.is_whole and not any(it.person == name for it in self.store.scopes()):
            shutil.rmtree(folder, ignore_errors=True)
        job = self._replace_backups(job, home)
        found = search_files(home, None, known.words)
        left = [place for scope in known.scopes for place, _data in self.store.rows(scope)]
        if known.is_whole and folder.exists():
            left.append(f"{PEOPLE}/{folder.name}")
        proof = Proof(found.searched, (*found.found_in, *dict.fromkeys(left)))
        _end_or_keep(job, proof, home)
        return proof

    def _known(self, scopes: Sequence[Scope]) -> _Known:
        """Collect the ids and words to search for, before the memories are deleted."""
        name = scopes[0].person
        others = [it for it in self.store.scopes() if it.person == name and it not in scopes]
        kept = [words for scope in others for words in all_texts(self.store.load(scope))]
        texts: list[str] = []
        ids: dict[Scope, set[str]] = {}
        for scope in scopes:
            # Nobody can say what a damaged one held; its ids are looked for all the same.
            with suppress(DamagedMemory):
                memory = self.store.load(scope)
                texts += (part for turn in memory.turns() for part in texts_of(turn))
                texts += all_texts(memory)
                ids[scope] = {record.id for record in memory.memories()}
        return _Known(scopes, not others, ids, ErasedWords(texts, kept, scopes))

    def _created(self, scope: Scope) -> str:
        """Return the creation time of the memory, or :data:`UNREADABLE`."""
        try:
            return self.store.load(scope).profile.created.isoformat()
        except DamagedMemory:
            return UNREADABLE

    def _resume(self, job: Job, home: Path) -> Resumed:
        person, ids = _person(job), tuple(job.intent.get("ids") or ())
        try:
            with _telling("erasure_unfinished", home):
                if "companions" not in job.intent:
                    raise StoreError("job_unreadable", path=job.place)
                proof = self._go_on(job, home, ids)
        except SiliconFriendError as error:
            return Resumed(person, ids, error=error)
        return Resumed(person, ids, proof)

    def _go_on(self, job: Job, home: Path, ids: Sequence[str]) -> Proof:
        """Resume; a memory created since under the same name is another one, and stays."""
        if job.intent["step"] != BEGUN:
            return self._finish(job, home)
        person, created = _person(job), job.intent["companions"]
        for scope in self.store.scopes():  # one may have been changed and not rewritten
            if scope.person == person and (ids or scope.companion not in created):
                self.store.rewrite(scope)
                self.rewrite_index(scope)
        there = [
            scope
            for scope in (Scope(person, companion) for companion in created)
            if self.store.exists(scope)
            and self._created(scope) in (created[scope.companion], UNREADABLE)
        ]
        if there and not ids:
            known = self._known(there)
            return self._delete(job, home, replace(known, is_whole=job.intent["whole"]))
        for scope in there:
            memory = self.store.load(scope)
            left = [identifier for identifier in ids if memory.find(identifier) is not None]
            if left:
                done = self._erase(job, home, scope, left)
                return Proof(done.searched, done.places)
            self._clear(scope, job.intent.get("gone", ()))
        return self._finish(job, home)

    def _finish(self, job: Job, home: Path) -> Proof:
        """Finish an erasing whose words nobody knows any more: the memory is gone already."""
        if not job.intent.get("has_replaced"):
            job = self._replace_backups(job, home)
        places = job.intent.get("places", {})
        left = [
            name for name, digest in places.items() if digest and hash_of(home / name) == digest
        ]
        proof = Proof(int(job.intent.get("searched", len(places))), tuple(left))
        _end_or_keep(job, proof, home)
        return proof

    def _replace_backups(self, job: Job, home: Path) -> Job:
        job = job.update(step=MEMORY_GONE)
        replace_backups(home, _person(job), self.clock.now(ZoneInfo("UTC")))
        return job


@contextmanager
def _telling(key: str, home: Path) -> Iterator[None]:
    """Have an error within the block say how far the erasing is."""
    try:
        with translate_file_errors(home):
            yield
    except SiliconFriendError as error:
        cause = error.details["cause"] if error.key == "store_unwritable" else error
        raise type(error)(key, cause=cause) from error


def _result(plan: ErasurePlan, shared: SharedQuotations, proof: Proof) -> Erasure:
    return Erasure(
        plan.erased,
        (*plan.derived, *shared.unquoted, *shared.rebuilt, *shared.removed),
        proof.searched,
        len(proof.found_in),
        proof.found_in,
        unquoted=(*plan.unquoted, *shared.unquoted),
        rebuilt=(*plan.rebuilt, *shared.rebuilt),
    )


def _search_before(job: Job, home: Path, words: ErasedWords, **changes: Any) -> Job:
    """Note which files beside the memories hold something, but for our backups, which are replaced."""
    sweep_everywhere(home)
    found = search_files(home, None, words, skip=own_backups(home, _person(job)))
    return _note_places(job, found, home, **changes)


def _note_places(job: Job, proof: Proof, home: Path, **changes: Any) -> Job:
    """Store which files hold something, with their hashes, and how many were read."""
    places = {name: hash_of(home / name) for name in proof.found_in}
    return job.update(places=places, searched=proof.searched, **changes)


def _end_or_keep(job: Job, proof: Proof, home: Path) -> None:
    """End the job where nothing is left; else it waits until those files are changed or gone."""
    if proof.found_in:
        _note_places(job, proof, home, step=MEMORY_GONE, has_replaced=True)
    else:
        job.end()


def _person(job: Job) -> str:
    return str(job.intent.get("person", ""))
