from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.errors import UsageError
from siliconfriend.person.views import parse_timestamp

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-03-02 23:30:05", datetime(2026, 3, 2, 15, 30, 5, tzinfo=UTC)),
        (" 2026-03-02T23:30 ", datetime(2026, 3, 2, 15, 30, tzinfo=UTC)),
        ("2026-03-02T23:30:00+00:00", datetime(2026, 3, 2, 23, 30, tzinfo=UTC)),
        ("2026-03-02T23:30:00Z", datetime(2026, 3, 2, 23, 30, tzinfo=UTC)),
        ("2026-03-14 23:59:59", datetime(2026, 3, 14, 15, 59, 59, tzinfo=UTC)),
        (None, NOW),
        ("  ", NOW),
    ],
)
def test_a_time_without_an_offset_is_the_persons(written: str | None, expected: datetime) -> None:
    """In Shanghai half past eleven at night is half past three in the afternoon in UTC."""
    assert parse_timestamp(written, zone=SHANGHAI, now=NOW) == (expected, True)


def test_a_day_alone_counts_as_noon() -> None:
    """Noon in Shanghai is four in the morning in UTC, and no time is claimed to be known."""
    noon = datetime(2026, 3, 2, 4, tzinfo=UTC)
    assert parse_timestamp("2026-03-02", zone=SHANGHAI, now=NOW) == (noon, False)


@pytest.mark.parametrize(
    "written",
    [
        "yesterday",
        "2026-13-01",
        "2026-02-30 10:00:00",
        "23:30",
        "0001-01-01T00:00:00",
        "0001-01-01",
    ],
)
def test_what_is_no_moment_is_refused(written: str) -> None:
    """Words, days that do not exist and times before all calendars are no moments."""
    with pytest.raises(UsageError) as caught:
        parse_timestamp(written, zone=SHANGHAI, now=NOW)
    assert caught.value.key == "service_moment"


def test_a_moment_may_be_a_day_ahead_and_no_more() -> None:
    """A program in an eastern zone is early by hours; next week nobody has said anything."""
    assert parse_timestamp("2026-03-15T09:00:00Z", zone=SHANGHAI, now=NOW)[0] > NOW
    with pytest.raises(UsageError) as caught:
        parse_timestamp("2026-03-15T09:00:01Z", zone=SHANGHAI, now=NOW)
    assert caught.value.key == "service_moment_ahead"
