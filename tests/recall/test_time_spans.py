"""Spans of days in recall: what a day of one counts, and answers spread over it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall import time_spans
from siliconfriend.recall.cue import Cue, build_cue
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.time_spans import (
    TOLD_LATER,
    WEEK,
    asks_only_for_time,
    date_match,
    spread_over_span,
)
from tests.memory.people import NORA, a_profile, a_summary
from tests.recall.people import a_recaller, found, remember, turns

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


def _cue(message: str) -> Cue:
    return build_cue(message, PersonMemory(a_profile()), now=NOW)


def _match(message: str, *days: str) -> list[float]:
    numbers = np.array([date.fromisoformat(day).toordinal() for day in days], dtype=np.int32)
    return [round(float(share), 3) for share in date_match(numbers, _cue(message), NOW.date())]


def test_a_day_of_a_month_counts_as_much_as_one_of_a_week() -> None:
    """A single day 1, a weekend's 1/√2, and of anything longer than a week no less than its days."""
    week = round(WEEK, 3)
    assert _match("on March 4th?", "2026-03-04", "2026-03-05") == [1.0, 0.0]
    assert _match("last weekend?", "2026-03-07") == [0.707]
    assert _match("last week?", "2026-03-04") == [week]
    assert _match("in March two years ago?", "2024-03-01", "2024-03-31", "2024-04-01") == [
        week,
        week,
        0.0,
    ]
    assert _match("What did I do last summer?", "2025-07-04", "2025-09-01") == [week, 0.0]


def test_what_is_vague_or_only_goes_on_counts_less() -> None:
    """The word "recently" says little; in a remark, so does a year that still goes on."""
    assert _match("What did I do recently?", "2026-03-10") == [round(15**-0.5, 3)]
    assert _match("It rains so much this year.", "2026-02-10") == [round(365**-0.5, 3)]
    assert _match("Where have I been this year?", "2026-02-10") == [round(WEEK, 3)]
    assert _match("I was so tired last summer.", "2025-07-04") == [round(WEEK, 3)]


def test_a_span_named_a_thousand_times_is_weighed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a long message asks is looked up once, not once for each day it names."""
    asked: list[str] = []
    monkeypatch.setattr(time_spans, "is_question", lambda words: bool(asked.append(words)))
    assert _match("in March 2024. " * 1000, "2024-03-01") == [round(WEEK, 3)]
    assert len(asked) == 1


def test_a_feast_is_told_of_in_the_days_after_it() -> None:
    """Half as much as the day itself, for three days; a plain date has no days after it."""
    days = ("2025-12-31", "2026-01-01", "2026-01-03", "2026-01-04")
    assert _match("on New Year's Eve?", *days) == [1.0, TOLD_LATER, TOLD_LATER, 0.0]
    assert _match("on December 31?", *days) == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Where was I in March two years ago?", True),
        ("What happened to me last summer?", True),
        ("前年十月我都忙了些什么？", True),
        ("上个月我跟你讲过哪些事？", True),
        ("Which club did I join last spring?", False),
        ("去年九月我弄坏了什么？", False),
        ("What was I up to?", False),
    ],
)
def test_a_question_for_nothing_but_a_time(message: str, expected: bool) -> None:
    """It names days and has no word that could be searched."""
    assert asks_only_for_time(_cue(message)) is expected


def test_the_first_answers_lie_all_over_the_span() -> None:
    """One of each slice before a second one of any, the better first."""
    said = [("2026-01-02", f"{number}", "") for number in range(6)]
    said += [("2026-01-12", "6", ""), ("2026-01-30", "7", "")]
    memories: list[Memory] = list(turns(said))
    span = (DateSpan(date(2026, 1, 1), date(2026, 1, 31), None, "January"),)
    days = np.array([date.fromisoformat(it.date).toordinal() for it in memories], dtype=np.int32)
    scores = np.array([8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    spread = spread_over_span(memories, days, scores, span, 3)
    assert spread == [0, 6, 7, 1, 2, 3, 4, 5]


def test_summaries_stand_for_many_turns() -> None:
    """Before the turns where there are more of them than places, else after them."""
    memories: list[Memory] = [
        *turns((("2026-01-02", "a", ""), ("2026-01-02", "b", ""), ("2026-01-02", "c", ""))),
        a_summary("All of the day.", day="2026-01-02"),
    ]
    span = (DateSpan(date(2026, 1, 1), date(2026, 1, 31), None, "January"),)
    days = np.full(4, date(2026, 1, 2).toordinal(), dtype=np.int32)
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    assert spread_over_span(memories, days, scores, span, 2)[0] == 3
    assert spread_over_span(memories, days, scores, span, 3)[-1] == 3


def test_short_spans_are_not_spread() -> None:
    """A day or a week is ranked as ever, and so is a span of which nothing was said."""
    memories: list[Memory] = list(turns([("2026-01-02", "a", "")]))
    days = np.array([date(2026, 1, 2).toordinal()], dtype=np.int32)
    week = (DateSpan(date(2026, 1, 1), date(2026, 1, 7), None, "that week"),)
    year = (DateSpan(date(2020, 1, 1), date(2020, 12, 31), None, "in 2020"),)
    for span in (week, year):
        assert spread_over_span(memories, days, np.ones(1), span, 5) == []


GARDEN = [
    ("2025-06-03", "I planted beans by the wall.", ""),
    ("2025-06-03", "The beans need strings.", ""),
    ("2025-06-18", "My sister moved to Porto.", ""),
    ("2025-07-21", "The dentist found nothing wrong.", ""),
    ("2025-08-25", "I bought a blue kettle.", ""),
    ("2025-11-02", "The beans are all eaten.", ""),
    ("2026-01-05", "What a summer that was, with all its beans!", ""),
]


def test_a_span_is_answered_from_its_days() -> None:
    """All of it where only the time is asked; of it what fits where more is said."""
    store = InMemoryStore()
    remember(store, turns(GARDEN))
    recaller = a_recaller(store, None)
    of_summer = recaller.recall(NORA, "What happened last summer?", now=NOW, top=3).memories
    assert {it.memory.date[:7] for it in of_summer} == {"2025-06", "2025-07", "2025-08"}
    beans = found(recaller.recall(NORA, "Where did I plant beans last summer?", now=NOW, top=2))
    assert beans == ["I planted beans by the wall.", "The beans need strings."]
    assert found(recaller.recall(NORA, "What happened in the spring of 2020?", now=NOW)) == []


def test_a_plan_stands_among_what_was_told_in_its_days() -> None:
    """A plan for March is made in January; it speaks of all of March, and so stands in it.

    Who asks what is planned asks for nothing that was only told then.
    """
    said = [
        ("2026-01-11", "I plan a trip in March.", ""),
        ("2026-03-02", "Rain again.", ""),
        ("2026-02-01", "The kettle is blue.", ""),
    ]
    store = InMemoryStore()
    remember(store, turns(said))
    recaller = a_recaller(store, None)
    planned = recaller.recall(NORA, "What have I planned for March?", now=NOW)
    assert found(planned) == ["I plan a trip in March."]
    asked = recaller.recall(NORA, "What was there in March?", now=NOW)
    assert set(found(asked)) == {"I plan a trip in March.", "Rain again."}


def test_a_long_span_of_a_large_memory_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all turns of a year become candidates, but those that match and some all over it do."""
    start = date(2025, 1, 1)
    said = [
        (str(start + timedelta(days=number % 365)), f"Walked {number} steps.", "")
        for number in range(900)
    ]
    said += [("2025-08-08", "The oboe is mended.", "")]
    store = InMemoryStore()
    remember(store, turns(said), NORA)
    recaller = a_recaller(store, None)
    sizes: list[int] = []
    pool_of_span = time_spans.pool_of_span

    def counted(*arguments: Any) -> time_spans.Mask:
        pool = pool_of_span(*arguments)
        sizes.append(int(pool.sum()))
        return pool

    monkeypatch.setattr("siliconfriend.recall.candidate_set.pool_of_span", counted)
    asked = found(recaller.recall(NORA, "Was the oboe mended last year?", now=NOW, top=3))
    assert asked[0] == "The oboe is mended."
    months = {
        it.memory.date[:7]
        for it in recaller.recall(NORA, "What happened last year?", now=NOW, top=12).memories
    }
    assert len(months) >= 11
    assert all(0 < size <= 400 for size in sizes)
