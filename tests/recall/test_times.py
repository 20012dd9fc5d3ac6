"""The days that a memory speaks of, derived from the person's words; days and times as they are written."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.knowledge import Event, Provenance
from siliconfriend.memory.records import Day, DaySummary, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.recall.cue import Cue, build_cue
from siliconfriend.recall.dates.calendar import DateSpan, one_day
from siliconfriend.recall.memory_lines import MemoryLines, may_stand
from siliconfriend.recall.time_words import annotate_dates, humanize_day, label_day, label_time
from siliconfriend.recall.times import (
    TimeTable,
    asks_only_for_time,
    spoken_times,
    spread_over_span,
    told_within,
)
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore
from tests.recall.people import a_recaller, found, recalling, remember, turns
from tests.sentences import rows

MARCH = datetime(2026, 3, 14, 9, tzinfo=UTC)
UTC_ZONE = ZoneInfo("UTC")
ASKED = datetime(2026, 1, 20, 9, tzinfo=UTC)


def _of(memory: Memory) -> list[str]:
    return [
        str(span.first) if span.first == span.last else f"{span.first}..{span.last}"
        for span in spoken_times(memory, UTC_ZONE)
    ]


def _told(words: str, day: str = "2026-01-10") -> Turn:
    return a_turn(words, "Did you?", day=day)


@pytest.mark.parametrize(("words", "expected"), rows("days_spoken_of"))
def test_the_days_that_a_turn_speaks_of(words: str, expected: list[str]) -> None:
    """Told on Saturday 10 January 2026; a question about a day is not of it."""
    assert _of(_told(words)) == expected


def test_only_what_is_found_by_its_words_is_found_by_its_days() -> None:
    """Of an unkept turn nothing, of a reply never."""
    turn = _told("On 14 February I fly to Oslo. On 3 March I am in Rome.")
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


def test_an_event_a_model_wrote_is_of_its_moment_alone() -> None:
    """Dates are read in the person's words, never in a model's."""
    june = datetime(2026, 6, 20, 12, tzinfo=UTC)
    assert _of(_event("Nora marries in Oslo.", june)) == ["2026-06-20"]
    assert _of(_event("Nora marries in Oslo.", datetime(2026, 1, 10, 15, tzinfo=UTC))) == []
    assert _of(_event("Nora will marry on 21 June.", june)) == ["2026-06-20"]
    assert _of(_event("Nora will marry on 21 June.", None)) == []
    # half past ten at night in UTC is the next morning in Shanghai
    late = _event("Nora flies.", datetime(2026, 1, 10, 22, 30, tzinfo=UTC))
    assert spoken_times(late, ZoneInfo("Asia/Shanghai")) == (one_day(date(2026, 1, 11)),)


def test_a_day_note_is_followed_by_what_changed_since() -> None:
    """Once for all turns of the day that it changed; a note that nobody checked stays out."""
    off = a_turn("The trip is off.", day="2026-01-14")
    booked = [a_turn("I booked.", day="2026-01-10", position=at) for at in range(2)]
    booked = [replace(turn, outdated_by=off.id) for turn in booked]
    summary = a_summary("Nora booked a trip.", day="2026-01-10")
    made = replace(summary.provenance, made_by="scripted")
    summary = replace(summary, provenance=made)
    days = {
        "2026-01-10": Day("2026-01-10", tuple(booked), summary),
        "2026-01-14": Day("2026-01-14", (off,)),
    }
    lines = MemoryLines(PersonMemory(a_profile(), days), "Kai").by_day([summary], ASKED)
    assert lines.partition("note) ")[2] == (
        "Nora booked a trip.\n(this has changed; on 2026-01-14: The trip is off.)"
    )
    assert may_stand(summary)
    assert not may_stand(replace(summary, checked=False))


def test_a_prompt_says_when_an_event_of_another_day_is() -> None:
    hours = (datetime(2026, 6, 20, hour, tzinfo=UTC) for hour in (12, 9))
    events = [_event("Nora marries.", time) for time in (None, *hours)]
    memory = PersonMemory(a_profile())
    written = [MemoryLines(memory, "Kai").by_day([event], ASKED) for event in events]
    assert [line.rpartition("note) ")[2] for line in written] == [
        "Nora marries.",
        "Nora marries. (2026-06-20 (Saturday))",
        "Nora marries. (2026-06-20 (Saturday), 09:00)",
    ]


def test_a_conversation_is_what_was_told_in_it() -> None:
    """What was told the day after of "yesterday" is no part of it, but of that day it is."""
    said = [("2026-01-10", "I bought a kettle.", ""), ("2026-01-11", "Yesterday I slept well.", "")]
    recaller = recalling(said)
    talk = recaller.recall(NORA, "What was in our first conversation?", now=ASKED)
    assert found(talk) == ["I bought a kettle."]
    day = recaller.recall(NORA, "What was on 10 January?", now=ASKED)
    assert set(found(day)) == {"I bought a kettle.", "Yesterday I slept well."}


def test_an_erased_turn_takes_its_days_along() -> None:
    """The same words of another day stay."""
    store = TemporaryStore()
    said = [("2026-01-10", "I fly tomorrow.", ""), ("2026-01-15", "I fly tomorrow.", "")]
    remember(store, turns(said))
    recaller = a_recaller(store, None)
    recaller.update_index(NORA)
    put(store, NORA, Erase((memory_id(NORA, "turn", "2026-01-10", 0),)))
    recaller.update_index(NORA)
    assert recaller.planned(NORA, date(2026, 1, 11), date(2026, 1, 11)) == ()
    assert len(recaller.planned(NORA, date(2026, 1, 16), date(2026, 1, 16))) == 1


def test_what_comes_back_each_year_is_of_its_day_in_ten_more() -> None:
    """A birthday told once, where neither its year nor a holiday that moves is said."""
    days = [f"{year}-05-03" for year in range(2026, 2037)]
    assert _of(_told("My mother's birthday is on 3 May.")) == days
    assert _of(_told("我妈的生日是五月三号。")) == days
    assert _of(_told("Her birthday party is on 3 May 2026.")) == ["2026-05-03"]
    leap = _of(_told("Her birthday is on 29 February."))
    assert {"2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"} <= set(leap)
    assert "2028-02-28" not in leap


DAYS = st.integers(1, 60)
SPANS = st.lists(st.lists(st.tuples(DAYS, DAYS), max_size=3), max_size=6)


@given(SPANS, DAYS, DAYS)
def test_the_table_finds_what_a_look_at_each_finds(
    spans: list[list[tuple[int, int]]], one: int, other: int
) -> None:
    """For each memory the share of its best span, also after half of them left."""
    first, last = sorted((one, other))
    table, expected = TimeTable(), []
    for of_one in spans:
        days = (map(date.fromordinal, sorted(span)) for span in of_one)
        table.append([DateSpan(begins, ends) for begins, ends in days])
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
    assert fewer.rows == len(kept)
    assert fewer.share_within(first, last)[0].tolist() == expected[::2]


def _cue(message: str) -> Cue:
    return build_cue(message, PersonMemory(a_profile()), now=MARCH)


@pytest.mark.parametrize(
    ("message", "days", "expected"),
    [
        ("on March 4th?", ("2026-03-04", "2026-03-05"), [True, False]),
        (
            "in March two years ago?",
            ("2024-03-01", "2024-03-31", "2024-04-01"),
            [True, True, False],
        ),
        # One tells of a holiday in the days after it; a plain date has none.
        ("on New Year's Eve?", ("2025-12-31", "2026-01-03", "2026-01-04"), [True, True, False]),
        ("on December 31?", ("2025-12-31", "2026-01-01"), [True, False]),
    ],
)
def test_which_days_of_telling_are_named(
    message: str, days: tuple[str, ...], expected: list[bool]
) -> None:
    """The first and the last of a span are in it."""
    numbers = np.array([date.fromisoformat(day).toordinal() for day in days], dtype=np.int32)
    assert told_within(numbers, _cue(message)).tolist() == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
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
    cue = _cue(message)
    assert asks_only_for_time(cue.search_tokens, cue.spans) is expected


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
    recaller = recalling(GARDEN)
    of_summer = recaller.recall(NORA, "What happened last summer?", now=MARCH, top=3).memories
    assert {one.memory.date[:7] for one in of_summer} == {"2025-06", "2025-07", "2025-08"}
    beans = found(recaller.recall(NORA, "Where did I plant beans last summer?", now=MARCH, top=2))
    assert beans == ["I planted beans by the wall.", "The beans need strings."]
    assert found(recaller.recall(NORA, "What happened in the spring of 2020?", now=MARCH)) == []


def test_summaries_come_first_where_there_are_more_turns_than_places() -> None:
    """The best summary or turn of each part of January, 9 days of which have one told turn."""
    days = [date(2026, 1, 2 * number) for number in range(1, 10)]
    memories: list[Memory] = [a_turn("Rain.", "", day=str(day)) for day in days]
    memories += [a_summary("It rained.", day=str(day)) for day in days]
    numbers = np.array([day.toordinal() for day in days] * 2, dtype=np.int32)
    january = [DateSpan(date(2026, 1, 1), date(2026, 1, 31))]
    for top, is_summary in ((9, False), (8, True)):
        order = spread_over_span(memories, numbers, np.zeros(18), january, top)
        kinds = [isinstance(memories[at], DaySummary) for at in order]
        assert kinds[0] is is_summary
        assert sorted(order) == list(range(18))


def test_a_plan_stands_among_what_was_told_in_its_days() -> None:
    """A plan for March is made in January; it speaks of all of March, and so stands in it.

    Who asks what is planned asks for nothing that was only told then.
    """
    said = [
        ("2026-01-11", "I plan a trip in March.", ""),
        ("2026-03-02", "Rain again.", ""),
        ("2026-02-01", "The kettle is blue.", ""),
    ]
    recaller = recalling(said)
    planned = recaller.recall(NORA, "What have I planned for March?", now=MARCH)
    assert found(planned)[0] == "I plan a trip in March."
    asked = recaller.recall(NORA, "What was there in March?", now=MARCH)
    assert set(found(asked)) == {"I plan a trip in March.", "Rain again."}


def test_a_long_span_of_a_large_memory_is_sampled() -> None:
    """Not all turns of a year become candidates, but those that match and some all over it do."""
    start = date(2025, 1, 1)
    said = [
        (str(start + timedelta(days=number % 365)), f"Walked {number} steps.", "")
        for number in range(900)
    ]
    said += [("2025-08-08", "The oboe is mended.", "")]
    recaller = recalling(said)
    asked = found(recaller.recall(NORA, "Was the oboe mended last year?", now=MARCH, top=3))
    assert asked[0] == "The oboe is mended."
    months = {
        one.memory.date[:7]
        for one in recaller.recall(NORA, "What happened last year?", now=MARCH, top=12).memories
    }
    assert len(months) >= 11
    assert len(recaller.examine(NORA, "What happened last year?", now=MARCH).candidates) < len(said)


SHANGHAI = ZoneInfo("Asia/Shanghai")
SAID = datetime(2018, 9, 30, 15, 30, 45, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("age", "english", "chinese"),
    [
        (0, "Sun 30 Sep 2018, today, 15:30", "2018年9月30日周日，今天，15:30"),
        (1, "Sun 30 Sep 2018, yesterday, about 15:00", "2018年9月30日周日，昨天，15点左右"),
        (7, "Sun 30 Sep 2018, 7 days ago, about 15:00", "2018年9月30日周日，7天前，15点左右"),
        (8, "Sun 30 Sep 2018, 8 days ago, in the afternoon", "2018年9月30日周日，8天前，下午"),
        (30, "Sun 30 Sep 2018, 30 days ago, in the afternoon", "2018年9月30日周日，30天前，下午"),
        (31, "Sun 30 Sep 2018, 31 days ago", "2018年9月30日周日，31天前"),
    ],
)
def test_time_grows_coarser_in_four_steps(age: int, english: str, chinese: str) -> None:
    """To the minute on its day, then the hour for a week, the part of the day to a month, the day."""
    now = SAID + timedelta(days=age)
    assert _written(SAID, now, "en") == english
    assert _written(SAID, now, "cn") == chinese


def test_age_is_counted_in_calendar_days_of_the_person() -> None:
    """Ten minutes over midnight in the person's zone is yesterday, whatever UTC says."""
    said = datetime(2018, 9, 30, 23, 55, tzinfo=SHANGHAI)
    assert _written(said, said + timedelta(minutes=4), "en") == "Sun 30 Sep 2018, today, 23:55"
    assert _written(said, said + timedelta(minutes=10), "en") == (
        "Sun 30 Sep 2018, yesterday, about 23:00"
    )
    assert (
        _written(said.astimezone(UTC), said + timedelta(days=8), "cn")
        == "2018年9月30日周日，8天前，晚上"
    )


@pytest.mark.parametrize(("words", "language", "expected"), rows("relative_days"))
def test_relative_days_in_words_are_those_of_the_day_they_were_said(
    words: str, language: Language, expected: str
) -> None:
    """Said on Sunday 30 September 2018, whenever it is read."""
    assert annotate_dates(words, date(2018, 9, 30), language) == expected


@given(st.text(max_size=100))
def test_no_word_is_lost_or_changed_by_it(words: str) -> None:
    """Only brackets are put in."""
    for language in LANGUAGES:
        told = iter(annotate_dates(words, date(2018, 9, 30), language))
        assert all(letter in told for letter in words)


def test_a_habit_has_no_date_and_a_sentence_finds_its_month_in_the_one_before() -> None:
    """In the words of a prompt and in the days a turn speaks of."""
    told = date(2026, 11, 5)
    for habit in (
        "周末才能见一面。",
        "我一般周末休一天，都去河边钓鱼。",
        "我周末都去河边钓鱼。",
        "我一周游两次泳，多半是周二。",
    ):
        assert annotate_dates(habit, told, "cn") == habit
    for open_side in ("周末带朵朵玩，给我出三个主意。", "I'm off at the weekend."):
        assert "2026" not in annotate_dates(open_side, told, "en")
    asked = annotate_dates("What could I do this weekend?", date(2026, 3, 13), "en")
    assert asked == "What could I do this weekend (2026-03-14 to 2026-03-15)?"
    assert "昨天（" in annotate_dates("我平时周五游泳，昨天没去。", told, "cn")
    assert "yesterday (" in annotate_dates("I usually swim, but yesterday I didn't.", told, "en")
    habit = "I usually swim on Friday."
    assert annotate_dates(habit, told, "en") == habit
    assert _of(_told(habit)) == []
    trip = "We go in December. Back on the 20th."
    assert annotate_dates(trip, told, "en") == (
        "We go in December (2026-12). Back on the 20th (2026-12-20)."
    )
    assert _of(_told(trip, "2026-11-05")) == ["2026-12-01..2026-12-31", "2026-12-20"]


def _written(said: datetime, now: datetime, language: Language) -> str:
    day = said.astimezone(SHANGHAI).date()
    return label_time(day, said, now=now, zone=SHANGHAI, language=language)


@pytest.mark.parametrize(
    ("day", "english", "chinese", "alone"),
    [
        (date(2023, 5, 7), "today", "今天", "today"),
        (date(2023, 5, 8), "tomorrow", "明天", "tomorrow"),
        (date(2023, 4, 28), "on Fri 28 April (9 days ago)", "4月28日周五（9天前）", "28 April"),
        (
            date(2022, 12, 1),
            "on Thu 1 December 2022 (about 5 months ago)",
            "2022年12月1日周四（约5个月前）",
            "1 December 2022",
        ),
    ],
)
def test_days_are_named_as_people_name_them(
    day: date, english: str, chinese: str, alone: str
) -> None:
    """Near days by their word, days of this year without it, older ones in full."""
    today = date(2023, 5, 7)
    assert humanize_day(day, today, "en") == english
    assert humanize_day(day, today, "cn") == chinese
    assert humanize_day(day, today, "en", alone=True) == alone


@pytest.mark.parametrize(
    ("days", "english", "chinese"),
    [
        (-6, "Sun 22 Nov 2026, 6 days ago", "2026年11月22日周日，6天前"),
        (-86, "Thu 3 Sep 2026, 86 days ago", "2026年9月3日周四，86天前"),
        (-1, "Fri 27 Nov 2026, yesterday", "2026年11月27日周五，昨天"),
        (0, "Sat 28 Nov 2026, today", "2026年11月28日周六，今天"),
        (1, "Sun 29 Nov 2026, tomorrow", "2026年11月29日周日，明天"),
        (3, "Tue 1 Dec 2026, in 3 days", "2026年12月1日周二，3天后"),
        (-150, "Wed 1 Jul 2026, about 5 months ago", "2026年7月1日周三，约5个月前"),
        (-740, "Mon 18 Nov 2024, about 2 years ago", "2024年11月18日周一，约2年前"),
    ],
)
def test_a_label_names_weekday_and_distance(days: int, english: str, chinese: str) -> None:
    """Seen from Saturday 28 November 2026."""
    today = date(2026, 11, 28)
    assert label_day(today + timedelta(days=days), today, "en") == english
    assert label_day(today + timedelta(days=days), today, "cn") == chinese


def test_a_time_of_which_no_memory_is_found_is_searched_by_its_words() -> None:
    """Rules read no day in "1983 it was", but the year stands there."""
    told = [("2026-01-05", "Back in the seventies, no, 1983 it was, I cooked on a boat.", "")]
    recaller = recalling([*GARDEN, *told])
    asked = ("What did I do in 1983?", "What did I cook on in 1983?")
    for question in asked:
        assert found(recaller.recall(NORA, question, now=MARCH, top=1)) == [told[0][1]]
    assert found(recaller.recall(NORA, "What did I do in 1984?", now=MARCH)) == []
