"""The lines of a talk: what a tab shows, from the store and, off the record, from itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from siliconfriend.control.listing import Row, rows
from siliconfriend.memory.records import PersonMemory, Turn, Used
from siliconfriend.texts import Language

from .backend import Backend
from .cards import card, day_name, plain, quiet
from .labels import say

SHOWN_TURNS = 30

Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Line:
    """What one side said and the other answered.

    Attributes:
        query, response: the words.
        id: of the turn; empty until it is stored, and for ever where it is off the record.
        used: what the reply was given.
        off_record: whether it is stored nowhere.
        is_greeting: whether it is how the companion begins a talk, which is stored nowhere.
    """

    query: str
    response: str = ""
    id: str = ""
    used: tuple[Used, ...] = ()
    off_record: bool = False
    is_greeting: bool = False


def line_of(turn: Turn) -> Line:
    """A stored turn as a line."""
    return Line(turn.query, turn.response, turn.id, turn.used)


def stored_lines(memory: PersonMemory | None) -> list[Line]:
    """The last turns on disk."""
    return [] if memory is None else [line_of(turn) for turn in memory.turns()][-SHOWN_TURNS:]


def renewed(lines: list[Line], memory: PersonMemory | None) -> list[Line]:
    """The lines as they are on disk now, and what was said after them.

    What was off the record stays where it stood.
    """
    if memory is None:
        return [line for line in lines if line.off_record or line.is_greeting]
    kept = []
    for line in lines:
        turn = memory.find(line.id) if line.id else None
        if line.off_record or line.is_greeting:
            kept.append(line)
        elif isinstance(turn, Turn):
            kept.append(replace(line_of(turn), used=line.used or turn.used))
    turns = list(memory.turns())
    shown = _places(lines, turns)
    return kept + [line_of(it) for it in turns[shown[-1] + 1 if shown else -SHOWN_TURNS :]]


def earlier(lines: list[Line], memory: PersonMemory) -> list[Line]:
    """The lines with as many more before them as are shown at first."""
    turns = list(memory.turns())
    first = next(iter(_places(lines, turns)), len(turns))
    return [line_of(it) for it in turns[max(0, first - SHOWN_TURNS) : first]] + lines


def has_earlier(lines: list[Line], memory: PersonMemory | None) -> bool:
    """Whether anything was said before these lines."""
    turns = [] if memory is None else list(memory.turns())
    return next(iter(_places(lines, turns)), len(turns)) > 0


def _places(lines: list[Line], turns: Sequence[Turn]) -> list[int]:
    """Where the lines stand among the turns, in their order."""
    known = {line.id for line in lines if line.id}
    return [place for place, turn in enumerate(turns) if turn.id in known]


def greeted(lines: list[Line], greeting: str) -> list[Line]:
    """A talk that begins here with the companion's own words, in the language of now."""
    said = [line for line in lines if not line.is_greeting]
    if not greeting or (said and len(said) == len(lines)):
        return said
    return [Line("", greeting, is_greeting=True), *said]


def messages(lines: Sequence[Line], language: Language) -> Messages:
    """The lines as Gradio's chat shows them; tags in words are shown, never read."""
    mark = say("off_record_mark", language)
    return [
        {"role": role, "content": plain(f"{words}\n{mark}" if is_marked else words)}
        for line in lines
        for role, words, is_marked in (
            ("user", line.query, line.off_record),
            ("assistant", line.response, False),
        )
        if words
    ]


def line_at(lines: list[Line], at: int | tuple[int, int]) -> int | None:
    """The place of the line that the message at an event's index belongs to."""
    index = at if isinstance(at, int) else at[0]
    places = [
        place for place, line in enumerate(lines) for words in (line.query, line.response) if words
    ]
    return places[index] if 0 <= index < len(places) else None


def beside(
    backend: Backend, memory: PersonMemory | None, line: Line | None, language: Language
) -> str:
    """What stands beside an exchange: what it gave to remember, and what was remembered for it."""
    if memory is None or line is None or line.is_greeting:
        return quiet(say("nothing_said_yet", language))
    now = backend.now(memory)
    by_id = {row.memory.id: row for row in rows(memory, backend.policy, now)}
    today = now.astimezone(memory.profile.zone).date()
    used = {it.id: it for it in line.used}
    shown = _grouped([row for key, row in by_id.items() if key in used], used, today, language)
    if not shown:
        shown = quiet(say("nothing_used", language))
    own = by_id.get(line.id)
    if own is None:
        return shown + (quiet(say("nothing_kept", language)) if line.off_record else "")
    acts = () if isinstance(own.memory, Turn) and own.memory.unkept else ("unkeep",)
    title = plain(say("this_exchange", language))
    return f"{shown}<h4>{title}</h4>{card(own, today, language, dated=True, acts=acts)}"


def _grouped(found: Sequence[Row], used: dict[str, Used], today: date, language: Language) -> str:
    shown, last = [], ""
    for row in found:
        if row.memory.date != last:
            last = row.memory.date
            shown.append(f"<h4>{plain(day_name(last, today, language))}</h4>")
        shown.append(card(row, today, language, used[row.memory.id]))
    return "".join(shown)
