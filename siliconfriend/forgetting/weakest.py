"""Which memories are the weakest that leave, where strength adds up.

Nothing notes that a clean-up was done. How many memories should have left by now follows
from the log of touches alone: strength that was gained is never lost again, so the sum over
all touches passes each multiple of 20,000 at one moment and never twice. A fifth of what was
there at each of these moments should have left. So the pass puts away no more than what is
missing to that number, and run again it finds nothing missing. What was not there yet, a
summary made tonight among it, has nothing to do with it and stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.accumulation import DAY_SECONDS, Accumulation
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
    left = erased + sum(
        it.trace.archived is not None or it.trace.restored is not None for it in candidates
    )
    should_have_left, last_time = _clean_ups(candidates, _looked_at(now, rules), rules)
    missing = should_have_left - left
    alive = sum(it.trace.archived is None for it in candidates)
    too_many = alive - _kept_in_absence(candidates, now, rules)
    if max(missing, too_many) <= 0:
        return []
    going = sorted((it for it in candidates if may_go(it, now)), key=lambda it: _rank(it, rules))
    was_there = [it.id for it in going if it.trace.created.timestamp() <= last_time]
    leaving = set(was_there[: max(missing, 0)])
    for it in going:
        if len(leaving) >= too_many:
            break
        leaving.add(it.id)
    return [it for it in going if it.id in leaving]


def _rank(candidate: Candidate, rules: Accumulation) -> tuple[float, bool, datetime, str]:
    """The weakest first; among equals turns, then what was not touched for longest."""
    trace = candidate.trace
    strength = rules.strength(trace, candidate.told)
    return strength, candidate.kind != "turn", trace.last_recall, candidate.id


def _clean_ups(
    candidates: Sequence[Candidate], until: float, rules: Accumulation
) -> tuple[int, float]:
    """How many should have left at the multiples of the sum passed up to ``until``, and when last.

    Moments are in seconds since 1970; where there was no such multiple, minus infinity. What
    was told before the night made a fact of it counts from then on: the past stays as it was.
    """
    begun = np.array([it.trace.created.timestamp() for it in candidates], dtype=np.float64)
    touches = [rules.touches(it.trace, it.told) for it in candidates]
    moments = np.array([it.moment.timestamp() for log in touches for it in log], dtype=np.float64)
    gains = np.array([it.gain for log in touches for it in log], dtype=np.float64)
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
