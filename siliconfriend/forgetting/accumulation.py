"""Strength that adds up: the other way to forget, by numbers and without a curve.

It is the clean-up by numbers of the dynamic memory (``docs/sources.md``, part 8): what is
mentioned again after a longer while counts more, what is recalled counts much, and only the
weakest are archived. Strength is worked out anew from a memory's own log each time, so that
another policy can read the same log tomorrow.

Nothing notes that a clean-up was done. How many memories should have been archived by now
follows from the log of touches alone: strength that was gained is never lost again, so the
sum over all touches passes each multiple of 20,000 at one moment and never twice. A fifth of
what was there at each of these moments should be archived. So a pass archives no more than
what is missing to that number, and run again it finds nothing missing. What was not there
yet, a summary made tonight among it, has nothing to do with it and stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from siliconfriend.forgetting.trace import DAY_SECONDS, Candidate, Trace

STEPS = ((1.0, 1.0), (3.0, 3.0), (7.0, 7.0), (30.0, 30.0), (183.0, 100.0))
EACH_ONE = ((183.0, 1.0),)
MONTH_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Touch:
    """A moment at which a memory grew, and by how much; the first is its beginning."""

    moment: datetime
    gain: float


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The numbers of this way to forget.

    Attributes:
        steps: (days, growth) by rising days: what is mentioned again within so many days of its
            last touch grows by so much. After a longer gap than any it grows by the last
            step: what was still worth a mention then is no weaker than before.
        recall: what a recall adds instead, whatever the gap; so does a restoring.
        every_sum: at each so much summed strength of a person there is a clean-up.
        share: the share of their memories that a clean-up puts away.
        every_days: clean-ups are looked for once in so many days.
        minimum: how many memories someone who stays away keeps in any case.
        inactive_days: who said nothing for so long stays away; each further month of it
            puts ``share`` of what is there away until ``minimum`` is reached.

    Raises:
        ValueError: naming every field that is wrong.
    """

    steps: tuple[tuple[float, float], ...] = STEPS
    recall: float = 15.0
    every_sum: float = 20_000.0
    share: float = 0.2
    every_days: int = 1
    minimum: int = 1000
    inactive_days: float = 90.0

    def __post_init__(self) -> None:
        wrong = []
        gaps = [days for days, _ in self.steps]
        if not gaps or gaps[0] <= 0 or gaps != sorted(set(gaps)):
            wrong.append(f"steps must have days that rise from above 0, not {gaps}")
        for name, value in (("recall", self.recall), *(("steps", it) for _, it in self.steps)):
            if not (math.isfinite(value) and value >= 0):
                wrong.append(f"{name} must grow by a number of 0 or more, not {value}")
        for name in ("every_sum", "inactive_days"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                wrong.append(f"{name} must be a number above 0, not {value}")
        if not 0 < self.share < 1:
            wrong.append(f"share must lie between 0 and 1, not {self.share}")
        if self.every_days < 1:
            wrong.append(f"every_days must be 1 or more, not {self.every_days}")
        if self.minimum < 0:
            wrong.append(f"minimum must be 0 or more, not {self.minimum}")
        if wrong:
            raise ValueError("; ".join(wrong))

    def step(self, days: float) -> float:
        """What mentioning something again ``days`` after its last touch adds."""
        for within, growth in self.steps:
            if days <= within:
                return growth
        return self.steps[-1][1]

    def touches(self, trace: Trace, mentions: Sequence[datetime] = ()) -> list[Touch]:
        """All touches of a memory, oldest first; the first is its beginning.

        Args:
            trace: its log.
            mentions: when it was mentioned, the first time included; empty for what is
                mentioned only once.
        """
        begun = min((trace.created, *mentions))
        found = [Touch(begun, trace.first_strength)]
        if not (mentions or trace.recalls or trace.restored):
            return found
        recalls = [*trace.recalls, *([trace.restored] if trace.restored else [])]
        again = [(it, False) for it in sorted(mentions)[1:]]
        for moment, is_recall in sorted((*again, *((it, True) for it in recalls))):
            gap = (moment - found[-1].moment).total_seconds() / DAY_SECONDS
            found.append(Touch(moment, self.recall if is_recall else self.step(gap)))
        return found

    def strength(self, trace: Trace, mentions: Sequence[datetime] = ()) -> float:
        """The sum of what its touches added; a restored memory starts again from 1 with them.

        Args:
            trace: its log.
            mentions: when it was mentioned, the first time included; empty for what is
                mentioned only once.
        """
        touches = self.touches(trace, mentions)
        if trace.restored is None:
            return sum(it.gain for it in touches)
        return 1.0 + sum(it.gain for it in touches if it.moment >= trace.restored)


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
    going = sorted(
        (it for it in candidates if it.may_be_archived(now)), key=lambda it: _rank(it, rules)
    )
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
    strength = rules.strength(trace, candidate.mentions)
    return strength, candidate.kind != "turn", trace.last_recall, candidate.id


def _clean_ups(
    candidates: Sequence[Candidate], until: float, rules: Accumulation
) -> tuple[int, float]:
    """How many should have left at the multiples of the sum passed up to ``until``, and when last.

    Moments are in seconds since 1970; where there was no such multiple, minus infinity. What
    was mentioned before the night made a fact of it counts from then on: the past stays as it was.
    """
    # The settings name numbers of this file, and no command may load numpy to show its help.
    import numpy as np
    from numpy.typing import NDArray

    begun = np.array([it.trace.created.timestamp() for it in candidates], dtype=np.float64)
    touches = [rules.touches(it.trace, it.mentions) for it in candidates]
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
