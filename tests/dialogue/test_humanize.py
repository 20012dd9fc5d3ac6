"""Days are named as people name them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.dialogue.humanize import humanize_day, humanize_moment

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


def test_moments() -> None:
    """A moment has its weekday, date and time."""
    moment = datetime(2023, 5, 7, 9, 5, tzinfo=UTC)
    assert humanize_moment(moment, "en") == "Sunday, 7 May 2023, 09:05"
    assert humanize_moment(moment, "cn") == "2023年5月7日 星期日 09:05"
