"""Put a damaged memory together from what is left of it: good rows, and ``memory.json``.

Nothing is written here. Where every damaged row also stands in a copy that is as new, the result is
exact and may be put in place unasked; else nothing is touched until somebody asks for a repair,
since a backup may still bring it back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.codec import NO_DATE, Document, Unreadable, decode_record, documents_of
from siliconfriend.memory.mirror import Mirror
from siliconfriend.memory.rows import DayRow, ScopeRows, State, Stored

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Repair:
    """Saved and lost records of a repair.

    Attributes:
        lost: how many records are gone; None where nobody knows how much that is.
        is_doubtful: the copy it rests on was changed by something else than this program, and was
            taken as it is.
        turns: how many turns are there now.
        until: the day of the last of them; empty where there is none.
        files: names of what was damaged or missing.
        kept: the damaged files, as they were.
    """

    lost: int | None
    is_doubtful: bool
    turns: int
    until: str
    files: tuple[str, ...]
    kept: tuple[Path, ...] = ()

    @property
    def is_whole(self) -> bool:
        """True if nothing is lost or doubtful."""
        return self.lost == 0 and not self.is_doubtful

    @property
    def refusal(self) -> str:
        """The key of the sentence that says what is lost."""
        lost = "memory_end_lost" if self.lost is None else "memory_partly_lost"
        key = "memory_doubtful" if self.is_doubtful else lost
        return key if self.turns else f"{key}_empty"


@dataclass(slots=True)
class Salvage:
    """Readable rows of a memory: ``documents`` by date and id.

    ``is_cut``: reading broke off, so nobody knows what else there was.
    """

    state: State | None = None
    days: dict[str, DayRow] = field(default_factory=dict)
    documents: dict[str, dict[str, Document]] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()
    is_cut: bool = False

    @classmethod
    def of(cls, rows: ScopeRows) -> Salvage:
        """Read what can be read."""
        found = cls()

        def attempt(read: Callable[[], _Read]) -> _Read | None:
            try:
                return read()
            except Unreadable:
                return None
            except DamagedMemory:
                found.is_cut = True
                return None

        found.state = attempt(rows.state)
        found.days = attempt(lambda: rows.days(skip_damaged=True)) or {}
        readable, erased = attempt(rows.readable_documents), attempt(rows.erased)
        found.documents, found.erased = readable or {}, erased or frozenset()
        found.is_cut = found.is_cut or readable is None or erased is None
        return found


def rebuild(salvage: Salvage, copy: Mirror | None, *files: str) -> tuple[Stored, Repair] | None:
    """Put a memory together, of damaged files of these names; None if there is nothing to build on."""
    state = salvage.state
    if state is None:
        if copy is not None:
            return _from_copy(salvage, copy, files)
        numbers = [row.changed for row in salvage.days.values()]
        state = State.new(max(numbers, default=1))
        salvage.is_cut = True
    same = copy if copy is not None and copy.is_sealed and copy.epoch == state.epoch else None
    reached = -1 if same is None else same.memory.sequence
    copied = {} if copy is None else documents_of(copy.memory)
    lost, is_unknown, documents = 0, salvage.is_cut, {}
    dates = salvage.days.keys() | salvage.documents.keys()
    if reached >= state.sequence:
        dates |= copied.keys()
    erased = salvage.erased | (frozenset() if same is None else same.memory.erased)
    for date in sorted(dates):
        row = salvage.days.get(date)
        found = salvage.documents.get(date, {})
        expected = -1 if row is None else row.records - (len(erased) if date == NO_DATE else 0)
        if row is not None and len(found) == expected and _is_decodable(date, found):
            documents[date] = list(found.values())
            continue
        if date in copied and reached >= (state.sequence if row is None else row.changed):
            documents[date] = copied[date]
            continue
        older = {name: (name, kind, data) for name, kind, data in copied.get(date, ())}
        documents[date] = _kept(date, older | found, erased)
        if row is None:
            is_unknown = True
        else:
            lost += max(expected - len(found), 1)
    if len(salvage.days) != state.days and reached < state.sequence:
        lost += 1
    if not any(kind == "profile" for _, kind, _ in documents.get(NO_DATE, ())):
        return None if copy is None else _from_copy(salvage, copy, files)
    is_unknown = is_unknown and reached < state.sequence
    if lost or is_unknown:
        state = replace(State.new(state.sequence), moved_to=state.moved_to)
    stored = Stored(state, documents, erased)
    return stored, _repair(stored, None if is_unknown else lost, files)


def _from_copy(salvage: Salvage, copy: Mirror, files: tuple[str, ...]) -> tuple[Stored, Repair]:
    """Return the copy as the memory, with newer rows that are whole laid over it."""
    memory = copy.memory
    documents = {date: {it[0]: it for it in found} for date, found in documents_of(memory).items()}
    for date, row in salvage.days.items():
        if row.changed > memory.sequence:
            documents.setdefault(date, {}).update(salvage.documents.get(date, {}))
    numbers = [row.changed for row in salvage.days.values()]
    state = State.new(max([memory.sequence, *numbers]))
    erased = memory.erased | salvage.erased
    kept = {date: _kept(date, found, erased) for date, found in documents.items()}
    stored = Stored(state, kept, erased)
    return stored, _repair(stored, None, files, is_doubtful=not copy.is_sealed)


def _repair(
    stored: Stored, lost: int | None, files: tuple[str, ...], *, is_doubtful: bool = False
) -> Repair:
    dates = [date for date, found in stored.documents.items() for it in found if it[1] == "turn"]
    return Repair(lost, is_doubtful, len(dates), max(dates, default=""), files)


def _kept(date: str, found: Mapping[str, Document], erased: frozenset[str]) -> list[Document]:
    whole = {name: it for name, it in found.items() if name not in erased}
    return [it for name, it in whole.items() if _is_decodable(date, {name: it})]


def _is_decodable(date: str, documents: Mapping[str, Document]) -> bool:
    try:
        for _, kind, data in documents.values():
            decode_record(kind, data, date)
    except Unreadable:
        return False
    return True
