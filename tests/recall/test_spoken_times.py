"""The days that a memory speaks of: derived, kept with the index, found by, and gone with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Erase, PutDerived, PutTurn
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Event, Topic, TopicSegment
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall import index_entries
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.spoken_times import SpokenTime, spoken_times
from siliconfriend.recall.time_table import TimeTable
from tests.memory.people import NORA, a_turn
from tests.memory.stored import put
from tests.recall.people import a_recaller, found, remember, turns

UTC_ZONE = ZoneInfo("UTC")
ASKED = datetime(2026, 1, 20, 9, tzinfo=UTC)


def _of(memory: Memory) -> list[str]:
    return [
        str(it.first) if it.first == it.last else f"{it.first}..{it.last}"
        for it in spoken_times(memory, UTC_ZONE)
    ]


def _told(words: str, day: str = "2026-01-10") -> Turn:
    return a_turn(words, "Did you?", day=day)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("On 14 February I fly to Oslo.", ["2026-02-14"]),
        ("In 2011 I worked on a ferry.", ["2011-01-01..2011-12-31"]),
        ("Next Friday I have an exam.", ["2026-01-16"]),
        ("Last summer we walked along the Loire.", ["2025-06-01..2025-08-31"]),
        ("I fly on 14 February and come back on 20 February.", ["2026-02-14", "2026-02-20"]),
        ("I fly on 14 February, what should I pack?", ["2026-02-14"]),
        ("二月十四号我要飞奥斯陆。", ["2026-02-14"]),
        ("2011年我在渡轮上干过活。", ["2011-01-01..2011-12-31"]),
        ("下周五要考试。", ["2026-01-16"]),
        ("明天我去看牙。", ["2026-01-11"]),
        # again and again, or only the end of a talk
        ("Every Friday we usually play cards, on Saturday too.", []),
        ("At Christmas we normally go to Wales.", []),
        ("每周都会在周末去打球。", []),
        ("See you tomorrow!", []),
        ("Let's talk again tomorrow.", []),
        ("今天先到这里吧，我们明天再聊。", []),
        # of the day itself, of none, vague, asked about
        ("Today I stayed in.", []),
        ("I like lemons.", []),
        ("I was ill recently, and a few weeks ago too.", []),
        ("我最近很忙。", []),
        ("What have I planned for 14 February?", []),
        ("Tell me what I did on 3 March.", []),
        ("二月十四号我有什么安排？", []),
        ("你还记得二月十四号的事吗", []),
    ],
)
def test_the_days_that_a_turn_speaks_of(words: str, expected: list[str]) -> None:
    """Told on Saturday 10 January 2026; a question about a day is not of it."""
    assert _of(_told(words)) == expected


def test_only_what_is_found_by_its_words_is_found_by_its_days() -> None:
    """Of an unkept turn nothing, of one with an index text what stands in it, of a reply never."""
    turn = _told("On 14 February I fly to Oslo. On 3 March I am in Rome.")
    assert _of(replace(turn, index_text="On 3 March I am in Rome.")) == ["2026-03-03"]
    assert _of(replace(turn, index_text="")) == []
    assert _of(replace(turn, unkept=True)) == []
    assert _of(a_turn("I fly soon.", "On 14 February?", day="2026-01-10")) == []


def _event(text: str, time: datetime | None, day: str = "2026-01-10") -> Event:
    sources = (memory_id(NORA, "turn", day, 0),)
    return Event(
        id=memory_id(NORA, "event", day, 0),
        date=day,
        position=0,
        text=text,
        trace=Trace(ASKED),
        provenance=Provenance("scripted", ASKED, sources),
        time=time,
    )


def test_an_event_is_of_its_moment_and_of_the_days_in_its_words() -> None:
    """Its moment where the words name no day; where they name another, what was said counts."""
    june = datetime(2026, 6, 20, 12, tzinfo=UTC)
    assert _of(_event("Nora marries in Oslo.", june)) == ["2026-06-20"]
    assert _of(_event("Nora marries in Oslo.", datetime(2026, 1, 10, 15, tzinfo=UTC))) == []
    assert _of(_event("Nora will marry on 21 June.", june)) == ["2026-06-21"]
    # half past ten at night in UTC is the next morning in Shanghai
    late = _event("Nora flies.", datetime(2026, 1, 10, 22, 30, tzinfo=UTC))
    assert spoken_times(late, ZoneInfo("Asia/Shanghai")) == (
        SpokenTime(date(2026, 1, 11), date(2026, 1, 11)),
    )


LIFE = (
    ("2025-03-02", "In 2011 I worked on a ferry.", ""),
    ("2026-01-10", "On 14 February I fly to Oslo.", ""),
    ("2026-01-11", "What have I planned for February?", ""),
    ("2026-01-12", "The kettle is blue.", ""),
    ("2026-01-13", "二月三号我要做手术。", ""),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What have I planned for February?", {LIFE[1][1], LIFE[4][1]}),
        ("What is coming up in the next five weeks?", {LIFE[1][1], LIFE[4][1]}),
        ("未来几周我有什么安排？", {LIFE[1][1], LIFE[4][1]}),
        ("What was I doing in 2011?", {LIFE[0][1]}),
        ("2011年我在做什么？", {LIFE[0][1]}),
        ("What is on 3 February?", {LIFE[4][1]}),
    ],
)
def test_what_was_told_of_days_is_found_by_them(question: str, expected: set[str]) -> None:
    """Asked on 20 January 2026, by words alone; nothing else is told of these days."""
    store = InMemoryStore()
    remember(store, turns(LIFE))
    asked = a_recaller(store, None).recall(NORA, question, now=ASKED)
    assert set(found(asked)[: len(expected)]) == expected


def test_a_plan_lends_nothing_to_what_was_told_beside_it() -> None:
    """The day it speaks of is not that of its neighbours."""
    said = [
        ("2026-01-10", "On 14 February I fly to Oslo.", ""),
        ("2026-01-10", "The kettle is blue.", ""),
    ]
    store = InMemoryStore()
    remember(store, turns(said))
    asked = a_recaller(store, None).recall(NORA, "What is on 14 February?", now=ASKED)
    dates = {it.memory.text: it.parts for it in asked.memories if not isinstance(it.memory, Turn)}
    assert not dates
    parts = {it.memory.query: it.parts for it in asked.memories if isinstance(it.memory, Turn)}
    assert parts["On 14 February I fly to Oslo."]["date"] == 2.0
    assert parts.get("The kettle is blue.", {}).get("neighbour", 0.0) < 1.0


def test_a_conversation_is_what_was_told_in_it() -> None:
    """What was told the day after of "yesterday" is no part of it, but of that day it is."""
    said = [("2026-01-10", "I bought a kettle.", ""), ("2026-01-11", "Yesterday I slept well.", "")]
    store = InMemoryStore()
    remember(store, turns(said))
    recaller = a_recaller(store, None)
    talk = recaller.recall(NORA, "What was in our first conversation?", now=ASKED)
    assert found(talk) == ["I bought a kettle."]
    day = recaller.recall(NORA, "What was on 10 January?", now=ASKED)
    assert set(found(day)) == {"I bought a kettle.", "Yesterday I slept well."}


def _kept(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / INDEX_FILE)) as base:
        return sorted(days for (days,) in base.execute("SELECT days FROM spoken"))


def test_days_are_read_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process reads them from the index and no text again; other rules read anew."""
    store = InMemoryStore()
    remember(store, turns(LIFE[:2]))
    a_recaller(store, None, tmp_path).update_index(NORA)
    assert _kept(tmp_path) == ["2011-01-01/2011-12-31", "2026-02-14/2026-02-14"]
    monkeypatch.setattr(index_entries, "spoken_times", lambda *_: pytest.fail("read again"))
    asked = a_recaller(store, None, tmp_path).recall(NORA, "What was in 2011?", now=ASKED)
    assert found(asked)[0] == LIFE[0][1]
    monkeypatch.setattr("siliconfriend.recall.index_cache.spoken_rules", lambda: "other rules")
    monkeypatch.setattr(index_entries, "spoken_times", lambda *_: ())
    a_recaller(store, None, tmp_path).update_index(NORA)
    assert _kept(tmp_path) == ["", ""]


def test_an_erased_turn_takes_its_days_along(tmp_path: Path) -> None:
    """From the index in memory and from its file; the same words of another day stay."""
    store = InMemoryStore()
    said = [("2026-01-10", "I fly tomorrow.", ""), ("2026-01-15", "I fly tomorrow.", "")]
    remember(store, turns(said))
    recaller = a_recaller(store, None, tmp_path)
    recaller.update_index(NORA)
    put(store, NORA, Erase((memory_id(NORA, "turn", "2026-01-10", 0),)))
    recaller.rewrite_index(NORA)
    assert _kept(tmp_path) == ["2026-01-16/2026-01-16"]
    assert recaller.planned(NORA, date(2026, 1, 11), date(2026, 1, 11)) == ()
    assert len(recaller.planned(NORA, date(2026, 1, 16), date(2026, 1, 16))) == 1


def test_a_corrected_turn_is_of_its_new_day() -> None:
    """And no longer of the old one."""
    store = InMemoryStore()
    (told,) = turns([("2026-01-10", "On 14 February I fly to Oslo.", "")])
    remember(store, [told])
    recaller = a_recaller(store, None)
    recaller.update_index(NORA)
    put(store, NORA, PutTurn(replace(told, query="On 16 February I fly to Oslo.", edited=True)))
    assert recaller.planned(NORA, date(2026, 2, 14), date(2026, 2, 14)) == ()
    (planned,) = recaller.planned(NORA, date(2026, 2, 16), date(2026, 2, 16))
    assert (planned.first, planned.memory.date) == (date(2026, 2, 16), "2026-01-10")


def test_what_is_due_was_told_before_its_day() -> None:
    """Not what was told of a day afterwards, nor a plan for a whole year; one for a month is."""
    store = InMemoryStore()
    said = [
        ("2026-01-10", "From 12 to 14 February I am in Oslo.", ""),
        ("2026-02-15", "On 13 February I fell on the ice.", ""),
        ("2026-01-09", "Next year I want to move.", ""),
        ("2026-01-08", "My brother gets out in October.", ""),
    ]
    remember(store, turns(said))
    recaller = a_recaller(store, None)
    (due,) = recaller.planned(NORA, date(2026, 2, 13), date(2026, 2, 13))
    assert (due.first, due.last) == (date(2026, 2, 12), date(2026, 2, 14))
    assert recaller.planned(NORA, date(2027, 1, 1), date(2027, 1, 1)) == ()
    (month,) = recaller.planned(NORA, date(2026, 10, 20), date(2026, 10, 20))
    assert (month.first, month.last) == (date(2026, 10, 1), date(2026, 10, 31))


def test_what_comes_back_each_year_is_of_its_day_in_ten_more() -> None:
    """A birthday told once, where neither its year nor a feast that moves is said."""
    days = [f"{year}-05-03" for year in range(2026, 2037)]
    assert _of(_told("My mother's birthday is on 3 May.")) == days
    assert _of(_told("我妈的生日是五月三号。")) == days
    assert _of(_told("Her birthday party is on 3 May 2026.")) == ["2026-05-03"]
    assert _of(_told("Her birthday is on 29 February.")) == ["2028-02-29"]


@pytest.mark.parametrize(
    ("words", "years"),
    [
        ("Today is my birthday!", range(2027, 2037)),
        ("Tomorrow is our anniversary.", range(2026, 2037)),
        ("今天是我生日！", range(2027, 2037)),
        ("明天是我妈的生日。", range(2026, 2037)),
        ("Yesterday I bought a birthday cake.", range(2026, 2027)),
    ],
)
def test_a_birthday_that_is_told_on_its_day_comes_back_too(words: str, years: range) -> None:
    """Told on 10 January; what only is around a birthday does not come back."""
    days = [it[5:] for it in _of(_told(words))]
    assert [it[:4] for it in _of(_told(words))] == [str(year) for year in years]
    assert set(days) <= {"01-09", "01-10", "01-11"}


@pytest.mark.parametrize(
    ("said", "due"),
    [
        (("The wedding is on 6 June.", "The wedding is now on 12 September."), 0),
        (("The wedding is on 6 June.", "They have cancelled the wedding."), 0),
        (("婚礼定在六月六号。", "婚礼改到九月十二号了。"), 0),
        (("六月六号我要去大连录音。", "大连录音取消了。"), 0),
        # another matter, nothing changed, or only the one who tells is the same
        (("The wedding is on 6 June.", "I moved the chairs."), 1),
        (("The wedding is on 6 June.", "The wedding will be lovely."), 1),
        (("Kit has an exam on 6 June.", "Kit cancelled dinner."), 1),
        (("婚礼定在六月六号。", "聚会取消了。"), 1),
    ],
)
def test_a_plan_that_was_changed_is_not_due_on_its_old_day(said: tuple[str, str], due: int) -> None:
    """What was told later of the same matter says so."""
    store = InMemoryStore()
    first, later = said
    remember(store, turns([("2026-01-10", first, ""), ("2026-02-10", later, "")]))
    recaller = a_recaller(store, None)
    assert len(recaller.planned(NORA, date(2026, 6, 6), date(2026, 6, 6))) == due


DAYS = st.integers(1, 60)
SPANS = st.lists(st.lists(st.tuples(DAYS, DAYS), max_size=3), max_size=6)


@given(SPANS, DAYS, DAYS)
def test_the_table_finds_what_a_look_at_each_finds(
    spans: list[list[tuple[int, int]]], one: int, other: int
) -> None:
    """For each memory the share of its best span, also after half of them left."""
    first, last = sorted((one, other))
    table, expected = TimeTable(), []
    for number, of_one in enumerate(spans):
        times = [SpokenTime(*map(date.fromordinal, sorted(span))) for span in of_one]
        table.append(str(number), times)
        shares = [0.0]
        for low, high in map(sorted, of_one):
            common = len(set(range(low, high + 1)) & set(range(first, last + 1)))
            shares.append(common / (high - low + 1))
        expected.append(max(shares))
    share, day = table.share_within(first, last)
    assert share.tolist() == expected
    assert all(first <= at <= last for at in day[share > 0])
    kept = np.arange(0, len(spans), 2)
    fewer = table.subset(kept)
    assert fewer.keys == [str(number) for number in kept]
    assert fewer.share_within(first, last)[0].tolist() == expected[::2]


def test_a_topic_in_a_turns_own_words_takes_no_day_from_it() -> None:
    """After a night a topic of one turn says what the turn says, and speaks of no day itself."""
    store = InMemoryStore()
    (told,) = turns([("2026-01-10", "On 14 February I fly to Oslo.", "")])
    remember(store, [told])
    rests = Provenance("offline", datetime(2026, 1, 11, tzinfo=UTC), (told.id,))
    topic = Topic(
        id=memory_id(NORA, "topic", told.date, 0),
        date=told.date,
        position=0,
        text=told.query,
        trace=told.trace,
        provenance=rests,
        talks=(TopicSegment((told.id,)),),
    )
    put(store, NORA, PutDerived(topic))
    (due,) = a_recaller(store, None).planned(NORA, date(2026, 2, 14), date(2026, 2, 14))
    assert due.memory.id == told.id
