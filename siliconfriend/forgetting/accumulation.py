"""Strength that adds up: the other way to forget, by numbers and without a curve.

It is the clean-up by numbers of the dynamic memory (``docs/sources.md``, part 8): what is
mentioned again after a longer while counts more, what is recalled counts much, and only the
weakest are archived. Strength is worked out anew from a memory's own log each time, so that
another policy can read the same log tomorrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from siliconfriend.forgetting.trace import DAY_SECONDS, Trace

STEPS = ((1.0, 1.0), (3.0, 3.0), (7.0, 7.0), (30.0, 30.0), (183.0, 100.0))
EACH_ONE = ((183.0, 1.0),)


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
        """The strength that a mention ``days`` after the last touch adds."""
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
