"""A memory as a forgetting pass sees it, and whether it may be put away at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from siliconfriend.forgetting.trace import Trace

GRACE = timedelta(days=1)
"""A memory that was brought back is left alone for this long."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory as the pass sees it.

    Attributes:
        id: its memory id.
        kind: its kind.
        trace: its state.
        summarised: what it says is kept elsewhere too (a turn's day has its summary), so
            that it may be put away.
        told: when it was told, the first time with it; empty for what is told only once.
    """

    id: str
    kind: str
    trace: Trace
    summarised: bool = True
    told: tuple[datetime, ...] = ()


def may_go(candidate: Candidate, now: datetime) -> bool:
    """Whether a pass may put it away.

    Never: what is pinned or archived already, what was restored within a day, a turn whose
    day has no summary yet.
    """
    trace = candidate.trace
    recently_restored = trace.restored is not None and now < trace.restored + GRACE
    return (
        candidate.summarised
        and not trace.pinned
        and trace.archived is None
        and not recently_restored
    )
