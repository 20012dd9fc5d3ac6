"""When memories that fade alike go dim and when they are due, without looking at each of them.

They pass a threshold within a span that follows from the policy; only where the time between two
nights touches that span does a pass look at its memories, however many years there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from siliconfriend.forgetting.curve import days_until
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.trace import DAY_SECONDS

_ROUNDING = 2.0
"""Seconds that moments may be off: they are rounded, and retentions are floats."""


class Fading(NamedTuple):
    """Memories that fade alike: neither pinned nor archived, of one kind, importance and strength.

    ``first`` and ``last``: from when the first and the last of them fades, in seconds since 1970, rounded
    outwards.
    """

    kind: str
    importance: float | None
    strength: float
    first: int
    last: int


def may_change(
    fading: Sequence[Fading], since: datetime | None, now: datetime, policy: ForgettingPolicy
) -> bool:
    """True if one of the memories may be due at ``now``, or have gone dim after ``since``.

    Where it is False none is. ``since`` is the last pass, None for the first; ``policy`` has a curve.
    """
    if policy.fate != "threshold":
        return bool(fading)
    present = now.timestamp() + _ROUNDING
    before = -math.inf if since is None else since.timestamp() - _ROUNDING
    for kind, importance, strength, first, last in fading:
        unit = policy.unit_days(kind, importance)
        if first + _seconds(policy.archive_below, strength, unit) <= present:
            return True
        dim = _seconds(HALF, strength, unit)
        if first + dim <= present and last + dim >= before:
            return True
    return False


def _seconds(share: float, strength: float, unit_days: float) -> float:
    return days_until(share, strength, unit_days) * DAY_SECONDS
