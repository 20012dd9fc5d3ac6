"""The files an export consists of: one by itself, or those inside a zip, read as text.

A zip comes from outside and may be made to do harm, so nothing of it is ever written to
disk, and what unpacks to too much is refused before it is unpacked.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TextIO

from siliconfriend.chat_exports.encoding import find_encoding
from siliconfriend.errors import UnreadableFile

LARGEST = 4 << 30
"""Bytes of one file, unpacked."""

MOST_ENTRIES = 200_000
"""Files in one zip; an export with its pictures has tens of thousands."""

LARGEST_RATIO = 300
"""Times that a file may be larger unpacked than packed: text comes to 30, a zip bomb to 1,000."""

RATIO_FROM = 10 << 20
"""Bytes unpacked below which the ratio does not matter."""

HEAD = 1 << 16
"""Bytes by which a format is recognised."""

TEXTS = (".json", ".jsonl", ".txt", ".html", ".htm", ".csv")
"""Endings of files in a zip that may hold talk; the rest is pictures and the like."""

_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read.

    Attributes:
        path: the file that was named.
        inner: its name within that zip; empty where it stands by itself.
        encoding: as the person says; None to find it out.
    """

    path: Path
    inner: str = ""
    encoding: str | None = None

    @property
    def name(self) -> str:
        """The name of the file itself."""
        return PurePosixPath(self.inner).name if self.inner else self.path.name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return PurePosixPath(self.name).stem

    @property
    def is_page(self) -> bool:
        """True if it is made to be looked at in a browser."""
        return self.name.lower().endswith((".html", ".htm"))

    @property
    def label(self) -> str:
        """How a person finds it."""
        return f"{self.path.name}/{self.inner}" if self.inner else self.path.name

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The bytes, unpacked.

        Raises:
            UnreadableFile: it cannot be read, or the zip is damaged.
        """
        try:
            if not self.inner:
                with self.path.open("rb") as file:
                    yield file
                return
            with zipfile.ZipFile(self.path) as packed, packed.open(self.inner) as entry:
                yield entry
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise UnreadableFile("import_bad_zip", path=self.path) from error
        except OSError as error:
            raise UnreadableFile("file_missing", path=self.path, cause=error) from error

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """The text, in whatever encoding it is.

        Raises:
            UnreadableFile: it cannot be read, or is not in the encoding it was taken for.
        """
        with self.binary() as file:
            encoding = self.encoding or find_encoding(file)
        try:
            # Line ends stay: a message may hold a single carriage return.
            with self.binary() as file, io.TextIOWrapper(file, encoding, newline="\n") as text:
                yield text
        except (UnicodeError, LookupError) as error:
            details = {"path": self.label, "encoding": encoding}
            raise UnreadableFile("import_wrong_encoding", **details) from error

    def head(self) -> str:
        """The beginning, by which a format is recognised.

        Raises:
            UnreadableFile: it cannot be read, or there is no such encoding.
        """
        with self.binary() as file:
            start = file.read(HEAD)
        encoding = self.encoding or find_encoding(io.BytesIO(start))
        try:
            return start.decode(encoding, "replace").removeprefix("\ufeff")
        except LookupError as error:
            details = {"path": self.label, "encoding": encoding}
            raise UnreadableFile("import_wrong_encoding", **details) from error


def sources_of(path: Path, encoding: str | None = None) -> list[Source]:
    """The files to read of one that was named: itself, or those in it that may hold talk.

    Raises:
        UnreadableFile: it cannot be read, is empty, or is a zip that is damaged, locked with a
            password, or would unpack to too much.
    """
    plain = Source(path, encoding=encoding)
    with plain.binary() as file:
        start = file.read(4)
        size = path.stat().st_size
    if not start:
        raise UnreadableFile("import_empty", path=path)
    if start not in (_ZIP, _EMPTY_ZIP):
        if size > LARGEST:
            raise UnreadableFile("import_too_large", path=path, largest=LARGEST >> 30)
        return [plain]
    try:
        with zipfile.ZipFile(path) as packed:
            entries = packed.infolist()
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise UnreadableFile("import_bad_zip", path=path) from error
    if len(entries) > MOST_ENTRIES:
        raise UnreadableFile("import_zip_bomb", path=path)
    wanted = [it for it in entries if it.filename.lower().endswith(TEXTS) and not it.is_dir()]
    for entry in wanted:
        _check(path, entry)
    names = sorted(it.filename for it in wanted if "__MACOSX/" not in it.filename)
    return [Source(path, name, encoding) for name in names]


def _check(path: Path, entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & 1:
        raise UnreadableFile("import_zip_locked", path=path)
    is_blown_up = entry.file_size > LARGEST_RATIO * max(entry.compress_size, 1)
    if entry.file_size > LARGEST or (entry.file_size > RATIO_FROM and is_blown_up):
        raise UnreadableFile("import_zip_bomb", path=path)
