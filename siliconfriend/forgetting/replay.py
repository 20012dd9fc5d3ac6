"""The life of a memory as a curve: its retention at any moment, past or ahead.

Nothing stores a retention, so the curve is replayed from the log of recalls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.fate import elapsed_days
from siliconfriend.forgetting.trace import Trace


def trace_at(trace: Trace, moment: datetime) -> Trace:
    """The trace as it was at an aware ``moment``, without what came later."""
    return replace(
        trace,
        recalls=tuple(it for it in trace.recalls if it <= moment),
        restored=trace.restored if trace.restored and trace.restored <= moment else None,
    )


def retention_at(trace: Trace, moment: datetime, unit_days: float) -> float:
    """R at ``moment``, from 1 to 0; a recall that was yet to come is not counted."""
    then = trace_at(trace, moment)
    return retention(elapsed_days(then, moment), then.strength, unit_days)


def replay(
    trace: Trace, until: datetime, unit_days: float, *, points: int = 120
) -> Sequence[tuple[datetime, float]]:
    """Moments from the creation to ``until`` with R at each; just before and at every recall too.

    Args:
        trace: the memory's state.
        until: aware; before the creation there is nothing.
        unit_days: days of one unit of t.
        points: how many evenly spaced moments.
    """
    span = until - trace.created
    if span < timedelta(0):
        return []
    moments = {trace.created + span * step / points for step in range(points + 1)}
    for jump in (*trace.recalls, *([trace.restored] if trace.restored else [])):
        if trace.created < jump <= until:
            moments |= {jump - timedelta(microseconds=1), jump}
    return [(it, retention_at(trace, it, unit_days)) for it in sorted(moments)]
