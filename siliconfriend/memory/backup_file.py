"""The form of a backup: a ``tar.gz`` whose first file says what it is, and whose last what was in it.

The last file names the SHA-256 of every file before it: a copy that broke off or in which a byte has
changed is refused whole. A backup is a file from outside: a name in it that leads elsewhere, a link,
a file with holes, or more than a backup of its size can hold refuses it too.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from siliconfriend.errors import SiliconFriendError, StoreError, UnreadableFile
from siliconfriend.memory import codec
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import LOCK
from siliconfriend.memory.passing import is_passing

FORMAT, VERSION = "siliconfriend-backup", 2

MANIFEST = "siliconfriend-backup.json"
"""The first file in a backup: ``format``, ``version``, ``made`` and ``damaged``."""

END = "siliconfriend-backup-end.json"
"""The last file: how many ``files`` came before it, and the ``sha256`` of each by its name."""

NOT_KEPT = ("samples", "demo", "README.md", ".gitignore", "sessions.json")
"""What comes with the program or is made by it anew; neither copied nor replaced."""

MAX_PER_BYTE = 100
"""Bytes that one packed byte may unpack to; memories give some ten, zeros a thousand."""

ALWAYS_ALLOWED = 100 << 20
"""Bytes that may be unpacked whatever the size of the file."""

_BROKEN = (tarfile.TarError, EOFError, zlib.error, OSError)
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class BackupContents:
    """What a backup says of itself.

    Attributes:
        made: when it was made, an ISO 8601 moment.
        damaged: folders under ``people/`` whose memory could not be read when it was made.
        files: how many files are in it.
    """

    made: str
    damaged: frozenset[str]
    files: int


class BackupWriter:
    """Packs files one after the other and counts and hashes them.

    Args:
        packed: the archive.
        made: seconds since 1970 that every file in it is dated with.
    """

    def __init__(self, packed: tarfile.TarFile, made: float) -> None:
        self._packed = packed
        self._made = int(made)
        self._hashes: dict[str, str] = {}

    def begin(self, made: str, damaged: list[str]) -> None:
        """Write the first file."""
        form = {"format": FORMAT, "version": VERSION, "made": made, "damaged": damaged}
        self.add(MANIFEST, codec.to_json(form))

    def add(self, name: str, data: bytes) -> None:
        """Write one file of the data directory."""
        self._hashes[name] = hashlib.sha256(data).hexdigest()
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = len(data), 0o600, self._made
        self._packed.addfile(entry, io.BytesIO(data))

    def end(self) -> int:
        """Write the last file; gives how many there are between it and the first."""
        files = len(self._hashes) - 1
        self.add(END, codec.to_json({"files": files, "sha256": dict(self._hashes)}))
        return files


def is_backup(path: Path) -> bool:
    """True if a file begins as a backup of this program does, whole or not."""
    try:
        with path.open("rb") as file:
            if file.read(2) != b"\x1f\x8b":
                return False
        with _opened(path) as (tar, _):
            first = tar.next()
            return first is not None and first.name == MANIFEST
    except (*_BROKEN, UnreadableFile):
        return False


def find_backups(home: Path, folder: str) -> dict[Path, str]:
    """The backups in a data directory that hold files under ``folder``, with when they were made.

    Whether they are whole is not checked: ``verify_backup`` does that.
    """
    found = {}
    for path in sorted(home.rglob("*")):
        if not path.is_file() or is_passing(path.relative_to(home)) or not is_backup(path):
            continue
        try:
            with _opened(path) as (tar, _):
                entries = iter(tar)
                manifest = _manifest(path, _bytes(path, tar, next(entries)))
                if any(entry.name.startswith(f"{folder}/") for entry in entries):
                    found[path] = manifest.made
        except (*_BROKEN, SiliconFriendError):
            continue
    return found


def verify_backup(path: Path) -> BackupContents:
    """Read a backup to its end and compare every file in it with its hash.

    Raises:
        UnreadableFile: no backup, a damaged one, or one with names that lead elsewhere.
        StoreError: a newer version of the program wrote it.
    """
    return read_backup(path, lambda _name, _data: None)


def read_backup(path: Path, accept: Callable[[PurePosixPath, bytes], None]) -> BackupContents:
    """Read a backup to its end; ``accept`` is given each file before the whole is known good.

    Raises:
        UnreadableFile: no backup, a damaged one, or one with names that lead elsewhere.
        StoreError: a newer version of the program wrote it, or ``accept`` raised it.
    """
    hashes: dict[str, str] = {}
    end: codec.Form = {}
    try:
        with _opened(path) as (tar, drain):
            entries = iter(tar)
            first = next(entries, None)
            data = b"" if first is None else _bytes(path, tar, first)
            contents = _manifest(path, data)
            hashes[MANIFEST] = hashlib.sha256(data).hexdigest()
            for entry in entries:
                data = _bytes(path, tar, entry)
                if entry.name == END:
                    end = codec.from_json(data)
                    break
                name = _safe(path, entry)
                if entry.name in hashes:
                    raise UnreadableFile("backup_unsafe", path=path, name=entry.name)
                hashes[entry.name] = hashlib.sha256(data).hexdigest()
                accept(name, data)
            drain()
    except FileNotFoundError as error:
        raise UnreadableFile("backup_missing", path=path) from error
    except (*_BROKEN, Unreadable) as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=error or END) from error
    files, stated = len(hashes) - 1, end.get("sha256")
    if end.get("files") != files or not isinstance(stated, dict):
        raise UnreadableFile("backup_unreadable", path=path, cause=END)
    expected = {str(name): str(it) for name, it in stated.items()}
    differing = hashes.items() ^ expected.items()
    if differing:
        raise UnreadableFile("backup_changed", path=path, name=min(differing)[0])
    return BackupContents(contents.made, contents.damaged, files)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[tarfile.TarFile, Callable[[], None]]]:
    """An archive to read from its beginning, and what reads to its end, where its checksum stands."""
    with gzip.open(path) as file:
        counted = _Counted(path, cast(BinaryIO, file))

        def drain() -> None:
            while counted.read(_BLOCK):
                pass

        with tarfile.open(fileobj=cast(BinaryIO, counted), mode="r|") as tar:
            yield tar, drain


class _Counted:
    """Reads on from a file as long as not too much has come out of it: gzip can unpack to a lot."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._allowed = max(ALWAYS_ALLOWED, MAX_PER_BYTE * path.stat().st_size)
        self._left = self._allowed

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableFile("backup_too_large", path=self._path, megabytes=self._allowed >> 20)
        return data


def _bytes(path: Path, tar: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(entry) if entry.isreg() and not entry.issparse() else None
    if file is None:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    return file.read()


def _manifest(path: Path, data: bytes) -> BackupContents:
    try:
        form = codec.from_json(data)
        version = form.get("version") if form.get("format") == FORMAT else None
        number = codec.validate(int, version)
        names = codec.validate(tuple[str, ...], form.get("damaged"))
        made = codec.validate(str, form.get("made"))
    except Unreadable as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST) from error
    if number > VERSION:
        raise StoreError("backup_too_new", path=path, version=number, known=VERSION)
    return BackupContents(made, frozenset(names), 0)


def _safe(path: Path, entry: tarfile.TarInfo) -> PurePosixPath:
    """The name of an entry, where it is a plain file below the data directory."""
    name = PurePosixPath(entry.name)
    is_bad = {"..", ".", ""} & set(entry.name.split("/"))
    if name.is_absolute() or is_bad or any(it in entry.name for it in "\\:\0"):
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    if name.parts[0] in NOT_KEPT or is_passing(PurePosixPath(name.parts[0])) or name.name == LOCK:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    return name
