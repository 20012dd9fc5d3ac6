"""Deleting a person: every file of theirs, what others keep of them, and the proof.

A deletion that forgot the backups would bring the whole person back on the day one of them
is restored. So exports and backups that lie in the data directory lose them first, the
memory itself goes last, and then everything is searched for their ids, their folders and
their words. Stopped at any moment, it is taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from siliconfriend.control.erasure import erasure_job
from siliconfriend.control.erasure.backups import rewrite_backups
from siliconfriend.control.erasure.erase import RewriteIndex
from siliconfriend.control.erasure.exports import clean_exports, remove_person
from siliconfriend.control.erasure.plan import all_texts, texts_of
from siliconfriend.control.erasure.quotations import remove_shared_quotations
from siliconfriend.control.erasure.verification import NOT_MEMORY, ErasedWords, Proof, contents
from siliconfriend.control.notes.vault import clean_notes, clean_notes_of_others
from siliconfriend.errors import DamagedMemory, UnknownPerson
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.jobs import Job
from siliconfriend.memory.lock import ScopeLocks
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_files import remove_index
from siliconfriend.shared.factory import state_on_files
from siliconfriend.shared.state import SharedState

UNREADABLE = ""
"""When a memory began that cannot be read."""

_OWN_FOLDERS = ("people", "night", "companions")
"""Folders whose files are searched for ids alone; other files are searched for words too."""


@dataclass(frozen=True, slots=True)
class _Gone:
    """The ids and words to search for after a deletion; ``whole`` where no companion keeps anything of the person."""

    scopes: Sequence[Scope]
    ids: Mapping[Scope, set[str]]
    whole: bool
    turns: tuple[Turn, ...]
    words: ErasedWords

    @property
    def person(self) -> str:
        return self.scopes[0].person


def delete_person(
    store: MemoryStore,
    scopes: Sequence[Scope],
    *,
    home: Path,
    rewrite_index: RewriteIndex,
    shared: SharedState | None = None,
) -> Proof:
    """Delete memories of one person for good, then search for what is left of them.

    Args:
        store: where they are.
        scopes: the memories, all of the same person; at least one.
        home: the data directory, with exports and backups of any depth in it.
        rewrite_index: writes the index of another companion of the person anew, where it
            had quoted what is deleted.
        shared: what front ends agree on; files of ``home`` unless given.

    Raises:
        UnknownPerson: one of them is nobody's.
        DamagedMemory: one that stays cannot be read; nothing is deleted then.
        StoreError, ConfigurationError: it is not finished; it is taken up again by the next
            start (``take_up.py``) or by the same call.
        MemoryBusy: another erasing was at work for two minutes.
    """
    for scope in scopes:
        if not store.exists(scope):
            raise UnknownPerson("unknown_person", name=scope.person)
    shared = shared or state_on_files(home)
    with shared.jobs.one_at_a_time(scopes[0].person, erasure_job.LONGEST_WAIT):
        gone = _known(store, scopes)
        intent = {
            "person": gone.person,
            "whole": gone.whole,
            "step": erasure_job.BEGUN,
            "companions": {it.companion: _created(store, it) for it in scopes},
        }
        job = erasure_job.begin(shared.jobs, home, erasure_job.DELETE, intent)
        with erasure_job.telling_unfinished(home):
            return _carry_out(job, gone, store, home, rewrite_index, shared)


def resume_deletion(
    job: Job,
    store: MemoryStore,
    *,
    home: Path,
    rewrite_index: RewriteIndex,
    shared: SharedState,
) -> Proof:
    """Carry on a deletion that was stopped; the caller holds the lock of erasings.

    The memories go last, so where none is left of them all else was put right before. A
    memory that was begun since, under the same name, is somebody's new one and stays.

    Raises:
        OSError, SiliconFriendError: it is not finished; the intent is still there.
    """
    person, begun = str(job.intent["person"]), dict(job.intent["companions"])
    scopes = [Scope(person, companion) for companion in begun]
    for scope in scopes:
        if not store.exists(scope):
            _remove_leftovers(home, scope)
    # What cannot be read any more is what was being deleted: a new one would be whole.
    there = [
        it
        for it in scopes
        if store.exists(it) and _created(store, it) in (begun[it.companion], UNREADABLE)
    ]
    if there and job.intent["step"] == erasure_job.BEGUN:
        gone = replace(_known(store, there), whole=bool(job.intent["whole"]))
        return _carry_out(job, gone, store, home, rewrite_index, shared)
    proof = erasure_job.places_left(job, home)
    erasure_job.end_or_keep(job, proof, home)
    return proof


def _known(store: MemoryStore, scopes: Sequence[Scope]) -> _Gone:
    """Collect the ids and words to search for, before the memories are deleted."""
    others = [it for it in store.scopes() if it.person == scopes[0].person and it not in scopes]
    kept = [words for it in others for words in all_texts(store.load(it))]
    turns: list[Turn] = []
    texts: list[str] = []
    ids: dict[Scope, set[str]] = {}
    for scope in scopes:
        try:
            memory = store.load(scope)
        except DamagedMemory:
            continue  # nobody can say what it held; its ids are looked for all the same
        turns += memory.turns()
        texts += (part for turn in memory.turns() for part in texts_of(turn))
        texts += all_texts(memory)
        ids[scope] = {it.id for it in memory.memories()}
    return _Gone(scopes, ids, not others, tuple(turns), ErasedWords(texts, kept))


def _created(store: MemoryStore, scope: Scope) -> str:
    """When the memory began, or ``UNREADABLE``."""
    try:
        return store.load(scope).profile.created.isoformat()
    except DamagedMemory:
        return UNREADABLE


def _carry_out(
    job: Job,
    gone: _Gone,
    store: MemoryStore,
    home: Path,
    rewrite_index: RewriteIndex,
    shared: SharedState,
) -> Proof:
    """Put everything else right, then delete the memories, then search."""
    erasure_job.sweep_everywhere(home)
    clean = _mend(gone, home, shared)
    outside = _search(gone, home, clean)
    own = tuple(f"people/{folder_id(gone.person)}/" for _ in gone.scopes)
    left = tuple(it for it in outside.found_in if not it.startswith(own))
    job = erasure_job.note_places(job, Proof(outside.searched, left), home)
    _take_out(store, home, gone.scopes, gone.ids, rewrite_index)
    for it in store.scopes():
        if it.person == gone.person:
            erasure_job.flush(store.folder(it))
    job = job.update(step=erasure_job.MEMORY_GONE)
    proof = _search(gone, home, clean)
    if proof.found_in:
        # An export may have been made meanwhile.
        proof = _search(gone, home, clean | _mend(gone, home, shared))
    proof = _with_rows(proof, gone, store)
    erasure_job.end_or_keep(job, proof, home)
    return proof


def _with_rows(proof: Proof, gone: _Gone, store: MemoryStore) -> Proof:
    """The proof with what is kept in no file: not one row of a deleted memory may be there."""
    places = dict.fromkeys(place for scope in gone.scopes for place, _ in store.rows(scope))
    return Proof(proof.searched, (*proof.found_in, *places))


def _remove_leftovers(home: Path, scope: Scope) -> None:
    """Remove what a deletion leaves when it is stopped at its very end: the lock, a cache."""
    folder = Folder(home, scope)
    if folder.path.is_dir():
        with ScopeLocks().holding(folder):
            if not folder.exists():
                folder.clear()


def _take_out(
    store: MemoryStore,
    home: Path,
    scopes: Sequence[Scope],
    ids: Mapping[Scope, set[str]],
    rewrite_index: RewriteIndex,
) -> None:
    """Delete the scopes; what other companions of the person quoted of them first."""
    for scope in ids:
        remove_shared_quotations(store, scope, ids[scope], rewrite_index, leaving=scopes)
    for scope in scopes:
        store.delete(scope)
        clean_notes_of_others(home, scope, store)


def _mend(gone: _Gone, home: Path, shared: SharedState) -> frozenset[Path]:
    """Take the person out of passwords, keys, exports, notes and backups; the files that hold none of it."""
    clean = frozenset[Path]()
    for scope in gone.scopes:
        clean |= clean_notes(home, scope, None)
    if not gone.whole:
        for scope in gone.scopes:
            clean |= clean_exports(gone.turns, gone.words, scope, home)
        return clean | rewrite_backups(home, lambda fresh: _mended(gone, fresh))
    shared.passwords.remove(gone.person)
    shared.keys.remove(gone.person)
    clean |= remove_person(gone.person, home)
    return clean | rewrite_backups(home, lambda fresh: _mended(gone, fresh))


def _mended(gone: _Gone, fresh: Path) -> bool:
    """Delete the same in an unpacked backup; whether nothing of it is left there."""
    store = FileStore(fresh)

    def without_index(scope: Scope) -> None:
        remove_index(store.folder(scope))

    known = [it for it in gone.scopes if it in store.scopes()]
    try:
        _take_out(store, fresh, known, gone.ids, without_index)
    except DamagedMemory:
        return False  # another companion's memory in it cannot be read
    return not _search(gone, fresh, _mend(gone, fresh, state_on_files(fresh))).found_in


def _search(gone: _Gone, home: Path, clean: frozenset[Path]) -> Proof:
    """Read every file, packed ones too, for ids, folders and words.

    Everything stored of a person carries their ids, whatever wrote it. Their name is not
    searched for: others may have spoken of them.
    """
    marks = [f"-{scope.digest}".encode() for scope in gone.scopes]
    folder = folder_id(gone.person) if gone.whole else None
    searched, left = 0, []
    for path, parts in _files(home):
        searched += 1
        is_loose = path.relative_to(home).parts[0] not in _OWN_FOLDERS and path not in clean
        if parts is None:
            left.append(str(path.relative_to(home)))  # nobody can say that it is not in it
        elif (
            folder in path.relative_to(home).parts
            or any(mark in part for part in parts for mark in marks)
            or (is_loose and any(gone.words.stand_in(part) for part in parts))
        ):
            left.append(str(path.relative_to(home)))
    return Proof(searched, tuple(left))


def _files(home: Path) -> Iterator[tuple[Path, list[bytes] | None]]:
    """Every file with what is in it; None where it cannot be read, other people's memory left out."""
    for path in sorted(home.rglob("*")):
        if path.is_file() and path.relative_to(home).parts[0] not in NOT_MEMORY:
            try:
                parts = contents(path)
            except OSError:
                if path.relative_to(home).parts[0] not in _OWN_FOLDERS:
                    yield path, None
                continue
            if parts is not None:
                yield path, parts
