"""Decide which memories a forgetting pass archives: pure functions of traces and the policy.

The decision does not depend on how often passes run.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate

USUAL_GAP = timedelta(days=7)
"""Maximum gap between two passes at which the clock is trusted."""
FEW = 10
"""Number of memories that any pass may archive."""


def due_for_archive(
    candidates: Iterable[Candidate], now: datetime, policy: ForgettingPolicy, *, erased: int = 0
) -> list[Candidate]:
    """Select what to archive at ``now`` of all memories of one person; asking again adds nothing.

    ``erased``: number of memories the person erased, for count-based policies.
    """
    if policy.clean_up is not None:
        return policy.clean_up.due(list(candidates), now, erased)
    open_ones = [one for one in candidates if one.may_be_archived(now)]
    is_due = _are_due(open_ones, now, policy)
    return [one for one, due in zip(open_ones, is_due, strict=True) if due]


def overdue(
    due: Sequence[Candidate], last_pass: datetime | None, now: datetime, policy: ForgettingPolicy
) -> list[Candidate]:
    """Return those of ``due`` that did not become due in the ordinary course since the last pass.

    Memories already due at the last pass indicate an old import, a changed policy, a wrong clock or
    a bug. After a gap above :data:`USUAL_GAP`, or without a curve, all of ``due`` counts.
    """
    if not policy.has_curve or last_pass is None:
        return list(due)
    if not timedelta(0) <= now - last_pass <= USUAL_GAP:
        return list(due)
    return [one for one, was in zip(due, _are_due(due, last_pass, policy), strict=True) if was]


def too_many(
    due: Counter[str], alive: Counter[str], policy: ForgettingPolicy
) -> tuple[int, int] | None:
    """Return the counts of due and alive memories if suspiciously many are due, else None.

    With a curve each kind is counted separately, so that derived memories do not mask a mass
    archiving of turns. ``due`` and ``alive`` count memories by kind: overdue ones, and all that are
    not archived.
    """
    if policy.largest_share is None:
        return None
    pairs = [(due.total(), alive.total())]
    if policy.has_curve:
        pairs = [(count, alive[kind]) for kind, count in due.items()]
    return next(
        (pair for pair in pairs if pair[0] > max(FEW, policy.largest_share * pair[1])), None
    )


def _are_due(
    candidates: Sequence[Candidate], now: datetime, policy: ForgettingPolicy
) -> list[bool]:
    """Tell of each candidate whether R is below its threshold at ``now``."""
    return [
        policy.retention(one.trace, one.kind, now)
        < policy.archive_threshold(one.id, len(one.trace.recalls))
        for one in candidates
    ]
