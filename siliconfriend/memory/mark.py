"""How far a memory has come, kept beside its journal.

A journal that lost its end at a line's end looks like one that was never longer. The number
of the last change that was told durable therefore stands in a file of its own, and what the
journal lacks of it is known to be lost. It is written after the change is durable and not
flushed itself: after a power cut it may be behind, never ahead. One that cannot be read
counts as none.
"""

from __future__ import annotations

import os
from pathlib import Path

from siliconfriend.memory import atomic, checksum, codec
from siliconfriend.memory.codec import Unreadable

_WRITE = os.O_WRONLY | getattr(os, "O_BINARY", 0)
"""Windows would write another byte for the end of a line where it is not told to leave it."""


def begin(path: Path, sequence: int) -> None:
    """Write a mark where there may be none; durable on return."""
    atomic.write_whole(path, encode(sequence))


def advance(path: Path, sequence: int) -> None:
    """Write over a mark; where there is none, or it cannot be written, nothing."""
    try:
        descriptor = os.open(path, _WRITE)
    except OSError:
        return
    try:
        os.write(descriptor, encode(sequence))
    except OSError:
        pass  # the change is durable: a mark that is behind costs nothing
    finally:
        os.close(descriptor)


def read(path: Path) -> int | None:
    """The number of the last change that was told durable; None where nobody knows."""
    try:
        data = path.read_bytes()
        form = codec.from_json(data)
        is_sealed = checksum.verify(data, form)
    except (OSError, Unreadable):
        return None
    sequence = form.get("seq")
    return sequence if is_sealed and isinstance(sequence, int) else None


def encode(sequence: int) -> bytes:
    """The bytes of a mark."""
    # Always of the same length, so that it is written over in place.
    return checksum.seal(b'{"seq":%20d}' % sequence)
