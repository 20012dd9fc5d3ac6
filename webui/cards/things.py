"""What is one thing among the memories of a day: a line, with all that was made of it.

What somebody said stands in the line itself, in the event and the fact that were taken out of
it, in a topic and in the day's summary. Shown apart they read like four memories of which three
repeat; so what rests on a line hangs on it, and the summary stands at the head of its day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from siliconfriend.control.listing import MemoryRow, words_of
from siliconfriend.language.characters import fold
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.memory.records import DaySummary, Turn


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a day.

    Attributes:
        row: the line; of something whose lines are not shown here, it itself.
        hanging: what was made of the line, in the order it was made.
    """

    row: MemoryRow
    hanging: tuple[MemoryRow, ...] = ()


@dataclass(frozen=True, slots=True)
class DayThings:
    """The memories of one day.

    Attributes:
        summary: of the day; None where there is none, or it is not shown.
        things: in the order they were said; what hangs on no line comes last.
    """

    summary: MemoryRow | None
    things: tuple[Thing, ...]


def things_of(rows: Iterable[MemoryRow]) -> DayThings:
    """Gather the rows of one day into things."""
    summary: MemoryRow | None = None
    lines: dict[str, MemoryRow] = {}
    made: list[MemoryRow] = []
    for row in rows:
        if isinstance(row.memory, DaySummary):
            summary = row
        elif isinstance(row.memory, Turn):
            lines[row.memory.id] = row
        else:
            made.append(row)
    hanging: dict[str, list[MemoryRow]] = {}
    alone: list[Thing] = []
    for row in made:
        line = _line_of(row, lines)
        if line is None:
            alone.append(Thing(row))
        else:
            hanging.setdefault(line, []).append(row)
    said = sorted(lines.values(), key=_said_order)
    things = [Thing(row, tuple(hanging.get(row.memory.id, ()))) for row in said]
    return DayThings(summary, (*things, *alone))


def repeats(made: MemoryRow, line: MemoryRow) -> bool:
    """True if something that was made of a line says no other words than it."""
    words = fold("".join(words_of(made.memory).split()))
    return words in fold("".join(words_of(line.memory).split()))


def _said_order(row: MemoryRow) -> int:
    assert isinstance(row.memory, Turn)
    return row.memory.position


def _line_of(row: MemoryRow, lines: dict[str, MemoryRow]) -> str | None:
    """Return the id of the line that a memory hangs on: of those it rests on the most alike."""
    memory = row.memory
    assert not isinstance(memory, Turn)
    sources: Sequence[str] = [it for it in memory.provenance.from_ids if it in lines]
    if len(sources) < 2:
        return next(iter(sources), None)
    terms = overlap_terms(words_of(memory))
    return max(
        sources,
        # Of lines that are as much alike the first one: it is what the others go on from.
        key=lambda it: (
            len(terms & overlap_terms(words_of(lines[it].memory))),
            -_said_order(lines[it]),
        ),
    )
