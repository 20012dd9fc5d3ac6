"""One reply at a time in a talk, whichever process makes it."""

from __future__ import annotations

from dataclasses import dataclass

from siliconfriend.installation.leases import Lease, Leases, OnEnd
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

TTL = 10.0
"""Seconds after which a reply whose process died no longer keeps others waiting."""


@dataclass(frozen=True, slots=True)
class TalkState:
    """The state of a talk as all processes see it."""

    sequence: int
    is_answered: bool


class Replies:
    """The right to make a reply, and the state of talks; safe between threads."""

    def __init__(self, leases: Leases, store: MemoryStore | None) -> None:
        self._leases, self._store = leases, store

    @property
    def are_several(self) -> bool:
        """True if processes on other machines may write what is shown here."""
        return self._leases.tables.is_shared

    def turn(self, scope: Scope, on_end: OnEnd) -> Lease:
        """Return the right to make a reply in a talk, not taken yet.

        ``on_end``: called once from another thread, when the reply must end: somebody stopped it
        at another process, or the right to it was lost.
        """
        return self._leases.lease(_name(scope), ttl=TTL, on_end=on_end)

    def stop(self, scope: Scope) -> None:
        """End the reply that another process makes, within two seconds."""
        self._leases.stop(_name(scope))

    def state(self, scope: Scope) -> TalkState | None:
        """Return the state of a talk; None for one that has not begun."""
        if self._store is None or not self._store.exists(scope):
            return None
        is_answered = self._leases.is_held(_name(scope))
        return TalkState(self._store.load(scope).sequence, is_answered)


def _name(scope: Scope) -> str:
    return f"reply/{scope_key(scope)}"
