"""The format of a backup: a ``tar.gz`` with a header as first file and hashes as last file.

The last file has the SHA-256 of every other file, so that a truncated or changed copy is rejected.
Unsafe names, links, sparse files and decompression bombs are rejected too.
"""

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from siliconfriend.errors import SiliconFriendError, StoreError, UnreadableFile
from siliconfriend.memory import codec
from siliconfriend.memory.atomic import PREFIX
from siliconfriend.memory.codec import Unreadable

FORMAT, VERSION = "siliconfriend-backup", 2

MANIFEST = "siliconfriend-backup.json"
"""Name of the first file in a backup, with ``format``, ``version`` and ``made``."""

END = "siliconfriend-backup-end.json"
"""Name of the last file, with the number of ``files``, the ``sha256`` of each, and ``damaged``."""

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

_BROKEN = (tarfile.TarError, EOFError, zlib.error, OSError)


@dataclass(frozen=True, slots=True)
class BackupContents:
    """Header of a backup.

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
    hashes: dict[str, str] = {}
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as packed:

        def add(name: str, data: bytes) -> None:
            hashes[name] = hashlib.sha256(data).hexdigest()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), 0o600, int(made.timestamp())
            packed.addfile(entry, io.BytesIO(data))

        first = {"format": FORMAT, "version": VERSION, "made": made.isoformat(timespec="seconds")}
        add(MANIFEST, codec.to_json(first))
        for name, data in files:
            add(name, data)
        count = len(hashes) - 1
        last = {"files": count, "sha256": dict(hashes), "damaged": sorted(damaged)}
        add(END, codec.to_json(last))
        return count


def is_backup(path: Path) -> bool:
    """Return True if a file starts like a backup of this program; the rest is not checked."""
    with suppress(*_BROKEN, UnreadableFile), _opened(path) as tar:
        first = tar.next()
        return first is not None and first.name == MANIFEST
    return False


def find_backups(home: Path, folder: str) -> dict[Path, str]:
    """Return the backups in a data directory with files under ``folder``, and their creation times.

    Their hashes are not verified.
    """
    found = {}
    for path in sorted(home.rglob("*")):
        if not path.is_file() or f"/{PREFIX}" in path.relative_to(home.parent).as_posix():
            continue
        with suppress(*_BROKEN, Unreadable, SiliconFriendError), _opened(path) as tar:
            first = tar.next()
            made = "" if first is None else _made(_bytes(path, tar, first), path)
            if made and any(entry.name.startswith(f"{folder}/") for entry in tar):
                found[path] = made
    return found


def verify_backup(
    path: Path, accept: Callable[[PurePosixPath, bytes], object] = lambda *_: None
) -> BackupContents:
    """Read a whole backup and verify the hash of every file.

    Args:
        path: the backup.
        accept: called with name and data of each file, before the whole backup is verified.

    Raises:
        UnreadableFile: no backup, a damaged one, or one with unsafe names.
        StoreError: a newer version of the program wrote it, or ``accept`` raised it.
    """
    hashes: dict[str, str] = {}
    end, made = codec.Form(), ""
    try:
        with _opened(path) as tar:
            for entry in tar:
                data = _bytes(path, tar, entry)
                if entry.name == END:
                    end = codec.from_json(data)
                    break
                if entry.name in hashes:
                    raise UnreadableFile("backup_unsafe", path=path, name=entry.name)
                if not hashes:
                    made = _made(data, path)
                else:
                    accept(_safe(path, entry.name), data)
                hashes[entry.name] = hashlib.sha256(data).hexdigest()
        expected = codec.validate(dict[str, str], end.get("sha256"))
        damaged = codec.validate(frozenset[str], end.get("damaged"))
    except FileNotFoundError as error:
        raise UnreadableFile("backup_missing", path=path) from error
    except (*_BROKEN, Unreadable) as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=error or END) from error
    differing = hashes.items() ^ expected.items()
    if differing:
        raise UnreadableFile("backup_changed", path=path, name=min(differing)[0])
    return BackupContents(made, damaged, len(hashes) - 1)


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    with gzip.open(path) as file:
        counted = cast(BinaryIO, _Counted(path, cast(BinaryIO, file)))
        with tarfile.open(fileobj=counted, mode="r|") as tar:
            yield tar


class _Counted:
    """Limits the unpacked size of a gzip file."""

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


def _made(data: bytes, path: Path) -> str:
    form = codec.from_json(data)
    version = codec.validate(int, form.get("version") if form.get("format") == FORMAT else None)
    if version > VERSION:
        raise StoreError("backup_too_new", path=path, version=version, known=VERSION)
    return codec.validate(str, form.get("made"))


def _safe(path: Path, written: str) -> PurePosixPath:
    """Return the name of an entry after a check that it is a file of a data directory."""
    name = PurePosixPath(written)
    is_kept = name.parts[:1] and name.parts[0] in (*FOLDERS, *SETTINGS)
    is_bad = {"..", ".", ""} & set(written.split("/")) or any(mark in written for mark in "\\:\0")
    if is_bad or not is_kept:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(written))
    return name
