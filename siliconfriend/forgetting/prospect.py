"""Compute the state, the future and the past curve of a memory from its log of recalls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.forgetting.curve import days_until, retention
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.trace import Trace

State = Literal["vivid", "faded", "archived", "forgotten"]
"""``forgotten``: put away by the person."""

STATES: tuple[State, ...] = get_args(State)

_FARTHEST_DAYS = 3_000_000.0


@dataclass(frozen=True, slots=True)
class Prospect:
    """The state of a memory at a moment, and its future; S alone where the policy has no curve.

    Attributes:
        unit_days: days of one unit of t.
        dims_on: the person's day on which R passes one half; None when pinned.
        archived_on: the day its fate is reached, or was; None when pinned.
    """

    state: State
    strength: float
    unit_days: float | None = None
    retention: float | None = None
    dims_on: date | None = None
    archived_on: date | None = None


def prospect(
    trace: Trace,
    *,
    kind: str,
    identifier: str,
    now: datetime,
    policy: ForgettingPolicy,
    zone: ZoneInfo,
    mentions: Sequence[datetime] = (),
) -> Prospect:
    """Compute the state of one memory at ``now`` (aware) and its future in the person's ``zone``."""
    strength = policy.strength(trace, mentions)
    gone: State | None = "forgotten" if trace.forgotten else "archived" if trace.archived else None
    if not policy.has_curve:
        return Prospect(gone or "vivid", strength)
    unit, retained = policy.unit_days(kind, trace.importance), policy.retention(trace, kind, now)
    state: State = "faded" if retained < HALF and not trace.pinned else "vivid"
    dims_on = archived_on = None
    if not trace.pinned:
        dims_on = _day_after(trace, days_until(HALF, strength, unit), zone)
        limit = policy.archive_threshold(identifier, len(trace.recalls))
        archived_on = _day_after(trace, days_until(limit, strength, unit), zone)
    if trace.archived:
        archived_on = day_of(trace.archived, zone)
    return Prospect(gone or state, strength, unit, retained, dims_on, archived_on)


def _day_after(trace: Trace, days: float, zone: ZoneInfo) -> date:
    ahead = timedelta(days=min(days, _FARTHEST_DAYS))
    latest = datetime.max.replace(tzinfo=trace.fades_from.tzinfo) - timedelta(days=2)
    return day_of(min(latest - ahead, trace.fades_from) + ahead, zone)


def replay(
    trace: Trace, until: datetime, unit_days: float, *, points: int = 120
) -> Sequence[tuple[datetime, float]]:
    """Compute R at moments from the beginning of a memory to ``until``, in order; none before it.

    Each recall and restoring is among them, with the moment before it, so that the jump is drawn
    upright, beside ``points`` evenly spaced ones.
    """
    span = until - trace.begun
    if span < timedelta(0):
        return []
    moments = {trace.begun + span * step / points for step in range(points + 1)}
    for jump in (*trace.recalls, *([trace.restored] if trace.restored else [])):
        if trace.begun < jump <= until:
            moments |= {max(jump - timedelta(microseconds=1), trace.begun), jump}
    past = ((moment, trace.at(moment)) for moment in sorted(moments))
    return [(at, retention(trace.days_fading(at), trace.strength, unit_days)) for at, trace in past]
