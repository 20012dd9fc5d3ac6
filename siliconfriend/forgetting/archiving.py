"""Which memories a forgetting pass archives: pure functions of traces and the policy.

Fate has no dice. Where a policy samples, each memory's threshold comes from a hash of its
id and its number of recalls, so a pass run twice, or every night, or once after a year,
decides the same, and anyone can check why. Drawing anew at every pass would multiply the
chances and make forgetting depend on how often the job runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.accumulation import weakest_due
from siliconfriend.forgetting.curve import retentions
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate


def due_for_archive(
    candidates: Iterable[Candidate], now: datetime, policy: ForgettingPolicy, *, erased: int = 0
) -> list[Candidate]:
    """Select what to archive at ``now``; asking again at once selects nothing more.

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
    open_ones = [it for it in candidates if it.may_be_archived(now)]
    if not open_ones:
        return []
    kept = retentions_at(open_ones, now, policy)
    limits = np.array(
        [archive_threshold(it.id, len(it.trace.recalls), policy) for it in open_ones],
        dtype=np.float64,
    )
    return [open_ones[index] for index in np.flatnonzero(kept < limits)]


def is_too_many(due: int, alive: int, policy: ForgettingPolicy) -> bool:
    """Whether archiving ``due`` of ``alive`` memories at once looks like a clock gone wrong.

    Ten or fewer are never too many: a week's talk may go in one pass and harm nobody.
    """
    return policy.largest_share is not None and due > max(10.0, policy.largest_share * alive)


def survival_threshold(identifier: str, recalls: int) -> float:
    """A number in (0, 1), even over all ids: with fate ``sampled`` a memory goes when R < it.

    The first 52 bits of SHA-256 over ``id:recalls``, in the middle of their interval; each
    recall draws a new one, as it begins a new curve.
    """
    digest = hashlib.sha256(f"{identifier}:{recalls}".encode()).digest()
    return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2.0**52


def archive_threshold(identifier: str, recalls: int, policy: ForgettingPolicy) -> float:
    """The R under which this memory is archived."""
    if policy.fate == "sampled":
        return survival_threshold(identifier, recalls)
    return policy.archive_below


def retentions_at(
    candidates: Sequence[Candidate], now: datetime, policy: ForgettingPolicy
) -> NDArray[np.float64]:
    """R of every candidate at ``now``, in their order: float64, shape (len(candidates),)."""
    days = np.array([it.trace.days_since_recall(now) for it in candidates], dtype=np.float64)
    strengths = np.array([it.trace.strength for it in candidates], dtype=np.float64)
    units = np.array(
        [policy.unit_days(it.kind, it.trace.importance) for it in candidates], dtype=np.float64
    )
    return retentions(days, strengths, units)
