"""Where a memory was said: the lines of the talk that it rests on, through whatever was made of them.

A fact names its turns, a thought names facts, and a day's summary may name nothing but its day.
Whoever doubts a memory must come from each of them to the words themselves.
"""

from __future__ import annotations

from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn

DEEPEST = 4
"""Steps from a memory to a line: a thought about thoughts about facts is three away."""


def said_in(memory: PersonMemory, record: Memory) -> list[Turn]:
    """Return the lines that a memory rests on, oldest first; none where they are all gone."""
    turns: dict[str, Turn] = {}
    seen: set[str] = set()
    ahead: list[Memory] = [record]
    for _ in range(DEEPEST):
        sources: list[str] = []
        for it in ahead:
            if isinstance(it, Turn):
                turns[it.id] = it
            else:
                sources += _sources(memory, it)
        fresh = [it for it in dict.fromkeys(sources) if it not in seen]
        seen.update(fresh)
        ahead = [found for it in fresh if (found := memory.find(it)) is not None]
    return sorted(turns.values(), key=lambda turn: (turn.date, turn.position))


def _sources(memory: PersonMemory, record: Memory) -> list[str]:
    assert not isinstance(record, Turn)
    named = list(record.provenance.from_ids)
    if not named and isinstance(record, DaySummary):
        day = memory.days.get(record.date)
        named = [] if day is None else [turn.id for turn in day.turns]
    return named
