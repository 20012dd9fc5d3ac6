"""The note beside a memory that is or was moved: which one it is, and where it is written now.

A memory in two stores is two memories as soon as both are written. So each copy carries the same
id, drawn once, and says whether it may be written. Of the copies of one id at most one is open;
while the last step is done, none is. A store checks the note under the scope's lock, before every
change and not after it.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args

from siliconfriend.errors import MemoryElsewhere
from siliconfriend.memory import checksum, codec
from siliconfriend.memory.codec import Unreadable

Standing = Literal["open", "arriving", "moved"]
"""``open``: this copy is the memory. ``arriving``: a copy that is not complete yet. ``moved``: the
memory is elsewhere, and this is what it was when it went."""


@dataclass(frozen=True, slots=True)
class MoveNote:
    """The note of one copy of a memory.

    Attributes:
        id: 32 hex digits, the same for every copy.
        standing: whether this copy may be written.
        other: the store that it comes from or went to, without a password; empty for none.
        sequence: of an arriving or moved one, the number of the last change that was verified.
        records: how many records were verified then.
        digest: SHA-256 over all of them; empty where nothing was verified yet.
    """

    id: str
    standing: Standing = "open"
    other: str = ""
    sequence: int = 0
    records: int = 0
    digest: str = ""

    @classmethod
    def new(cls) -> MoveNote:
        """The note of a memory that is moved for the first time."""
        return cls(secrets.token_hex(16))

    def arriving(self, origin: str) -> MoveNote:
        """The note of a copy of which nothing is verified."""
        return MoveNote(self.id, "arriving", origin)

    def verified(self, sequence: int, records: int, digest: str) -> MoveNote:
        """The same, with what was compared."""
        return replace(self, sequence=sequence, records=records, digest=digest)

    def moved(self, target: str) -> MoveNote:
        """The note of the copy that stays behind."""
        return replace(self, standing="moved", other=target)

    def opened(self) -> MoveNote:
        """The note of the memory itself."""
        return MoveNote(self.id)


def check_open(note: MoveNote | None, name: str, move: str) -> None:
    """Refuse to change a memory that is not here, or not all here yet.

    Args:
        note: as it stands under the lock.
        name: whose memory.
        move: the id of a move that makes the change; empty for everybody else.

    Raises:
        MemoryElsewhere: it is arriving or has moved, and this is another's change.
    """
    if note is None or note.standing == "open" or note.id == move:
        return
    raise MemoryElsewhere(f"memory_{note.standing}", name=name, other=note.other)


def encode_note(note: MoveNote) -> bytes:
    """A note as a sealed JSON object."""
    return checksum.seal(codec.to_json(asdict(note)))


def decode_note(data: bytes) -> MoveNote:
    """Decode a note.

    Raises:
        Unreadable: it is not what was written.
    """
    form = codec.from_json(data)
    checksum.verify(data, form)
    match form:
        case {
            "id": str(identifier),
            "standing": str(standing),
            "other": str(other),
            "sequence": int(sequence),
            "records": int(records),
            "digest": str(digest),
        }:
            for known in get_args(Standing):
                if standing == known:
                    return MoveNote(identifier, known, other, sequence, records, digest)
    raise Unreadable("the note of a move was expected")
