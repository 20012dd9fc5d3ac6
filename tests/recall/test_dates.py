"""Days named in words: hand-worked tables in both languages, and what is no date."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.recall.dates import find_dates, find_dates_said_on
from tests.recall.days import DAYS, NOW, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # absolute
        ("What did I do on May 4th?", "2023-05-04"),
        ("the exam was on the fourth of May", "2023-05-04"),
        ("what did I say on May the twenty-first, 2022?", "2022-05-21"),
        ("what did i do on may 4", "2023-05-04"),
        ("May 4, 2022 was a good day", "2022-05-04"),
        ("On April 28th, 2023 I ran", "2023-04-28"),
        ("28 April 2023", "2023-04-28"),
        ("the 28th of April", "2023-04-28"),
        ("Sept. 3", "2022-09-03"),
        ("04/28", "2023-04-28"),
        ("4/28/2023", "2023-04-28"),
        ("28/04/2023", "2023-04-28"),
        ("28.04.2023", "2023-04-28"),
        ("4/28/23", "2023-04-28"),
        ("I ran on 5/4", "2023-05-04"),
        ("2023-04-28", "2023-04-28"),
        ("2023/4/28", "2023-04-28"),
        ("on the 27th, what did I do", "2023-04-27"),
        ("April 2023", "2023-04-01..2023-04-30"),
        ("2023-04", "2023-04-01..2023-04-30"),
        ("in 2022", "2022-01-01..2022-12-31"),
        ("Were you there in April?", "2023-04-01..2023-04-30"),
        ("last April", "2023-04-01..2023-04-30"),
        ("last May", "2022-05-01..2022-05-31"),
        ("this May", "2023-05-01..2023-05-31"),
        ("next April", "2024-04-01..2024-04-30"),
        ("this coming March", "2024-03-01..2024-03-31"),
        ("6/2/98", "1998-06-02"),
        ("early May", "2023-05-01..2023-05-10"),
        ("in mid-April", "2023-04-11..2023-04-20"),
        ("late April", "2023-04-21..2023-04-30"),
        ("by the end of April 2023", "2023-04-21..2023-04-30"),
        ("April 27-29", "2023-04-27..2023-04-29"),
        ("from April 28 to May 2", "2023-04-28..2023-05-02"),
        ("between April 28th and May 2nd", "2023-04-28..2023-05-02"),
        ("the evening of May 4th", "2023-05-04 evening"),
        ("May 4th in the morning", "2023-05-04 morning"),
        ("in the summer of 2022", "2022-06-01..2022-08-31"),
        ("last winter", "2022-12-01..2023-02-28"),
        ("last Christmas", "2022-12-25"),
        # relative
        ("today", "2023-05-10"),
        ("tonight", "2023-05-10 evening"),
        ("this morning", "2023-05-10 morning"),
        ("yesterday", "2023-05-09"),
        ("thirteen days ago", "2023-04-27"),
        ("three days from now", "2023-05-13"),
        ("over the past few days", "2023-04-30..2023-05-10"),
        ("early last week", "2023-05-01..2023-05-07"),
        ("the coming weekend", "2023-05-13..2023-05-14"),
        ("twenty-one days ago", "2023-04-19"),
        ("yesterday afternoon", "2023-05-09 afternoon"),
        ("last night", "2023-05-09 evening"),
        ("the day before yesterday", "2023-05-08"),
        ("the night before last", "2023-05-08 evening"),
        ("the day after tomorrow", "2023-05-12"),
        ("on Tuesday", "2023-05-09"),
        ("on Wednesday", "2023-05-03"),
        ("on Tuesday evening", "2023-05-09 evening"),
        ("last Friday", "2023-05-05"),
        ("this Monday", "2023-05-08"),
        ("next Tuesday", "2023-05-16"),
        ("Friday of last week", "2023-05-05"),
        ("last week on Friday", "2023-05-05"),
        ("last weekend", "2023-05-06..2023-05-07"),
        ("over the weekend", "2023-05-06..2023-05-07"),
        ("this week", "2023-05-08..2023-05-14"),
        ("last week", "2023-05-01..2023-05-07"),
        ("the week before last", "2023-04-24..2023-04-30"),
        ("last month", "2023-04-01..2023-04-30"),
        ("early last month", "2023-04-01..2023-04-10"),
        ("at the beginning of the month", "2023-05-01..2023-05-10"),
        ("at the end of the month", "2023-04-21..2023-04-30"),
        ("this year", "2023-01-01..2023-12-31"),
        ("last year", "2022-01-01..2022-12-31"),
        ("early last year", "2022-01-01..2022-04-30"),
        ("3 days ago", "2023-05-07"),
        ("a week ago", "2023-04-30..2023-05-06"),
        ("two weeks ago", "2023-04-23..2023-04-29"),
        ("a fortnight ago", "2023-04-23..2023-04-29"),
        ("in the past fortnight", "2023-04-26..2023-05-10"),
        ("over the next fortnight", "2023-05-10..2023-05-24"),
        ("this time last year", "2022-04-25..2022-05-25"),
        ("who did we see in 2021 with", "2020-12-31..2021-01-01"),
        ("a month ago", "2023-03-26..2023-04-25"),
        ("two years ago", "2020-11-09..2021-11-08"),
        ("a few days ago", "2023-04-30..2023-05-08"),
        ("a couple of days ago", "2023-05-07..2023-05-08"),
        ("over the past two weeks", "2023-04-26..2023-05-10"),
        ("two hours ago", "2023-05-10"),
        ("the other day", "2023-05-03..2023-05-09"),
        ("recently", "2023-04-26..2023-05-10"),
        # talks
        ("our first conversation", "2023-04-27"),
        ("when we first met", "2023-04-27"),
        ("the first time we talked", "2023-04-27"),
        ("in our second chat", "2023-04-28"),
        ("the last time we talked", "2023-05-06"),
        ("What did we talk about last time?", "2023-05-06"),
        ("What was the first thing I told you?", "2023-04-27"),
    ],
)
def test_english(text: str, expected: str) -> None:
    """Each form of words, on a Wednesday, with memories of 27 April to 6 May."""
    assert read(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # absolute
        ("5月4日我做了什么", "2023-05-04"),
        ("我在五月四号去了哪里", "2023-05-04"),
        ("四月二十七号这天", "2023-04-27"),
        ("四月廿八", "2023-04-28"),
        ("2023年5月4日", "2023-05-04"),
        ("2022 年 5 月 4 日", "2022-05-04"),
        ("二〇二三年五月四日", "2023-05-04"),
        ("２０２３年５月４日", "2023-05-04"),
        ("再过三天", "2023-05-13"),
        ("最近几天", "2023-04-30..2023-05-10"),
        ("98年的事", "1998-01-01..1998-12-31"),
        ("去年5月4号", "2022-05-04"),
        ("2023.5.4", "2023-05-04"),
        ("27号我们聊了什么", "2023-04-27"),
        ("二十七号", "2023-04-27"),
        ("4月27日到29日", "2023-04-27..2023-04-29"),
        ("4月28日到5月2日", "2023-04-28..2023-05-02"),
        ("5月4号早上", "2023-05-04 morning"),
        ("四月", "2023-04-01..2023-04-30"),
        ("4月份", "2023-04-01..2023-04-30"),
        ("4月初", "2023-04-01..2023-04-10"),
        ("4月中旬", "2023-04-11..2023-04-20"),
        ("四月底", "2023-04-21..2023-04-30"),
        ("2022年", "2022-01-01..2022-12-31"),
        ("去年", "2022-01-01..2022-12-31"),
        ("去年年底我许了什么愿", "2022-09-01..2022-12-31"),
        ("前年夏天", "2021-06-01..2021-08-31"),
        ("去年冬天", "2022-12-01..2023-02-28"),
        ("去年国庆", "2022-10-01"),
        ("五一去了哪里", "2023-05-01"),
        # relative
        ("今天", "2023-05-10"),
        ("今早", "2023-05-10 morning"),
        ("昨天", "2023-05-09"),
        ("昨晚", "2023-05-09 evening"),
        ("昨天晚上我吃了什么", "2023-05-09 evening"),
        ("前天", "2023-05-08"),
        ("前天晚上", "2023-05-08 evening"),
        ("大前天", "2023-05-07"),
        ("后天", "2023-05-12"),
        ("周三", "2023-05-03"),
        ("星期天", "2023-05-07"),
        ("上周三", "2023-05-03"),
        ("上个星期五下午", "2023-05-05 afternoon"),
        ("这周一", "2023-05-08"),
        ("上上周", "2023-04-24..2023-04-30"),
        ("上上周日", "2023-04-30"),
        ("下周二", "2023-05-16"),
        ("上周末", "2023-05-06..2023-05-07"),
        ("周末我去哪了", "2023-05-06..2023-05-07"),
        ("上周", "2023-05-01..2023-05-07"),
        ("上个月", "2023-04-01..2023-04-30"),
        ("上个月5号", "2023-04-05"),
        ("这个月初", "2023-05-01..2023-05-10"),
        ("上月底", "2023-04-21..2023-04-30"),
        ("月底", "2023-04-21..2023-04-30"),
        ("三天前", "2023-05-07"),
        ("3天之前", "2023-05-07"),
        ("两周前", "2023-04-23..2023-04-29"),
        ("一个星期以前", "2023-04-30..2023-05-06"),
        ("一个月前", "2023-03-26..2023-04-25"),
        ("两年前", "2020-11-09..2021-11-08"),
        ("几天前", "2023-04-30..2023-05-08"),
        ("前几天", "2023-04-30..2023-05-08"),
        ("最近两周", "2023-04-26..2023-05-10"),
        ("最近", "2023-04-26..2023-05-10"),
        ("前阵子", "2023-03-11..2023-05-03"),
        # talks
        ("我们第一次聊天说了什么", "2023-04-27"),
        ("第一次聊天", "2023-04-27"),
        ("你还记得我们第一次对话的时候吗", "2023-04-27"),
        ("刚认识的时候", "2023-04-27"),
        ("我们第二次聊天", "2023-04-28"),
        ("上次聊天", "2023-05-06"),
        ("我最早跟你说的是什么？", "2023-04-27"),
        ("我们一开始聊的是啥", "2023-04-27"),
    ],
)
def test_chinese(text: str, expected: str) -> None:
    """Each form of words, on a Wednesday, with memories of 27 April to 6 May."""
    assert read(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "You may march with 4 friends",
        "May I ask a question?",
        "march 5 miles",
        "March 5 miles more",
        "May 4 people come?",
        "wait a second",
        "my second child",
        "I sat in the sun",
        "April and June said hello",
        "in June's house",
        "a group of 2000 people",
        "24/7",
        "1/2 cup of sugar",
        "10/10 would recommend",
        "the ratio was 16/9",
        "room 42, 7.5 km, 3:45, 100%",
        "on the 27th floor",
        "every Tuesday evening",
        "Tuesdays I run",
        "on Tuesdays",
        "the first time we met Bob",
        "our first conversation with my boss",
        "What was the first thing I told you about Karel?",
        "我最早认识的朋友是谁？",
        "when I first met my husband",
        "April 31",
        "2023-13-45",
        "version 1.2.3",
        "call 555-1234-5678",
        "the year of living",
        "一号楼",
        "我坐三号线",
        "5号电池",
        "一周三次",
        "每周三次",
        "每周末我都跑步",
        "三个月",
        "周杰伦的演唱会",
        "五月天的歌",
        "一日三餐",
        "三日游",
        "生日快乐",
        "以前天气很好",
        "以后天天运动",
        "他是个发明天才",
        "当今天下",
        "说明天气会变",
        "第二天",
        "和小王第一次聊天",
        "第一次去厦门",
        "几号",
        "第3号选手",
        "3.5号",
        "13月5日",
        "",
    ],
)
def test_what_is_no_date(text: str) -> None:
    """Verbs, names, counts, addresses and habits stay words."""
    assert read(text) == []


def test_the_words_are_given_with_the_days() -> None:
    """Several dates come in the order they are said, each with its own words."""
    spans = find_dates(
        "Did I run on May 4th, or yesterday evening?", now=NOW, zone=ZoneInfo("UTC"), days=DAYS
    )
    assert [span.words for span in spans] == ["May 4th", "yesterday evening"]


@pytest.mark.parametrize(
    ("now", "days", "expected"),
    [
        # talked around then in 2021 only
        ("2023-05-10", ["2021-05-01"], "2021-05-04"),
        # and in both years: the latest
        ("2023-05-10", ["2021-05-01", "2022-05-18"], "2022-05-04"),
        # half a month away is around, a day more is not
        ("2023-05-01", ["2021-05-04", "2022-04-19"], "2022-05-04"),
        ("2023-05-01", ["2021-05-04", "2022-04-18"], "2021-05-04"),
        # this year's has not come yet
        ("2023-04-10", ["2021-05-01", "2022-05-01", "2023-04-09"], "2022-05-04"),
        # nothing is remembered around any: the latest that has been
        ("2023-05-10", ["2022-11-11"], "2023-05-04"),
        ("2023-03-10", ["2022-11-11"], "2022-05-04"),
        # only days ahead: something planned
        ("2023-05-01", ["2023-04-02"], "2023-05-04"),
        # no memories at all
        ("2023-05-01", [], "2022-05-04"),
    ],
)
def test_a_date_without_its_year_is_of_one_they_remember(
    now: str, days: list[str], expected: str
) -> None:
    """The latest year, not after now, that has memories within half a month of that date."""
    moment = datetime.fromisoformat(f"{now}T09:00+00:00")
    remembered = tuple(date.fromisoformat(day) for day in days)
    for text in ("on May 4th", "5月4号"):
        assert read(text, moment, remembered) == [expected]


def test_the_29th_of_february_is_of_a_leap_year() -> None:
    """In a year without one the last that had one is meant; a year that says otherwise is no date."""
    now = datetime(2023, 3, 5, tzinfo=UTC)
    assert read("Feb 29", now, ()) == ["2020-02-29"]
    assert read("2月29日", now, ()) == ["2020-02-29"]
    assert read("February 29, 2023", now, ()) != ["2023-02-29"]
    assert read("2023年2月29日", now, ()) != ["2023-02-29"]
    assert read("February 29, 2024", now, ()) == ["2024-02-29"]


def test_words_reach_over_the_end_of_a_year() -> None:
    """Yesterday, last week and last month on New Year's Day lie in the old year."""
    now = datetime(2023, 1, 1, 9, tzinfo=UTC)  # a Sunday
    for words in ("yesterday", "昨天"):
        assert read(words, now) == ["2022-12-31"]
    for words in ("last week", "上周"):
        assert read(words, now) == ["2022-12-19..2022-12-25"]
    for words in ("last month", "上个月"):
        assert read(words, now) == ["2022-12-01..2022-12-31"]
    for words in ("December 30 to January 1", "12月30日到1月1日"):
        assert read(words, now, (date(2022, 12, 31),)) == ["2022-12-30..2023-01-01"]


def test_the_day_is_the_persons_own() -> None:
    """At the same moment it is still yesterday elsewhere."""
    moment = datetime(2023, 5, 10, 3, tzinfo=UTC)
    for zone, expected in (
        ("Asia/Shanghai", "2023-05-09"),
        ("America/Los_Angeles", "2023-05-08"),
    ):
        spans = find_dates("yesterday", now=moment, zone=ZoneInfo(zone))
        assert [str(span.first) for span in spans] == [expected]


def test_last_tuesday_is_the_one_they_remember() -> None:
    """The latest before today; that of last week where only it has memories."""
    assert read("last Tuesday", days=()) == ["2023-05-09"]
    assert read("last Tuesday", days=(date(2023, 5, 2),)) == ["2023-05-02"]
    assert read("last Tuesday", days=(date(2023, 5, 2), date(2023, 5, 9))) == ["2023-05-09"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I watched it last night", "2023-04-27"),
        ("我昨天晚上看的", "2023-04-27"),
        ("the exam is on May 4", "2023-05-04"),
        ("5月4号考试", "2023-05-04"),
        ("see you on Monday", "2023-05-01"),
        ("I was ill on December 28", "2022-12-28"),
    ],
)
def test_words_of_a_turn_are_read_on_the_day_it_was_said(text: str, expected: str) -> None:
    """Said on Friday 28 April: its last night is the 27th, and a plain date the nearest."""
    assert [str(span.first) for span in find_dates_said_on(text, date(2023, 4, 28))] == [expected]


@pytest.mark.parametrize(
    "name",
    [
        "Mon",
        "Mon.",
        "Tue",
        "Tue.",
        "Tues",
        "Tues.",
        "Wed",
        "Wed.",
        "Thu",
        "Thur",
        "Thurs",
        "Thurs.",
        "Fri",
        "Fri.",
        "Sat",
        "Sun",
        "Sun.",
    ],
)
def test_everyshort_name_of_a_weekday_isread(name: str) -> None:
    """As in "last Tues.", which the table of names lacks."""
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    (span,) = find_dates_said_on(f"I met him last {name}", date(2023, 5, 10))
    assert span.first.weekday() == days.index(name[:3])
