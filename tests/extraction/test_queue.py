"""The queue: who leaves the talk, what is read together, and what is play."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.extraction.queue import (
    BATCH_SIZE,
    SCENE_GAP,
    live_in_queue,
    newly_pending,
    pending_batches,
    role_play_turns,
)
from siliconfriend.memory.changes import PutContext, PutTurn
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.records import PersonMemory, QueueState
from tests.extraction.world import WHO, at, nobody_yet, said, talk
from tests.sentences import rows


def _minutes(count: int, start: int = 0) -> list[str]:
    return [f"3 {14 + number // 60}:{number % 60:02}" for number in range(start, start + count)]


def test_a_scene_that_is_said_to_change_takes_all() -> None:
    """However few there are; imported turns were never in the talk."""
    memory = talk(["3 14:00", "3 14:01"])
    assert len(live_in_queue(memory)) == 2
    assert live_in_queue(talk(["3 14:00"], origin="import")) == []
    assert newly_pending(talk(["3 14:00"], origin="import"), at("4")) == ()


def test_by_day_only_what_is_pending_is_read() -> None:
    """The talk that goes on is left alone, and so is an import until the night."""
    memory = talk(_minutes(12))
    first = tuple(turn.id for turn in memory.turns())[:3]
    memory = PutContext(first, "pending").apply(memory)
    (batch,) = pending_batches(memory, at("3 14:30"), over=False)
    assert [turn.query for turn in batch.turns] == ["word 1", "word 2", "word 3"]
    assert batch.before is None
    assert pending_batches(talk(["1"], origin="import"), at("3"), over=False) == []


def test_at_night_days_that_are_over_are_read() -> None:
    """Imports too; today only where it counts as over."""
    memory = talk(["1", "2"], origin="import", time=None)
    assert [batch.date for batch in pending_batches(memory, at("2"), over=True)] == ["2026-06-01"]
    both = pending_batches(memory, at("2"), over=True, today=True)
    assert [one.date for one in both] == ["2026-06-01", "2026-06-02"]
    assert both[1].before == both[0].turns[0]


def test_scenes_and_days_are_read_apart() -> None:
    """Half an hour of silence parts a day; turns of which only the day is known stay together."""
    memory = talk(["3 14:00", "3 14:29", "3 14:59", "4 14:59"])
    found = pending_batches(memory, at("5"), over=True)
    assert [len(one.turns) for one in found] == [2, 1, 1]
    imported = talk(["3", "3", "3"], origin="import", time=None)
    assert [len(batch.turns) for batch in pending_batches(imported, at("5"), over=True)] == [3]


def test_what_is_not_to_be_read_is_not() -> None:
    """Extracted, unkept, put away and expired turns stay out."""
    memory = talk(["1 10:00", "1 10:01", "1 10:02", "1 10:03", "1 10:04"])
    one, two, three, four, five = memory.turns()
    now = at("2")
    for changed in (
        replace(one, context="extracted"),
        replace(two, unkept=True),
        replace(three, trace=three.trace.archived_at(now)),
        replace(four, trace=replace(four.trace, expires=now)),
    ):
        memory = PutTurn(changed).apply(memory)
    assert [batch.turns for batch in pending_batches(memory, now, over=True)] == [(five,)]


gaps = st.lists(st.one_of(st.integers(1, 20), st.integers(1, 70)), min_size=1, max_size=60)
contexts = st.sampled_from(get_args(QueueState))


@given(gaps, st.data())
def test_no_turn_is_lost_and_none_is_read_with_another_scene(
    minutes: list[int], data: st.DataObject
) -> None:
    """Whatever the gaps: every turn that is due is in one batch, in order, at most ten."""
    moment = at("1")
    memory = talk([])
    for number, gap in enumerate(minutes):
        moment += timedelta(minutes=gap)
        memory = _with_turn(memory, moment, number, data.draw(contexts))
    turns = list(memory.turns())
    found = pending_batches(memory, moment + timedelta(days=1), over=True)
    read = [turn for batch in found for turn in batch.turns]
    assert read == [turn for turn in turns if not turn.is_read]
    for batch in found:
        assert 1 <= len(batch.turns) <= BATCH_SIZE
        assert len({turn.date for turn in batch.turns}) == 1
        first, last = turns.index(batch.turns[0]), turns.index(batch.turns[-1])
        assert batch.before == (turns[first - 1] if first else None)
        for one, other in zip(turns[first:last], turns[first + 1 : last + 1], strict=True):
            assert one.time is not None
            assert other.time is not None
            assert other.time - one.time < SCENE_GAP


def _with_turn(
    memory: PersonMemory, moment: datetime, number: int, context: QueueState
) -> PersonMemory:
    turn = new_turn(WHO, memory, f"word {number}", now=moment)
    return PutTurn(replace(turn, context=context)).apply(memory)


@pytest.mark.parametrize(("words", "played"), rows("role_play"))
def test_play_lasts_from_its_words_to_the_end_of_it_or_of_the_scene(
    words: tuple[str, ...], played: list[int]
) -> None:
    """The turn that ends it is in earnest again; words about plays are no play."""
    memory = nobody_yet()
    for minute, query in enumerate(words):
        memory = said(memory, f"3 14:{minute:02}", query)
    turns = list(memory.turns())
    found = role_play_turns(turns)
    assert [number for number, turn in enumerate(turns, start=1) if turn.id in found] == played
