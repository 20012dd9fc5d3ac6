"""Read JSON piece by piece, since an export of years does not fit into memory as one tree.

A caller walks the outer objects and lists and takes only inner values whole. The values are
parsed by the same decoder as every imported file: no key twice, no number that is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TextIO

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.import_checks import DECODER, DEEPEST

CHUNK = 1 << 20
"""Characters read at once."""

LARGEST_VALUE = 1 << 28
"""Characters of one inner value, say one conversation; a file made to fill memory has more."""

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")


class JsonStream:
    """A JSON text at a place from which it is read on.

    Raises:
        UnreadableFile: from every method, where the text is no JSON, ends too early or has
            too much in one another.
    """

    def __init__(self, text: TextIO, name: str) -> None:
        self._text = text
        self._name = name
        self._buffer = ""
        self._at = 0
        self._is_whole = False
        self._dropped = 0

    def peek(self) -> str:
        """The next character that is no space: ``{``, ``[``, ``"`` and so on; empty at the end."""
        while True:
            self._at = self._end_of_space()
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._read_on():
                return ""

    def fields(self) -> Iterator[str]:
        """The keys of the object here; after each, the caller reads its value."""
        self._expect("{")
        if self._skip_if("}"):
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise self._fault()
            self._expect(":")
            yield key
            if self._skip_if("}"):
                return
            self._expect(",")

    def items(self) -> Iterator[None]:
        """The items of the list here; at each, the caller reads its value."""
        self._expect("[")
        if self._skip_if("]"):
            return
        while True:
            yield
            if self._skip_if("]"):
                return
            self._expect(",")

    def values(self) -> Iterator[object]:
        """The items of the list here, whole, or the one value here; nothing may follow."""
        if self.peek() == "[":
            for _ in self.items():
                yield self.value()
        else:
            yield self.value()
        self.end()

    def value(self) -> object:
        """The value here, whole."""
        self.peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self._buffer, self._at)
            except RecursionError as error:
                details = {"field": self._name, "deepest": DEEPEST}
                raise UnreadableFile("import_too_deep", **details) from error
            except json.JSONDecodeError as error:
                if not self._read_on(double=True):
                    raise self._fault(error.pos) from error
                continue
            except ValueError as error:  # a number of thousands of digits
                raise self._fault() from error
            # A number at the end of the buffer may go on behind it, within "-1.5e3" too.
            is_at_the_end = len(self._buffer) - end <= 3 and not self._buffer[end:].strip(".eE+-")
            if is_at_the_end and self._read_on():
                continue
            self._at = end
            return value

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            raise self._fault()

    def _end_of_space(self) -> int:
        found = _SPACE.match(self._buffer, self._at)
        return found.end() if found else self._at

    def _expect(self, mark: str) -> None:
        if not self._skip_if(mark):
            raise self._fault()

    def _skip_if(self, mark: str) -> bool:
        if self.peek() != mark:
            return False
        self._at += 1
        return True

    def _read_on(self, *, double: bool = False) -> bool:
        """Drop what was read, add more; False at the end of the text."""
        if self._is_whole:
            return False
        rest = self._buffer[self._at :]
        if len(rest) > LARGEST_VALUE:
            raise UnreadableFile("import_value_too_large", path=self._name)
        more = self._text.read(max(CHUNK, len(rest) if double else 0))
        self._is_whole = not more
        self._dropped += self._at
        self._buffer, self._at = rest + more, 0
        return bool(more)

    def _fault(self, at: int | None = None) -> UnreadableFile:
        """The error of what is wrong at a place of the buffer, the present one unless given."""
        at = self._at if at is None else at
        if not self._buffer[at:].strip():
            return UnreadableFile("import_json_cut", path=self._name)
        return UnreadableFile("import_json_wrong", path=self._name, place=self._dropped + at + 1)
