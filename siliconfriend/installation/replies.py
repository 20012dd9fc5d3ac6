"""One reply at a time in a talk, whichever process makes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass

from siliconfriend.errors import UnknownPerson
from siliconfriend.installation.leases import Lease, Leases, OnEnd
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.scope import Scope

TTL = 10.0
"""Seconds after which a reply whose process died no longer keeps others waiting."""


@dataclass(frozen=True, slots=True)
class TalkState:
    """The state of a talk as all processes see it.

    Attributes:
        sequence: number of the memory's newest change.
        is_answered: a process makes a reply in it.
    """

    sequence: int
    is_answered: bool


class Replies:
    """The right to make a reply, and the state of talks; safe between threads.

    Args:
        leases: of the installation.
        sequence: returns the number of a memory's newest change.
    """

    def __init__(self, leases: Leases, sequence: Callable[[Scope], int]) -> None:
        self._leases, self._sequence = leases, sequence

    @property
    def are_several(self) -> bool:
        """True if processes on other machines may write what is shown here."""
        return self._leases.tables.is_shared

    def turn(self, scope: Scope, on_end: OnEnd) -> Lease:
        """Return the right to make a reply in a talk, not taken yet.

        Args:
            scope: whose talk.
            on_end: called once from another thread, when the reply must end: somebody stopped it
                at another process, or the right to it was lost.
        """
        return self._leases.lease(_name(scope), ttl=TTL, on_end=on_end)

    def stop(self, scope: Scope) -> None:
        """End the reply that another process makes, within two seconds."""
        self._leases.stop(_name(scope))

    def states(self, scopes: Collection[Scope]) -> Mapping[Scope, TalkState]:
        """Return the state of some talks; one that has not begun is left out."""
        held = self._leases.held([_name(scope) for scope in scopes])
        found: dict[Scope, TalkState] = {}
        for scope in scopes:
            with suppress(UnknownPerson):
                found[scope] = TalkState(self._sequence(scope), _name(scope) in held)
        return found


def _name(scope: Scope) -> str:
    return f"reply/{scope_key(scope)}"
