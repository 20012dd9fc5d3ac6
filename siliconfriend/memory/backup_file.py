"""The form of a backup: a ``tar.gz`` whose first file says what it is and whose last says what was in it.

The last one names the SHA-256 of every file before it. A copy that broke off has no last
file, and one in which a byte has changed does not agree with it, so neither is ever put in
the place of what is good. A backup is a file from outside: a name in it that leads
elsewhere, a link or a file with holes refuses the whole.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from siliconfriend.errors import SiliconFriendError, StoreError, UnreadableFile
from siliconfriend.memory import codec
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import LOCK
from siliconfriend.memory.packed import Packed, open_packed
from siliconfriend.memory.passing import is_passing

FORMAT = "siliconfriend-backup"
VERSION = 2
"""2 since the last file holds hashes; backups of version 1 are read as they are."""

MANIFEST = "siliconfriend-backup.json"
"""The first file in a backup: ``format``, ``version``, ``made`` and ``damaged``."""

END = "siliconfriend-backup-end.json"
"""The last file in a backup: how many ``files`` came before it, and the ``sha256`` of each by
its name. A copy that broke off has none."""

NOT_KEPT = ("samples", "demo", "README.md", ".gitignore", "sessions.json")
"""What comes with the program or is made by it anew, and who is logged in to the page; neither
copied nor replaced."""

_PACKED = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class BackupContents:
    """What a backup says of itself.

    Attributes:
        made: when it was made, an ISO 8601 moment.
        damaged: folders under ``people/`` whose memory could not be read when it was made.
        files: how many files are in it.
        has_hashes: every file in it was compared with its hash; False for a version 1.
    """

    made: str
    damaged: frozenset[str]
    files: int
    has_hashes: bool


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
        self._pack(MANIFEST, codec.to_json(form))

    def add(self, name: str, data: bytes) -> None:
        """Write one file of the data directory."""
        self._pack(name, data)

    def end(self) -> int:
        """Write the last file; gives how many there are between it and the first."""
        files = len(self._hashes) - 1
        self._pack(END, codec.to_json({"files": files, "sha256": dict(self._hashes)}))
        return files

    def _pack(self, name: str, data: bytes) -> None:
        self._hashes[name] = hashlib.sha256(data).hexdigest()
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = len(data), 0o600, self._made
        self._packed.addfile(entry, io.BytesIO(data))


def is_backup(path: Path) -> bool:
    """True if a file begins as a backup of this program does, whole or not."""
    try:
        with path.open("rb") as file:
            if file.read(len(_PACKED)) != _PACKED:
                return False
        with open_packed(path) as packed:
            first = packed.tar.next()
            return first is not None and first.name == MANIFEST
    except (tarfile.TarError, EOFError, zlib.error, OSError, UnreadableFile):
        return False


def find_backups(home: Path, folder: str) -> dict[Path, str]:
    """The backups in a data directory that hold files under ``folder``, with when they were made.

    Whether they are whole is not checked: ``verify_backup`` does that.
    """
    found = {}
    for path in sorted(home.rglob("*")):
        if path.is_file() and not is_passing(path.relative_to(home)) and is_backup(path):
            made = _made_with(path, folder)
            if made is not None:
                found[path] = made
    return found


def _made_with(path: Path, folder: str) -> str | None:
    try:
        with open_packed(path) as packed:
            entries = iter(packed.tar)
            manifest = _manifest(path, _first(packed, entries, {}))
            holds = any(entry.name.startswith(f"{folder}/") for entry in entries)
    except (tarfile.TarError, EOFError, zlib.error, OSError, SiliconFriendError):
        return None
    return str(manifest["made"]) if holds else None


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
    try:
        with open_packed(path) as packed:
            entries = iter(packed.tar)
            manifest = _manifest(path, _first(packed, entries, hashes))
            end: codec.Form = {}
            for entry in entries:
                data = _bytes(path, packed, entry)
                if entry.name == END:
                    end = codec.from_json(data)
                    break
                name = _safe(path, entry)
                if entry.name in hashes:
                    raise UnreadableFile("backup_unsafe", path=path, name=entry.name)
                hashes[entry.name] = hashlib.sha256(data).hexdigest()
                accept(name, data)
            packed.drain()
    except FileNotFoundError as error:
        raise UnreadableFile("backup_missing", path=path) from error
    except (tarfile.TarError, EOFError, zlib.error, OSError, Unreadable) as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=error or END) from error
    return _compared(path, manifest, hashes, end)


def _compared(
    path: Path, manifest: codec.Form, hashes: dict[str, str], end: codec.Form
) -> BackupContents:
    files = len(hashes) - 1
    if end.get("files") != files:
        raise UnreadableFile("backup_unreadable", path=path, cause=END)
    has_hashes = manifest["version"] > 1
    if has_hashes and (differing := _differing(hashes, end.get("sha256"))):
        raise UnreadableFile("backup_changed", path=path, name=differing)
    return BackupContents(manifest["made"], frozenset(manifest["damaged"]), files, has_hashes)


def _differing(found: dict[str, str], stated: Any) -> str | None:
    """The first name whose hash is not the stated one; None where all agree."""
    if not isinstance(stated, dict):
        return END
    names = sorted(found.keys() | stated.keys())
    return next((name for name in names if found.get(name) != stated.get(name)), None)


def _first(packed: Packed, entries: Iterator[tarfile.TarInfo], hashes: dict[str, str]) -> bytes:
    entry = next(entries, None)
    data = b"" if entry is None else packed.read(entry) or b""
    hashes[MANIFEST] = hashlib.sha256(data).hexdigest()
    return data


def _bytes(path: Path, packed: Packed, entry: tarfile.TarInfo) -> bytes:
    data = packed.read(entry)
    if data is None:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    return data


def _manifest(path: Path, data: bytes) -> codec.Form:
    try:
        form = codec.from_json(data)
    except Unreadable as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST) from error
    version, damaged = form.get("version"), form.get("damaged")
    if form.get("format") != FORMAT or not isinstance(version, int) or version < 1:
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST)
    if version > VERSION:
        raise StoreError("backup_too_new", path=path, version=version, known=VERSION)
    is_list = isinstance(damaged, list) and all(isinstance(it, str) for it in damaged)
    if not is_list or not isinstance(form.get("made"), str):
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST)
    return form


def _safe(path: Path, entry: tarfile.TarInfo) -> PurePosixPath:
    """The name of an entry, where it is a plain file below the data directory."""
    name = PurePosixPath(entry.name)
    bad = {"..", ".", ""} & set(entry.name.split("/"))
    if name.is_absolute() or bad or any(it in entry.name for it in "\\:\0"):
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    if name.parts[0] in NOT_KEPT or is_passing(PurePosixPath(name.parts[0])) or name.name == LOCK:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    return name
