"""What is planned: questions for all that is to come, and what of it was told."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.recall.dates import find_dates
from siliconfriend.recall.plans import days_planned_for
from tests.memory.people import NORA, a_profile
from tests.memory.stored import say
from tests.recall.people import a_recaller

NOW = datetime(2026, 10, 11, 18, tzinfo=UTC)  # a Sunday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What have I planned for November?", "2026-11-01", "2026-11-30"),
        ("What have I got on in November?", "2026-11-01", "2026-11-30"),
        ("Do I have any appointments next week?", "2026-10-12", "2026-10-18"),
        ("Which dates must I keep until the end of January?", "2026-10-11", "2027-01-31"),
        ("What is coming up?", "2026-10-11", "2027-10-11"),
        ("What have I planned for this year?", "2026-10-11", "2026-12-31"),
        ("今年下半年我有哪些约？", "2026-10-11", "2026-12-31"),
        ("年底前我有哪些事要办？", "2026-10-11", "2026-12-31"),
        ("接下来我有什么安排？", "2026-10-11", "2027-10-11"),
    ],
)
def test_a_question_for_what_is_to_come(question: str, first: str, last: str) -> None:
    """Asked on 11 October 2026: from today on, and no day that has been."""
    spans = find_dates(question, now=NOW, zone=UTC)
    days = date.fromisoformat(first), date.fromisoformat(last)
    assert days_planned_for(question, spans, NOW.date()) == days


@pytest.mark.parametrize(
    "question",
    [
        "What are my retirement plans?",
        "What did I plan for May last year?",
        "When is my appointment with the surgeon?",
        "我退休有什么打算？",
        "去年八月我安排了什么？",
        "周六吃什么？",
    ],
)
def test_what_asks_for_one_plan_asks_not_for_all(question: str) -> None:
    """Nor does what asks for days that have been."""
    spans = find_dates(question, now=NOW, zone=UTC)
    assert days_planned_for(question, spans, NOW.date()) is None


TOLD = {
    "en": (
        "On 19 December we fly to Toronto.",
        "On 21 November I hold the rings at the wedding.",
        "We flew to Oslo on 3 March.",
        "I sold the kayak.",
        "On 20 February I see the surgeon.",
    ),
    "cn": (
        "十二月十九号我们要飞多伦多。",
        "说好了，十一月二十一号我去婚礼上捧戒指。",
        "三月三号我们飞了奥斯陆。",
        "我把皮划艇卖了。",
        "二月二十号要去看外科大夫。",
    ),
}


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("en", "Which dates must I keep until the end of January?"),
        ("cn", "一月底之前我有哪些安排？"),
    ],
)
def test_all_that_is_planned_is_the_answer(told: str, question: str) -> None:
    """In the order of the days it is planned for; what has been and what comes later is left out."""
    store = InMemoryStore()
    store.create(NORA, a_profile())
    for day, words in enumerate(TOLD[told], start=1):
        say(store, words, NORA, now=datetime(2026, 9, day, 9, tzinfo=UTC))
    found = a_recaller(store, None).recall(NORA, question, now=NOW).answers
    turns = [it.memory.query for it in found if isinstance(it.memory, Turn)]
    assert turns == [TOLD[told][1], TOLD[told][0]]
