"""Open the files of an export: zips, encodings, streamed JSON, and its fields.

Exports change without notice: a missing field is ignored, a field of another type is an error.
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
"""Most bytes of a file, or of all texts in a zip, unpacked."""
MOST_ENTRIES = 10_000
"""Most texts in one zip."""
LARGEST_RATIO = 100
"""Largest compression ratio of all texts in a zip: that of exports is below 30, of a bomb 1,000."""
RATIO_FROM = 10 << 20
"""Unpacked bytes from which the ratio is checked."""
HEAD = 1 << 16
"""Bytes by which a format is detected."""
TEXTS = (".json", ".jsonl", ".txt", ".html", ".htm", ".csv")
"""Suffixes of the files in a zip that are read."""
DEEPEST = 500
"""Deepest nesting of JSON values; ijson needed 20 GB for 90,000 brackets."""
_STEPS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
_SIZES = ("file_size", "compress_size")
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read: ``path``, or the file ``inner`` of that zip; None detects the encoding."""

    path: Path
    inner: str = ""
    encoding: str | None = None

    @property
    def label(self) -> str:
        """Name shown to the person."""
        return f"{self.path.name}/{self.inner}" if self.inner else self.path.name

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """Open the unpacked bytes; UnreadableFile if file or zip cannot be read."""
        with _translated(self.path):
            if not self.inner:
                with self.path.open("rb") as file:
                    yield file
                return
            with zipfile.ZipFile(self.path) as packed, packed.open(self.inner) as entry:
                yield entry

    @contextmanager
    def text(self, most: int | None = None) -> Iterator[TextIO]:
        """Open the text, or that of its first bytes; UnreadableFile for a wrong encoding."""
        with self.binary() as file:
            data = file if most is None else io.BytesIO(file.read(most))
            encoding = self.encoding or _find_encoding(data)
            errors = "strict" if most is None else "replace"
            try:
                # Keep line ends, since a message may contain a lone carriage return.
                with io.TextIOWrapper(data, encoding, errors, newline="\n") as text:
                    yield text
            except (UnicodeError, LookupError) as error:
                details = {"path": self.label, "encoding": encoding}
                raise UnreadableFile("import_wrong_encoding", **details) from error

    def head(self) -> str:
        """Return the beginning, by which the format is detected."""
        with self.text(HEAD) as text:
            return text.read().removeprefix("\ufeff")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise UnreadableFile("import_bad_zip", path=path.name) from error
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def sources_of(path: Path, encoding: str | None = None) -> list[SourceFile]:
    """Return the files to read of a path: the file itself, or the text files of a zip.

    UnreadableFile: it is empty, too large, or a damaged or locked zip.
    """
    with _translated(path):
        with path.open("rb") as file:
            start = file.read(4)
        if not start:
            raise UnreadableFile("import_empty", path=path.name)
        if start not in (_ZIP, _EMPTY_ZIP):
            if path.stat().st_size > LARGEST:
                raise UnreadableFile("import_too_large", path=path.name, largest=LARGEST >> 30)
            return [SourceFile(path, encoding=encoding)]
        with zipfile.ZipFile(path) as packed:
            entries = packed.infolist()
    wanted = [one for one in entries if one.filename.lower().endswith(TEXTS) and not one.is_dir()]
    if any(entry.flag_bits & 1 for entry in wanted):
        raise UnreadableFile("import_zip_locked", path=path.name)
    size, packed_size = (sum(getattr(one, of) for one in wanted) for of in _SIZES)
    is_blown_up = size > max(RATIO_FROM, LARGEST_RATIO * packed_size)
    if is_blown_up or size > LARGEST or len(wanted) > MOST_ENTRIES:
        raise UnreadableFile("import_zip_bomb", path=path.name)
    names = sorted(entry.filename for entry in wanted if "__MACOSX/" not in entry.filename)
    return [SourceFile(path, name, encoding) for name in names]


SAMPLE = 1 << 18
"""Bytes by which an encoding other than UTF-8 is detected."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030"}
"""Supersets of detected encodings."""


def _find_encoding(file: IO[bytes]) -> str:
    """Return UTF-8 if the whole text is valid, else a detected encoding; rewind the file."""
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
    # ASCII before the first other byte tells nothing.
    foreign = next((at for at, byte in enumerate(sample) if byte > 127), 0)
    near = sample[max(0, foreign - 1_000) // 2 * 2 :]  # two bytes a character in UTF-16
    if len(near) > SAMPLE:  # a character of several bytes may be cut
        near = near[:SAMPLE].rpartition(b"\n")[0] or near
    best = from_bytes(near).best()
    encoding = best.encoding if best is not None else "cp1252"
    return _WIDER.get(encoding, encoding)


def json_objects(source: SourceFile, field: str, prefix: str = "") -> Iterator[Fields]:
    """Yield the objects of a JSON list or of JSON lines, one at a time.

    ``field`` names them in errors; ``prefix`` is the place of nested objects as in ijson:
    ``chats.list.item``. UnreadableFile: the text is not JSON; WrongField: a value is not an object.
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
    """Return True if JSON is a list; ValueError if its values nest too deep."""
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
    """Raised with the name of a field that has an unexpected type."""


class Fields(dict[str, Any]):
    """A JSON object; missing fields and None are empty, other types raise WrongField."""

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
        """Return the first text that is not blank; ignore values of another type."""
        texts = [value for field in fields if isinstance(value := self.get(field), str)]
        return next((text for text in texts if text.strip()), texts[0] if texts else "")

    def moment(self, *fields: str) -> datetime | None:
        """Return the first moment, in ISO 8601, or in seconds or milliseconds since 1970."""
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
