"""Search every file of the data directory for erased words, byte by byte.

The raw bytes of the person's files and caches are read. Our backups are replaced. Other compressed
files are reported, since their contents are unknown. Other people's memories are not read.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

from siliconfriend.control.notes import escape_inline
from siliconfriend.language.exact_words import beginning_of, may_hold, searchable
from siliconfriend.language.sentences import split_at_marks
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory import atomic
from siliconfriend.memory.atomic import PREFIX, sweep
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.backup_file import BROKEN_ARCHIVE, find_backups, is_backup
from siliconfriend.memory.scope import Scope, folder_id

MIN_SENTENCE = 4
"""Minimum number of characters; shorter sentences ("Hi!") do not identify a memory."""
COMPANIONS = "companions"
PEOPLE, SQLITE = "people", ".sqlite"
NOT_MEMORY = ("samples", "demo")
"""Folders of a data directory without memories of its people."""

_PACKED = (b"PK", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
"""First bytes of compressed files; a tar file has its signature at a later offset."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a search: number of files or tables read, and those with remaining words.

    Unreadable files count as remaining; paths are relative to the data directory.
    """

    searched: int
    found_in: tuple[str, ...]

    @property
    def left(self) -> int:
        """Number of files with remaining words; 0 proves the erasure."""
        return len(self.found_in)


class ErasedWords:
    """The words to search for: those of ``gone`` that the ``staying`` texts do not contain.

    The ids of ``deleted`` memories are searched for too.
    """

    def __init__(
        self, gone: Iterable[str], staying: Iterable[str], deleted: Iterable[Scope] = ()
    ) -> None:
        gone, staying = list(gone), list(staying)
        kept = "\n".join(staying)
        pieces = {piece for text in gone for piece in split_at_marks(text) if piece not in kept}
        self.sentences = {word for word in pieces if len(word) >= MIN_SENTENCE}
        long_rows = {row for whole in gone if len(row := _row(whole)) >= 2 * MIN_SENTENCE}
        self._indexed = {row.encode() for row in long_rows - _rows_within(long_rows, staying)}
        self._said = {form for word in self.sentences for form in _forms(word)}
        self._ids = [f"-{scope.digest}".encode() for scope in deleted]

    def stand_in(self, content: bytes, name: Path = Path("people")) -> bool:
        """Return True if the bytes of a file contain any of the words; the path is relative.

        A companion's story may contain the normalized words ("cat call") or a deleted person's
        words without being a trace of the person.
        """
        is_story = name.parts[0] == COMPANIONS
        patterns = [self._ids, *([] if is_story and self._ids else [self._said])]
        if not is_story:
            patterns.append(self._indexed)
        return any(pattern in content for several in patterns for pattern in several)


def search_files(
    home: Path, folder: Path | None, gone: ErasedWords, *, skip: Collection[Path] = ()
) -> Proof:
    """Search the files of a data directory; ``folder`` belongs to the memory."""
    searched, found_in = 0, []
    for path in files_of(home, folder):
        if path in skip:
            continue
        searched, name = searched + 1, path.relative_to(home)
        try:
            parts = contents(path, is_own=folder is not None and is_within(path, folder))
            is_found = any(gone.stand_in(part, name) for part in parts)
        except OSError:
            is_found = True  # an unreadable file may contain words
        if is_found:
            found_in.append(str(name))
    return Proof(searched, tuple(found_in))


def search_rows(rows: Iterable[tuple[str, bytes]], gone: ErasedWords) -> Proof:
    """Search the tables of a store, given as pairs of table name and bytes."""
    found: dict[str, bool] = {}
    for place, data in rows:
        found[place] = found.get(place, False) or gone.stand_in(data)
    return Proof(len(found), tuple(place for place, is_found in found.items() if is_found))


def _rows_within(rows: Collection[str], texts: Collection[str]) -> set[str]:
    # Search for the longest prefix first: few texts contain it.
    beginnings = {
        row: sorted(map(beginning_of, row.split()), key=len, reverse=True) for row in rows
    }
    found: set[str] = set()
    for text in texts if rows else ():
        looked_into = searchable(text)
        near = [row for row in rows if row not in found and may_hold(looked_into, beginnings[row])]
        held = _row(text) if near else ""
        found.update(row for row in near if row in held)
    return found


def _row(text: str) -> str:
    """Return the text as normalized for the search index."""
    return " ".join(tokenize(text))


def _forms(text: str) -> Collection[bytes]:
    """Return the encoded forms of a text: plain, JSON with and without escapes, Markdown."""
    plain, escaped = json.dumps(text, ensure_ascii=False), json.dumps(text)
    return {
        form.encode(encoding, "surrogatepass")
        for form in (text, plain[1:-1], escaped[1:-1], escape_inline(text))
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    }


def files_of(home: Path, folder: Path | None) -> Iterator[Path]:
    """List the files of a data directory, without other people's and companions' memories."""
    for path in sorted(home.rglob("*")):
        top = path.relative_to(home).parts[0]
        is_others = top == PEOPLE and not (folder and is_within(path, folder))
        if path.is_file() and top not in NOT_MEMORY and not is_others:
            yield path


def is_within(path: Path, folder: Path) -> bool:
    """Return True for a file of the folder itself, not of its companions' folders."""
    return path.is_relative_to(folder) and path.relative_to(folder).parts[:1] != (COMPANIONS,)


def contents(path: Path, *, is_own: bool) -> Iterator[bytes]:
    """Yield the contents of a file: the rows of a database, then the raw bytes.

    A text across two pages is only found in its row. Databases are read through SQLite, since
    closing the file directly would release this process's locks. In our backups only files outside
    the memories are read.

    OSError: the file is unreadable, compressed, or a database with free pages or a journal.
    """
    with suppress(FileNotFoundError):  # deleted meanwhile
        if path.suffix == SQLITE:
            yield from _rows_and_bytes(path, is_own=is_own)
            return
        if is_backup(path):
            yield from _beside_memories(path)
            return
        data = path.read_bytes()
        yield data
        if data.startswith(_PACKED) or data[257:262] == b"ustar":
            raise OSError("a packed file may hold anything")


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


def _beside_memories(backup: Path) -> Iterator[bytes]:
    try:
        with ZipFile(backup) as archive:
            for name in archive.namelist():
                if not name.startswith(f"{PEOPLE}/"):
                    yield archive.read(name)
    except BROKEN_ARCHIVE as error:
        raise OSError(str(error)) from error


def own_backups(home: Path, person: str) -> list[Path]:
    """List our backups in the data directory that contain a person, newest first."""
    made = find_backups(home, f"{PEOPLE}/{folder_id(person)}")
    return sorted(made, key=lambda path: (made[path], path), reverse=True)


def replace_backups(home: Path, person: str, now: datetime) -> None:
    """Replace all backups that contain a person by one new backup.

    The newest backup is replaced before the others are removed, so that a complete backup always
    exists, even if writing fails.
    """
    backups = own_backups(home, person)
    if not backups:
        return
    back_up(home, backups[0], now=now)
    for path in backups[1:]:
        path.unlink(missing_ok=True)
        atomic.flush_folder(path.parent)


def sweep_everywhere(home: Path) -> None:
    """Remove temporary files of dead processes from a data directory."""
    for parent in {path.parent for path in home.rglob(f"{PREFIX}*")}:
        sweep(parent)
