"""How vivid a memory was, day by day, and how vivid it will be if nobody recalls it.

Where the policy has no curve, it is how strong the memory was instead.

The points come from the recall log and the policy of today: another policy draws other
curves of the same lives, and nothing here changes a memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from siliconfriend.forgetting.fate import prospect
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.records import Memory, PersonMemory, kind_of
from siliconfriend.memory.told import told

POINTS = 240
"""Points of a curve, besides one just before and one at each recall."""

MOMENT = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Curve:
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


def curve_of(
    record: Memory, memory: PersonMemory, policy: ForgettingPolicy, until: datetime
) -> Curve:
    """The life of a memory from its creation to ``until``."""
    trace = record.trace
    renewals = {*trace.recalls, *([trace.restored] if trace.restored else [])}
    renewed = sorted(it for it in renewals if trace.created <= it <= until)
    span = max(until - trace.created, MOMENT)
    moments = {trace.created + span * step / POINTS for step in range(POINTS + 1)}
    moments.update(it for recall in renewed for it in (recall - MOMENT, recall))
    points = []
    telling = told(record, memory)
    for moment in sorted(it for it in moments if trace.created <= it <= until):
        outlook = prospect(
            _as_it_was(trace, moment),
            kind=kind_of(record),
            identifier=record.id,
            now=moment,
            policy=policy,
            zone=memory.profile.zone,
            told=tuple(it for it in telling if it <= moment),
        )
        if not policy.has_curve:
            points.append((moment, outlook.strength))
        elif outlook.retention is not None:
            points.append((moment, outlook.retention))
        elif trace.pinned:
            points.append((moment, 1.0))
    return Curve(record, tuple(points), tuple(renewed))


def most_recalled(memory: PersonMemory, count: int) -> list[Memory]:
    """The memories that were recalled most often; among equals the newest."""
    records: Iterable[Memory] = memory.kept().memories()
    ranked = sorted(records, key=lambda it: (len(it.trace.recalls), it.date, it.id), reverse=True)
    return ranked[:count]


def _as_it_was(trace: Trace, moment: datetime) -> Trace:
    """The trace with what had happened to it by then."""
    restored = trace.restored if trace.restored and trace.restored <= moment else None
    return replace(
        trace,
        recalls=tuple(it for it in trace.recalls if it <= moment),
        restored=restored,
        archived=None,
    )
