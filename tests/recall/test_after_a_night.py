"""A night without a model adds words that were said already: it must not crowd out the turns."""

from __future__ import annotations

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutSummary, PutTrace
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import DaySummary, Turn
from siliconfriend.recall.candidate_set import POOL
from siliconfriend.recall.results import RecallResult
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import NOW, a_recaller, found, remember, turns, with_trace

DAYS = [f"2025-{1 + number // 28:02}-{1 + number % 28:02}" for number in range(POOL * 6 // 5)]
SAID = [
    it
    for number, day in enumerate(DAYS)
    for it in (
        (day, f"I planted beans in bed {number}.", ""),
        (day, f"Letter {number} came from my aunt about pears.", ""),
    )
]
TOLD = ("2025-12-30", "I buried the blue kettle under the beans.", "")


def _made_offline(told: list[Turn]) -> list[PutDerived | PutSummary]:
    """Of each day an event and a summary out of all its turns."""
    made: list[PutDerived | PutSummary] = []
    for day in dict.fromkeys(turn.date for turn in told):
        of_day = [turn for turn in told if turn.date == day]
        text = " ".join(turn.query for turn in of_day)
        source = Provenance(OFFLINE, NOW, tuple(turn.id for turn in of_day))
        trace = Trace(of_day[0].trace.created)
        summary = DaySummary(memory_id(NORA, "day", day, 0), day, text, trace, source)
        event = Event(memory_id(NORA, "event", day, 0), day, 0, text, trace, source)
        made += [PutSummary(day, summary), PutDerived(event)]
    return made


def test_a_night_without_a_model_finds_what_the_day_found() -> None:
    """In a memory that is too large for all of it to be weighed."""
    store = InMemoryStore()
    told = turns([*SAID, TOLD])
    remember(store, told)
    recaller = a_recaller(store, WordEmbedder())

    def recall(question: str) -> RecallResult:
        return recaller.recall(NORA, question, now=NOW)

    asked = "Where are the beans and the kettle?"
    by_day = found(recall(asked))
    assert by_day[0] == TOLD[1]
    put(store, NORA, *_made_offline(told))
    assert found(recall(asked)) == by_day
    of_both = recall("beans aunt pears").memories
    assert of_both
    assert all(isinstance(it.memory, Turn) for it in of_both), "a summary holds all three words"


def test_what_a_night_made_of_archived_turns_is_still_found() -> None:
    """It is all that is left of them."""
    store = InMemoryStore()
    told = turns([*SAID[:4], TOLD])
    remember(store, told)
    put(store, NORA, *_made_offline(told))
    archived = with_trace(told[-1], archived=NOW)
    put(store, NORA, PutTrace(archived.id, archived.trace))
    recalled = a_recaller(store, WordEmbedder()).recall(NORA, "the blue kettle", now=NOW)
    assert not isinstance(recalled.memories[0].memory, Turn)
    assert "blue kettle" in recalled.memories[0].memory.text


def test_a_month_is_told_by_its_turns_after_a_night_too() -> None:
    """Summaries of days of small talk do not take the places of what was told on others."""
    store = InMemoryStore()
    told = turns([*SAID[:60], TOLD])
    remember(store, told)
    recaller = a_recaller(store, WordEmbedder())

    def recall() -> list[str]:
        return found(recaller.recall(NORA, "What happened in January 2025?", now=NOW))

    by_day = recall()
    assert len(by_day) == 10
    put(store, NORA, *_made_offline(told))
    assert recall() == by_day


def test_a_word_tells_after_a_night_what_it_told_before() -> None:
    """However often the night said it again: a word of one turn, of none other."""
    store = InMemoryStore()
    told = turns([*SAID[:8], TOLD])
    remember(store, told)
    recaller = a_recaller(store, WordEmbedder())

    def shared() -> list[float]:
        result = recaller.recall(NORA, "Is the kettle blue?", now=NOW, near=9)
        several = (*result.memories, *result.near)
        signs = [it.signs for it in several if it.memory.id == told[-1].id]
        return [value for it in signs if it for value in (it.words, it.coverage, it.rareness)]

    by_day = shared()
    assert by_day[0] > 0
    put(store, NORA, *_made_offline(told[-1:]), *_made_offline(told[:2]))
    assert shared() == pytest.approx(by_day)
