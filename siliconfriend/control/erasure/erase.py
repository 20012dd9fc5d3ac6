"""Erase memories or whole people: everything that holds their words, with proof.

An erasing is a job. Its intent (whose memory, which ids, never a word) is stored before anything
is touched and removed when a search finds nothing, so that one that was stopped at any step is
resumed by the next start, the next night or ``doctor``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
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
from siliconfriend.control.erasure.proof import (
    ErasedWords,
    PersonTraces,
    Proof,
    search_files,
    search_rows,
)
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

ERASE, DELETE = "erase", "delete"
BEGUN, MEMORY_GONE = "begun", "memory gone"
UNREADABLE = ""
"""When a memory was created that cannot be read."""
MAX_WAIT = 120.0
"""Seconds that an erasing waits for another one."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """The result of an erasing.

    Attributes:
        erased: ids of what is gone, with the turns that only asked about it.
        derived: ids of everything else that was touched: derived texts that went with it,
            and what ``unquoted`` and ``rebuilt`` name.
        searched: how many files and tables were searched afterwards.
        left: in how many of them something was still found; 0 is the proof.
        places: the names of those.
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
        kind: ``erase`` or ``delete``.
        person: whose memory; empty where the intent cannot be read.
        ids: what was to be erased; nothing for a whole person.
        proof: the search at its end; None where it could not be finished.
        error: why it could not.
    """

    kind: str
    person: str
    ids: tuple[str, ...]
    proof: Proof | None = None
    error: SiliconFriendError | None = None

    @property
    def is_finished(self) -> bool:
        """True if nothing is left."""
        return self.proof is not None and not self.proof.found_in


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases in one installation.

    Args:
        store: where the memories are.
        home: the data directory; None where the memories end with this program, and nothing is
            to be searched or resumed.
        rewrite_index: writes the search index of a scope anew from its memory.
        installation: keeps the intents, passwords, keys and nights.
        clock: dates the backup that replaces older ones.
    """

    store: MemoryStore
    home: Path | None
    rewrite_index: Callable[[Scope], object]
    installation: Installation
    clock: Clock

    def erase(self, scope: Scope, ids: Collection[str]) -> Erasure:
        """Erase memories and everything derived from them, then search for what is left.

        Args:
            scope: whose they are.
            ids: of any kind; a day's summary is only gone until it is made again.

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
            whose = {"person": scope.person, "companion": scope.companion}
            job = self._begin(ERASE, {**whose, "ids": list(ids), "step": BEGUN})
            with self._telling("erasure_unfinished"):
                return self._erase(job, self.home, scope, ids)

    def delete(self, scopes: Sequence[Scope]) -> Proof:
        """Delete memories of one person for good, then search for what is left of them.

        Args:
            scopes: the memories, all of the same person; at least one.

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
        person = scopes[0].person
        with self.installation.jobs.one_at_a_time(person, MAX_WAIT):
            gone = self._known(scopes)
            created = {scope.companion: self._created(scope) for scope in scopes}
            intent = {"person": person, "whole": gone.whole, "companions": created, "step": BEGUN}
            job = self._begin(DELETE, intent)
            with self._telling("erasure_unfinished"):
                return self._delete(job, self.home, gone)

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

    def _erase(self, job: Job, home: Path, scope: Scope, ids: Collection[str]) -> Erasure:
        sweep_everywhere(home)
        memory = self.store.load(scope)
        plan = plan_erasure(memory, scope, ids)
        gone = ErasedWords(plan.words, all_texts(apply_all(memory, plan.changes)))
        job = _note_places(job, _outside(home, scope.person, gone), home, gone=list(plan.gone))
        done, shared = self._erase_in_memory(scope, ids, memory.sequence, plan)
        if done is not plan:  # something was said meanwhile
            gone = ErasedWords(done.words, all_texts(self.store.load(scope)))
        job = job.update(step=MEMORY_GONE)
        replace_backups(home, scope.person, self.clock.now(ZoneInfo("UTC")))
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

    def _delete(self, job: Job, home: Path, gone: PersonTraces) -> Proof:
        sweep_everywhere(home)
        job = _note_places(job, _outside(home, gone.name, gone), home)
        if gone.whole:
            self.installation.forget_person(gone.name)
        for scope, ids in gone.ids.items():
            remove_shared_quotations(self.store, scope, ids, self.rewrite_index, gone.scopes)
        for scope in gone.scopes:
            self.store.delete(scope)
        if gone.whole and not any(it.person == gone.name for it in self.store.scopes()):
            shutil.rmtree(home / PEOPLE / folder_id(gone.name), ignore_errors=True)
        job = job.update(step=MEMORY_GONE)
        replace_backups(home, gone.name, self.clock.now(ZoneInfo("UTC")))
        found = search_files(home, None, gone)
        left = [place for scope in gone.scopes for place, _data in self.store.rows(scope)]
        if gone.whole and (home / PEOPLE / folder_id(gone.name)).exists():
            left.append(f"{PEOPLE}/{folder_id(gone.name)}")
        proof = Proof(found.searched, (*found.found_in, *dict.fromkeys(left)))
        _end_or_keep(job, proof, home)
        return proof

    def _known(self, scopes: Sequence[Scope]) -> PersonTraces:
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
        return PersonTraces(name, tuple(scopes), ids, not others, ErasedWords(texts, kept))

    def _created(self, scope: Scope) -> str:
        """When the memory was created, or :data:`UNREADABLE`."""
        try:
            return self.store.load(scope).profile.created.isoformat()
        except DamagedMemory:
            return UNREADABLE

    def _resume(self, job: Job, home: Path) -> Resumed:
        kind, person = str(job.intent.get("job", "")), _person(job)
        ids = _strings(job.intent.get("ids"))
        try:
            with self._telling("erasure_unfinished"):
                if job.intent.get("step") == BEGUN:
                    self._rewrite_all(job)
                if kind == ERASE:
                    proof = self._resume_erasing(job, home, ids)
                elif kind == DELETE:
                    proof = self._resume_deletion(job, home)
                else:
                    raise StoreError("job_unreadable", path=job.place)
        except SiliconFriendError as error:
            return Resumed(kind, person, ids, error=error)
        return Resumed(kind, person, ids, proof)

    def _rewrite_all(self, job: Job) -> None:
        """Rewrite the person's other memories: one may have been changed and not rewritten."""
        leaving = job.intent.get("companions", ())
        for scope in self.store.scopes():
            if scope.person == _person(job) and scope.companion not in leaving:
                self.store.rewrite(scope)
                self.rewrite_index(scope)

    def _resume_erasing(self, job: Job, home: Path, ids: Sequence[str]) -> Proof:
        scope = Scope(_person(job), str(job.intent.get("companion")))
        if job.intent.get("step") == BEGUN and self.store.exists(scope):
            memory = self.store.load(scope)
            there = [identifier for identifier in ids if memory.find(identifier) is not None]
            if there:
                done = self._erase(job, home, scope, there)
                return Proof(done.searched, done.places)
            self._clear(scope, _strings(job.intent.get("gone")))
        return self._finish(job, home)

    def _resume_deletion(self, job: Job, home: Path) -> Proof:
        """Resume a deletion; a memory created since under the same name is another and stays."""
        created = dict(job.intent["companions"])
        scopes = [Scope(_person(job), companion) for companion in created]
        there = [
            scope
            for scope in scopes
            if self.store.exists(scope)
            and self._created(scope) in (created[scope.companion], UNREADABLE)
        ]
        if there and job.intent["step"] == BEGUN:
            gone = replace(self._known(there), whole=bool(job.intent["whole"]))
            return self._delete(job, home, gone)
        return self._finish(job, home)

    def _finish(self, job: Job, home: Path) -> Proof:
        """Finish an erasing whose words nobody knows any more: the memory is gone already."""
        job = job.update(step=MEMORY_GONE)
        if not job.intent.get("has_replaced"):
            replace_backups(home, _person(job), self.clock.now(ZoneInfo("UTC")))
        noted = job.intent.get("places")
        places: Mapping[str, Any] = noted if isinstance(noted, dict) else {}
        left = [
            name for name, digest in places.items() if digest and hash_of(home / name) == digest
        ]
        proof = Proof(int(job.intent.get("searched", len(places))), tuple(left))
        _end_or_keep(job, proof, home)
        return proof

    def _begin(self, kind: str, intent: Mapping[str, Any]) -> Job:
        assert self.home is not None
        with self._telling("erasure_not_begun"):
            return self.installation.jobs.begin(kind, intent)

    @contextmanager
    def _telling(self, key: str) -> Iterator[None]:
        """Have an error within the block say how far the erasing is."""
        assert self.home is not None
        try:
            with translate_file_errors(self.home):
                yield
        except SiliconFriendError as error:
            cause = error.details["cause"] if error.key == "store_unwritable" else error
            raise type(error)(key, cause=cause) from error


def _outside(home: Path, person: str, gone: ErasedWords | PersonTraces) -> Proof:
    """Search what lies beside the memories, but for our backups, which will be replaced."""
    ours = {*own_backups(home, person)}
    return search_files(home, None, gone, skip=ours.__contains__)


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


def _strings(value: object) -> tuple[str, ...]:
    return tuple(it for it in value if isinstance(it, str)) if isinstance(value, list) else ()
