"""Put a memory together again from rows of which some are damaged.

A damaged row is never read as an empty one. What rests stands in the rows of up to three
generations, and the log has the lines since the oldest of them: so a day whose row is damaged is
its row before and the lines since, and the rest likewise. Where that gives all there was, nothing is
lost; where a line is missing too, nothing is touched until somebody asks for a repair. Damaged rows
are kept as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from siliconfriend.memory import lines
from siliconfriend.memory.changes import Change, PutProfile, apply_all
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.lazy_days import LazyDays
from siliconfriend.memory.postgres.damaged_rows import DayVersion, FormVersion, versions_of
from siliconfriend.memory.postgres.day_rows import decode_outline_row, decode_records
from siliconfriend.memory.postgres.scope_rows import KEPT_GENERATIONS, ScopeRows, State
from siliconfriend.memory.postgres.snapshots import decode_rest
from siliconfriend.memory.records import Day, PersonMemory


@dataclass(slots=True)
class Rebuilt:
    """The result of rebuilding a memory.

    Attributes:
        memory: the memory; None where there is no beginning.
        lost: how many changes are gone; of a day that is, as many as it had turns, or one.
        damaged: the rows that cannot be read, by what they are.
    """

    memory: PersonMemory | None = None
    lost: int = 0
    damaged: dict[str, bytes] = field(default_factory=dict)


def rebuild(rows: ScopeRows, state: State) -> Rebuilt:
    """Put together what can be read, under the memory's lock; writes nothing."""
    found = Rebuilt()
    changes = _read_changes(rows, found)
    forms, versions = versions_of(rows)
    beginning = _beginning(rows, forms, changes, found)
    if beginning is None:
        return found
    bare, through = beginning
    found.lost += _missing(changes, through, state.sequence)
    bare = replace(
        apply_all(bare, _between(changes, through, state.folded_through)), days=LazyDays({})
    )
    rested = _Rested(rows, state, changes, found, bare, {it.generation: it.through for it in forms})
    days = {
        date: day
        for date, several in groupby(versions, lambda it: it.date)
        if (day := rested.day(list(several))) is not None
    }
    memory = replace(bare, days=days)
    since = _between(changes, state.folded_through, state.sequence)
    found.memory = replace(apply_all(memory, since), sequence=state.sequence)
    return found


def _read_changes(rows: ScopeRows, found: Rebuilt) -> dict[int, Change]:
    """The changes of the log that can be read, by number."""
    changes: dict[int, Change] = {}
    for number, data in rows.lines(1):
        try:
            (line,) = lines.decode(data)
            if line.sequence != number:
                raise Unreadable("it has another number")
        except ValueError:
            found.damaged[f"change {number}"] = data
        else:
            changes[number] = line.change
    return changes


def _between(changes: Mapping[int, Change], after: int, through: int) -> list[Change]:
    return [changes[it] for it in sorted(changes) if after < it <= through]


def _missing(changes: Mapping[int, Change], after: int, through: int) -> int:
    return max(0, through - after) - len(_between(changes, after, through))


def _beginning(
    rows: ScopeRows,
    forms: Sequence[FormVersion],
    changes: Mapping[int, Change],
    found: Rebuilt,
) -> tuple[PersonMemory, int] | None:
    """The part that belongs to no day, from its newest readable row, and the last change in it."""
    for version in forms:
        try:
            bare = decode_rest(version.form, rows.scope, lambda _: LazyDays({})).memory
        except Unreadable:
            found.damaged[f"resting {version.generation}"] = version.form
        else:
            return bare, version.through
    first = changes.get(1)
    return (PersonMemory(first.profile), 0) if isinstance(first, PutProfile) else None


@dataclass(frozen=True, slots=True)
class _Rested:
    """Reads days that rest, and makes a damaged one again from what it was before.

    Attributes:
        bare: the memory without a day, for its profile and for what was erased.
        through: the last change in each generation that is kept.
    """

    rows: ScopeRows
    state: State
    changes: Mapping[int, Change]
    found: Rebuilt
    bare: PersonMemory
    through: Mapping[int, int]

    def day(self, versions: Sequence[DayVersion]) -> Day | None:
        """A day from its rows, the newest first; None where it is lost or no more."""
        newest = versions[0]
        if newest.until is not None:
            return None
        day = self._read(newest)
        if day is not None:
            return day
        self.found.damaged[f"day {newest.date}"] = newest.records
        before, after = self._before(versions)
        if after is None:
            self.found.lost += self._turns(newest)
            return None
        self.found.lost += _missing(self.changes, after, newest.through)
        days = {newest.date: before} if before is not None else {}
        again = apply_all(
            replace(self.bare, days=days), _between(self.changes, after, newest.through)
        )
        return again.days.get(newest.date)

    def _before(self, versions: Sequence[DayVersion]) -> tuple[Day | None, int | None]:
        """The day before its newest row, and the last change it holds; None where that is not known."""
        for version in versions[1:]:
            if (day := self._read(version)) is not None:
                return day, version.through
        since = versions[0].since
        # An older row would still be kept: the day began with this one.
        is_first = len(versions) == 1 and since > self.state.generation - KEPT_GENERATIONS
        return None, self.through.get(since - 1) if is_first else None

    def _read(self, version: DayVersion) -> Day | None:
        profile = self.bare.profile
        try:
            return decode_records(version.records, self.rows.scope, version.date, profile).day()
        except Unreadable:
            return None

    def _turns(self, version: DayVersion) -> int:
        outline = decode_outline_row(version.outline, self.rows.scope, version.date)
        return max(1, outline.turns if outline is not None else 0)
