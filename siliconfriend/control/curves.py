"""The retention of a memory over its life, and ahead if nobody recalls it.

Where the policy has no curve, it is how strong the memory was instead.

The points come from the recall log and the policy of today: another policy draws other
curves of the same lives, and nothing here changes a memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import life_moments, prospect
from siliconfriend.memory.records import Memory, PersonMemory, kind_of

POINTS = 240
"""Points of a curve, besides one just before and one at each recall."""

MOMENT = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class LifeCurve:
    """The life of one memory.

    Attributes:
        memory: whose life.
        points: moments and the retention at each, in order; the strength where the policy
            has no curve.
        recalls: the moments it was recalled or restored.
    """

    memory: Memory
    points: tuple[tuple[datetime, float], ...]
    recalls: tuple[datetime, ...]


def life_curve(
    record: Memory, memory: PersonMemory, policy: ForgettingPolicy, until: datetime
) -> LifeCurve:
    """The life of a memory from when the companion came to know it to ``until``."""
    trace = record.trace
    renewals = {*trace.recalls, *([trace.restored] if trace.restored else [])}
    renewed = sorted(it for it in renewals if trace.begun <= it <= until)
    points = []
    mentions = memory.mentions(record)
    for moment in life_moments(trace, until, points=POINTS, before=MOMENT):
        outlook = prospect(
            trace.at(moment),
            kind=kind_of(record),
            identifier=record.id,
            now=moment,
            policy=policy,
            zone=memory.profile.zone,
            mentions=tuple(it for it in mentions if it <= moment),
        )
        if not policy.has_curve:
            points.append((moment, outlook.strength))
        elif outlook.retention is not None:
            points.append((moment, outlook.retention))
        elif trace.pinned:
            points.append((moment, 1.0))
    return LifeCurve(record, tuple(points), tuple(renewed))


def most_recalled(memory: PersonMemory, count: int) -> list[Memory]:
    """The memories that were recalled most often; among equals the newest."""
    records: Iterable[Memory] = memory.kept().memories()
    ranked = sorted(records, key=lambda it: (len(it.trace.recalls), it.date, it.id), reverse=True)
    return ranked[:count]
