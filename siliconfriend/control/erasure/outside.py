"""Search the data directory beside the memories: loose files, archives, our own backups."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from siliconfriend.memory import atomic
from siliconfriend.memory.atomic import PREFIX, sweep
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.backup_file import find_backups, is_backup
from siliconfriend.memory.scope import folder_id

PEOPLE, SQLITE = "people", ".sqlite"
NOT_MEMORY = ("samples", "demo", "jobs")
"""Folders of a data directory that hold no memory of its own people."""

MAX_DEPTH = 4
"""Layers of packing that are searched: notes in a zip file in a tar.gz, for instance."""
MAX_UNPACKED = 1 << 28
"""Bytes of a packed file once unpacked; a larger one is named as unreadable."""

_STREAMS: Mapping[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, RuntimeError)
"""Errors of a broken archive, or of one with a password."""


def files_of(home: Path, folder: Path | None) -> Iterator[Path]:
    """List the files of a data directory, without other people's and companions' memories."""
    for path in sorted(home.rglob("*")):
        top = path.relative_to(home).parts[0]
        if not path.is_file() or top in NOT_MEMORY:
            continue
        if top == PEOPLE and (folder is None or not is_within(path, folder)):
            continue
        yield path


def is_within(path: Path, folder: Path) -> bool:
    """True for a file of the folder itself, not of the companions' folders in it."""
    return path.is_relative_to(folder) and path.relative_to(folder).parts[0] != "companions"


def contents(path: Path, *, is_own: bool) -> Iterator[bytes]:
    """Yield what a file holds: of a database each row, then its bytes; of others all layers.

    A text that straddles two pages is found in its row alone. A database is read by SQLite: this
    process would lose its locks on one that it opened and closed by other means. Of a backup of
    ours what lies beside the memories in it is read: those are other people's, or fresh.

    Raises:
        OSError: it cannot be read, is too large unpacked, or is an own database with free pages
            or a journal.
    """
    with suppress(FileNotFoundError):  # gone meanwhile
        if path.suffix == SQLITE:
            yield from _rows_and_bytes(path, is_own=is_own)
        elif is_backup(path):
            for data in _beside_memories(path):
                yield from unpacked(data)
        else:
            yield from unpacked(path.read_bytes())


def _rows_and_bytes(path: Path, *, is_own: bool) -> Iterator[bytes]:
    journal = path.with_name(f"{path.name}-journal")
    if is_own and journal.exists() and journal.stat().st_size:
        raise OSError("a journal is left")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            if is_own and database.execute("PRAGMA freelist_count").fetchone() != (0,):
                raise OSError("free pages are left")
            named = "SELECT name FROM sqlite_master WHERE type = 'table'"
            for (table,) in database.execute(named).fetchall():
                for row in database.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
                    texts = (value.encode() if isinstance(value, str) else value for value in row)
                    yield b"\n".join(text for text in texts if isinstance(text, bytes))
            yield database.serialize()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error


def unpacked(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """Yield the bytes, then those packed in them; a broken archive is read up to the break.

    Raises:
        OSError: it is too large unpacked.
    """
    yield data
    if depth == MAX_DEPTH:
        return
    # A password or a break ends it; the bytes as they are were searched all the same.
    with suppress(*_BROKEN):
        for member in _packed_in(data):
            yield from unpacked(member, depth + 1)


def _packed_in(data: bytes) -> Iterator[bytes]:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            for name in zipped.namelist():
                with zipped.open(name) as file:
                    yield _read(file)
    elif data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for entry in archive:
                packed = archive.extractfile(entry) if entry.isreg() else None
                if packed is not None and not entry.issparse():
                    yield _read(packed)
    for magic, opened in _STREAMS.items():
        if data.startswith(magic):
            with opened(io.BytesIO(data)) as file:
                yield _read(file)


def _read(file: IO[bytes]) -> bytes:
    """Read a packed file up to the first damage."""
    found = bytearray()
    with suppress(OSError, *_BROKEN):
        while len(found) <= MAX_UNPACKED and (block := file.read(1 << 16)):
            found += block
    if len(found) > MAX_UNPACKED:
        raise OSError("too large unpacked")
    return bytes(found)


def _beside_memories(backup: Path) -> Iterator[bytes]:
    try:
        with tarfile.open(backup, mode="r:gz") as archive:
            for entry in archive:
                file = archive.extractfile(entry)
                if file is not None and not entry.name.startswith(f"{PEOPLE}/"):
                    yield file.read()
    except _BROKEN as error:
        raise OSError(str(error)) from error


def own_backups(home: Path, person: str) -> list[Path]:
    """Our backups in the data directory that hold a person, the newest first."""
    made = find_backups(home, f"{PEOPLE}/{folder_id(person)}")
    return sorted(made, key=lambda path: (made[path], path), reverse=True)


def replace_backups(home: Path, person: str, now: datetime) -> None:
    """Put one fresh backup in the place of all that hold a person.

    It takes the place of the newest one before the others are removed, so that there is a whole
    backup at every moment.

    Raises:
        OSError, StoreError, ConfigurationError: it cannot be written; the others are still there.
    """
    backups = own_backups(home, person)
    if not backups:
        return
    back_up(home, backups[0], now=now, with_keys=True)
    for path in backups[1:]:
        path.unlink(missing_ok=True)
        atomic.flush_folder(path.parent)


def sweep_everywhere(home: Path) -> None:
    """Remove what dead processes left half-done anywhere in a data directory."""
    for parent in {path.parent for path in home.rglob(f"{PREFIX}*")}:
        sweep(parent)


def hash_of(path: Path) -> str | None:
    """Return the SHA-256 of a file; None where there is none, empty where it cannot be read."""
    try:
        if path.suffix == SQLITE:  # closing a file of this process would take its locks away
            stat = path.stat()
            return f"{stat.st_ino}-{stat.st_size}-{stat.st_mtime_ns}"
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return ""
