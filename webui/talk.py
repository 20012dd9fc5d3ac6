"""The lines of a talk: what a tab shows, from the store and, off the record, from itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from siliconfriend.control.listing import rows
from siliconfriend.memory.records import PersonMemory, Turn, Used
from siliconfriend.texts import Language

from .cards import card, day_name, plain, quiet
from .friends import Friends
from .labels import say

SHOWN_TURNS = 30

Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Line:
    """What one side said and the other answered.

    Attributes:
        query, response: the words.
        id: of the turn; empty off the record, where nothing is stored.
        used: what the reply was given.
    """

    query: str
    response: str = ""
    id: str = ""
    used: tuple[Used, ...] = ()


def line_of(turn: Turn) -> Line:
    """A stored turn as a line."""
    return Line(turn.query, turn.response, turn.id, turn.used)


def stored_lines(memory: PersonMemory | None) -> list[Line]:
    """The last turns on disk."""
    return [] if memory is None else [line_of(turn) for turn in memory.turns()][-SHOWN_TURNS:]


def renewed(lines: list[Line], memory: PersonMemory | None) -> list[Line]:
    """The lines as they are on disk now; what was off the record stays where it stood."""
    if memory is None:
        return [line for line in lines if not line.id]
    known = {line.id for line in lines}
    kept = []
    for line in lines:
        turn = memory.find(line.id) if line.id else None
        if not line.id:
            kept.append(line)
        elif isinstance(turn, Turn):
            kept.append(replace(line_of(turn), used=line.used or turn.used))
    return kept + [line for line in stored_lines(memory) if line.id not in known]


def messages(lines: list[Line]) -> Messages:
    """The lines as Gradio's chat shows them; tags in words are shown, never read."""
    return [
        {"role": role, "content": plain(words)}
        for line in lines
        for role, words in (("user", line.query), ("assistant", line.response))
        if words
    ]


def line_at(lines: list[Line], at: int | tuple[int, int]) -> int | None:
    """The place of the line that the message at an event's index belongs to."""
    index = at if isinstance(at, int) else at[0]
    places = [
        place for place, line in enumerate(lines) for words in (line.query, line.response) if words
    ]
    return places[index] if 0 <= index < len(places) else None


def remembered(
    friends: Friends, memory: PersonMemory, line: Line | None, language: Language
) -> str:
    """The memories that a reply was given, by date, with the parts of their scores."""
    used = {} if line is None else {it.id: it for it in line.used}
    now = friends.now(memory)
    today = now.astimezone(memory.profile.zone).date()
    found = [it for it in rows(memory, friends.policy, now) if it.memory.id in used]
    if not found:
        return quiet(say("nothing_used", language))
    shown, last = [], ""
    for row in found:
        if row.memory.date != last:
            last = row.memory.date
            shown.append(f"<h4>{plain(day_name(last, today, language))}</h4>")
        shown.append(card(row, today, language, used[row.memory.id]))
    return "".join(shown)
