"""A reply without the name that a model puts before it.

Memories stand in a prompt as "Ada: I moved.", and a small model goes on in that form, even
in the other's name. Kept, the label would be shown as part of the words, and remembered.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing


def without_speaker(pieces: Iterable[str], names: Iterable[str]) -> Generator[str, None, None]:
    """Pass the pieces on without a name and colon at their beginning.

    Only as much is held back as may still become one of the names. A reply that is nothing
    but a name and a colon stays as it is.

    Args:
        pieces: as the model gives them; closed with the result.
        names: of those who speak.
    """
    names = [name for name in names if name]
    label = re.compile(rf"\s*(?:{'|'.join(map(re.escape, names))})\s*[:：]\s*")
    with closing(_generator(pieces)) as stream:
        begun = _read_while_open(stream, names)
        found = label.match(begun) if names else None
        while found and found.end() == len(begun) and (piece := next(stream, "")):
            begun += piece
            found = label.match(begun)
        if begun:
            yield (begun[found.end() :] if found else begun) or begun
        yield from stream


def _generator(pieces: Iterable[str]) -> Generator[str, None, None]:
    """The pieces as a generator, which closes what gives them when it is closed."""
    yield from pieces


def _read_while_open(pieces: Iterator[str], names: Iterable[str]) -> str:
    """Read pieces until what they begin with is one of the names and more, or is none."""
    begun = ""
    for piece in pieces:
        begun += piece
        words = begun.strip()
        if words and not any(name.startswith(words) for name in names):
            break
    return begun
