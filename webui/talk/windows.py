"""Parts of a long talk: some lines before, after or around one, found by its id.

A number of lines from the end would slip whenever something is said or taken back in another
tab, and a line would be seen twice or never. An id is a place in time, also when its line is
gone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.errors import UsageError
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.records import PersonMemory, Turn

WINDOW = 30
"""Lines that are brought at once."""


@dataclass(frozen=True, slots=True)
class TalkWindow:
    """Lines that follow each other.

    Attributes:
        turns: oldest first.
        is_earlier, is_later: something was said before them, after them.
    """

    turns: Sequence[Turn]
    is_earlier: bool
    is_later: bool


def turns_before(memory: PersonMemory, identifier: str, most: int = WINDOW) -> TalkWindow:
    """Return the lines before one.

    Raises:
        UsageError: this is no id of a line.
    """
    turns = list(memory.turns())
    end = bisect_left(turns, _place(identifier), key=_place_of)
    return _window(turns, end - most, end)


def turns_after(memory: PersonMemory, identifier: str, most: int = WINDOW) -> TalkWindow:
    """Return the lines after one.

    Raises:
        UsageError: this is no id of a line.
    """
    turns = list(memory.turns())
    begin = bisect_right(turns, _place(identifier), key=_place_of)
    return _window(turns, begin, begin + most)


def turns_around(memory: PersonMemory, identifier: str, most: int = WINDOW) -> TalkWindow:
    """Return a line in the midst of others.

    Raises:
        UsageError: this is no id of a line, or the line is gone.
    """
    if not isinstance(memory.find(identifier), Turn):
        raise UsageError("memory_unknown", id=identifier)
    turns = list(memory.turns())
    at = bisect_left(turns, _place(identifier), key=_place_of)
    begin = max(0, min(at - most // 2, len(turns) - most))
    return _window(turns, begin, begin + most)


def _window(turns: list[Turn], begin: int, end: int) -> TalkWindow:
    begin, end = max(0, begin), min(len(turns), end)
    return TalkWindow(turns[begin:end], is_earlier=begin > 0, is_later=end < len(turns))


def _place(identifier: str) -> tuple[str, int]:
    found = parse_memory_id(identifier)
    if found is None or found.kind != "turn":
        raise UsageError("memory_unknown", id=identifier)
    return found.date, found.position


def _place_of(turn: Turn) -> tuple[str, int]:
    return turn.date, turn.position
