"""The format of a backup: a ZIP archive of files of a data directory, with a manifest.

A ZIP archive has a checksum for each file and ends with its directory, so a truncated or changed
copy is rejected. Unsafe names and decompression bombs are rejected too.
"""

import zlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from siliconfriend.errors import SiliconFriendError, StoreError, UnreadableFile
from siliconfriend.memory import codec
from siliconfriend.memory.atomic import PREFIX

FORMAT, VERSION = "siliconfriend-backup", 3

MANIFEST = "siliconfriend-backup.json"
"""Name of the last file in a backup, with ``format``, ``version``, ``made`` and ``damaged``."""

FOLDERS = ("people", "companions")
"""Folders of a data directory in a backup, replaced as a whole by a restore."""

SETTINGS = (
    "config.toml",
    "installation.sqlite",
    "words.txt",
    "associations.tsv",
    "likelihood.json",
)
"""Files in a backup. A restore keeps existing ones that the backup lacks."""

MAX_PER_BYTE = 100
"""Maximum compression ratio; that of memories is about 10, that of zeros 1,000."""

ALWAYS_ALLOWED = 100 << 20
"""Unpacked bytes that are accepted at any ratio."""

BROKEN_ARCHIVE = (BadZipFile, zlib.error, EOFError, OSError, KeyError, ValueError, RuntimeError)
"""Errors of :mod:`zipfile` about archives that are damaged or use features of others."""


@dataclass(frozen=True, slots=True)
class BackupContents:
    """Contents of a backup.

    Attributes:
        made: moment of its creation in ISO 8601.
        damaged: folders under ``people/`` whose memory was unreadable at that time.
        files: number of files.
    """

    made: str
    damaged: frozenset[str]
    files: int


def write_backup(
    file: BinaryIO, files: Iterable[tuple[str, bytes]], made: datetime, damaged: Collection[str]
) -> int:
    """Pack files, given by their names in a data directory; return their number.

    ``damaged`` is read after the last file.
    """
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for name, data in files:
            packed.writestr(name, data)
        count = len(packed.namelist())
        form = {"format": FORMAT, "version": VERSION, "made": made.isoformat(timespec="seconds")}
        packed.writestr(MANIFEST, codec.to_json({**form, "damaged": sorted(damaged)}))
    return count


def is_backup(path: Path) -> bool:
    """Return True if a file is an archive with a manifest; the rest is not checked."""
    with suppress(*BROKEN_ARCHIVE), ZipFile(path) as packed:
        return MANIFEST in packed.namelist()
    return False


def find_backups(home: Path, folder: str) -> dict[Path, str]:
    """Return the backups in a data directory with files under ``folder``, and their creation times.

    Their files are not verified. Databases are not opened: closing them would release this
    process's locks.
    """
    found = {}
    for path in sorted(home.rglob("*")):
        is_passing = f"/{PREFIX}" in path.relative_to(home.parent).as_posix()
        if is_passing or path.suffix == ".sqlite" or not path.is_file():
            continue
        with suppress(*BROKEN_ARCHIVE, SiliconFriendError), ZipFile(path) as packed:
            if any(name.startswith(f"{folder}/") for name in packed.namelist()):
                found[path] = _contents(packed, path).made
    return found


def verify_backup(
    path: Path, accept: Callable[[PurePosixPath, bytes], object] = lambda *_: None
) -> BackupContents:
    """Read a whole backup and verify the checksum of every file.

    Args:
        path: the backup.
        accept: called with name and data of each file, before the whole backup is verified.

    Raises:
        UnreadableFile: no backup, a damaged one, or one with unsafe names.
        StoreError: a newer version of the program wrote it, or ``accept`` raised it.
    """
    try:
        with ZipFile(path) as packed:
            names = packed.namelist()
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise UnreadableFile("backup_unsafe", path=path, name=ascii(twice))
            allowed = max(ALWAYS_ALLOWED, MAX_PER_BYTE * path.stat().st_size)
            if sum(entry.file_size for entry in packed.infolist()) > allowed:
                raise UnreadableFile("backup_too_large", path=path, megabytes=allowed >> 20)
            contents = _contents(packed, path)
            for name in names:
                if name != MANIFEST:
                    accept(_safe(path, name), packed.read(name))
            return contents
    except FileNotFoundError as error:
        raise UnreadableFile("backup_missing", path=path) from error
    except BROKEN_ARCHIVE as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=error or MANIFEST) from error


def _contents(packed: ZipFile, path: Path) -> BackupContents:
    entries, size = packed.infolist(), path.stat().st_size
    if any(entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for entry in entries):
        raise BadZipFile("another compression")
    if any(entry.compress_size > size for entry in entries):
        raise BadZipFile("an entry that is longer than the file")
    form = codec.from_json(packed.read(MANIFEST))
    version = codec.validate(int, form.get("version") if form.get("format") == FORMAT else None)
    if version > VERSION:
        raise StoreError("backup_too_new", path=path, version=version, known=VERSION)
    made = codec.validate(str, form.get("made"))
    damaged = codec.validate(frozenset[str], form.get("damaged"))
    return BackupContents(made, damaged, len(packed.namelist()) - 1)


def _safe(path: Path, written: str) -> PurePosixPath:
    """Return the name of an entry after a check that it is a file of a data directory."""
    name = PurePosixPath(written)
    is_kept = name.parts[:1] and name.parts[0] in (*FOLDERS, *SETTINGS)
    is_bad = {"..", ".", ""} & set(written.split("/")) or any(mark in written for mark in "\\:\0")
    if is_bad or not is_kept:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(written))
    return name
