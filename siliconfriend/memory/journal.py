"""The file that grows: a head that says whose it is, then one line a change.

An append costs the same however much is remembered, because nothing else is written.
The head names the segment; a reader that finds the head it knows reads on from where it
stopped, and with any other head everything it kept is out of date.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.memory import checksum, codec, lines
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.encryption import Cipher
from siliconfriend.memory.lines import Line
from siliconfriend.memory.memory_file import check_version
from siliconfriend.memory.scope import Scope

FORMAT = "siliconfriend-journal"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a journal.

    Attributes:
        person, companion: whose changes these are.
        generation: of the ``memory.json`` that the lines continue.
        after: number of the last change that stands in that file; the lines begin behind it.
        segment: 16 hex digits by chance, so that no two journals begin alike.
    """

    person: str
    companion: str
    generation: int
    after: int
    segment: str

    @classmethod
    def new(cls, scope: Scope, generation: int, after: int) -> Head:
        """The head of a journal that begins now."""
        return cls(scope.person, scope.companion, generation, after, secrets.token_hex(8))

    def encode(self) -> bytes:
        """The line with its line feed."""
        form = {
            "format": FORMAT,
            "version": VERSION,
            "person": self.person,
            "companion": self.companion,
            "generation": self.generation,
            "after": self.after,
            "segment": self.segment,
        }
        return checksum.seal(codec.to_json(form)) + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Head:
        """The head in ``line``.

        Raises:
            Unreadable: it is none, or not what was written.
            StoreError: a newer version of the program wrote it.
        """
        form = codec.from_json(line)
        if form.get("format") != FORMAT:
            raise Unreadable(f"format: {FORMAT} was expected")
        check_version(form.get("version"))
        checksum.verify(line, form)
        match form:
            case {
                "person": str(person),
                "companion": str(companion),
                "generation": int(generation),
                "after": int(after),
                "segment": str(segment),
            }:
                return cls(person, companion, generation, after, segment)
        raise Unreadable("a head with person, companion, generation, after, segment was expected")


@dataclass(frozen=True, slots=True)
class Tail:
    """What was read of a journal.

    Attributes:
        head: its first line as bytes.
        lines: the changes of whole updates.
        end: the byte behind them.
        torn: what stands there still: the beginning of an update that was never finished.
    """

    head: bytes
    lines: Sequence[Line]
    end: int
    torn: bytes


def read(path: Path, head: bytes = b"", offset: int = 0, cipher: Cipher | None = None) -> Tail:
    """The lines of a journal; of one that begins with ``head`` only those from ``offset`` on.

    Raises:
        FileNotFoundError: there is no journal.
        Unreadable: a line is damaged, or lines that were read before are gone.
        StoreError: a newer version of the program wrote it.
    """
    with path.open("rb") as file:
        first = file.readline()
        if first != head:
            Head.decode(first)
            offset = len(first)
        if file.seek(0, os.SEEK_END) < offset:
            raise Unreadable("the journal is shorter than before")
        file.seek(offset)
        data = file.read()
    if not data:
        return Tail(first, (), offset, b"")
    whole = data[: data.rfind(b"\n") + 1]
    found = list(lines.decode(whole, cipher))
    ends = _ends(whole)
    while found and found[-1].more:
        found.pop()
        ends.pop()
    length = ends[-1] if ends else 0
    return Tail(first, found, offset + length, data[length:])


def _ends(data: bytes) -> list[int]:
    ends, end = [], 0
    for line in data.splitlines(keepends=True):
        end += len(line)
        ends.append(end)
    return ends
