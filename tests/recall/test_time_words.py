"""Days and times as they are written: for people, in a prompt, and behind words that name a day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.time_words import (
    annotate_dates,
    format_time,
    humanize_day,
)
from siliconfriend.texts import LANGUAGES, Language
from tests.sentences import rows

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
    ("words", "language", "expected"),
    rows("relative_days"),
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


@pytest.mark.parametrize(
    ("day", "english", "chinese", "alone"),
    [
        (date(2023, 5, 7), "today", "今天", "today"),
        (date(2023, 5, 8), "tomorrow", "明天", "tomorrow"),
        (date(2023, 4, 28), "on 28 April", "4月28日", "28 April"),
        (date(2022, 12, 1), "on 1 December 2022", "2022年12月1日", "1 December 2022"),
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
