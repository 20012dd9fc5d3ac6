"""What bringing an index in step came to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a rebuild of an index did.

    Attributes:
        documents: how many memories can be found now, archived ones not counted.
        embedded: how many texts had to be embedded.
        removed: how many rows left.
    """

    documents: int
    embedded: int
    removed: int


class TooManyTexts(Exception):
    """More texts would have to be embedded than there is time for.

    Attributes:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count
