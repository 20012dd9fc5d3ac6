"""Days are named as people name them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.dialogue.humanize import humanize_day, humanize_days, humanize_moment

TODAY = date(2023, 5, 7)


@pytest.mark.parametrize(
    ("day", "english", "chinese", "alone"),
    [
        (date(2023, 5, 7), "today", "今天", "today"),
        (date(2023, 5, 6), "yesterday", "昨天", "yesterday"),
        (date(2023, 4, 28), "on 28 April", "4月28日", "28 April"),
        (date(2022, 12, 1), "on 1 December 2022", "2022年12月1日", "1 December 2022"),
    ],
)
def test_days(day: date, english: str, chinese: str, alone: str) -> None:
    """Near days by their word, days of this year without it, older ones in full."""
    assert humanize_day(day, TODAY, "en") == english
    assert humanize_day(day, TODAY, "cn") == chinese
    assert humanize_day(day, TODAY, "en", alone=True) == alone


@pytest.mark.parametrize(
    ("first", "last", "english", "chinese"),
    [
        (date(2023, 5, 8), date(2023, 5, 8), "tomorrow", "明天"),
        (date(2023, 7, 3), date(2023, 7, 10), "3 July to 10 July", "7月3日到7月10日"),
        (
            date(2024, 7, 3),
            date(2024, 7, 10),
            "3 July 2024 to 10 July 2024",
            "2024年7月3日到2024年7月10日",
        ),
        (date(2023, 6, 30), date(2023, 7, 2), "30 June to 2 July", "6月30日到7月2日"),
        (date(2023, 10, 1), date(2023, 10, 31), "October", "10月"),
        (date(2024, 2, 1), date(2024, 2, 29), "February 2024", "2024年2月"),
        (
            date(2024, 2, 1),
            date(2024, 2, 28),
            "1 February 2024 to 28 February 2024",
            "2024年2月1日到2024年2月28日",
        ),
    ],
)
def test_several_days(first: date, last: date, english: str, chinese: str) -> None:
    """The month once where it is one, and alone for the whole of it."""
    assert humanize_days(first, last, TODAY, "en") == english
    assert humanize_days(first, last, TODAY, "cn") == chinese


def test_moments() -> None:
    """A moment has its weekday, date and time."""
    moment = datetime(2023, 5, 7, 9, 5, tzinfo=UTC)
    assert humanize_moment(moment, "en") == "Sunday, 7 May 2023, 09:05"
    assert humanize_moment(moment, "cn") == "2023年5月7日 星期日 09:05"
