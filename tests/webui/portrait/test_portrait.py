"""The portrait: who somebody is at a glance, and line by line with days and a way to put it right."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from siliconfriend.control.edit import correct_text
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact, Insight
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.memory.stored import put, say
from webui.portrait.glance import Glances, glance_at
from webui.portrait.open_questions import open_questions
from webui.portrait.parts import rests_on
from webui.portrait.view import Portrait

NORA = Scope.of("Nora")
DAY = "2026-03-02"
SAID = datetime(2026, 3, 2, 12, tzinfo=UTC)
TODAY = date(2026, 3, 4)
POLICY = ForgettingPolicy.named("companion")
HEADINGS: dict[Language, list[str]] = {
    "en": [
        *("Promises and plans", "What I know of you", "You and others", "You and me"),
        *("People and things around you", "What I think"),
    ],
    "cn": ["约定和打算", "我知道的你", "你和别人", "你和我", "你身边的人和事", "我的想法"],
}


@pytest.fixture
def store() -> InMemoryStore:
    """Nora, of whom a few things are known, one of them no more and one put away."""
    store = InMemoryStore()
    store.create(NORA, new_profile(NORA, language="en", timezone="UTC", now=SAID))
    say(store, "I row.", NORA, now=SAID)
    facts = [
        _fact(0, "I will ask <b>about</b> the race.", entity_type="subject", aspect="promise"),
        _fact(1, "Anna likes figs.", entity="Anna", entity_type="specific"),
        _fact(2, "Nora is Anna's sister.", aspect="relation"),
        _fact(3, "Nora rows.", key_word="rowing"),
        _fact(4, "I call Nora captain.", entity_type="subject", aspect="relation"),
        _fact(5, "Nora swims.", superseded_by="fact-x"),
        replace(_fact(6, "Nora sails."), trace=Trace(SAID).archived_at(SAID)),
    ]
    insight = Insight(
        id=memory_id(NORA, "insight", DAY, 0),
        date=DAY,
        position=0,
        text="She rests by moving.",
        trace=Trace(SAID),
        provenance=facts[0].provenance,
    )
    put(store, NORA, *(PutDerived(it) for it in (*facts, insight)))
    return store


def _fact(number: int, text: str, **more: Any) -> Fact:
    known: dict[str, Any] = {"entity": "Nora", "entity_type": "object", "aspect": "attribute"}
    return Fact(
        id=memory_id(NORA, "fact", DAY, number),
        date=DAY,
        position=number,
        text=text,
        trace=Trace(SAID),
        provenance=Provenance("offline", SAID, (memory_id(NORA, "turn", DAY, 0),)),
        last=DAY,
        **(known | more),
    )


def _portrait(store: InMemoryStore, language: Language = "en", today: date = TODAY) -> str:
    memory = store.load(NORA)
    now = datetime(today.year, today.month, today.day, 9, tzinfo=UTC)
    questions = open_questions(memory, POLICY, now, "Silicon", language)
    return Portrait(memory, glance_at(memory, "Silicon"), (), questions, today, language).html()


@pytest.mark.parametrize("language", HEADINGS)
def test_facts_stand_in_their_groups(store: InMemoryStore, language: Language) -> None:
    """Under a heading each; what became history and what is in the archive are not shown."""
    shown = _portrait(store, language)
    titles = re.findall("<h3>(.*?)</h3>|<summary>([^<]*)</summary><ul", shown)
    assert [one or other for one, other in titles] == HEADINGS[language]
    words = re.findall("<li data-memory=[^>]*><div><p>(.*?)</p>", shown)
    assert words == [
        "I will ask &lt;b&gt;about&lt;/b&gt; the race.",
        "Nora rows.",
        "Nora is Anna&#x27;s sister.",
        "I call Nora captain.",
        "<b>Anna</b> Anna likes figs.",
        "She rests by moving.",
    ]


def test_each_line_has_its_days_and_can_be_put_right(store: InMemoryStore) -> None:
    """A link to the day, and a menu to pin, correct and erase; a person's words are called theirs."""
    shown = _portrait(store)
    lines = re.findall("<li data-memory=.*?</li>", shown)
    assert len(lines) == 6
    for line in lines:
        assert f'href="#/memories?day={DAY}"' in line
        assert re.findall('data-act="(.*?)"', line) == ["pin", "correct", "erase"]
    correct_text(store, NORA, memory_id(NORA, "fact", DAY, 3), "Nora rows at dawn.", SAID)
    after = _portrait(store)
    assert "Nora rows at dawn." in after
    assert "In your own words." in after


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Known since", "2 March", "Talked on", "three days", "Said", "four exchanges"]),
        ("cn", ["相识于", "3月2日", "聊过", "三天", "说过", "四轮话"]),
    ],
)
def test_who_somebody_is_at_a_glance(
    store: InMemoryStore, language: Language, words: list[str]
) -> None:
    """Since when, on how many days, how much; and a link to the day they last talked."""
    for said in (datetime(2026, 3, day, 12, tzinfo=UTC) for day in (10, 10, 12)):
        say(store, "The boat leaks.", NORA, now=said)
    shown = _portrait(store, language, date(2026, 3, 14))
    assert re.findall("<d[td]>([^<]+)</d[td]>", shown)[:6] == words
    assert '<dd><a class="sf-day-link" href="#/memories?day=2026-03-12">' in shown


def test_people_and_what_one_returns_to_are_counted_by_their_days(store: InMemoryStore) -> None:
    """A name of two days, a word of three; what was said on one day alone is not returned to."""
    for day, words in (
        (10, "Theo mended the boat."),
        (11, "My boat leaks."),
        (12, "Ask Theo to row."),
    ):
        say(store, words, NORA, now=datetime(2026, 3, day, 12, tzinfo=UTC))
    say(store, "Yesterday I met Theo at the boat.", NORA, now=datetime(2026, 3, 13, 12, tzinfo=UTC))
    glance = glance_at(store.load(NORA), "Silicon")
    names = {it.name: it.days for it in glance.names}
    assert names["Theo"] == ("2026-03-10", "2026-03-12", "2026-03-13")
    returning = {it.name.lower(): it.days for it in glance.returning}
    assert returning["boat"] == ("2026-03-10", "2026-03-11", "2026-03-13")
    assert "theo" not in returning
    assert "leaks" not in returning


def test_what_speaks_of_self_harm_is_nowhere_in_the_portrait(store: InMemoryStore) -> None:
    """Neither counted nor named; nor is what is not to be remembered."""
    say(store, "I want to kill myself on the pier.", NORA, now=datetime(2026, 3, 3, 12, tzinfo=UTC))
    (*_, turn) = store.load(NORA).turns()
    put(store, NORA, PutTurn(replace(turn, distress=True)))
    glance = glance_at(store.load(NORA), "Silicon")
    assert (glance.days, glance.exchanges, glance.moods) == (1, 1, ())


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "Is this still so?"), ("cn", "现在还是这样吗？")]
)
def test_it_asks_what_is_open_and_what_fades(
    store: InMemoryStore, language: Language, asked: str
) -> None:
    """A lost key until it is found, in the person's language; a fact that has grown dim."""
    lost = datetime(2026, 3, 10, 12, tzinfo=UTC)
    say(store, "I lost my key at the pier.", NORA, now=lost)
    now = datetime(2026, 3, 20, 9, tzinfo=UTC)
    (question,) = open_questions(store.load(NORA), POLICY, now, "Silicon", language)
    assert "key at the pier" in question.words
    say(store, "I found the key again.", NORA, now=datetime(2026, 3, 15, 12, tzinfo=UTC))
    assert open_questions(store.load(NORA), POLICY, now, "Silicon", language) == []
    years_later = datetime(2030, 3, 20, 9, tzinfo=UTC)
    faded = open_questions(store.load(NORA), POLICY, years_later, "Silicon", language)
    assert next(it.words for it in faded).startswith(asked)
    assert len(faded) == 5


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Rests on 300 days, from 10 May 2025 to yesterday"),
        ("cn", "依据：2025年5月10日到昨天之间的300天"),
    ],
)
def test_what_rests_on_many_days_says_how_many(language: Language, words: str) -> None:
    """And opens to links to the newest; a few are linked at once."""
    today = date(2026, 3, 6)
    year = [(today - timedelta(days=it)).isoformat() for it in range(300, 0, -1)]
    ids = tuple(f"personality-{day}" for day in year)
    shown = rests_on(Provenance("offline", SAID, ids), today, language)
    assert shown.startswith(f"<details><summary>{words}</summary>")
    assert shown.count("#/memories?day=") == 60
    assert shown.index("day=2026-03-05") < shown.index("day=2026-03-04")
    assert "<details" not in rests_on(Provenance("offline", SAID, ids[:3]), today, language)
    assert rests_on(Provenance("offline", SAID, ()), today, language) == ""


def test_a_glance_is_kept_until_the_memory_changes(store: InMemoryStore) -> None:
    """The same memory gives the same glance; one more line, or somebody else, gives another."""
    glances, memory = Glances(), store.load(NORA)
    first = glances.at(NORA, memory, "Silicon")
    assert glances.at(NORA, memory, "Silicon") is first
    say(store, "I swam.", NORA, now=datetime(2026, 3, 3, 12, tzinfo=UTC))
    assert glances.at(NORA, store.load(NORA), "Silicon").exchanges == 2
    assert glances.at(Scope.of("Zoe"), memory, "Silicon") is not first
