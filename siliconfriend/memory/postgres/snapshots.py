"""Snapshots of a memory that a process has read, and reading on from them.

A snapshot that is known is brought forward by the lines that came since, whoever wrote them and
whatever was put to rest in between. Where those do not go on from the last line that was read, as
after an erasing or where the database was put back to an earlier hour, it is read anew: an old
snapshot must never be taken for the beginning of another history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import checksum, codec, lines
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.lazy_days import LazyDays, changed_dates
from siliconfriend.memory.memory_file import MemoryFile, check_version, parse_memory
from siliconfriend.memory.memory_writing import encode_rest
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.day_rows import DayRows, RestingRow, decode_records, encode_row
from siliconfriend.memory.postgres.scope_rows import Rest, ScopeRows, State
from siliconfriend.memory.records import Day, PersonMemory, Profile
from siliconfriend.memory.scope import Scope

_NONE = 2**62
"""The number of no change."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A memory as it was read.

    Attributes:
        memory: as it is after its ``sequence``.
        state: of its rows.
        rested: the days as they were last put to rest, to tell which changed since.
        last: the last line that was read; None where the log holds none of it.
    """

    memory: PersonMemory
    state: State
    rested: Mapping[str, Day]
    last: bytes | None


def read_on(database: Database, rows: ScopeRows, known: Snapshot | None) -> Snapshot | None:
    """The newest snapshot, from what is known where that leads to it; None where there is no memory.

    Raises:
        Unreadable: what is written cannot be read whole.
        StoreError: a newer version of the program wrote it.
    """
    first = known.memory.sequence if known is not None else _NONE
    found = rows.state_and_lines(first)
    if found is None:
        return None
    state, behind = found
    if known is not None and _leads_on(known, state, behind):
        return _replayed(known, state, behind[1:] if known.last is not None else behind)
    return _opened(database, rows, state)


def _resting(database: Database, rows: ScopeRows, state: State) -> Snapshot:
    """A memory as it rests."""
    form = rows.form(state.generation)
    if form is None:
        raise Unreadable("what belongs to no day is missing")
    marks = rows.marks()

    def days(profile: Profile) -> LazyDays:
        return DayRows(database, rows.scope, state.generation, profile, marks).days()

    memory = decode_rest(form, rows.scope, days).memory
    if memory.sequence != state.folded_through:
        raise Unreadable("what belongs to no day is of another generation")
    return Snapshot(memory, state, memory.days, None)


def _leads_on(known: Snapshot, state: State, behind: Sequence[tuple[int, bytes]]) -> bool:
    if known.state.segment != state.segment:
        return False
    if known.last is not None:
        return bool(behind) and behind[0] == (known.memory.sequence, known.last)
    return known.state.sequence <= state.sequence


def _opened(database: Database, rows: ScopeRows, state: State) -> Snapshot:
    """A snapshot that nothing is known for: what rests, and the lines behind it."""
    resting = _resting(database, rows, state)
    return _replayed(resting, state, rows.lines(state.folded_through + 1))


def _replayed(known: Snapshot, state: State, behind: Sequence[tuple[int, bytes]]) -> Snapshot:
    data = b"".join(line for _, line in behind)
    memory = lines.replay(known.memory, lines.decode(data)) if data else known.memory
    if memory.sequence != state.sequence:
        raise Unreadable("the change log lacks its end")
    last = behind[-1][1] if behind else known.last
    return replace(known, memory=memory, state=state, last=last)


def decode_rest(form: bytes, scope: Scope, days: Callable[[Profile], LazyDays]) -> MemoryFile:
    """Parse what belongs to no day and compare it with its checksum; the days come from ``days``.

    Raises:
        Unreadable: it is not what was written.
        DamagedMemory: it is another person's.
        StoreError: a newer version of the program wrote it.
    """
    fields = codec.from_json(form)
    check_version(fields.get("version"))
    if not checksum.verify(form, fields):
        raise Unreadable("it has no checksum")
    bare = parse_memory(fields)
    owner = (bare.memory.profile.name, bare.companion)
    if owner != (scope.person, scope.companion):
        raise DamagedMemory("memory_row_foreign", name=scope.person, owner=owner[0])
    memory = replace(bare.memory, days=days(bare.memory.profile))
    return replace(bare, memory=memory)


def rest_of(snapshot: Snapshot, scope: Scope) -> Rest:
    """The rows to write when a snapshot is folded: the days that changed since the last fold."""
    memory, before = snapshot.memory, snapshot.rested
    held = LazyDays.of(memory.days).held
    changed = changed_dates(before, memory.days)
    generation = snapshot.state.generation + 1
    form = checksum.seal(encode_rest(memory, scope.companion, generation))
    return Rest(
        form,
        [encode_row(scope, date, held[date], memory.profile) for date in changed],
        before.keys() - held.keys(),
    )


def let_rest(database: Database, scope: Scope, snapshot: Snapshot, rest: Rest) -> None:
    """Let go of what was decoded of days, now that they stand in rows and these are committed."""
    profile = snapshot.memory.profile
    held = LazyDays.of(snapshot.memory.days).held
    marks = {row.date: row.mark for row in rest.days}
    rows = DayRows(database, scope, snapshot.state.generation, profile, marks)
    for row in rest.days:
        day = decode_records(row.records, scope, row.date, profile)
        held[row.date].rest(RestingRow(rows, row.date, day))
