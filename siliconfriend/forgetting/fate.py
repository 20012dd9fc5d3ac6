"""What becomes of a memory at a moment: pure functions of its trace and the policy.

Fate has no dice. Where a policy samples, each memory's threshold comes from a hash of its
id and its number of recalls, so a pass run twice, or every night, or once after a year,
decides the same, and anyone can check why. Drawing anew at every pass would multiply the
chances and make forgetting depend on how often the job runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.clock import day_of
from siliconfriend.forgetting.candidate import Candidate, may_go
from siliconfriend.forgetting.curve import days_until, retention
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.forgetting.weakest import weakest_due

State = Literal["vivid", "faded", "archived"]

DAY_SECONDS = 86_400.0
_FARTHEST_DAYS = 3_000_000.0


@dataclass(frozen=True, slots=True)
class Prospect:
    """How a memory stands at a moment and what is ahead of it.

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


def survival_threshold(identifier: str, recalls: int) -> float:
    """A number in (0, 1), even over all ids: with fate ``sampled`` a memory goes when R < it.

    The first 52 bits of SHA-256 over ``id:recalls``, in the middle of their interval; each
    recall draws a new one, as it begins a new curve.
    """
    digest = hashlib.sha256(f"{identifier}:{recalls}".encode()).digest()
    return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2.0**52


def threshold(identifier: str, recalls: int, policy: ForgettingPolicy) -> float:
    """The R under which this memory's fate is reached."""
    if policy.fate == "sampled":
        return survival_threshold(identifier, recalls)
    return policy.archive_below


def elapsed_days(trace: Trace, now: datetime) -> float:
    """Days since the last recall, to the second; 0 for a clock set back."""
    return max((now - trace.last_recall).total_seconds(), 0.0) / DAY_SECONDS


def prospect(
    trace: Trace,
    *,
    kind: str,
    identifier: str,
    now: datetime,
    policy: ForgettingPolicy,
    zone: ZoneInfo,
    told: Sequence[datetime] = (),
) -> Prospect:
    """How one memory stands at ``now`` (aware) in the person's ``zone``.

    ``told``: when it was told, the first time with it; empty for what is told only once.
    """
    if not policy.has_curve:
        present: State = "archived" if trace.archived else "vivid"
        return Prospect(present, policy.strength(trace, told), None, None, None, None)
    unit = policy.unit_days(kind, trace.importance)
    strength = trace.strength
    kept = retention(elapsed_days(trace, now), strength, unit)
    state: State = "archived" if trace.archived else "faded" if kept < HALF else "vivid"
    dims_on = archived_on = None
    if trace.pinned and not trace.archived:
        state = "vivid"
    if not trace.pinned:
        dims_on = _day_after(trace, days_until(HALF, strength, unit), zone)
        limit = threshold(identifier, len(trace.recalls), policy)
        archived_on = _day_after(trace, days_until(limit, strength, unit), zone)
    if trace.archived:
        archived_on = day_of(trace.archived, zone)
    return Prospect(state, strength, unit, kept, dims_on, archived_on)


def _day_after(trace: Trace, days: float, zone: ZoneInfo) -> date:
    ahead = timedelta(days=min(days, _FARTHEST_DAYS))
    latest = datetime.max.replace(tzinfo=trace.last_recall.tzinfo) - timedelta(days=2)
    return day_of(min(latest - ahead, trace.last_recall) + ahead, zone)


def retentions(
    candidates: Sequence[Candidate], now: datetime, policy: ForgettingPolicy
) -> NDArray[np.float64]:
    """R of every candidate at ``now``, in their order: float64, shape (len(candidates),)."""
    last = np.array([it.trace.last_recall.timestamp() for it in candidates], dtype=np.float64)
    strength = np.array([it.trace.strength for it in candidates], dtype=np.float64)
    unit = np.array(
        [policy.unit_days(it.kind, it.trace.importance) for it in candidates], dtype=np.float64
    )
    days = np.maximum(now.timestamp() - last, 0.0) / DAY_SECONDS
    return np.asarray(np.exp(-days / (unit * strength)))


def due_for_archive(
    candidates: Iterable[Candidate], now: datetime, policy: ForgettingPolicy, *, erased: int = 0
) -> list[Candidate]:
    """Those whose fate is reached at ``now``; asking again at once gives none that was archived.

    Never: what is pinned or archived already, what was restored within a day, a turn whose
    day has no summary yet.

    Args:
        candidates: all memories of one person.
        now: aware.
        policy: what decides.
        erased: how many more the person erased, for a policy that goes by numbers.
    """
    if policy.accumulation is not None:
        return weakest_due(list(candidates), now, policy.accumulation, erased=erased)
    open_ones = [it for it in candidates if may_go(it, now)]
    if not open_ones:
        return []
    kept = retentions(open_ones, now, policy)
    limits = np.array(
        [threshold(it.id, len(it.trace.recalls), policy) for it in open_ones], dtype=np.float64
    )
    return [open_ones[index] for index in np.flatnonzero(kept < limits)]


def is_too_many(due: int, alive: int, policy: ForgettingPolicy) -> bool:
    """Whether archiving ``due`` of ``alive`` memories at once looks like a clock gone wrong.

    Ten or fewer are never too many: a week's talk may go in one pass and harm nobody.
    """
    return policy.largest_share is not None and due > max(10.0, policy.largest_share * alive)
