"""How the rows of an index's cache are written: as they are, or encrypted with a person's key.

Texts are known by a digest, and the digest of a short text can be guessed: where there is a
key, rows are named by it too.
"""

from __future__ import annotations

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
