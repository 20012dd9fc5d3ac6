"""Parts of a long talk are found by ids, whatever is said or taken back meanwhile."""

from __future__ import annotations

import pytest

from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import Erase, PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory, Turn
from tests.memory.people import a_profile, a_turn
from webui.talk.windows import TalkWindow, turns_after, turns_around, turns_before

TURNS = [
    a_turn(f"Row {number}", day=f"2026-03-0{1 + number // 4}", position=number % 4)
    for number in range(12)
]
TALK = apply_all(PersonMemory(a_profile()), [PutTurn(turn) for turn in TURNS])


def rows(window: TalkWindow) -> tuple[list[int], bool, bool]:
    """The numbers of the lines, and whether there are earlier and later ones."""
    numbers = [int(turn.query.removeprefix("Row ")) for turn in window.turns]
    return numbers, window.is_earlier, window.is_later


def test_the_lines_before_and_after_one_follow_each_other_over_days() -> None:
    """Without the line itself; at either end it is said that there are no more."""
    assert rows(turns_before(TALK, TURNS[5].id, 3)) == ([2, 3, 4], True, True)
    assert rows(turns_before(TALK, TURNS[2].id, 3)) == ([0, 1], False, True)
    assert rows(turns_before(TALK, TURNS[0].id)) == ([], False, True)
    assert rows(turns_after(TALK, TURNS[6].id, 3)) == ([7, 8, 9], True, True)
    assert rows(turns_after(TALK, TURNS[9].id, 3)) == ([10, 11], True, False)
    assert rows(turns_after(TALK, TURNS[11].id)) == ([], True, False)


def test_a_line_stands_in_the_midst_of_others() -> None:
    """Near an end there are as many, more of them on the other side."""
    assert rows(turns_around(TALK, TURNS[6].id, 4)) == ([4, 5, 6, 7], True, True)
    assert rows(turns_around(TALK, TURNS[0].id, 4)) == ([0, 1, 2, 3], False, True)
    assert rows(turns_around(TALK, TURNS[11].id, 4)) == ([8, 9, 10, 11], True, False)
    assert rows(turns_around(TALK, TURNS[5].id, 99)) == (list(range(12)), False, False)


def test_a_line_that_was_taken_back_still_is_a_place() -> None:
    """Scrolling goes on from it; looking for the line itself fails plainly."""
    without = apply_all(TALK, [Erase((TURNS[5].id,))])
    assert rows(turns_before(without, TURNS[5].id, 2)) == ([3, 4], True, True)
    assert rows(turns_after(without, TURNS[5].id, 2)) == ([6, 7], True, True)
    with pytest.raises(UsageError):
        turns_around(without, TURNS[5].id)


@pytest.mark.parametrize("identifier", ["", "../..", "fact-2026-03-01-0-00000000", "turn-x"])
def test_what_is_no_id_of_a_line_is_refused(identifier: str) -> None:
    """Nothing is guessed from it."""
    for find in (turns_before, turns_after, turns_around):
        with pytest.raises(UsageError):
            find(TALK, identifier)


def test_an_empty_talk_has_no_lines() -> None:
    """Before somebody's first words."""
    turn: Turn = TURNS[0]
    assert rows(turns_before(PersonMemory(a_profile()), turn.id)) == ([], False, False)
