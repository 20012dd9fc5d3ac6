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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, TextIO, TypeVar

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
_Begun = TypeVar("_Begun")
DEEPEST = 500
"""Values of a JSON file within each other; more is no talk."""
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
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
        with self.binary() as file:
            encoding = self.encoding or _find_encoding(file)
        # Line ends stay: a message may hold a single carriage return.
        with (
            self._decoding(encoding),
            self.binary() as file,
            io.TextIOWrapper(file, encoding, newline="\n") as text,
        ):
            yield text

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
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030"}
"""Supersets of detected encodings, which read more files."""


def _find_encoding(file: IO[bytes]) -> str:
    """The encoding of a text, by its mark, by being UTF-8 throughout, or by what it looks like."""
    start = file.read(4)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    sample, piece = b"", start
    try:
        while piece:
            decoder.decode(piece)
            if len(sample) < SAMPLE:
                sample += piece
            piece = file.read(1 << 20)
    except UnicodeDecodeError:
        return _guess(sample + piece + file.read(SAMPLE))
    return "utf-8"


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes

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


def split_messages(
    source: Source, begins: Callable[[str], _Begun | None]
) -> Iterator[tuple[_Begun, list[str]]]:
    """Yield what ``begins`` finds in a line, with the lines up to the next that begins; one must."""
    last: _Begun | None = None
    lines: list[str] = []
    with source.text() as text:
        for line in text:
            found = begins(line)
            if found is None:
                lines.append(line)
                continue
            if last is not None:
                yield last, lines
            last, lines = found, []
    if last is None:
        raise UnreadableFile("import_no_messages", path=source.label)
    yield last, lines


def json_objects(source: Source, field: str, prefix: str = "") -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a file's list, or its one object, each whole and the rest unread.

    ``field`` is what each is called; ``prefix`` that of objects within another, as ijson writes it:
    ``chats.list.item``. UnreadableFile where the text is no JSON, WrongField where one is no object.
    """
    import ijson

    with source.text() as text:
        reader = _Bytes(text)
        try:
            is_list = source.head().lstrip("\ufeff \t\r\n").startswith("[")
            prefix = prefix or ("item" if is_list else "")
            for value in ijson.items(reader, prefix, use_float=True):
                yield as_object({field: value}, field)
        except (ijson.JSONError, ValueError) as error:
            is_cut = "premature EOF" in str(error)
            key = "import_json_cut" if is_cut else "import_json_wrong"
            raise UnreadableFile(key, path=source.label, place=reader.count) from error


class _Bytes:
    """A text as the bytes that ijson reads; counts the characters it gave, and how deep they nest.

    ijson names each value by its whole path, so 90,000 brackets took it 20 GB.
    """

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self.count = 0
        self._depth = 0
        self._open_string = ""

    def read(self, size: int) -> bytes:
        words = self._text.read(size) if size else ""
        words = words.lstrip("\ufeff") if not self.count else words
        self.count += len(words)
        self._measure(words)
        return words.encode("utf-8", "replace")

    def _measure(self, words: str) -> None:
        outside, quote, inside = _STRING.sub("", self._open_string + words).partition('"')
        is_escaped = (len(inside) - len(inside.rstrip("\\"))) % 2
        self._open_string = quote + "\\" * is_escaped
        for bracket in _BRACKET.findall(outside):
            self._depth += 1 if bracket in "[{" else -1
            if self._depth > DEEPEST:
                msg = "its values nest too deep"
                raise ValueError(msg)


class WrongField(Exception):
    """A field is not what the format says."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field

    def of(self, path: str) -> UnreadableFile:
        """Return the error of the file that holds it."""
        return UnreadableFile("import_wrong_field", path=path, field=self.field)


def as_object(form: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """Return the object in a field, empty for None; WrongField where it is something else."""
    value = form.get(field)
    if not isinstance(value, dict | None):
        raise WrongField(field)
    return value or {}


def as_list(form: Mapping[str, Any], field: str) -> list[Any]:
    """Return the list in a field, empty for None; WrongField where it is something else."""
    value = form.get(field)
    if not isinstance(value, list | None):
        raise WrongField(field)
    return value or []


def as_objects(form: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list in a field; as :func:`as_list`."""
    return [as_object({field: it}, field) for it in as_list(form, field)]


def as_text(value: object) -> str:
    """Return the value, where it is a text; anything else is none."""
    return value if isinstance(value, str) else ""


def as_moment(form: Mapping[str, Any], field: str) -> datetime | None:
    """A moment in seconds or milliseconds since 1970, or in ISO 8601, else WrongField; None stays."""
    value = form.get(field)
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and not value.strip().replace(".", "", 1).isdigit():
            return datetime.fromisoformat(value.strip())
        if isinstance(value, bool):
            raise WrongField(field)
        seconds = float(value)
        return datetime.fromtimestamp(seconds / 1_000 if seconds > 1e11 else seconds, UTC)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise WrongField(field) from error
