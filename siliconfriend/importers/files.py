"""Open the files of an export: zips, encodings, JSON piece by piece, and fields of foreign JSON.

Exports change without notice: a missing field is ignored, one of another type is an error with its
place.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, TextIO

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
DEEPEST = 500
"""Values of a JSON file within each other; more is no talk."""
_NO_MARKS = re.compile(rb'\\.|[^"\[\]{}\\]+', re.DOTALL)
_STRING = re.compile(rb'"[^"]*"')
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read: the one that was named, or one within that zip."""

    path: Path
    inner: str = ""
    """Name within the zip; empty for a file of its own."""
    encoding: str | None = None
    """Encoding that the person named; None to detect it."""

    @property
    def name(self) -> str:
        """The name of the file itself."""
        return PurePosixPath(self.inner).name if self.inner else self.path.name

    @property
    def label(self) -> str:
        """Name shown to the person."""
        return f"{self.path.name}/{self.inner}" if self.inner else self.path.name

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The bytes, unpacked; UnreadableFile where the file or the zip cannot be read."""
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
        """The text; UnreadableFile where it is not in the encoding it was taken for."""
        encoding = self.find_encoding()
        # Line ends stay: a message may hold a single carriage return.
        with (
            self._decoding(encoding),
            self.binary() as file,
            io.TextIOWrapper(file, encoding, newline="\n") as text,
        ):
            yield text

    def find_encoding(self) -> str:
        """Return the encoding that was named, else the one it looks like."""
        with self.binary() as file:
            return self.encoding or _find_encoding(file)

    def head(self) -> str:
        """Return the beginning, by which a format is recognised."""
        with self.binary() as file:
            start = file.read(HEAD)
        encoding = self.encoding or _find_encoding(io.BytesIO(start))
        with self._decoding(encoding):
            return start.decode(encoding, "replace").removeprefix("\ufeff")

    @contextmanager
    def _decoding(self, encoding: str) -> Iterator[None]:
        try:
            yield
        except (UnicodeError, LookupError) as error:
            details = {"path": self.label, "encoding": encoding}
            raise UnreadableFile("import_wrong_encoding", **details) from error


def sources_of(path: Path, encoding: str | None = None) -> list[Source]:
    """Return the files to read of one that was named: itself, or those in it that may hold talk.

    UnreadableFile where it is empty, or a zip that is damaged, locked or unpacks to too much.
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
        if entry.flag_bits & 1:
            raise UnreadableFile("import_zip_locked", path=path)
        is_blown_up = entry.file_size > LARGEST_RATIO * max(entry.compress_size, 1)
        if entry.file_size > LARGEST or (entry.file_size > RATIO_FROM and is_blown_up):
            raise UnreadableFile("import_zip_bomb", path=path)
    names = sorted(it.filename for it in wanted if "__MACOSX/" not in it.filename)
    return [Source(path, name, encoding) for name in names]


SAMPLE = 1 << 18
"""Bytes that the detection reads where the text is not UTF-8."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030"}
"""Supersets of detected encodings, which read more files."""


def _find_encoding(file: IO[bytes]) -> str:
    """The encoding of a text: UTF-8 where it is that throughout, else what it looks like."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    sample = b""
    while piece := file.read(1 << 20):
        if len(sample) < SAMPLE:
            sample += piece
        try:
            decoder.decode(piece)
        except UnicodeDecodeError:
            return _guess(sample + piece + file.read(SAMPLE))
    return "utf-8-sig"


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in sample[:200]:
        return "utf-16-le" if sample[1:2] == b"\0" else "utf-16-be"
    # The text before the first foreign byte tells nothing, so what is around it counts.
    foreign = next((at for at, byte in enumerate(sample) if byte > 127), 0)
    near = sample[max(0, foreign - 1_000) :][:SAMPLE]
    # A character of several bytes may be cut at either end of the sample.
    near = b"\n".join(near.split(b"\n")[1:-1]) or near
    best = from_bytes(near).best()
    encoding = best.encoding if best is not None else "cp1252"
    return _WIDER.get(encoding, encoding)


def json_objects(source: Source, field: str, prefix: str = "") -> Iterator[Fields]:
    """Yield the objects of a file's list, or those that follow each other, the rest unread.

    ``field`` is what each is called; ``prefix`` that of objects within another, as ijson writes it:
    ``chats.list.item``. UnreadableFile where the text is no JSON, WrongField where one is no object.
    """
    import ijson

    is_list, encoding = source.head().lstrip().startswith("["), source.find_encoding()
    with source.binary() as file:
        data = _Shallow(codecs.EncodedFile(file, "utf-8", encoding))
        prefix = prefix or ("item" if is_list else "")
        try:
            for value in ijson.items(data, prefix, use_float=True, multiple_values=not is_list):
                yield Fields.of(value, field)
        except (ijson.JSONError, ValueError) as error:
            is_cut = "premature EOF" in str(error)
            key = "import_json_cut" if is_cut else "import_json_wrong"
            raise UnreadableFile(key, path=source.label, place=file.tell()) from error


class _Shallow:
    """Bytes for ijson, which names each value by its path: 90,000 brackets took it 20 GB."""

    def __init__(self, file: codecs.StreamRecoder) -> None:
        self._file, self._depth, self._open_string = file, 0, b""

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        marks = _STRING.sub(b"", _NO_MARKS.sub(b"", self._open_string + data))
        outside, quote, inside = marks.partition(b'"')
        self._open_string = quote + inside
        for bracket in outside:
            self._depth += 1 if bracket in b"[{" else -1
            if self._depth > DEEPEST:
                msg = "its values nest too deep"
                raise ValueError(msg)
        return data


class WrongField(Exception):
    """A field is not what the format says."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field

    def of(self, path: str) -> UnreadableFile:
        """Return the error of the file that holds it."""
        return UnreadableFile("import_wrong_field", path=path, field=self.field)


class Fields(dict[str, Any]):
    """An object of foreign JSON. A field that is missing or None is empty; WrongField for another type."""

    @classmethod
    def of(cls, value: object, field: str) -> Fields:
        """Return the object that a field holds."""
        if not isinstance(value, dict | None):
            raise WrongField(field)
        return cls(value or {})

    def inner(self, field: str) -> Fields:
        """Return the object in a field."""
        return Fields.of(self.get(field), field)

    def several(self, field: str) -> list[Any]:
        """Return the list in a field."""
        value = self.get(field)
        if not isinstance(value, list | None):
            raise WrongField(field)
        return value or []

    def objects(self, field: str) -> list[Fields]:
        """Return the objects of the list in a field."""
        return [Fields.of(value, field) for value in self.several(field)]

    def text(self, *fields: str) -> str:
        """Return the first text that is not blank; values of another type are none."""
        texts = [value for field in fields if isinstance(value := self.get(field), str)]
        return next((text for text in texts if text.strip()), texts[0] if texts else "")

    def moment(self, *fields: str) -> datetime | None:
        """Return the first moment: ISO 8601, or seconds or milliseconds since 1970."""
        field = next((it for it in fields if self.get(it) not in (None, "")), None)
        if field is None:
            return None
        value = self[field]
        try:
            if isinstance(value, str) and not value.strip().replace(".", "", 1).isdigit():
                return datetime.fromisoformat(value.strip())
            if isinstance(value, bool):
                raise WrongField(field)
            seconds = float(value)
            return datetime.fromtimestamp(seconds / 1_000 if seconds > 1e11 else seconds, UTC)
        except (TypeError, ValueError, OverflowError, OSError) as error:
            raise WrongField(field) from error
