"""A folder of notes on disk: written, written anew, cleaned, and never anybody else's.

A list of what was written lies among the notes. By it a folder is known again, a note that
was changed by hand is noticed instead of written over, and an erasing finds the notes it has
to reach. The list is written before the notes and after them, so that one that was stopped
in between can be written again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from siliconfriend.control.notes.pages import Notes
from siliconfriend.errors import UsageError
from siliconfriend.memory import atomic
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

MANIFEST = ".notes-of-siliconfriend"
_BEGUN = f"{MANIFEST}.new"
"""All that is there of a folder of notes whose writing was stopped at its beginning."""
FORMAT, VERSION = "siliconfriend-notes", 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a folder of notes.

    Attributes:
        scope: whose notes.
        called: what the companion calls itself in them.
        files: the SHA-256 of each note by its path; two while it is being written.
    """

    scope: Scope
    called: str
    files: Mapping[str, tuple[str, ...]]

    def to_bytes(self) -> bytes:
        """The manifest as JSON."""
        form = {
            "format": FORMAT,
            "version": VERSION,
            "person": self.scope.person,
            "companion": self.scope.companion,
            "called": self.called,
            "files": {name: list(sums) for name, sums in sorted(self.files.items())},
        }
        return (json.dumps(form, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def write_notes(folder: Path, memory: PersonMemory, scope: Scope, called: str) -> int:
    """Write the notes of a memory into a folder, new or written by this before.

    Args:
        folder: where; made where it is missing.
        memory: what to write.
        scope: whose it is.
        called: what the companion calls itself.

    Returns:
        How many notes there are.

    Raises:
        UsageError: the folder holds something else, or a note was changed by hand; nothing
            was written then.
        OSError: it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError("notes_no_folder", path=folder)
    before = read_manifest(folder)
    if before is None and folder.exists() and {it.name for it in folder.iterdir()} - {_BEGUN}:
        raise UsageError("notes_strange_folder", path=folder)
    if before is not None and before.scope != scope:
        raise UsageError("notes_of_another", path=folder, name=before.scope.person)
    known = {} if before is None else before.files
    pages = {name: words.encode("utf-8", "replace") for name, words in _pages(memory, called)}
    for name in sorted({*pages, *known}):
        if not _is_ours(folder / name, known.get(name, ())):
            raise UsageError("notes_changed", path=folder / name)
    _write(folder, Manifest(scope, called, known), pages)
    return len(pages)


def clean_notes(home: Path, scope: Scope, memory: PersonMemory | None) -> frozenset[Path]:
    """Write the notes of a scope under ``home`` anew, as its memory is without what is erased.

    Args:
        home: a data directory.
        scope: whose notes.
        memory: without what is erased; None where nothing stays.

    Returns:
        The notes of other people and companions: whatever stands in them is theirs, but for
        what :func:`clean_notes_of_others` takes out.

    A note that was changed by hand is left as it is; the search after an erasing reads it.
    """
    others = set[Path]()
    for folder, manifest in _vaults(home):
        if manifest.scope != scope:
            others.update(
                folder / name
                for name, sums in manifest.files.items()
                if _is_ours(folder / name, sums)
            )
            continue
        ours = {it for it, sums in manifest.files.items() if _is_ours(folder / it, sums)}
        known = {name: sums for name, sums in manifest.files.items() if name in ours}
        pages = {} if memory is None else dict(_pages(memory, manifest.called))
        fresh = {
            name: words.encode("utf-8", "replace")
            for name, words in pages.items()
            if name in ours or not (folder / name).exists()
        }
        _write(folder, Manifest(scope, manifest.called, known), fresh)
        if memory is None:
            (folder / MANIFEST).unlink()
            _remove_empty([folder])
    return frozenset(others)


def clean_notes_of_others(home: Path, scope: Scope, store: MemoryStore) -> None:
    """Write the notes of a person's other companions anew, which may have quoted what is erased.

    Their memories must have lost the quotations before.
    """
    for other in store.scopes():
        if other.person == scope.person and other != scope:
            clean_notes(home, other, store.load(other))


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None where it is no folder of notes."""
    try:
        form: Any = json.loads((folder / MANIFEST).read_bytes())
        if form["format"] != FORMAT or form["version"] != VERSION:
            return None
        files = {
            str(name): tuple(map(str, sums))
            for name, sums in form["files"].items()
            if _is_inside(str(name))
        }
        return Manifest(Scope.of(form["person"], form["companion"]), str(form["called"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UsageError, RecursionError):
        return None


def _pages(memory: PersonMemory, called: str) -> Iterable[tuple[str, str]]:
    return sorted(Notes.of(memory, called).pages().items())


def _vaults(home: Path) -> Iterator[tuple[Path, Manifest]]:
    """Every folder of notes under a data directory."""
    for path in sorted(home.rglob(MANIFEST)):
        manifest = read_manifest(path.parent)
        if manifest is not None:
            yield path.parent, manifest


def _write(folder: Path, before: Manifest, pages: Mapping[str, bytes]) -> None:
    """Write the pages, and remove what was there before and is none of them."""
    atomic.make_folder(folder)
    sums = {name: (_sum(data),) for name, data in pages.items()}
    either = {
        name: tuple(dict.fromkeys((*before.files.get(name, ()), *sums.get(name, ()))))
        for name in {*before.files, *sums}
    }
    atomic.write_whole(folder / MANIFEST, Manifest(before.scope, before.called, either).to_bytes())
    for name, data in pages.items():
        path = folder / name
        atomic.make_folder(path.parent)
        if not path.exists() or path.read_bytes() != data:
            atomic.write_whole(path, data)
    gone = [folder / name for name in before.files if name not in pages]
    for path in gone:
        path.unlink(missing_ok=True)
    _remove_empty(dict.fromkeys(path.parent for path in gone if path.parent != folder))
    atomic.write_whole(folder / MANIFEST, Manifest(before.scope, before.called, sums).to_bytes())


def _is_ours(path: Path, sums: Iterable[str]) -> bool:
    """True if nobody changed the file, or it is not there at all."""
    try:
        return _sum(path.read_bytes()) in sums
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_inside(name: str) -> bool:
    """True if a path of a manifest stays in its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            continue  # somebody's files are in it: it stays
