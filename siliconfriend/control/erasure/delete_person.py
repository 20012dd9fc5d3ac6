"""Deleting a person: every file of theirs, what others keep of them, and the proof.

A deletion that forgot the backups would bring the whole person back on the day one of them
is restored. So exports and backups that lie in the data directory lose them too, and then
everything is searched for their ids, their folders and their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from siliconfriend import passwords
from siliconfriend.control.erasure.backups import rewrite_backups
from siliconfriend.control.erasure.erase import all_texts
from siliconfriend.control.erasure.exports import clean_exports, remove_person
from siliconfriend.control.erasure.quotations import remove_shared_quotations
from siliconfriend.control.erasure.verification import NOT_MEMORY, ErasedWords, Proof, contents
from siliconfriend.errors import DamagedMemory
from siliconfriend.keys import Keys
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_cache import remove_index

_OWN_FOLDERS = ("people", "night", "companions")
"""What lies there is known by its ids; in any other file words are looked for too."""


@dataclass(frozen=True, slots=True)
class _Gone:
    """What is to be nowhere any more; ``whole`` where nobody keeps anything of the person."""

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
    rewrite_index: Callable[[Scope], object],
) -> Proof:
    """Delete memories of one person for good, then search for what is left of them.

    Args:
        store: where they are.
        scopes: the memories, all of the same person; at least one.
        home: the data directory, with exports and backups of any depth in it.
        rewrite_index: writes the index of another companion of the person anew, where it
            had quoted what is deleted.

    Raises:
        UnknownPerson: one of them is nobody's.
        DamagedMemory: one that stays cannot be read; nothing is deleted then.
    """
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
        texts += all_texts(memory)
        ids[scope] = {it.id for it in memory.memories()}
    _take_out(store, scopes, ids, rewrite_index)
    gone = _Gone(scopes, ids, not others, tuple(turns), ErasedWords(texts, kept))
    return _search(gone, home, _mend(gone, home))


def _take_out(
    store: MemoryStore,
    scopes: Sequence[Scope],
    ids: Mapping[Scope, set[str]],
    rewrite_index: Callable[[Scope], object],
) -> None:
    """Delete the scopes, and what other companions of the person quoted of them."""
    for scope in scopes:
        store.delete(scope)
    for scope in ids:
        remove_shared_quotations(store, scope, ids[scope], rewrite_index)


def _mend(gone: _Gone, home: Path) -> frozenset[Path]:
    """Take the person out of passwords, keys, exports and backups; the files that hold none of it."""
    if not gone.whole:
        clean = frozenset[Path]()
        for scope in gone.scopes:
            clean |= clean_exports(gone.turns, gone.words, scope, home).clean
        return clean | rewrite_backups(home, lambda fresh: _mended(gone, fresh))
    passwords.remove_password(home / passwords.FILE_NAME, gone.person)
    Keys(home).remove(gone.person)
    exports = remove_person(gone.person, home)
    return exports | rewrite_backups(home, lambda fresh: _mended(gone, fresh))


def _mended(gone: _Gone, fresh: Path) -> bool:
    """Delete the same in an unpacked backup; whether nothing of it is left there."""
    store = FileStore(fresh)

    def without_index(scope: Scope) -> None:
        remove_index(store.folder(scope))

    known = [it for it in gone.scopes if it in store.scopes()]
    try:
        _take_out(store, known, gone.ids, without_index)
    except DamagedMemory:
        return False  # another companion's memory in it cannot be read
    return not _search(gone, fresh, _mend(gone, fresh)).found_in


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
        if (
            folder in path.relative_to(home).parts
            or any(mark in part for part in parts for mark in marks)
            or (is_loose and any(gone.words.stand_in(part) for part in parts))
        ):
            left.append(str(path.relative_to(home)))
    return Proof(searched, tuple(left))


def _files(home: Path) -> Iterator[tuple[Path, list[bytes]]]:
    for path in sorted(home.rglob("*")):
        if path.is_file() and path.relative_to(home).parts[0] not in NOT_MEMORY:
            parts = contents(path)
            if parts is not None:
                yield path, parts
