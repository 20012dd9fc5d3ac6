"""What front ends agree on means the same on one machine's files and in a database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest

from siliconfriend.errors import ConfigurationError, MemoryBusy, RefusedName, UsageError
from siliconfriend.keys import Caller
from siliconfriend.memory.jobs import Job
from siliconfriend.passwords import Authenticator
from siliconfriend.shared.factory import state_on_files
from siliconfriend.shared.login_limits import ADDRESS_TRIES, TRIES, WITHIN
from siliconfriend.shared.state import SharedState

HOME, AWAY = "203.0.113.5", "198.51.100.7"

Open = Callable[[], SharedState]


@pytest.fixture(params=["files", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same state, as each process does for itself."""
    if request.param == "files":
        return lambda: state_on_files(tmp_path, "an operator's own key")
    from siliconfriend.shared.factory import state_in_postgres

    database = request.getfixturevalue("database")
    return lambda: state_in_postgres(database, "an operator's own key")


def test_a_password_set_by_one_process_counts_at_another(opened: Open) -> None:
    opened().passwords.set(" Ada ", "correct horse")
    guard = Authenticator(opened().passwords)
    assert guard.authenticate("Ada", "correct horse")
    assert not guard.authenticate("ada", "correct horse")
    assert not guard.authenticate("Ada ", "correct horse")
    assert not guard.authenticate("A\0da/..", "correct horse")
    opened().passwords.set("Ada", "staple battery")
    assert not guard.authenticate("Ada", "correct horse")
    assert opened().passwords.remove("Ada")
    assert not opened().passwords.remove("Ada")
    assert guard.hash_of("Ada") is None


def test_a_short_password_and_an_impossible_name_are_refused(opened: Open) -> None:
    passwords = opened().passwords
    with pytest.raises(UsageError, match="8"):
        passwords.set("Ada", "short")
    with pytest.raises(RefusedName):
        passwords.set("../x", "long enough")
    with pytest.raises(RefusedName):
        passwords.remove("")


def test_a_key_made_by_one_process_opens_at_another(opened: Open) -> None:
    keys, elsewhere = opened().keys, opened().keys
    first, his = keys.make_for("Ada"), keys.make_for("小安")
    assert elsewhere.identify(first) == Caller("Ada")
    assert elsewhere.identify(his) == Caller("小安")
    second = elsewhere.make_for("Ada")
    assert keys.identify(first) is None
    assert keys.identify(second) == Caller("Ada")
    assert keys.remove("Ada")
    assert not keys.remove("Ada")
    assert elsewhere.identify(second) is None
    assert elsewhere.identify("an operator's own key") == Caller()
    assert elsewhere.identify("sf-\udcff") is None


def test_of_many_processes_one_makes_the_operators_key(tmp_path: Path, opened: Open) -> None:
    def make() -> str | None:
        keys = opened().keys
        keys._given = None  # type: ignore[attr-defined]
        return keys.ensure_operator()

    with ThreadPoolExecutor(4) as threads:
        made = [it for it in threads.map(lambda _: make(), range(4)) if it is not None]
    assert len(made) == 1
    assert opened().keys.identify(made[0]) == Caller()


def test_sessions_end_with_a_changed_password(opened: Open) -> None:
    sessions = opened().sessions()
    kept = {"Ada": "scrypt:old", "Ben": "scrypt:his"}
    hers, his = sessions.open("Ada", "scrypt:old"), sessions.open("Ben", "scrypt:his")
    assert sessions.user(hers, kept.get) == "Ada"
    assert sessions.user("guessed", kept.get) is None
    kept["Ada"] = "scrypt:new"
    assert sessions.user(hers, kept.get) is None
    kept["Ada"] = "scrypt:old"
    assert sessions.user(hers, kept.get) is None
    assert sessions.user(his, kept.get) == "Ben"
    sessions.close_all("Ben")
    assert sessions.user(his, kept.get) is None


def test_the_sixth_try_waits(opened: Open) -> None:
    limits = opened().login_limits
    assert [limits.take("Ada", HOME) for _ in range(TRIES)] == [0.0] * TRIES
    assert WITHIN - 5 < limits.take("Ada", HOME) <= WITHIN
    assert limits.take("Ada", AWAY) == 0.0
    assert limits.take("Ben", HOME) == 0.0


def test_many_names_from_one_address_count_together(opened: Open) -> None:
    limits = opened().login_limits
    for number in range(ADDRESS_TRIES):
        assert limits.take(f"name {number}", f"2001:db8::{number:x}") == 0
    assert limits.take("another", "2001:db8::ffff:1") > 0
    assert limits.take("another", "2001:db8:0:1::1") == 0


def test_coming_in_forgives_the_slips(opened: Open) -> None:
    limits = opened().login_limits
    for _ in range(ADDRESS_TRIES // 4):
        for _ in range(4):
            assert limits.take("Ada", HOME) == 0
        limits.forgive("Ada", HOME)
    assert [limits.take(f"name {it}", HOME) for it in range(ADDRESS_TRIES)] == [0.0] * ADDRESS_TRIES


def test_many_at_once_do_not_pass_the_limit(opened: Open) -> None:
    limits = opened().login_limits
    with ThreadPoolExecutor(12) as threads:
        waits = list(threads.map(lambda _: limits.take("Ada", HOME), range(24)))
    assert sum(1 for it in waits if it == 0) == TRIES


def test_requests_are_counted_for_each_and_wait(opened: Open) -> None:
    async def ask() -> list[int]:
        rates = opened().rates()
        hers = [await rates.take(2, 60, "person", "Ada") for _ in range(3)]
        return [*hers, await rates.take(2, 60, "person", "Ben")]

    first, second, third, other = anyio.run(ask)
    assert (first, second, other) == (0, 0, 0)
    assert 55 <= third <= 61


def test_an_erasing_is_found_by_the_next_process(opened: Open) -> None:
    job = opened().jobs.begin("erase", {"person": "Ada", "ids": ["turn-1"]})
    opened().jobs.begin("delete", {"person": "小安"})
    job.update(step="memory gone")
    found = {it.name: dict(it.intent) for it in opened().jobs.unfinished()}
    assert found.pop(job.name) == {
        "job": "erase",
        "person": "Ada",
        "ids": ["turn-1"],
        "step": "memory gone",
    }
    assert [it["person"] for it in found.values()] == ["小安"]
    _named(opened().jobs.unfinished(), job.name).end()
    assert job.name not in {it.name for it in opened().jobs.unfinished()}


def test_one_persons_erasings_come_after_each_other(opened: Open) -> None:
    held = opened().jobs.one_at_a_time("Ada", 1)
    with held, pytest.raises(MemoryBusy), opened().jobs.one_at_a_time("Ada", 0):
        pass
    with opened().jobs.one_at_a_time("Ada", 0):
        pass


def test_a_file_of_nobodys_password_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        Authenticator(state_on_files(tmp_path).passwords)


def _named(jobs: list[Job], name: str) -> Job:
    return next(it for it in jobs if it.name == name)
