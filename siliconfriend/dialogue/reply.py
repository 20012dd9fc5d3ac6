"""What a reply was: its words and everything one may ask about it afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from siliconfriend.memory.records import Turn, Used
from siliconfriend.recall.results import RecallResult


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that has ended.

    Attributes:
        text: the words of the companion.
        turn: the turn as it was stored, None off the record.
        recollection: what was recalled, best first.
        used: the memories that entered the prompt, or that an offline reply quotes.
        dropped: ids of memories that were recalled and left out for want of room.
        replied_by: the model, or ``offline``.
        interrupted: it was cut off and holds what was said so far.
    """

    text: str
    turn: Turn | None
    recollection: RecallResult
    used: tuple[Used, ...] = ()
    dropped: tuple[str, ...] = ()
    replied_by: str = ""
    interrupted: bool = False
