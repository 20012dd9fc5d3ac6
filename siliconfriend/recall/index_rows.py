"""Rows of an index file: how they are written, encrypted or not, and when spare ones are dropped."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from siliconfriend.memory.encryption import Cipher


@dataclass(frozen=True, slots=True)
class RowCode:
    """Writes and reads what a row holds.

    Attributes:
        cipher: of the person; None writes as it is.
    """

    cipher: Cipher | None

    @property
    def stamp(self) -> str:
        """What tells files of different keys apart; empty without one."""
        return "" if self.cipher is None else f"-{self.cipher.digest('index')[:16]}"

    def name(self, digest: str) -> str:
        """The name of a row."""
        return digest if self.cipher is None else self.cipher.digest(digest)

    def names(self, digests: Collection[str]) -> Collection[str]:
        """The names of rows, each once where the digests are."""
        return digests if self.cipher is None else {*map(self.cipher.digest, digests)}

    def write(self, text: str) -> str | bytes:
        """A text for its column."""
        return text if self.cipher is None else self.cipher.encrypt(text.encode())

    def read(self, kept: str | bytes) -> str:
        """The text of a column.

        Raises:
            ValueError: it is not what was written with this key.
        """
        if self.cipher is None or isinstance(kept, str):
            return str(kept)
        return self.cipher.decrypt(kept).decode()

    def seal(self, data: bytes) -> bytes:
        """Bytes for their column."""
        return data if self.cipher is None else self.cipher.encrypt(data)

    def open(self, kept: bytes) -> bytes:
        """The bytes of a column.

        Raises:
            ValueError: they are not what was written with this key.
        """
        return kept if self.cipher is None else self.cipher.decrypt(kept)


MOST_SPARE = 1 / 64
"""Share of rows that nothing stands for any more, up to which they are let be: to look for the
rows of one day, a night would go through those of ten years."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of a table are counted, listed by their key and deleted."""

    count: str
    listing: str
    deleting: str


ENTRIES = Rows(
    "SELECT count(*) FROM entry", "SELECT digest FROM entry", "DELETE FROM entry WHERE digest = ?"
)
SPOKEN = Rows(
    "SELECT count(*) FROM spoken", "SELECT key FROM spoken", "DELETE FROM spoken WHERE key = ?"
)


def drop_spare(
    base: sqlite3.Connection, rows: Rows, wanted: Collection[str], beside: Collection[str] = ()
) -> None:
    """Delete the rows whose key is in neither of both, if they are many; their bytes are overwritten."""
    beside = {it for it in beside if it not in wanted}
    ((count,),) = base.execute(rows.count)
    if count - len(wanted) - len(beside) <= MOST_SPARE * len(wanted):
        return
    held = [key for (key,) in base.execute(rows.listing)]
    gone = [(key,) for key in held if key not in wanted and key not in beside]
    base.executemany(rows.deleting, gone)
