"""Planned: what was told of a day before it came, by that day.

Who told on 10 January of a flight on 14 February wants to be asked about it on the 14th, and not
on the day it was told. It is read from the arrays of the index alone, so that a first message of
a day need not wait for it; only of the few memories that are due the words are looked at, for
what was told later of the same matter: a wedding that was put off is due on its new day alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Turn
from siliconfriend.recall.awaited import LONGEST
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.sequels import sources, was_changed


@dataclass(frozen=True, slots=True)
class Planned:
    """A memory and days it speaks of, which lay ahead when it was told.

    Attributes:
        memory: a turn or an event; its ``date`` is the day it was told on.
        first, last: the days it speaks of, both inclusive.
    """

    memory: Turn | Event
    first: date
    last: date


def find_planned(index: ScopeIndex, first: date, last: date) -> tuple[Planned, ...]:
    """Find what was told of days from ``first`` to ``last`` before they came; hold the lock.

    The rest as :meth:`siliconfriend.recall.recaller.Recaller.planned`.
    """
    times, rows = index.times, index.rows
    told = rows["day"][times.row]
    is_due = (times.first <= last.toordinal()) & (times.last >= first.toordinal())
    is_due &= (told < times.first) & (times.last - times.first < LONGEST.days)
    is_due &= rows["alive"][times.row] & ~rows["archived"][times.row]
    found = []
    for at in np.flatnonzero(is_due):
        memory = rows.memories[times.row[at]]
        if isinstance(memory, Turn | Event):
            days = (date.fromordinal(int(day[at])) for day in (times.first, times.last))
            found.append(Planned(memory, *days))
    turns = {it.memory.id for it in found}
    kept = [it for it in found if turns.isdisjoint(sources(it.memory))]
    kept = [it for it in kept if not was_changed(index, it.memory)]
    return tuple(sorted(kept, key=lambda it: (it.first, it.memory.date, it.memory.position)))
