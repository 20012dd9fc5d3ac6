"""The answers that the last message of a talk has got, so that they can be compared.

They are kept in no file: what a person did not choose is gone with the next message, with this
program, and with whatever is erased meanwhile, since an answer may quote it.
"""

from __future__ import annotations

from siliconfriend.memory.records import PersonMemory, Turn

MOST_VERSIONS = 12
"""Answers to one message that can be looked at; the oldest go first."""


class AnswerVersions:
    """One turn as it was before and after each time that it was answered again.

    Attributes:
        erased: the ids that were erased when these answers were given.
    """

    def __init__(self) -> None:
        self.erased: frozenset[str] = frozenset()
        self._turns: tuple[Turn, ...] = ()

    def note(self, before: Turn, after: Turn, erased: frozenset[str]) -> None:
        """Note that a turn was answered again: as it stood before, and as it stands now."""
        if erased != self.erased or _place(self._turns, before) is None:
            self._turns, self.erased = (before,), erased
        if _place(self._turns, after) is None:
            self._turns = (*self._turns, after)[-MOST_VERSIONS:]

    def of(self, memory: PersonMemory | None, identifier: str) -> tuple[tuple[Turn, ...], int]:
        """Return the versions of a turn, oldest first, and the place of the one that stands.

        There are none where it was answered once, where its words were corrected since, and
        where something was erased meanwhile.
        """
        stands = memory.find(identifier) if memory is not None else None
        if memory is None or memory.erased != self.erased or not isinstance(stands, Turn):
            return (), 0
        place = _place(self._turns, stands)
        return ((), 0) if place is None else (self._turns, place)

    def clear(self) -> None:
        """Let go of them all."""
        self._turns = ()


def _place(turns: tuple[Turn, ...], turn: Turn) -> int | None:
    """Return where a turn with the same words stands among others; None where none does."""
    said = (turn.id, turn.query, turn.response)
    return next((at for at, it in enumerate(turns) if (it.id, it.query, it.response) == said), None)
