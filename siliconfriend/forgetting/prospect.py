"""Compute a memory's state at a moment, its future, and its past as a curve, from the log of recalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.forgetting.archiving import archive_threshold
from siliconfriend.forgetting.curve import days_until, retention
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.trace import Trace

State = Literal["vivid", "faded", "archived"]

_FARTHEST_DAYS = 3_000_000.0


@dataclass(frozen=True, slots=True)
class Prospect:
    """The state of a memory at a moment, and its future.

    Attributes:
        state: ``vivid``, ``faded`` (R below one half) or ``archived``.
        strength: S.
        unit_days: days of one unit of t; None where the policy has no curve.
        retention: R, from 1 to 0; None where the policy has no curve.
        dims_on: the person's day on which R passes one half; None when pinned or without
            a curve.
        archived_on: the day its fate is reached, or was; None when pinned or without a curve.
    """

    state: State
    strength: float
    unit_days: float | None
    retention: float | None
    dims_on: date | None
    archived_on: date | None


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
    """Work out how one memory stands at ``now`` (aware) in the person's ``zone``.

    ``mentions``: when it was mentioned, the first time included; empty for what is mentioned
    only once.
    """
    if not policy.has_curve:
        present: State = "archived" if trace.archived else "vivid"
        return Prospect(present, policy.strength(trace, mentions), None, None, None, None)
    unit = policy.unit_days(kind, trace.importance)
    strength = trace.strength
    kept = retention(trace.days_fading(now), strength, unit)
    state: State = "archived" if trace.archived else "faded" if kept < HALF else "vivid"
    dims_on = archived_on = None
    if trace.pinned and not trace.archived:
        state = "vivid"
    if not trace.pinned:
        dims_on = _day_after(trace, days_until(HALF, strength, unit), zone)
        limit = archive_threshold(identifier, len(trace.recalls), policy)
        archived_on = _day_after(trace, days_until(limit, strength, unit), zone)
    if trace.archived:
        archived_on = day_of(trace.archived, zone)
    return Prospect(state, strength, unit, kept, dims_on, archived_on)


def _day_after(trace: Trace, days: float, zone: ZoneInfo) -> date:
    ahead = timedelta(days=min(days, _FARTHEST_DAYS))
    latest = datetime.max.replace(tzinfo=trace.fades_from.tzinfo) - timedelta(days=2)
    return day_of(min(latest - ahead, trace.fades_from) + ahead, zone)


def replay(
    trace: Trace, until: datetime, unit_days: float, *, points: int = 120
) -> Sequence[tuple[datetime, float]]:
    """Moments from its beginning here to ``until`` with R at each, in order; none before it.

    Each recall and restoring until then is among them, and the moment before it, so that the jump is
    drawn upright, beside so many evenly spaced ``points``.
    """
    span = until - trace.begun
    if span < timedelta(0):
        return []
    moments = {trace.begun + span * step / points for step in range(points + 1)}
    for jump in (*trace.recalls, *([trace.restored] if trace.restored else [])):
        if trace.begun < jump <= until:
            moments |= {max(jump - timedelta(microseconds=1), trace.begun), jump}
    past = ((moment, trace.at(moment)) for moment in sorted(moments))
    return [(at, retention(it.days_fading(at), it.strength, unit_days)) for at, it in past]
