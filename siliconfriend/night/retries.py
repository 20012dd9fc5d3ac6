"""Which failures may pass by themselves, so that the same is worth trying again a while later.

A key that is refused, an account without credit, a damaged memory or a wrong setting stays so
until somebody mends it; trying again would only cost calls and hide it.
"""

from __future__ import annotations

from siliconfriend.errors import MemoryBusy, SiliconFriendError

_PASSING = frozenset(
    {
        *("model_busy", "model_down", "model_silent", "model_unreachable", "both_failed"),
        *("database_unreachable", "database_read_only", "database_full"),
    }
)


def may_pass(error: SiliconFriendError) -> bool:
    """True if the same may well succeed some minutes later, though nobody does anything."""
    return isinstance(error, MemoryBusy) or error.key in _PASSING
