"""Which memories are the weakest that leave, where strength adds up.

Nothing notes that a clean-up was done. How many memories should have left by now follows
from the log of touches alone: strength that was gained is never lost again, so the sum over
all touches passes each multiple of 20,000 at one moment and never twice. A fifth of what was
there at each of these moments should have left. So the pass puts away no more than what is
missing to that number, and run again it finds nothing missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.accumulation import DAY_SECONDS, Accumulation, Touch
from siliconfriend.forgetting.candidate import Candidate, may_go

MONTH_DAYS = 30.0


def weakest_due(
    candidates: Sequence[Candidate], now: datetime, rules: Accumulation, *, erased: int = 0
) -> list[Candidate]:
    """Those that leave at ``now``, the weakest first; asking again at once gives none.

    Args:
        candidates: all memories of one person, with what is archived.
        now: aware.
        rules: the numbers.
        erased: how many more the person erased; they left too, and nothing takes their place.
    """
    touches = [rules.touches(it.trace, it.told) for it in candidates]
    left = erased + sum(
        it.trace.archived is not None or it.trace.restored is not None for it in candidates
    )
    missing = _should_have_left(touches, _looked_at(now, rules), rules) - left
    alive = sum(it.trace.archived is None for it in candidates)
    missing = max(missing, alive - _kept_in_absence(candidates, now, rules))
    if missing <= 0:
        return []
    going = [
        (rules.strength(it.trace, it.told), it.kind != "turn", it.trace.last_recall, it.id, it)
        for it in candidates
        if may_go(it, now)
    ]
    return [it[-1] for it in sorted(going, key=lambda it: it[:-1])[:missing]]


def _should_have_left(touches: Sequence[Sequence[Touch]], until: float, rules: Accumulation) -> int:
    """A share of what was there at each multiple of the sum that was passed up to ``until``."""
    moments = np.array([it.moment.timestamp() for log in touches for it in log], dtype=np.float64)
    gains = np.array([it.gain for log in touches for it in log], dtype=np.float64)
    begun = np.sort(np.array([log[0].moment.timestamp() for log in touches], dtype=np.float64))
    counted = moments <= until
    order = np.argsort(moments[counted], kind="stable")
    sums: NDArray[np.float64] = np.cumsum(gains[counted][order])
    if not len(sums):
        return 0
    multiples = rules.every_sum * np.arange(1, math.floor(sums[-1] / rules.every_sum) + 1)
    passed = moments[counted][order][np.searchsorted(sums, multiples, side="left")]
    left = 0
    for there in np.searchsorted(begun, passed, side="right"):
        left += math.floor(rules.share * (int(there) - left))
    return left


def _looked_at(now: datetime, rules: Accumulation) -> float:
    """Up to which moment (seconds since 1970) what was passed counts."""
    if rules.every_days == 1:
        return now.timestamp()
    period = rules.every_days * DAY_SECONDS
    return now.timestamp() // period * period


def _kept_in_absence(candidates: Sequence[Candidate], now: datetime, rules: Accumulation) -> int:
    """How many memories someone keeps who said nothing for long; all where they are active."""
    last = max((it.trace.created for it in candidates if it.kind == "turn"), default=now)
    away = (now - last).total_seconds() / DAY_SECONDS - rules.inactive_days
    if away < 0:
        return len(candidates)
    months = 1 + math.floor(away / MONTH_DAYS)
    return max(rules.minimum, math.ceil(len(candidates) * (1 - rules.share) ** months))
