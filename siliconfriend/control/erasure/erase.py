"""Erase: a person's act that reaches everything, and proves it.

A turn does not live in one place. Its words are in replies that quoted it, in the
summary of its day, in the portraits made of summaries, in the index, the journal, the
backups and exports that lie in the data directory. All of them go in one act; the texts
are made again by the next night from what is left. A night that is running finds the
inputs of its answer changed and drops it, and the ids stay behind as tombstones so that
nothing brings the turn back. The act is a job: stopped at any moment, it is taken up again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from siliconfriend.control.actions import find_memories
from siliconfriend.control.erasure import erasure_job
from siliconfriend.control.erasure.backups import clean_backups
from siliconfriend.control.erasure.exports import clean_exports
from siliconfriend.control.erasure.plan import ErasurePlan, all_texts, plan_erasure
from siliconfriend.control.erasure.quotations import SharedQuotations, remove_shared_quotations
from siliconfriend.control.erasure.verification import ErasedWords, verify_erased
from siliconfriend.control.notes.vault import clean_notes, clean_notes_of_others
from siliconfriend.memory.changes import Erase, apply_all
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.jobs import Job, JobFiles, Jobs
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_files import remove_index, remove_unfinished

RewriteIndex = Callable[[Scope], object]

_WRITTEN_ANEW = ("memory", "journal", "index", "backup", "damaged")


@dataclass(frozen=True, slots=True)
class Erasure:
    """The result of an erasing.

    Attributes:
        erased: ids of what is gone, with the turns that only asked about it.
        derived: ids of everything else that was touched: derived texts that went with it,
            and what ``unquoted`` and ``rebuilt`` name.
        unquoted: ids of turns that stay and whose reply was taken out.
        rebuilt: ids of topics that stay, made again at once from the turns they keep.
        searched: how many files were searched afterwards.
        left: in how many of them something was still found; 0 is the proof.
        places: the names of those files.
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
        return tuple(it for it in self.derived if it not in stay)


def erase(
    store: MemoryStore,
    scope: Scope,
    ids: Collection[str],
    *,
    home: Path | None,
    rewrite_index: RewriteIndex,
    jobs: Jobs | None = None,
) -> Erasure:
    """Erase memories and all that was made from them, then search for what is left.

    Args:
        store: where they are.
        scope: whose they are.
        ids: of any kind; day summaries only go until they are made again.
        home: the data directory that is searched afterwards; None where there are no files.
        rewrite_index: writes the scope's search index anew from the memory.
        jobs: keeps the intent; files of ``home`` unless given.

    Raises:
        UsageError: one of the ids is not there; nothing is erased then.
        StoreError, ConfigurationError: it is not finished; it is taken up again by the next
            start (``take_up.py``) or by the same call.
        MemoryBusy: another erasing was at work for two minutes.
    """
    if home is None:
        find_memories(store.load(scope), ids)
        return _erase_in_memory(store, scope, ids, rewrite_index)[0]
    jobs = jobs or JobFiles(home)
    with jobs.one_at_a_time(scope.person, erasure_job.LONGEST_WAIT):
        find_memories(store.load(scope), ids)
        job = erasure_job.begin(jobs, home, erasure_job.ERASE, _intent(scope, ids))
        with erasure_job.telling_unfinished(home):
            return carry_out(job, store, scope, ids, home=home, rewrite_index=rewrite_index)


def carry_out(
    job: Job,
    store: MemoryStore,
    scope: Scope,
    ids: Collection[str],
    *,
    home: Path,
    rewrite_index: RewriteIndex,
) -> Erasure:
    """Do what an intent says, the memory itself last; the caller holds the lock of erasings.

    Raises:
        OSError, SiliconFriendError: it is not finished; the intent is still there.
    """
    erasure_job.sweep_everywhere(home)
    memory = store.load(scope)
    plan = plan_erasure(memory, scope, ids)
    after = apply_all(memory, plan.changes)
    gone = ErasedWords(plan.words, all_texts(after))
    theirs = _clean_outside(plan, gone, after, scope, home)
    folder = store.folder(scope)
    outside = verify_erased(gone, home, folder, theirs, but=partial(_is_written_anew, folder))
    job = erasure_job.note_places(job, outside, home, gone=list(plan.gone))
    planned = _Planned(memory, plan)
    done, plan, memory = _erase_in_memory(store, scope, ids, rewrite_index, planned)
    clean_notes_of_others(home, scope, store)
    job = job.update(step=erasure_job.MEMORY_GONE)
    if plan is not planned.plan:
        gone = ErasedWords(plan.words, all_texts(memory))
    proof = verify_erased(gone, home, folder, theirs, rows=store.rows(scope))
    if proof.found_in:
        # An export may have been made meanwhile.
        theirs |= _clean_outside(plan, gone, memory, scope, home)
        proof = verify_erased(gone, home, folder, theirs, rows=store.rows(scope))
    erasure_job.end_or_keep(job, proof, home)
    return replace(done, searched=proof.searched, left=len(proof.found_in), places=proof.found_in)


def finish_in_memory(
    store: MemoryStore, scope: Scope, gone: Collection[str], rewrite_index: RewriteIndex
) -> SharedQuotations:
    """Take what is left of erased memories out of the person's own files; needs no words."""
    store.rewrite(scope)
    return _finish_beside(store, scope, gone, rewrite_index)


def _finish_beside(
    store: MemoryStore, scope: Scope, gone: Collection[str], rewrite_index: RewriteIndex
) -> SharedQuotations:
    """Take what is left of them out of what lies beside the memory."""
    rewrite_index(scope)
    if (folder := store.folder(scope)) is not None:
        remove_unfinished(folder)
    shared = remove_shared_quotations(store, scope, gone, rewrite_index)
    for it in store.scopes():
        if it.person == scope.person:
            erasure_job.flush(store.folder(it))
    return shared


def _intent(scope: Scope, ids: Collection[str]) -> dict[str, object]:
    return {
        "person": scope.person,
        "companion": scope.companion,
        "ids": list(ids),
        "step": erasure_job.BEGUN,
    }


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan and the memory it was made for; made anew if the memory was changed since."""

    memory: PersonMemory
    plan: ErasurePlan


def _erase_in_memory(
    store: MemoryStore,
    scope: Scope,
    ids: Collection[str],
    rewrite_index: RewriteIndex,
    planned: _Planned | None = None,
) -> tuple[Erasure, ErasurePlan, PersonMemory]:
    with store.edit(scope) as edit:
        if planned is not None and planned.memory.sequence == edit.memory.sequence:
            plan = planned.plan
        else:
            plan = plan_erasure(edit.memory, scope, ids)
        edit.add(*plan.changes)
    if not any(isinstance(it, Erase) for it in plan.changes):
        store.rewrite(scope)  # an Erase has done so
    shared = _finish_beside(store, scope, plan.gone, rewrite_index)
    done = Erasure(
        plan.erased,
        (*plan.derived, *shared.touched),
        *(0, 0, ()),
        unquoted=(*plan.unquoted, *shared.unquoted),
        rebuilt=(*plan.rebuilt, *shared.rebuilt),
    )
    return done, plan, edit.memory_after


def _clean_outside(
    plan: ErasurePlan, gone: ErasedWords, after: PersonMemory, scope: Scope, home: Path
) -> frozenset[Path]:
    """Take what goes out of exports, notes and backups; the files in which nothing of it is."""

    def erase_there(fresh: Path) -> None:
        store = FileStore(fresh)

        def without_index(it: Scope) -> None:
            remove_index(store.folder(it))

        known = store.load(scope) if store.exists(scope) else None
        there = [it for it in plan.erased if known is not None and known.find(it) is not None]
        if there:
            _erase_in_memory(store, scope, there, without_index)

    exports = clean_exports(plan.turns, gone, scope, home)
    notes = clean_notes(home, scope, after)
    return exports | notes | clean_backups(plan.turns, gone, scope, home, erase_there)


def _is_written_anew(folder: Path | None, path: Path) -> bool:
    """True for a file that is written anew when the memory itself forgets."""
    if folder is None or not path.is_relative_to(folder):
        return False
    return path.relative_to(folder).parts[0].partition(".")[0] in _WRITTEN_ANEW
