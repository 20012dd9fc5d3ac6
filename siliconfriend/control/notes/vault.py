"""Write a memory as a folder of Markdown notes, and write that folder again later.

A manifest beside the notes tells a folder of ours from anybody else's, and a note that was changed
by hand from one that may be written over. It is written before the notes too, so that a folder
whose writing was stopped can be written again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from siliconfriend.control.notes.pages import Notes
from siliconfriend.errors import UsageError
from siliconfriend.memory import atomic
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope

MANIFEST = ".notes-of-siliconfriend"
FORMAT, VERSION = "siliconfriend-notes", 2


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
    before = _read_manifest(folder, scope)
    pages = {
        name: words.encode("utf-8", "replace")
        for name, words in sorted(Notes.of(memory, called).pages().items())
    }
    for name in sorted({*pages, *before}):
        if not _is_unchanged(folder / name, before.get(name, ())):
            raise UsageError("notes_changed", path=folder / name)
    sums = {name: (_sum(data),) for name, data in pages.items()}
    either = {name: (*before.get(name, ()), *sums.get(name, ())) for name in {*before, *sums}}
    atomic.make_folder(folder)
    _write_manifest(folder, scope, either)
    for name, data in pages.items():
        atomic.make_folder((folder / name).parent)
        if either[name][0] != sums[name][0] or not (folder / name).exists():
            atomic.write_whole(folder / name, data)
    for name in before.keys() - pages.keys():
        (folder / name).unlink(missing_ok=True)
    _write_manifest(folder, scope, sums)
    return len(pages)


def _read_manifest(folder: Path, scope: Scope) -> Mapping[str, tuple[str, ...]]:
    """The SHA-256 of each note by its path, two while it is being written; none in a new folder.

    Raises:
        UsageError: the folder holds something else, or the notes of another memory.
    """
    if not folder.exists() or not any(it.name != f"{MANIFEST}.new" for it in folder.iterdir()):
        return {}
    try:
        form: Any = json.loads((folder / MANIFEST).read_bytes())
        if form["format"] != FORMAT or form["version"] != VERSION:
            raise UsageError("notes_strange_folder", path=folder)
        if form["scope"] != scope.digest:
            raise UsageError("notes_of_another", path=folder, name=form["person"])
        files = {str(name): tuple(map(str, sums)) for name, sums in form["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError("notes_strange_folder", path=folder) from error
    return {name: sums for name, sums in files.items() if _is_inside(name)}


def _write_manifest(folder: Path, scope: Scope, files: Mapping[str, Iterable[str]]) -> None:
    form = {
        "format": FORMAT,
        "version": VERSION,
        "person": scope.person,
        "scope": scope.digest,
        "files": {name: list(sums) for name, sums in sorted(files.items())},
    }
    words = json.dumps(form, ensure_ascii=False, indent=2) + "\n"
    atomic.write_whole(folder / MANIFEST, words.encode("utf-8", "replace"))


def _is_unchanged(path: Path, sums: Iterable[str]) -> bool:
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
