"""A backup put back into a data directory: all of it, or nothing.

Everything is unpacked beside the old files and read the way the store reads it before one
old file is touched; only then do the two change places. A backup is a file from outside:
a name in it that points elsewhere, or a link, refuses the whole.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    StoreError,
    UnreadableFile,
    UsageError,
)
from siliconfriend.memory import atomic, codec
from siliconfriend.memory.backup import END, FORMAT, MANIFEST, NOT_KEPT, PASSING, VERSION
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import LOCK
from siliconfriend.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back: how many people, memories and files, and when they were backed up."""

    people: int
    scopes: int
    files: int
    made: str


def restore(path: Path, home: Path, *, replace: bool = False) -> Restored:
    """Put a backup in the place of what is in ``home``.

    What comes with the program (samples) stays, and settings stay where the backup has none.

    Args:
        path: a file that ``back_up`` wrote.
        home: made where it is missing.
        replace: also where memory is there already; it is gone afterwards.

    Raises:
        UsageError: there is memory already and ``replace`` was not said.
        UnreadableFile: no backup, a damaged one, or one with names that lead elsewhere.
        StoreError: a newer version of the program wrote it.
        ConfigurationError: ``home`` cannot be written.
    """
    present = _present(home)
    if present and not replace:
        raise UsageError("restore_not_empty", home=home)
    with translate_file_errors(home):
        atomic.make_folder(home)
        work = Path(tempfile.mkdtemp(dir=home, prefix=PASSING))
    fresh, old = work / "new", work / "old"
    try:
        with translate_file_errors(home):
            fresh.mkdir()
            old.mkdir()
        manifest, files = _unpack(path, fresh)
        scopes = _checked(path, fresh, set(manifest["damaged"]))
        with translate_file_errors(home):
            _exchange(home, fresh, old, [it for it in present if it.name != "config.toml"])
    finally:
        shutil.rmtree(work, ignore_errors=True)
    people = len({scope.person for scope in scopes})
    return Restored(people, len(scopes), files, manifest["made"])


def _present(home: Path) -> list[Path]:
    """What of a data directory a restore takes the place of."""
    if not home.is_dir():
        return []
    return [
        path
        for path in sorted(home.iterdir())
        if path.name not in NOT_KEPT and not path.name.startswith(PASSING)
    ]


def _unpack(path: Path, into: Path) -> tuple[codec.Form, int]:
    try:
        with tarfile.open(path, "r:gz") as packed:
            entries = iter(packed)
            first = next(entries, None)
            manifest = _manifest(path, _bytes(packed, first) if first else b"")
            number = 0
            for entry in _whole(packed, entries):
                target = into / _safe(path, entry)
                atomic.make_folder(target.parent)
                with target.open("xb") as file:
                    file.write(_bytes(packed, entry))
                target.chmod(0o600)
                number += 1
            return manifest, number
    except FileNotFoundError as error:
        raise UnreadableFile("backup_missing", path=path) from error
    except FileExistsError as error:
        raise UnreadableFile("backup_unsafe", path=path, name="twice") from error
    except (tarfile.TarError, EOFError, zlib.error, OSError, Unreadable) as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=error) from error


def _whole(
    packed: tarfile.TarFile, entries: Iterator[tarfile.TarInfo]
) -> Iterator[tarfile.TarInfo]:
    """The files of a backup; one that broke off ends with an EOFError."""
    for number, entry in enumerate(entries):
        if entry.name == END:
            if codec.from_json(_bytes(packed, entry)).get("files") == number:
                return
            break
        yield entry
    raise EOFError(END)


def _bytes(packed: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    file = packed.extractfile(entry) if entry.isreg() else None
    return file.read() if file is not None else b""


def _manifest(path: Path, data: bytes) -> codec.Form:
    try:
        form = codec.from_json(data)
    except Unreadable as error:
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST) from error
    version, damaged = form.get("version"), form.get("damaged")
    if form.get("format") != FORMAT or not isinstance(version, int):
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST)
    if version > VERSION:
        raise StoreError("backup_too_new", path=path, version=version, known=VERSION)
    if not isinstance(damaged, list) or not isinstance(form.get("made"), str):
        raise UnreadableFile("backup_unreadable", path=path, cause=MANIFEST)
    return form


def _safe(path: Path, entry: tarfile.TarInfo) -> PurePosixPath:
    """The name of an entry, where it is a plain file below the data directory."""
    name = PurePosixPath(entry.name)
    bad = {"..", ".", ""} & set(entry.name.split("/"))
    if not entry.isreg() or name.is_absolute() or bad or any(it in entry.name for it in "\\:\0"):
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    if name.parts[0] in NOT_KEPT or name.parts[0].startswith(PASSING) or name.name == LOCK:
        raise UnreadableFile("backup_unsafe", path=path, name=ascii(entry.name))
    return name


def _checked(path: Path, fresh: Path, damaged: set[str]) -> list[Scope]:
    """The scopes that it holds; all must be readable, but those damaged when backed up."""
    store = FileStore(fresh)
    for folder in store.unreadable():
        if folder not in damaged:
            raise UnreadableFile("backup_unreadable", path=path, cause=f"people/{folder}")
    for scope in store.scopes():
        folder = store.folder(scope).relative_to(fresh / "people").as_posix()
        if folder in damaged:
            continue
        try:
            store.load(scope)
        except (DamagedMemory, ConfigurationError) as error:
            raise UnreadableFile("backup_unreadable", path=path, cause=error) from error
    for lock in _locks(fresh):
        lock.unlink()
    return store.scopes()


def _locks(fresh: Path) -> Iterator[Path]:
    return (it for it in list(fresh.rglob(LOCK)) if it.is_file())


def _exchange(home: Path, fresh: Path, old: Path, present: list[Path]) -> None:
    """Move the old files away and the new ones in; back again where that fails half-way."""
    incoming = sorted(fresh.iterdir())
    outgoing = list(present)
    if any(it.name == "config.toml" for it in incoming) and (home / "config.toml").exists():
        outgoing.append(home / "config.toml")
    moved: list[tuple[Path, Path]] = []
    try:
        for source, target in (
            *((it, old / it.name) for it in outgoing),
            *((it, home / it.name) for it in incoming),
        ):
            source.rename(target)
            moved.append((source, target))
    except OSError:
        for source, target in reversed(moved):
            target.rename(source)
        raise
    atomic.flush_folder(home)
