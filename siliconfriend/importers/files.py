"""Open the files of an export: zips, encodings, JSON piece by piece, and fields of foreign JSON.

Exports change without notice: a missing field is ignored, one of another type is an error with its
place.
"""

from __future__ import annotations

import codecs
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, TextIO

import ijson
from charset_normalizer import from_bytes

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
"""Values of a JSON file within each other; more is no talk. ijson names each value by its path, and
90,000 brackets took it 20 GB."""
_STEPS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read: the one that was named, or one within that zip."""

    path: Path
    inner: str = ""
    """Name within the zip; empty for a file of its own."""
    encoding: str | None = None
    """Encoding that the person named; None to detect it."""

    @property
    def label(self) -> str:
        """Name shown to the person."""
        return f"{self.path.name}/{self.inner}" if self.inner else self.path.name

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The bytes, unpacked; UnreadableFile where the file or the zip cannot be read."""
        with _translated(self.path):
            if not self.inner:
                with self.path.open("rb") as file:
                    yield file
                return
            with zipfile.ZipFile(self.path) as packed, packed.open(self.inner) as entry:
                yield entry

    @contextmanager
    def text(self, most: int | None = None) -> Iterator[TextIO]:
        """The text, or what its first bytes hold; UnreadableFile where its encoding is another."""
        with self.binary() as file:
            data = file if most is None else io.BytesIO(file.read(most))
            encoding = self.encoding or _find_encoding(data)
            errors = "strict" if most is None else "replace"
            try:
                # Line ends stay: a message may hold a single carriage return.
                with io.TextIOWrapper(data, encoding, errors, newline="\n") as text:
                    yield text
            except (UnicodeError, LookupError) as error:
                details = {"path": self.label, "encoding": encoding}
                raise UnreadableFile("import_wrong_encoding", **details) from error

    def head(self) -> str:
        """Return the beginning, by which a format is recognised."""
        with self.text(HEAD) as text:
            return text.read().removeprefix("\ufeff")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise UnreadableFile("import_bad_zip", path=path) from error
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def sources_of(path: Path, encoding: str | None = None) -> list[SourceFile]:
    """Return the files to read of one that was named: itself, or those in it that may hold talk.

    UnreadableFile where it is empty, or a zip that is damaged, locked or unpacks to too much.
    """
    with _translated(path):
        with path.open("rb") as file:
            start = file.read(4)
        if not start:
            raise UnreadableFile("import_empty", path=path)
        if start not in (_ZIP, _EMPTY_ZIP):
            if path.stat().st_size > LARGEST:
                raise UnreadableFile("import_too_large", path=path, largest=LARGEST >> 30)
            return [SourceFile(path, encoding=encoding)]
        with zipfile.ZipFile(path) as packed:
            entries = packed.infolist()
    if len(entries) > MOST_ENTRIES:
        raise UnreadableFile("import_zip_bomb", path=path)
    wanted = [one for one in entries if one.filename.lower().endswith(TEXTS) and not one.is_dir()]
    for entry in wanted:
        if entry.flag_bits & 1:
            raise UnreadableFile("import_zip_locked", path=path)
        is_blown_up = entry.file_size > LARGEST_RATIO * max(entry.compress_size, 1)
        if entry.file_size > LARGEST or (entry.file_size > RATIO_FROM and is_blown_up):
            raise UnreadableFile("import_zip_bomb", path=path)
    names = sorted(entry.filename for entry in wanted if "__MACOSX/" not in entry.filename)
    return [SourceFile(path, name, encoding) for name in names]


SAMPLE = 1 << 18
"""Bytes that the detection reads where the text is not UTF-8."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030"}
"""Supersets of detected encodings, which read more files."""


def _find_encoding(file: IO[bytes]) -> str:
    """Return UTF-8 for a text that is that throughout, else what it looks like, and rewind it."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while piece := file.read(1 << 20):
            decoder.decode(piece)
    except UnicodeDecodeError:
        return _guess(piece + file.read(SAMPLE))
    finally:
        file.seek(0)
    return "utf-8-sig"


def _guess(sample: bytes) -> str:
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # The text before the first foreign byte tells nothing, so what is around it counts.
    foreign = next((at for at, byte in enumerate(sample) if byte > 127), 0)
    near = sample[max(0, foreign - 1_000) // 2 * 2 :]  # two bytes a character in UTF-16
    if len(near) > SAMPLE:  # a character of several bytes may be cut
        near = near[:SAMPLE].rpartition(b"\n")[0] or near
    best = from_bytes(near).best()
    encoding = best.encoding if best is not None else "cp1252"
    return _WIDER.get(encoding, encoding)


def json_objects(source: SourceFile, field: str, prefix: str = "") -> Iterator[Fields]:
    """Yield the objects of a file's list, or those that follow each other, the rest unread.

    ``field`` is what each is called; ``prefix`` that of objects within another, as ijson writes it:
    ``chats.list.item``. UnreadableFile where the text is no JSON, WrongField where one is no object.
    """
    with source.text() as text:
        try:
            is_list = _is_list(text)
            prefix = prefix or ("item" if is_list else "")
            values = ijson.items(_utf8(text), prefix, use_float=True, multiple_values=not is_list)
            for value in values:
                yield Fields.of(value, field)
        except (ijson.JSONError, ValueError) as error:
            is_cut = "premature EOF" in str(error)
            key, place = "import_json_cut" if is_cut else "import_json_wrong", text.buffer.tell()
            raise UnreadableFile(key, path=source.label, place=place) from error


def _is_list(text: TextIO) -> bool:
    """Return True if JSON is a list; ValueError where its values nest too deep."""
    depth, first = 0, ""
    for event, _ in ijson.basic_parse(_utf8(text), use_float=True, multiple_values=True):
        first = first or event
        depth += _STEPS.get(event, 0)
        if depth > DEEPEST:
            msg = "its values nest too deep"
            raise ValueError(msg)
    return first == "start_array"


def _utf8(text: TextIO) -> Any:
    text.seek(0)
    return ijson.from_iter(piece.encode() for piece in iter(partial(text.read, 1 << 16), ""))


class WrongField(Exception):
    """A field, the argument, is not what the format says."""


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
        field = next((field for field in fields if self.get(field) not in (None, "")), None)
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
