"""Months, seasons, years and feasts as people name them: tables worked out by hand, both languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.dates.calendar import Third, three_months
from siliconfriend.recall.dates.feasts import FEASTS, days_of, lunar_day
from tests.recall.days import read

WINTER = datetime(2026, 2, 9, 18, 30, tzinfo=UTC)
"""A Monday, a week before the lunar new year's eve (16 February 2026)."""

SPRING = datetime(2026, 5, 16, 21, tzinfo=UTC)
"""A Saturday."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # months
        ("What was going on in March two years ago?", "2024-03-01..2024-03-31"),
        ("two years ago in March", "2024-03-01..2024-03-31"),
        ("Did I lose anything in May last year?", "2025-05-01..2025-05-31"),
        ("last October", "2025-10-01..2025-10-31"),
        ("the October before last", "2024-10-01..2024-10-31"),
        ("last October but one", "2024-10-01..2024-10-31"),
        ("last summer but one", "2024-06-01..2024-08-31"),
        ("on last New Year's Eve but one", "2024-12-31"),
        ("last month but one", "2025-12-01..2025-12-31"),
        ("in the next month and a half", "2026-02-09..2026-03-26"),
        ("in the middle of March", "2025-03-11..2025-03-20"),
        ("in the middle of January 2024", "2024-01-11..2024-01-20"),
        ("early in March last year", "2025-03-01..2025-03-10"),
        ("late October two years ago", "2024-10-21..2024-10-31"),
        ("from May to July", "2025-05-01..2025-07-31"),
        ("between November and February", "2025-11-01..2026-02-28"),
        ("from March to May last year", "2025-03-01..2025-05-31"),
        ("since March", "2025-03-01..2026-02-09"),
        ("next month", "2026-03-01..2026-03-31"),
        ("May 4 last year", "2025-05-04"),
        ("from 9 to 14 January", "2026-01-09..2026-01-14"),
        ("tickets to Porto, 9 to 14 January", "2026-01-09..2026-01-14"),
        ("Porto 9-14 January", "2026-01-09..2026-01-14"),
        ("9th to the 14th of January", "2026-01-09..2026-01-14"),
        ("we lost 2-0 on 14 January", "2026-01-14"),
        # seasons
        ("last summer", "2025-06-01..2025-08-31"),
        ("two summers ago", "2024-06-01..2024-08-31"),
        ("the summer before last", "2024-06-01..2024-08-31"),
        ("late last summer", "2025-08-01..2025-08-31"),
        ("in the spring of last year", "2025-03-01..2025-05-31"),
        ("the autumn two years ago", "2024-09-01..2024-11-30"),
        ("early in the spring of 2025", "2025-03-01..2025-03-31"),
        ("in the winter of 2024", "2024-12-01..2025-02-28"),
        ("How was my winter?", "2025-12-01..2026-02-28"),
        ("What was the best day of my summer?", "2025-06-01..2025-08-31"),
        ("the saddest part of the autumn", "2025-09-01..2025-11-30"),
        ("Tell me about my spring", "2025-03-01..2025-05-31"),
        ("the best week of October", "2025-10-01..2025-10-31"),
        ("How was October?", "2025-10-01..2025-10-31"),
        ("How was my October for you?", "2025-10-01..2025-10-31"),
        # one's own year
        ("Tell me about my year", "2026-01-01..2026-12-31"),
        ("How was my whole year for me?", "2026-01-01..2026-12-31"),
        ("How has the year been so far?", "2026-01-01..2026-12-31"),
        ("the worst day of the year", "2026-01-01..2026-12-31"),
        ("walk me through the last year", "2025-02-09..2026-02-09"),
        ("over the past year", "2025-02-09..2026-02-09"),
        ("How did we spend the winter in Rome?", "2025-12-01..2026-02-28"),
        ("since last summer", "2025-06-01..2026-02-09"),
        ("in autumn, what did I sell?", "2025-09-01..2025-11-30"),
        # years and parts of them
        ("in the first half of 2024", "2024-01-01..2024-06-30"),
        ("the second half of last year", "2025-07-01..2025-12-31"),
        ("from 2019 to 2021", "2019-01-01..2021-12-31"),
        ("half a year ago", "2025-07-25..2025-08-24"),
        ("a year and a half ago", "2024-07-25..2024-08-24"),
        ("since 2024", "2024-01-01..2026-02-09"),
        ("the year before last", "2024-01-01..2024-12-31"),
        ("over the past half year", "2025-08-09..2026-02-09"),
        # what is to come
        ("in the coming weeks", "2026-02-09..2026-03-23"),
        ("in the next four weeks", "2026-02-09..2026-03-09"),
        ("the rest of the month", "2026-02-09..2026-02-28"),
        ("the rest of the day", "2026-02-09"),
        ("later in the day", "2026-02-09"),
        ("What have I planned for April?", "2026-04-01..2026-04-30"),
        ("What is in my diary from now until the end of April?", "2026-02-09..2026-04-30"),
        # feasts
        ("New Year's Eve", None),
        ("on New Year's Eve", "2025-12-31"),
        ("on the New Year's Eve before last", "2024-12-31"),
        ("on New Year's Day", "2026-01-01"),
        ("since New Year", "2026-01-01..2026-02-09"),
        ("Valentine's Day last year", "2025-02-14"),
        ("on Shrove Tuesday", "2025-03-04"),
        ("on Good Friday", "2025-04-18"),
        ("How did I spend Easter two years ago?", "2024-03-31"),
        ("at Easter last year", "2025-04-20"),
        ("over Easter", "2025-04-18..2025-04-21"),
        ("Easter Monday 2024", "2024-04-01"),
        ("on Mother's Day two years ago", "2024-05-12"),
        ("on Mothering Sunday 2025", "2025-03-30"),
        ("on Father’s Day", "2025-06-15"),
        ("last Halloween", "2025-10-31"),
        ("on Bonfire Night", "2025-11-05"),
        ("at Thanksgiving", "2025-11-27"),
        ("Thanksgiving weekend 2024", "2024-11-28..2024-12-01"),
        ("on Christmas Eve", "2025-12-24"),
        ("on Boxing Day", "2025-12-26"),
        ("over Christmas last year", "2025-12-24..2025-12-26"),
        ("two Christmases ago", "2024-12-25"),
        ("last year at Christmas", "2025-12-25"),
        ("between Christmas and New Year", "2025-12-25..2026-01-01"),
        ("between Christmas and New Year in 2024", "2024-12-25..2025-01-01"),
        ("at the Mid-Autumn Festival last year", "2025-10-06"),
        ("Chinese New Year 2025", "2025-01-28..2025-02-04"),
        ("at the Dragon Boat Festival two years ago", "2024-06-10"),
        ("on the Fourth of July", "2025-07-04"),
    ],
)
def test_english(text: str, expected: str | None) -> None:
    """Each form of words, in February, with nothing remembered; None is no date."""
    assert read(text, WINTER, ()) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # months
        ("上个月我讲过什么", "2026-04-01..2026-04-30"),
        ("六月份", "2025-06-01..2025-06-30"),
        ("前年十月我都忙了些什么？", "2024-10-01..2024-10-31"),
        ("两年前的三月", "2024-03-01..2024-03-31"),
        ("去年三月底", "2025-03-21..2025-03-31"),
        ("去年五月上旬", "2025-05-01..2025-05-10"),
        ("从五月到七月", "2026-05-01..2026-07-31"),
        ("去年十一月到二月", "2025-11-01..2026-02-28"),
        ("三月以来", "2026-03-01..2026-05-16"),
        ("下个月", "2026-06-01..2026-06-30"),
        # seasons
        ("去年夏天", "2025-06-01..2025-08-31"),
        ("前年春天", "2024-03-01..2024-05-31"),
        ("三年前的秋天", "2023-09-01..2023-11-30"),
        ("上个冬天", "2025-12-01..2026-02-28"),
        ("我冬天过得怎么样？", "2025-12-01..2026-02-28"),
        ("冬天我们都干了什么？", "2025-12-01..2026-02-28"),
        ("今夏", "2026-06-01..2026-08-31"),
        ("自去年夏天以来", "2025-06-01..2026-05-16"),
        # years and parts of them
        ("去年中", "2025-05-01..2025-08-31"),
        ("去年下半年", "2025-07-01..2025-12-31"),
        ("上半年", "2026-01-01..2026-06-30"),
        ("下半年", "2025-07-01..2025-12-31"),
        ("半年前", "2025-11-01..2025-12-01"),
        ("一年半前", "2024-11-01..2024-12-01"),
        ("这半年", "2025-11-16..2026-05-16"),
        ("今年以来", "2026-01-01..2026-05-16"),
        # what is to come
        ("接下来几周", "2026-05-16..2026-06-27"),
        ("往后一个半月", "2026-05-16..2026-06-30"),
        ("今后半年", "2026-05-16..2026-11-16"),
        ("未来两个月", "2026-05-16..2026-07-16"),
        ("今年接下来有哪些日子", "2026-05-16..2026-12-31"),
        ("三月我有什么安排", "2027-03-01..2027-03-31"),
        # feasts
        ("今年元旦", "2026-01-01"),
        ("去年春节", "2025-01-28..2025-02-04"),
        ("去年过年", "2025-01-28..2025-02-04"),
        ("前年除夕", "2024-02-09"),
        ("大年三十", "2026-02-16"),
        ("今年大年初一", "2026-02-17"),
        ("前年正月初五", "2024-02-14"),
        ("正月里", "2026-02-17..2026-03-18"),
        ("腊月二十三", "2026-02-10"),
        ("今年元宵", "2026-03-03"),
        ("过了元宵以后", "2026-03-03..2026-05-16"),
        ("从除夕到元宵", "2026-02-16..2026-03-03"),
        ("春节以来", "2026-02-16..2026-05-16"),
        ("前年清明", "2024-04-04"),
        ("去年五一", "2025-05-01"),
        ("五一假期", "2026-05-01..2026-05-05"),
        ("去年端午", "2025-05-31"),
        ("两年前的端午节", "2024-06-10"),
        ("去年七夕", "2025-08-29"),
        ("去年中秋", "2025-10-06"),
        ("2024年中秋节", "2024-09-17"),
        ("农历八月十五", "2025-10-06"),
        ("去年农历三月初三", "2025-03-31"),
        ("前年重阳", "2024-10-11"),
        ("去年国庆", "2025-10-01"),
        ("去年国庆假期", "2025-10-01..2025-10-07"),
        ("前年双十一", "2024-11-11"),
        ("去年冬至", "2025-12-21"),
        ("圣诞节到元旦之间", "2025-12-25..2026-01-01"),
        ("去年感恩节", "2025-11-27"),
        ("复活节", "2026-04-05"),
        ("万圣节", "2025-10-31"),
        ("母亲节", "2026-05-10"),
        ("去年暑假", "2025-07-01..2025-08-31"),
        ("春天我最开心的事是什么", "2026-03-01..2026-05-31"),
        ("春天我在干什么", "2026-03-01..2026-05-31"),
        ("冬天以来我有什么变化", "2025-12-01..2026-05-16"),
        ("盘点一下我的2025", "2025-01-01..2025-12-31"),
        # one's own year
        ("说说我这一年", "2025-05-16..2026-05-16"),
        ("这一年我都经历了什么", "2025-05-16..2026-05-16"),
        ("我们这一整年怎么样", "2025-05-16..2026-05-16"),
        ("一年来我有什么变化", "2025-05-16..2026-05-16"),
        ("2019年这一年我在干什么", "2019-01-01..2019-12-31"),
    ],
)
def test_chinese(text: str, expected: str) -> None:
    """Each form of words, in May, with nothing remembered."""
    assert read(text, SPRING, ()) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "We may last longer than you",
        "You may, or you may not",
        "I march to work",
        "a spring in my step",
        "spring onions and spring water",
        "did you fall again",
        "my last fall broke my hip",
        "I like the summer",
        "a Christmas tree for my aunt",
        "at the Christmas market",
        "on Easter Island",
        "I bought an Easter egg for Tom",
        "for Halloween costumes",
        "since I was small",
        "half a year of work",
        "Tell me about my year group",
        "my year abroad in Lyon",
        "Who is in my year at school?",
        "Was it the film of the year?",
        "at this time of the year",
        "the last day of the year",
        "the colour of my summer dress",
        "in my winter coat",
        "the capital of May Island",
        "中秋月饼",
        "吃元宵",
        "清明上河图",
        "圣诞树",
        "圣诞老人",
        "中秋快乐",
        "腊八粥",
        "复活节岛",
        "春晚",
        "现在我很累",
        "自己做的",
        "过了一会儿",
        "这年头谁还写信",
        "春天在干燥的屋里",
        "我的2025元钱",
        "他这年纪",
        "我整整一年没见到她",
        "第二年这一年我在哪儿",
        "这一年级的学生",
    ],
)
def test_what_names_no_time(text: str) -> None:
    """Words that are months, seasons or feasts elsewhere: verbs, things, food, pictures, wishes."""
    assert read(text, SPRING, ()) == []


@pytest.mark.parametrize(
    ("text", "day", "expected"),
    [
        ("Tell me about my year", datetime(2027, 1, 6, 8, tzinfo=UTC), "2026-01-01..2027-01-06"),
        ("How was the year?", datetime(2027, 1, 31, 8, tzinfo=UTC), "2026-01-01..2027-01-31"),
        ("Tell me about my year", datetime(2027, 2, 1, 8, tzinfo=UTC), "2027-01-01..2027-12-31"),
        ("How was this year?", datetime(2027, 1, 6, 8, tzinfo=UTC), "2027-01-01..2027-12-31"),
        ("我这一年过得怎么样", datetime(2027, 1, 6, 8, tzinfo=UTC), "2026-01-01..2027-01-06"),
        ("我这一年过得怎么样", datetime(2027, 2, 1, 8, tzinfo=UTC), "2026-02-01..2027-02-01"),
        ("今年过得怎么样", datetime(2027, 1, 6, 8, tzinfo=UTC), "2027-01-01..2027-12-31"),
    ],
)
def test_in_january_my_year_is_the_one_that_has_gone(
    text: str, day: datetime, expected: str
) -> None:
    """Up to today; "this year" is the year that it says."""
    assert read(text, day, ()) == [expected]


@pytest.mark.parametrize(
    "text", ["You made my year.", "It was the best day of the year", "这一年真累"]
)
def test_what_is_told_of_a_year_is_of_no_days(text: str) -> None:
    """Which would be as many as it has."""
    assert find_dates_said_on(text, date(2026, 11, 20)) == ()


def test_a_feast_is_the_last_of_which_something_was_told() -> None:
    """The one told of at its time, or in the days after it; of none, the last."""
    told = (date(2024, 11, 5), date(2025, 10, 31), date(2025, 11, 20))
    assert read("on Bonfire Night", WINTER, told) == ["2024-11-05"]
    assert read("on Bonfire Night", WINTER, (*told[:2], date(2025, 11, 8), told[2])) == [
        "2025-11-05"
    ]
    assert read("on Bonfire Night", WINTER, ()) == ["2025-11-05"]
    assert read("冬至那天", SPRING, (date(2024, 12, 21), date(2025, 12, 20))) == ["2024-12-21"]


def test_since_begins_with_the_last_one_whatever_is_remembered() -> None:
    """Since New Year is since this one, also where only an older one was told of."""
    days = (date(2025, 1, 1), date(2026, 1, 5))
    assert read("since New Year", WINTER, days) == ["2026-01-01..2026-02-09"]


@pytest.mark.parametrize(
    ("name", "year", "expected"),
    [
        # Easter, from the tables of the Western churches
        ("easter", 2000, "2000-04-23"),
        ("easter", 2038, "2038-04-25"),
        ("ascension_day", 2026, "2026-05-14"),
        ("whitsun", 2026, "2026-05-24"),
        # weekdays
        ("mlk_day", 2026, "2026-01-19"),
        ("memorial_day", 2026, "2026-05-25"),
        ("labor_day", 2026, "2026-09-07"),
        ("black_friday", 2024, "2024-11-29"),
        # lunar dates and solar terms, from the Hong Kong Observatory's tables
        ("lunar_new_year", 2020, "2020-01-25"),
        ("lunar_new_years_eve", 2023, "2023-01-21"),
        ("mid_autumn", 2020, "2020-10-01"),
        ("double_ninth", 2023, "2023-10-23"),
        ("laba", 2024, "2024-01-18"),
        ("qingming", 2023, "2023-04-05"),
        ("winter_solstice", 2023, "2023-12-22"),
    ],
)
def test_feasts_that_move(name: str, year: int, expected: str) -> None:
    """Days looked up elsewhere."""
    assert str(days_of(name, year).first) == expected


@given(st.sampled_from(sorted(FEASTS)), st.integers(1901, 2099))
def test_every_feast_comes_every_year(name: str, year: int) -> None:
    """Around its year, in order, its holiday no shorter than itself, and the next a year later."""
    days, holiday = days_of(name, year), days_of(name, year, holiday=True)
    assert holiday.first <= holiday.last
    assert days.first <= days.last
    assert abs(days.first.year - year) <= 1
    assert 350 <= (days_of(name, year + 1).first - days.first).days <= 400


@given(st.integers(1901, 2099), st.integers(1, 12))
def test_a_lunar_month_has_its_full_moon_in_the_middle(year: int, month: int) -> None:
    """The 15th lies fourteen days after the 1st, in any month."""
    assert (lunar_day(year, month, 15) - lunar_day(year, month, 1)).days == 14


@given(st.dates(date(1905, 1, 1), date(2095, 12, 31)))
def test_a_bare_feast_has_been(day: date) -> None:
    """Whatever today is, a feast without its year has begun, and no more than two years ago."""
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    for text in ("on Halloween", "on Good Friday", "中秋", "冬至", "农历五月初五"):
        (found,) = read(text, now, ())
        first = date.fromisoformat(found[:10])
        assert 0 <= (day - first).days <= 400


def test_what_was_just_said_means_the_nearest() -> None:
    """In a turn, "at Easter" is the nearest Easter, and a plan is of what comes."""
    (span,) = find_dates_said_on("We had eggs at Easter", date(2026, 4, 7))
    assert span.first == date(2026, 4, 5)
    (span,) = find_dates_said_on("婚礼打算放在九月二十号。", date(2026, 2, 22))
    assert span.first == date(2026, 9, 20)


def test_a_third_of_a_season_is_a_month() -> None:
    """Early, middle and late: its three months."""
    summer = three_months(2025, 6)
    thirds: tuple[Third, ...] = (0, 1, 2)
    firsts = [summer.third(which).first.month for which in thirds]
    assert firsts == [6, 7, 8]
    assert [summer.third(which).last.day for which in thirds] == [30, 31, 31]
