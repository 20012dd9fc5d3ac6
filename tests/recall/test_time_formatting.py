"""The older a memory, the coarser its time is told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.time_formatting import annotate_dates, format_time, part_of_day
from siliconfriend.texts import LANGUAGES, Language

SHANGHAI = ZoneInfo("Asia/Shanghai")
SAID = datetime(2018, 9, 30, 15, 30, 45, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("age", "english", "chinese"),
    [
        (0, "2018-09-30 15:30", "2018-09-30 15:30"),
        (1, "2018-09-30 about 15:00", "2018-09-30 15点左右"),
        (7, "2018-09-30 about 15:00", "2018-09-30 15点左右"),
        (8, "2018-09-30 in the afternoon", "2018-09-30 下午"),
        (30, "2018-09-30 in the afternoon", "2018-09-30 下午"),
        (31, "2018-09-30", "2018-09-30"),
        (3000, "2018-09-30", "2018-09-30"),
    ],
)
def test_time_grows_coarser_in_four_steps(age: int, english: str, chinese: str) -> None:
    """To the minute on its day, then the hour for a week, the part of the day to a month, the day."""
    now = SAID + timedelta(days=age)
    for language, expected in (("en", english), ("cn", chinese)):
        assert _told(SAID, now, language) == expected


def test_age_is_counted_in_calendar_days_of_the_person() -> None:
    """Ten minutes over midnight in the person's zone is yesterday, whatever UTC says."""
    said = datetime(2018, 9, 30, 23, 55, tzinfo=SHANGHAI)
    assert _told(said, said + timedelta(minutes=4), "en") == "2018-09-30 23:55"
    assert _told(said, said + timedelta(minutes=10), "en") == "2018-09-30 about 23:00"
    assert _told(said.astimezone(UTC), said + timedelta(days=8), "cn") == "2018-09-30 晚上"


@pytest.mark.parametrize(
    ("hour", "part"),
    [
        (3, "evening"),
        (4, "early"),
        (5, "early"),
        (6, "morning"),
        (11, "morning"),
        (12, "afternoon"),
        (17, "afternoon"),
        (18, "evening"),
        (23, "evening"),
        (0, "evening"),
    ],
)
def test_parts_of_the_day_have_the_borders_of_the_seed(hour: int, part: str) -> None:
    """Morning from six, afternoon from twelve, evening from eighteen; before six it is early."""
    assert part_of_day(hour) == part


def test_the_small_hours_are_the_evening_of_the_same_date() -> None:
    """Two in the morning keeps its own date."""
    said = datetime(2018, 9, 30, 2, 0, tzinfo=SHANGHAI)
    assert _told(said, said + timedelta(days=9), "en") == "2018-09-30 in the evening"


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "2018-09-30 early in the morning"), ("cn", "2018-09-30 清晨")],
)
def test_half_past_five_is_early_in_the_morning(language: Language, told: str) -> None:
    """Nobody was up all the evening: the day had begun."""
    said = datetime(2018, 9, 30, 5, 30, tzinfo=SHANGHAI)
    assert _told(said, said + timedelta(days=8), language) == told
    assert _told(said, said + timedelta(days=7), language).startswith("2018-09-30 ")


def test_a_turn_without_a_time_shows_its_day() -> None:
    """Noon, which such a turn counts as, is never told as if someone had said it."""
    told = format_time(
        date(2018, 9, 30), None, now=SAID + timedelta(hours=1), zone=SHANGHAI, language="cn"
    )
    assert told == "2018-09-30"


def test_a_clock_set_back_tells_the_minute() -> None:
    """What seems still to come is told as of today."""
    assert _told(SAID, SAID - timedelta(days=3), "en") == "2018-09-30 15:30"


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("I watched it last night.", "en", "I watched it last night (2018-09-29)."),
        (
            "Two weeks ago I fell, and yesterday again.",
            "en",
            "Two weeks ago (2018-09-13 to 2018-09-19) I fell, and yesterday (2018-09-29) again.",
        ),
        (
            "我昨天晚上看的，上周三买的票。",
            "cn",
            "我昨天晚上（2018-09-29）看的，上周三（2018-09-19）买的票。",
        ),
        ("Last year I moved.", "en", "Last year (2017) I moved."),
        ("We met two summers ago.", "en", "We met two summers ago (2017-06 to 2017-08)."),
        # without its year: on the side that the verb says
        ("On 3 March I fell.", "en", "On 3 March (2018-03-03) I fell."),
        ("The exam is on 3 March.", "en", "The exam is on 3 March (2019-03-03)."),
        ("三月三号我摔了一跤。", "cn", "三月三号（2018-03-03）我摔了一跤。"),
        ("我三月三号要考试。", "cn", "我三月三号（2019-03-03）要考试。"),
        # nothing to add: the day itself, a date in full, too vague a stretch, no date
        ("Today I stayed in.", "en", "Today I stayed in."),
        ("On May 4th 2018 I ran.", "en", "On May 4th 2018 I ran."),
        ("In 2011 I ran.", "en", "In 2011 I ran."),
        ("I moved a year ago.", "en", "I moved a year ago."),
        ("我最近很忙。", "cn", "我最近很忙。"),
        ("ａｎｄ ｙｅｓｔｅｒｄａｙ", "en", "ａｎｄ ｙｅｓｔｅｒｄａｙ"),
    ],
)
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


def _told(said: datetime, now: datetime, language: Language) -> str:
    day = said.astimezone(SHANGHAI).date()
    return format_time(day, said, now=now, zone=SHANGHAI, language=language)
