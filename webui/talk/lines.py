"""The lines of a talk as JSON, from the store: what a reload, another tab and the terminal see too.

A line off the record is in no store, so only the tab that said it has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import UsageError
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import PersonMemory, Turn

from ..replies.markdown import reply_blocks
from ..replies.running_replies import RunningReply, Talk
from .windows import WINDOW

MOST_LINES = 2000
"""Lines that a tab is told at once, however far back it looked."""


def line_document(turn: Turn, talk: Talk, zone: ZoneInfo) -> dict[str, Any]:
    """Return a line as JSON.

    ``time`` shows the clock of ``zone``. ``blocks`` is the answer as HTML that is safe to draw, or
    null where it is to be drawn as plain text; ``end`` is how the answer ended: ``whole``,
    ``stopped``, ``cut``, ``unanswered``, or ``taken_out`` where it went with a memory that it
    quoted.
    """
    # A reply that was stopped while the model is silent is stored once the model lets go.
    response = turn.response or talk.said_unstored(turn.id)
    if not response:
        end = "taken_out" if turn.replied_by else "unanswered"
    elif turn.response and not turn.interrupted:
        end = "whole"
    else:
        end = "stopped" if talk.ends.get(turn.id) == "stopped" else "cut"
    return {
        "id": turn.id,
        "date": turn.date,
        "time": time_in(turn, zone),
        "query": turn.query,
        "response": response,
        "blocks": answer_blocks(turn, response),
        "end": end,
        "unkept": turn.unkept,
        "replied_by": turn.replied_by,
    }


def time_in(turn: Turn, zone: ZoneInfo) -> str | None:
    """Return when a turn was said, on the clock of a zone; None where only the day is known."""
    return None if turn.time is None else turn.time.astimezone(zone).isoformat()


def answer_blocks(turn: Turn, response: str) -> Sequence[str] | None:
    """Return an answer's Markdown as HTML; None of one that quotes memories as they were said."""
    return None if turn.replied_by == OFFLINE else reply_blocks(response)


def answers_document(memory: PersonMemory | None, talk: Talk) -> dict[str, Any] | None:
    """Return the answers that the last message has got; None where there is nothing to compare."""
    last = next(reversed(list(memory.turns())), None) if memory is not None else None
    if last is None:
        return None
    versions, stands = talk.versions.of(memory, last.id)
    told = [
        {"query": it.query, "response": it.response, "blocks": answer_blocks(it, it.response)}
        for it in versions
    ]
    return {"id": last.id, "versions": told, "stands": stands} if told else None


def newest_lines(
    memory: PersonMemory | None, talk: Talk, running: RunningReply | None, since: str = ""
) -> list[dict[str, Any]]:
    """Return the newest lines, oldest first, without the one that is being answered.

    ``since`` is the id of the first line that a tab shows, be it erased meanwhile: it gets what
    was said from there on, and nothing older comes in above.
    """
    if memory is None:
        return []
    turns, most = list(memory.turns())[-MOST_LINES:], WINDOW
    place = parse_memory_id(since)
    if place is not None:
        first = (place.date, place.position)
        turns, most = [it for it in turns if (it.date, it.position) >= first], MOST_LINES
    if running is not None and not running.message.again:
        turns = [turn for turn in turns if turn.id != running.turn]
    return [line_document(turn, talk, memory.profile.zone) for turn in turns[-most:]]


def has_earlier(memory: PersonMemory | None, lines: Sequence[dict[str, Any]]) -> bool:
    """Return whether anything was said before the first of these lines."""
    first = next(islice(memory.turns(), 1), None) if memory is not None else None
    return first is not None and bool(lines) and first.id != lines[0]["id"]


def last_turn(memory: PersonMemory | None, identifier: str) -> Turn:
    """Return the last turn, which a tab wants to change, if it is the one that the tab shows.

    Raises:
        UsageError: something else was said last.
    """
    turns = [] if memory is None else list(memory.turns())
    if not turns or turns[-1].id != identifier:
        raise UsageError("talk_moved_on")
    return turns[-1]
