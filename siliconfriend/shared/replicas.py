"""Coordinate the processes of the page that serve the same talk.

A person's talk is answered by the process that took the message, and may be open at another
one. Two replies to one person must not be said at once, or each would be made without the
other's words; and what is said at one process must be seen at the next.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from siliconfriend.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class TalkState:
    """The state of a talk as all processes see it.

    Attributes:
        sequence: number of the memory's newest change.
        is_answered: a process says a reply in it.
    """

    sequence: int
    is_answered: bool


class ReplyTurn(Protocol):
    """The right to say one reply; at most one process has it for a talk."""

    def take(self) -> bool:
        """Take it, or take it again; False while another reply is said."""
        ...

    def give_back(self) -> None:
        """Let the next reply begin; nothing where it was not taken or is lost."""
        ...


class Replicas(Protocol):
    """Ties the processes of the page together; safe between threads."""

    @property
    def are_several(self) -> bool:
        """True if another process may write what is shown here."""
        ...

    def turn(self, scope: Scope, on_end: OnEnd) -> ReplyTurn:
        """Return the right to say a reply in a talk, not taken yet.

        Args:
            scope: whose talk.
            on_end: called once from another thread, when the reply must end: somebody stopped it
                at another process, or the right to it was lost.
        """
        ...

    def stop(self, scope: Scope) -> None:
        """End the reply that another process says."""
        ...

    def states(self, scopes: Collection[Scope]) -> Mapping[Scope, TalkState]:
        """Return what stands of some talks; a talk that has not begun is left out."""
        ...

    def close(self) -> None:
        """End what runs in the background."""
        ...


class OnEnd(Protocol):
    """Ends a reply: ``was_lost`` where another process may say one by now."""

    def __call__(self, *, was_lost: bool) -> None:
        """End the reply."""
        ...


class OneProcess:
    """The page in one process: its own order of replies is all there is."""

    are_several = False

    def turn(self, scope: Scope, on_end: OnEnd) -> ReplyTurn:
        """Return a right that is always given."""
        return _Given()

    def stop(self, scope: Scope) -> None:
        """No other process says anything."""

    def states(self, scopes: Collection[Scope]) -> Mapping[Scope, TalkState]:
        """Nothing that this process does not know."""
        return {}

    def close(self) -> None:
        """Nothing runs."""


class _Given:
    def take(self) -> bool:
        return True

    def give_back(self) -> None:
        pass
