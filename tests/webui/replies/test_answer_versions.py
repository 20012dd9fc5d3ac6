"""The answers to the last message can be compared while they are what stands or stood."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.memory.changes import Erase, PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory, Turn
from tests.memory.people import a_profile, a_turn
from webui.replies.answer_versions import MOST_VERSIONS, AnswerVersions

FIRST = a_turn("Count.", "One.")
SECOND = replace(FIRST, response="Two.")
THIRD = replace(FIRST, query="Count on.", response="Three.")
NONE = frozenset[str]()


def on_disk(turn: Turn) -> PersonMemory:
    """A talk in which this turn stands."""
    return apply_all(PersonMemory(a_profile()), [PutTurn(turn)])


def test_each_answer_is_there_once_and_what_stands_is_told() -> None:
    """Also after one of them was put back, and answered again from there."""
    versions = AnswerVersions()
    versions.note(FIRST, SECOND, NONE)
    assert versions.of(on_disk(SECOND), FIRST.id) == ((FIRST, SECOND), 1)
    assert versions.of(on_disk(FIRST), FIRST.id) == ((FIRST, SECOND), 0)
    versions.note(SECOND, FIRST, NONE)
    versions.note(FIRST, THIRD, NONE)
    assert versions.of(on_disk(THIRD), FIRST.id) == ((FIRST, SECOND, THIRD), 2)


def test_of_what_was_answered_once_there_is_nothing_to_compare() -> None:
    """Nor of another line, of nobody, or where the words were corrected since."""
    versions = AnswerVersions()
    assert versions.of(on_disk(FIRST), FIRST.id) == ((), 0)
    versions.note(FIRST, SECOND, NONE)
    assert versions.of(None, FIRST.id) == ((), 0)
    assert versions.of(on_disk(SECOND), "turn-2026-03-01-9-00000000") == ((), 0)
    assert versions.of(on_disk(replace(SECOND, response="Too.")), FIRST.id) == ((), 0)
    versions.clear()
    assert versions.of(on_disk(SECOND), FIRST.id) == ((), 0)


def test_an_answer_from_before_something_was_erased_is_gone() -> None:
    """It may quote what was erased; those that come after are there."""
    other = a_turn("The barn.", position=1)
    versions = AnswerVersions()
    versions.note(FIRST, SECOND, NONE)
    after = apply_all(on_disk(SECOND), [PutTurn(other), Erase((other.id,))])
    assert versions.of(after, FIRST.id) == ((), 0)
    versions.note(SECOND, THIRD, after.erased)
    stands = apply_all(after, [PutTurn(THIRD)])
    assert versions.of(stands, FIRST.id) == ((SECOND, THIRD), 1)


def test_somebody_who_asks_on_and_on_has_the_newest_answers() -> None:
    """Nothing grows without end."""
    versions, before = AnswerVersions(), FIRST
    for number in range(30):
        after = replace(FIRST, response=f"Answer {number}.")
        versions.note(before, after, NONE)
        before = after
    turns, place = versions.of(on_disk(before), FIRST.id)
    assert len(turns) == MOST_VERSIONS
    assert place == MOST_VERSIONS - 1
