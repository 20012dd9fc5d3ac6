"""Backups that lie in the data directory: what was erased leaves them too.

A backup that kept the erased words would bring them all back on the day it is restored. So
each is unpacked, the person's memory in it is replaced by the present one or deleted, exports
in it are mended as those beside it are, and it is packed anew in the place of the old one.
Everyone else in it stays as they were. A file that is no whole backup is left alone, and the
search reports it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from siliconfriend.control.erasure.exports import clean_exports
from siliconfriend.control.erasure.verification import ErasedWords, files_of, verify_erased
from siliconfriend.control.notes.vault import clean_notes, clean_notes_of_others
from siliconfriend.errors import DamagedMemory, StoreError, UnreadableFile
from siliconfriend.memory.backup import back_up, copy_of
from siliconfriend.memory.backup_file import is_backup
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import COMPANIONS, Folder
from siliconfriend.memory.passing import passing_folder
from siliconfriend.memory.records import Turn
from siliconfriend.memory.restore import restore
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope


def clean_backups(
    erased: Iterable[Turn],
    gone: ErasedWords,
    scope: Scope,
    home: Path,
    erase_there: Callable[[Path], None],
) -> frozenset[Path]:
    """Take what was erased out of every backup under ``home``.

    Args:
        erased: the turns that went.
        gone: the words to be nowhere any more.
        scope: whose they are.
        home: the data directory.
        erase_there: erases them from the present memory, put into an unpacked data directory.

    Returns:
        The backups that hold none of it now: whatever else stands in them is other people's.
    """
    turns = list(erased)

    def mended(fresh: Path) -> bool:
        _put_present(scope, home, fresh)
        try:
            erase_there(fresh)
        except DamagedMemory:
            return False  # another companion's memory in it cannot be read
        store = FileStore(fresh)
        left = store.load(scope) if store.exists(scope) else None
        clean = clean_exports(turns, gone, scope, fresh) | clean_notes(fresh, scope, left)
        clean_notes_of_others(fresh, scope, store)
        theirs = clean | clean_backups(turns, gone, scope, fresh, erase_there)
        return not verify_erased(gone, fresh, Folder(fresh, scope).path, theirs).found_in

    return rewrite_backups(home, mended)


def rewrite_backups(home: Path, mended: Callable[[Path], bool]) -> frozenset[Path]:
    """Unpack each backup under ``home``, have it put right, and pack it anew in its place.

    Args:
        home: the data directory.
        mended: puts an unpacked data directory right and says whether it is clean then.

    Returns:
        The backups that are clean.
    """
    clean = set()
    for path in [it for it in files_of(home, None) if is_backup(it)]:
        with passing_folder(home) as work:
            fresh = work / "home"
            try:
                made = restore(path, fresh).made
            except UnreadableFile:
                continue  # no whole backup of this program
            except StoreError as error:
                if error.key == "backup_too_new":
                    continue
                raise  # the disk's fault: the words are still known, so it is tried again
            if mended(fresh):
                clean.add(path)
            back_up(
                fresh, path, now=datetime.fromisoformat(made), with_backups=True, with_keys=True
            )
    return frozenset(clean)


def _put_present(scope: Scope, home: Path, fresh: Path) -> None:
    """Replace the scope's files under ``fresh`` by those under ``home``."""
    folder = Folder(fresh, scope)
    keep = COMPANIONS if scope.companion == DEFAULT_COMPANION else ""
    for path in list(folder.path.iterdir()) if folder.path.is_dir() else ():
        if path.is_dir() and path.name != keep:
            shutil.rmtree(path)
        elif path.is_file():
            path.unlink()
    for name, data in copy_of(home, scope):
        target = fresh / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
