"""The talk that goes on: recent turns, from whatever process, and never an empty reply."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from siliconfriend.dialogue.chat_history import (
    LIVE_TURNS,
    Exchange,
    live_turns,
    newest_within,
    to_messages,
)
from siliconfriend.memory.changes import PutContext, PutTurn, apply_all
from siliconfriend.models.base import Message
from tests.dialogue.people import SCOPES, empty, turn

SCOPE = SCOPES["en"]
NIGHT = datetime(2026, 3, 14, 0, 30, tzinfo=UTC)


def test_only_the_last_hours_are_live() -> None:
    """Turns of the last six hours, over midnight too; not older, later, put away or undated."""
    early = turn(SCOPE, "2026-03-13T18:00", "too early", "x", 0)
    evening = turn(SCOPE, "2026-03-13T19:00", "evening", "x", 1)
    away = turn(SCOPE, "2026-03-13T20:00", "away", "x", 2)
    away = replace(away, trace=away.trace.archived_at(NIGHT))
    undated = replace(turn(SCOPE, "2026-03-14T00:00", "undated", "x", 0), time=None)
    night = turn(SCOPE, "2026-03-14T00:10", "night", "", 1)
    later = turn(SCOPE, "2026-03-14T00:40", "later", "x", 2)
    turns = [early, evening, away, undated, night, later]
    memory = apply_all(empty("en"), map(PutTurn, turns))
    assert live_turns(memory, NIGHT) == [evening, night]


def test_only_the_last_turns_are_live() -> None:
    """Of a long talk the last thirty turns; what was read has left it, what waits has not."""
    turns = [turn(SCOPE, f"2026-03-14T00:{n:02}", str(n), "x", n) for n in range(30)]
    turns += [turn(SCOPE, f"2026-03-13T20:{n:02}", "earlier", "x", n) for n in range(9)]
    memory = apply_all(empty("en"), map(PutTurn, turns))
    assert [it.query for it in live_turns(memory, NIGHT)] == [str(n) for n in range(30)]
    ids = [it.id for it in turns]
    memory = PutContext((*ids[:10], *ids[30:]), "extracted").apply(memory)
    memory = PutContext(tuple(ids[10:20]), "pending").apply(memory)
    assert [it.query for it in live_turns(memory, NIGHT)] == [str(n) for n in range(10, 30)]
    assert LIVE_TURNS == 30


def test_words_without_a_reply_join_the_next() -> None:
    """No message is empty and nobody speaks twice in a row, whatever was lost."""
    talk = [
        Exchange("One", ""),
        Exchange("Two", "Yes."),
        Exchange("Three", ""),
        Exchange("Four", ""),
    ]
    assert to_messages(talk, "Four") == [
        Message("user", "One\nTwo"),
        Message("assistant", "Yes."),
        Message("user", "Three\nFour"),
    ]
    assert to_messages([], "Hello") == [Message("user", "Hello")]


def test_the_oldest_leave_first() -> None:
    """What fits the budget is kept from the end: 7 letters and 8 tokens of Chinese each."""
    talk = [Exchange("abcdefg", "一二三四五六"), Exchange("hijklmn", "七八九十百千")]
    cost = 2 + 6
    assert newest_within(talk, 2 * cost + 1) == talk
    assert newest_within(talk, 2 * cost - 3) == talk[1:]
    assert newest_within(talk, 3) == []
