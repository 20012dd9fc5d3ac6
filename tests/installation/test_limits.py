"""Tries to log in and requests are counted in a window of time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from siliconfriend.installation.limits import ADDRESS_TRIES, TRIES, WITHIN
from tests.installation.conftest import Open, open_at

HOME, AWAY = "203.0.113.5", "198.51.100.7"


def test_the_sixth_try_waits(address: str) -> None:
    moment = 1000.0
    limits = open_at(address, lambda: moment).limits
    assert [limits.take_login("Ada", HOME) for _ in range(TRIES)] == [0.0] * TRIES
    assert limits.take_login("Ada", HOME) == WITHIN
    assert (limits.take_login("Ada", AWAY), limits.take_login("Ben", HOME)) == (0.0, 0.0)
    moment += WITHIN
    assert limits.take_login("Ada", HOME) == 0.0


def test_many_names_from_one_address_count_together(opened: Open) -> None:
    limits = opened().limits
    for number in range(ADDRESS_TRIES):
        assert limits.take_login(f"name {number}", f"2001:db8::{number:x}") == 0
    assert limits.take_login("another", "2001:db8::ffff:1") > 0
    assert limits.take_login("another", "2001:db8:0:1::1") == 0


def test_coming_in_forgives_the_slips(opened: Open) -> None:
    limits = opened().limits
    for _ in range(ADDRESS_TRIES // 4):
        for _ in range(4):
            assert limits.take_login("Ada", HOME) == 0
        limits.forgive_login("Ada", HOME)
    assert [limits.take_login(f"name {it}", HOME) for it in range(ADDRESS_TRIES)] == [
        0.0
    ] * ADDRESS_TRIES


def test_many_at_once_do_not_pass_the_limit(opened: Open) -> None:
    limits = opened().limits
    with ThreadPoolExecutor(12) as threads:
        waits = list(threads.map(lambda _: limits.take_login("Ada", HOME), range(24)))
    assert waits.count(0.0) == TRIES


def test_requests_are_counted_for_each_and_wait(opened: Open) -> None:
    limits = opened().limits
    first, second, third = (limits.take_request(2, 60, "person", "Ada") for _ in range(3))
    other = limits.take_request(2, 60, "person", "Ben")
    assert (first, second, other) == (0, 0, 0)
    assert 55 <= third <= 61
