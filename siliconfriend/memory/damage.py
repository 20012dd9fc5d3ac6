"""Rebuild a damaged memory from its readable rows and ``memory.json``.

This module only reads. Repair needs a request, since a backup may be better. The result is exact if
an equally recent copy contains every damaged row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.codec import (
    NO_DATE,
    EncodedRecord,
    Unreadable,
    decode_record,
    documents_of,
)
from siliconfriend.memory.mirror import Mirror
from siliconfriend.memory.rows import DayRow, MemoryState, ScopeRows, Stored


@dataclass(frozen=True, slots=True)
class Repair:
    """Saved and lost records of a repair.

    Attributes:
        lost: number of lost records; None if unknown.
        is_doubtful: another program changed the copy that was used.
        turns: number of turns after the repair.
        until: day of the last turn; empty without turns.
        files: names of damaged or missing files.
        kept: unchanged copies of the damaged files.
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


@dataclass(slots=True)
class Salvage:
    """Readable rows of a memory; ``is_cut`` if the number of lost rows is unknown."""

    state: MemoryState | None = None
    days: dict[str, DayRow] = field(default_factory=dict)
    documents: dict[str, dict[str, EncodedRecord]] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()
    is_cut: bool = False

    @classmethod
    def of(cls, rows: ScopeRows) -> Salvage:
        """Read the intact rows."""
        found = cls()
        reads: dict[str, Callable[[], Any]] = {
            "state": rows.state,
            "days": lambda: rows.days(skip_damaged=True),
            "documents": rows.readable_documents,
            "erased": rows.erased,
        }
        for name, read in reads.items():
            try:
                setattr(found, name, read())
            except Unreadable:
                found.is_cut |= name == "erased"
            except DamagedMemory:
                found.is_cut = True
        return found


def rebuild(salvage: Salvage, copy: Mirror | None, *files: str) -> tuple[Stored, Repair] | None:
    """Rebuild a memory whose files of these names are damaged; None if nothing is readable.

    Each date uses its rows if complete, else an equally recent copy. Otherwise readable rows
    replace those of the older copy.
    """
    copied = {} if copy is None else documents_of(copy.memory)
    state, erased, is_unknown = salvage.state, salvage.erased, salvage.is_cut
    dates = {NO_DATE, *salvage.days, *salvage.documents}
    reached = -1  # the last change known to be in the copy
    if state is None:
        numbers = [row.changed for row in salvage.days.values()]
        numbers += [copy.memory.sequence] if copy is not None else []
        state, is_unknown = MemoryState.new(max(numbers, default=1)), True
    elif copy is not None and copy.is_sealed and copy.epoch == state.epoch:
        # A newer copy has another history: an older database was restored.
        reached = copy.memory.sequence if copy.memory.sequence <= state.sequence else -1
    if copy is not None and (reached >= 0 or salvage.state is None):
        erased |= copy.memory.erased
    if reached >= state.sequence or salvage.state is None:
        dates |= copied.keys()
    lost, is_doubtful, documents = 0, False, {}
    for date in sorted(dates):
        row, found = salvage.days.get(date), salvage.documents.get(date, {})
        count = -1 if row is None else row.records - (0 if date else len(erased))
        if len(found) == count and all(_is_decodable(date, record) for record in found.values()):
            documents[date] = list(found.values())
        elif date in copied and reached >= (state.sequence if row is None else row.changed):
            documents[date] = copied[date]
        else:
            both = {document[0]: document for document in copied.get(date, ())} | found
            kept = (value for name, value in both.items() if name not in erased)
            documents[date] = [document for document in kept if _is_decodable(date, document)]
            is_doubtful |= date in copied and copy is not None and not copy.is_sealed
            is_unknown |= row is None
            lost += 0 if row is None else max(count - len(found), 1)
    if len(salvage.days) != state.days and reached < state.sequence:
        lost += 1
    if not any(kind == "profile" for _, kind, _ in documents[NO_DATE]):
        return None
    is_unknown = is_unknown and reached < state.sequence
    if lost or is_unknown:
        state = MemoryState.new(state.sequence)._replace(moved_to=state.moved_to)
    turns = [date for date, found in documents.items() for record in found if record[1] == "turn"]
    repair = Repair(
        None if is_unknown else lost, is_doubtful, len(turns), max(turns, default=""), files
    )
    return Stored(state, documents, erased), repair


def _is_decodable(date: str, document: EncodedRecord) -> bool:
    try:
        decode_record(document[1], document[2], date)
    except Unreadable:
        return False
    return True
