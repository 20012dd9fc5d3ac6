"""Count-based clean-up of the dynamic memory of a virtual human: a policy without a curve.

A memory grows when it is mentioned or recalled. Each time the sum of all strength passes a multiple
of 20,000, a fifth of the memories of that moment is archived. The log of touches alone determines how
many, so repeated runs change nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import DAY_SECONDS, Candidate, Trace

STEPS = ((1.0, 1.0), (3.0, 3.0), (7.0, 7.0), (30.0, 30.0), (183.0, 100.0))
"""(days, growth): growth by a mention within so many days of the last touch."""
RECALL_GROWTH = 15.0
"""Strength that a recall or a restoring adds."""
MONTH_DAYS = 30.0


class Touch(NamedTuple):
    """A moment at which a memory grew, and by how much; the first is its creation."""

    moment: datetime
    gain: float


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The clean-up of the dynamic memory (``docs/sources.md``, part 8).

    At each ``every_sum`` of strength, ``share`` of a person's memories is archived, the weakest
    first; also for each month without a message after ``inactive_days``, down to ``minimum``.
    """

    every_sum: float = 20_000.0
    share: float = 0.2
    minimum: int = 1000
    inactive_days: float = 90.0

    def touches(self, trace: Trace, mentions: Sequence[datetime] = ()) -> list[Touch]:
        """Return all touches of a memory with its mentions, oldest first."""
        begun = min((trace.created, *mentions))
        found = [Touch(begun, trace.first_strength)]
        if not (mentions or trace.recalls or trace.restored):
            return found
        recalls = [*trace.recalls, *([trace.restored] if trace.restored else [])]
        again = [(mention, False) for mention in sorted(mentions)[1:]]
        for moment, is_recall in sorted((*again, *((recall, True) for recall in recalls))):
            gap = (moment - found[-1].moment).total_seconds() / DAY_SECONDS
            found.append(Touch(moment, RECALL_GROWTH if is_recall else growth(gap)))
        return found

    def strength(self, trace: Trace, mentions: Sequence[datetime] = ()) -> float:
        """Return the sum of its :meth:`touches`; a restored memory starts again from 1."""
        touches = self.touches(trace, mentions)
        if trace.restored is None:
            return sum(touch.gain for touch in touches)
        return 1.0 + sum(touch.gain for touch in touches if touch.moment >= trace.restored)

    def due(self, candidates: Sequence[Candidate], now: datetime, erased: int) -> list[Candidate]:
        """Select the memories to archive at ``now``, the weakest first."""
        left = erased + sum(
            not one.trace.is_active or one.trace.restored is not None for one in candidates
        )
        should_have_left, last_time = _clean_ups(candidates, now.timestamp(), self)
        missing = should_have_left - left
        alive = sum(one.trace.is_active for one in candidates)
        excess = alive - _kept_in_absence(candidates, now, self)
        if max(missing, excess) <= 0:
            return []
        going = [one for one in candidates if one.may_be_archived(now)]
        going.sort(key=lambda one: _rank(one, self))
        was_there = [one.id for one in going if one.trace.created.timestamp() <= last_time]
        leaving = set(was_there[: max(missing, 0)])
        for candidate in going:
            if len(leaving) >= excess:
                break
            leaving.add(candidate.id)
        return [one for one in going if one.id in leaving]

    def shown(self) -> dict[str, str]:
        """Return the numbers for the description of the policy."""
        return {
            "steps": ", ".join(f"+{gain:g} ({days:g})" for days, gain in STEPS),
            "recall": f"{RECALL_GROWTH:g}",
            "sum": f"{self.every_sum:,.0f}",
            "share": f"{self.share:.0%}",
        }


def growth(days: float) -> float:
    """Return the strength that a mention ``days`` after the last touch adds."""
    return next((gain for within, gain in STEPS if days <= within), STEPS[-1][1])


def _rank(candidate: Candidate, rules: Accumulation) -> tuple[float, bool, datetime, str]:
    """Sort key, the weakest first; then turns first, then the least recently touched."""
    trace = candidate.trace
    strength = rules.strength(trace, candidate.mentions)
    return strength, candidate.kind != "turn", trace.fades_from, candidate.id


def _clean_ups(
    candidates: Sequence[Candidate], until: float, rules: Accumulation
) -> tuple[int, float]:
    """Count the memories that should have left by ``until``; return the moment of the last clean-up.

    Moments are in seconds since 1970; minus infinity for no clean-up. Mentions before a memory was
    created count at its creation.
    """
    begun = np.array([one.trace.created.timestamp() for one in candidates], dtype=np.float64)
    touches = [rules.touches(one.trace, one.mentions) for one in candidates]
    moments = np.array(
        [touch.moment.timestamp() for log in touches for touch in log], dtype=np.float64
    )
    gains = np.array([touch.gain for log in touches for touch in log], dtype=np.float64)
    moments = np.maximum(moments, np.repeat(begun, [len(log) for log in touches]))
    counted = moments <= until
    order = np.argsort(moments[counted], kind="stable")
    sums: NDArray[np.float64] = np.cumsum(gains[counted][order])
    if not len(sums) or sums[-1] < rules.every_sum:
        return 0, -math.inf
    multiples = rules.every_sum * np.arange(1, math.floor(sums[-1] / rules.every_sum) + 1)
    passed = moments[counted][order][np.searchsorted(sums, multiples, side="left")]
    left = 0
    for there in np.searchsorted(np.sort(begun), passed, side="right"):
        left += math.floor(rules.share * (int(there) - left))
    return left, float(passed[-1])


def _kept_in_absence(candidates: Sequence[Candidate], now: datetime, rules: Accumulation) -> int:
    """Count the memories kept for an inactive person; all for an active one."""
    last = max((one.trace.begun for one in candidates if one.kind == "turn"), default=now)
    away = (now - last).total_seconds() / DAY_SECONDS - rules.inactive_days
    if away < 0:
        return len(candidates)
    months = 1 + math.floor(away / MONTH_DAYS)
    return max(rules.minimum, math.ceil(len(candidates) * (1 - rules.share) ** months))


POLICY = ForgettingPolicy(
    name="accumulated", fate="weakest", clean_up=Accumulation(), largest_share=1 / 3
)
"""Policy without a curve: repeated and recalled memories grow, the weakest are archived."""
