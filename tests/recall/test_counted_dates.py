"""Days that words find by counting, or by lying beside another day: worked out by hand, in both languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.recall.dates import find_dates_said_on
from tests.recall.days import read, short

ASKED = datetime(2026, 3, 11, 10, tzinfo=UTC)
"""A Wednesday; Easter of the year before was 20 April, the Spring Festival 17 February."""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # beside another day
        ("What did I do the day before Christmas Eve?", "2025-12-23"),
        ("Where was I the day after Thanksgiving?", "2025-11-28"),
        ("What happened the week before Easter?", "2025-04-13..2025-04-19"),
        ("How was I the night before Halloween?", "2025-10-30 evening"),
        ("Where was I on the weekend of 14 June?", "2025-06-14..2025-06-15"),
        ("What did I do the weekend after Easter?", "2025-04-26..2025-04-27"),
        ("国庆前一天我在干什么？", "2025-09-30"),
        ("中秋第二天我在哪儿？", "2025-10-07"),
        ("春节前一周我在忙什么？", "2026-02-09..2026-02-15"),
        ("五月四号那个周末我去了哪？", "2025-05-03..2025-05-04"),
        # the nth of a month or year
        ("What happened in the first week of July?", "2025-07-01..2025-07-07"),
        ("And the last week of October?", "2025-10-25..2025-10-31"),
        ("What did I do on the second Sunday of June?", "2025-06-08"),
        ("Where was I in the third quarter of 2024?", "2024-07-01..2024-09-30"),
        ("八月第一周我在哪儿？", "2025-08-01..2025-08-07"),
        ("六月第二个周六呢？", "2025-06-14"),
        ("去年第三季度我在忙什么？", "2025-07-01..2025-09-30"),
        # so many back
        ("Where was I three Sundays ago?", "2026-02-22"),
        ("What did I do the weekend before last?", "2026-02-28..2026-03-01"),
        ("Where was I in the autumn before last?", "2024-09-01..2024-11-30"),
        ("What did I do the Monday before last?", "2026-03-02"),
        ("三个星期前的周五我在哪儿？", "2026-02-20"),
        ("去年今天我在做什么？", "2025-03-11"),
        ("Where was I a year ago today?", "2025-03-11"),
        # decades, years of two digits, thirds of a month that is the last
        ("Where did I live in the nineties?", "1990-01-01..1999-12-31"),
        ("in the early 2000s", "2000-01-01..2003-12-31"),
        ("九十年代我在哪？", "1990-01-01..1999-12-31"),
        ("零八年我在哪？", "2008-01-01..2008-12-31"),
        ("in the winter of 2023/24", "2023-12-01..2024-02-29"),
        ("in the middle of last March", "2025-03-11..2025-03-20"),
        ("at the turn of the year", "2025-12-31..2026-01-01"),
        ("How was my Valentine's Day?", "2026-02-14"),
    ],
)
def test_a_question_names_days_by_counting(question: str, expected: str) -> None:
    assert read(question, now=ASKED, days=()) == [expected]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How did I spend the last two Christmases?", ["2024-12-25", "2025-12-25"]),
        ("Where was I the past three Easters?", ["2023-04-09", "2024-03-31", "2025-04-20"]),
        ("前两个春节是怎么过的？", ["2025-01-28..2025-02-04", "2026-02-16..2026-02-23"]),
        ("这两年的中秋我在哪儿？", ["2024-09-17", "2025-10-06"]),
    ],
)
def test_feasts_of_several_years_are_one_span_a_year(question: str, expected: list[str]) -> None:
    assert read(question, now=ASKED, days=()) == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("In two weeks I start at the bakery.", "2026-03-25"),
        ("Surgery in ten days.", "2026-03-21"),
        ("We move in two weeks.", "2026-03-25"),
        ("I'll be back in three days.", "2026-03-14"),
        # what is denied, or first, is another thing
        ("I haven't packed, and we move in two weeks.", "2026-03-25"),
        ("I have not told Mum that we move in two weeks.", "2026-03-25"),
        ("My first lesson is in three days.", "2026-03-14"),
        ("I have my first lesson in three days.", "2026-03-14"),
        ("I'm running my first marathon in two months.", "2026-05-11"),
        ("My interest payment comes in a month.", "2026-04-11"),
        ("我没收拾，过两周就搬家。", "2026-03-25"),
        ("The plumber comes Friday.", "2026-03-13"),
        ("Friday I saw Ruth.", "2026-03-06"),
        ("By December I want to have finished the thesis.", "2026-12-01..2026-12-31"),
        ("The week after Easter I have surgery.", "2026-04-06..2026-04-12"),
        ("Seven or eight years ago I lived in Bonn.", "2017-09-10..2019-09-09"),
        ("三周后我去看牙医。", "2026-04-01"),
        ("再过半个月我就要答辩了。", "2026-03-26"),
        ("平安夜前一天锅炉坏了。", "2025-12-23"),
        ("2016年以前我住在波尔图。", "2016-01-01..2016-12-31"),
        ("2012年起我就吃素了。", "2012-01-01..2026-03-11"),
        ("九八年发大水，我们家被淹了。", "1998-01-01..1998-12-31"),
        ("六二年爷爷来的这里。", "1962-01-01..1962-12-31"),
        ("七八年前我住在苏州。", "2017-09-10..2019-09-09"),
    ],
)
def test_what_is_told_names_days_by_counting(told: str, expected: str) -> None:
    assert [short(span) for span in find_dates_said_on(told, date(2026, 3, 11))] == [expected]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        # Easter was two days ago: the week after it goes on
        ("The week after Easter I have my tonsils out.", "2024-04-01..2024-04-07"),
        ("The week after Easter I had my tonsils out.", "2024-04-01..2024-04-07"),
        ("The week before Easter I go to Rome.", "2025-04-13..2025-04-19"),
    ],
)
def test_which_year_is_meant_follows_from_the_days_beside_a_feast(told: str, expected: str) -> None:
    assert [short(span) for span in find_dates_said_on(told, date(2024, 4, 2))] == [expected]


@pytest.mark.parametrize(
    "told",
    [
        "I can read ten books in a month.",
        "In two weeks I learned to weld.",
        # a time through which something was not, or was first or most
        "Hardly a stumble in a month.",
        "Not seen her in three years.",
        "I don't think I've laughed in two weeks.",
        "I've not seen her in three years.",
        "My first holiday in four years.",
        "I haven't slept in two weeks, and it shows.",
        "For the first time in two weeks I slept.",
        "It's the longest walk in a year.",
        "I see her for the first time in three months.",
        "I've had my first cold in six weeks.",
        "No word from him in three years.",
        "In three years I have never been late.",
        "三年没见她了。",
        "两周没睡好。",
        "难过三天了。",
        "还没过三天他就走了。",
        "超过两周没睡好。",
        "The last two Christmases we were in Wales.",
        "I like Friday best.",
        "Is it Friday already?",
        "I work Monday and Thursday.",
        "The concert is a week from Saturday.",
        "两年后我们分手了。",
        "我七八年没见他了。",
        "三五年后再说吧。",
    ],
)
def test_how_long_something_takes_and_any_weekday_are_no_days(told: str) -> None:
    assert find_dates_said_on(told, date(2026, 3, 11)) == ()
