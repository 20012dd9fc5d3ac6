"""Take up erasings that were stopped: at the next start, in the night, by ``doctor``.

Whoever asked for one was not told that it is done, and its words may still lie anywhere. So
each intent is carried on until its proof says 0; one that cannot be finished stays, and is
shown as not finished.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.control.erasure import erasure_job
from siliconfriend.control.erasure.delete_person import resume_deletion
from siliconfriend.control.erasure.erase import RewriteIndex, carry_out, finish_in_memory
from siliconfriend.control.erasure.verification import Proof
from siliconfriend.control.notes.vault import clean_notes_of_others
from siliconfriend.errors import MemoryBusy, SiliconFriendError
from siliconfriend.memory.jobs import Job
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.shared.state import SharedState


@dataclass(frozen=True, slots=True)
class TakenUp:
    """The result of resuming an erasing that had been stopped.

    Attributes:
        kind: ``erase`` or ``delete``.
        person: whose memory it is about; empty where the intent cannot be read.
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


def take_up(
    store: MemoryStore, home: Path, rewrite_index: RewriteIndex, shared: SharedState
) -> list[TakenUp]:
    """Carry on every erasing that was stopped; one that is at work is left to it.

    Raises:
        ConfigurationError, StoreError: the data directory cannot be read or written.
    """
    taken = []
    for stopped in shared.jobs.unfinished():
        with suppress(MemoryBusy), shared.jobs.one_at_a_time(_person_of(stopped), wait=0):
            # What was at work until now may have ended, or come further.
            job = next((it for it in shared.jobs.unfinished() if it.name == stopped.name), None)
            if job is not None:
                taken.append(_carry_on(job, store, home, rewrite_index, shared))
    return taken


def _person_of(job: Job) -> str:
    return str(job.intent.get("person", ""))


def _carry_on(
    job: Job, store: MemoryStore, home: Path, rewrite_index: RewriteIndex, shared: SharedState
) -> TakenUp:
    kind, person = str(job.intent.get("job", "")), _person_of(job)
    ids = _strings(job.intent.get("ids"))
    told = TakenUp(kind, person, ids)
    try:
        with erasure_job.telling_unfinished(home):
            if job.intent.get("step") == erasure_job.BEGUN:
                _rewrite_all(store, job, rewrite_index)
            if kind == erasure_job.ERASE:
                proof = _erase(job, store, home, rewrite_index)
            elif kind == erasure_job.DELETE:
                proof = resume_deletion(
                    job, store, home=home, rewrite_index=rewrite_index, shared=shared
                )
            else:
                raise erasure_job.unreadable_intent(job)
    except SiliconFriendError as error:
        return TakenUp(kind, person, ids, error=error)
    return TakenUp(told.kind, told.person, told.ids, proof)


def _rewrite_all(store: MemoryStore, job: Job, rewrite_index: RewriteIndex) -> None:
    """Write every memory of the person anew that stays: one may have been changed and not rewritten."""
    person, leaving = job.intent.get("person"), job.intent.get("companions", ())
    for scope in store.scopes():
        if scope.person == person and scope.companion not in leaving:
            store.rewrite(scope)
            rewrite_index(scope)


def _erase(job: Job, store: MemoryStore, home: Path, rewrite_index: RewriteIndex) -> Proof:
    scope = Scope(str(job.intent.get("person")), str(job.intent.get("companion")))
    if store.exists(scope):
        memory = store.load(scope)
        there = [it for it in _strings(job.intent.get("ids")) if memory.find(it) is not None]
        if there and job.intent.get("step") == erasure_job.BEGUN:
            done = carry_out(job, store, scope, there, home=home, rewrite_index=rewrite_index)
            return Proof(done.searched, done.places)
        if job.intent.get("step") == erasure_job.BEGUN:
            gone = _strings(job.intent.get("gone"))
            finish_in_memory(store, scope, gone, rewrite_index)
            clean_notes_of_others(home, scope, store)
            job = job.update(step=erasure_job.MEMORY_GONE)
    proof = erasure_job.places_left(job, home)
    erasure_job.end_or_keep(job, proof, home)
    return proof


def _strings(value: object) -> tuple[str, ...]:
    return tuple(it for it in value if isinstance(it, str)) if isinstance(value, list) else ()
