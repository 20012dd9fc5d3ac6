"""Passwords, keys and sessions mean the same at every process of an installation."""

import hashlib
from base64 import b64encode, urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError, RefusedName, UsageError
from siliconfriend.installation import accounts
from siliconfriend.installation.accounts import (
    COST,
    IDLE,
    KEY_PREFIX,
    Caller,
    Keys,
    hash_password,
)
from siliconfriend.installation.installation import Installation, installation_in
from siliconfriend.installation.limits import ADDRESS_TRIES, TRIES, WITHIN
from siliconfriend.installation.tables import INSTALLATION
from siliconfriend.memory.database import SQLiteDatabase
from tests.installation.conftest import OPERATOR_KEY, Open, open_at


def test_the_limits_are_those_of_the_documents(tmp_path: Path) -> None:
    """SECURITY.md: five tries for a name, twenty in all, a minute, twelve hours, 256 bits."""
    assert (TRIES, ADDRESS_TRIES, WITHIN, IDLE) == (5, 20, 60, 12 * 3600)
    here = installation_in(tmp_path)
    made = (here.keys.make_for("Ada"), here.keys.ensure_operator(), here.sessions.open("Ada", "x"))
    for key in made:
        assert key is not None
        assert len(urlsafe_b64decode(f"{key.removeprefix(KEY_PREFIX)}=")) == 32


@pytest.mark.parametrize("name", ["Ada", "Nobody", "A\0da"])
def test_known_and_unknown_names_are_checked_alike(
    opened: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One hash is computed for either, so that its time tells nothing."""
    passwords, checked = opened().passwords, list[str]()
    passwords.set("Ada", "correct horse")
    monkeypatch.setattr(accounts, "verify_password", lambda _, kept: checked.append(kept))
    assert not passwords.authenticate(name, "guess")
    assert [kept.split(":")[:1] for kept in checked] == [["scrypt"]]


def test_a_clock_set_back_locks_nobody_out() -> None:
    """Neither by the machine's clock, which does not count here, nor by one that is given."""
    moment = [1_800_000_000.0]
    database = SQLiteDatabase(None, INSTALLATION)
    for given in (None, lambda: moment[0]):
        limits = Installation(database, seconds=given).limits
        waits = [limits.take_login("Ada", HOME) for _ in range(TRIES + 1)]
        assert 0 < waits[-1] <= WITHIN
        moment[0] -= 86_400
        assert limits.take_login("Ada", HOME) <= WITHIN


def test_the_hash_is_scrypt_as_the_library_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "COST", COST)
    made = hashlib.scrypt(b"correct horse", salt=b"0123456789abcdef", n=2**14, r=8, p=5)
    salt, key = b64encode(b"0123456789abcdef").decode(), b64encode(made).decode()
    assert hash_password("correct horse", b"0123456789abcdef") == f"scrypt:16384:8:5:{salt}:{key}"


def test_a_password_set_by_one_process_counts_at_another(opened: Open) -> None:
    opened().passwords.set(" Ada ", "correct horse")
    guard = opened().passwords
    assert guard.authenticate("Ada", "correct horse")
    assert not any(guard.authenticate(one, "correct horse") for one in ("ada", "Ada ", "A\0da/.."))
    assert not guard.authenticate("Bo", "nobody's password")
    opened().passwords.set("Ada", "staple battery")
    assert not guard.authenticate("Ada", "correct horse")
    assert opened().passwords.remove("Ada")
    assert not opened().passwords.remove("Ada")
    assert guard.hash_of("Ada") is None


def test_many_writers_lose_no_password(opened: Open) -> None:
    names = [f"Person {number}" for number in range(12)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda name: opened().passwords.adopt(name, f"hash of {name}"), names))
    kept = opened().passwords
    assert [kept.hash_of(name) for name in names] == [f"hash of {name}" for name in names]


def test_a_short_password_and_an_impossible_name_are_refused(opened: Open) -> None:
    passwords = opened().passwords
    with pytest.raises(UsageError, match="8"):
        passwords.set("Ada", "short")
    with pytest.raises(RefusedName):
        passwords.set("../x", "long enough")


def test_a_file_of_nobodys_password_is_refused_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        installation_in(tmp_path, "team.sqlite").passwords.check()
    assert list(tmp_path.iterdir()) == []
    installation_in(tmp_path, "team.sqlite").passwords.set("Ada", "correct horse")
    assert installation_in(tmp_path, "team.sqlite").passwords.check().hash_of("Ada")
    assert b"correct horse" not in (tmp_path / "team.sqlite").read_bytes()
    assert (tmp_path / "team.sqlite").stat().st_mode & 0o077 == 0


def test_a_key_made_by_one_process_opens_at_another(opened: Open) -> None:
    keys, elsewhere = opened().keys, opened().keys
    first, his = keys.make_for("Ada"), keys.make_for("小安")
    assert [elsewhere.identify(each) for each in (first, his)] == [Caller("Ada"), Caller("小安")]
    second = elsewhere.make_for("Ada")
    assert [keys.identify(one) for one in (first, second)] == [Caller("Ada"), Caller("Ada")]
    assert [key.name for key in elsewhere.of("Ada")] == ["key 1", "key 2"]
    assert keys.remove("Ada", "key 1")
    assert [elsewhere.identify(other) for other in (first, second)] == [None, Caller("Ada")]
    assert keys.remove("Ada")
    assert not keys.remove("Ada")
    assert elsewhere.identify(second) is None
    assert elsewhere.identify(OPERATOR_KEY) == Caller()
    assert elsewhere.identify("sf-\udcff") is None


def test_a_key_ends_on_its_day(address: str) -> None:
    moment = 1000.0
    keys = open_at(address, lambda: moment).keys
    short, long = keys.make_for("Ada", "script", days=1), keys.make_for("Ada")
    moment += 86_399
    assert keys.identify(short) == Caller("Ada")
    moment += 1
    assert [keys.identify(one) for one in (short, long)] == [None, Caller("Ada")]
    other, script = keys.of("Ada")
    assert (script.name, other.until) == ("script", None)
    assert (script.used, script.until) == tuple(
        datetime.fromtimestamp(at, UTC) for at in (87_399, 87_400)
    )


def test_one_of_many_processes_makes_the_operators_key(opened: Open) -> None:
    with ThreadPoolExecutor(4) as threads:
        tried = threads.map(lambda _: Keys(opened().tables).ensure_operator(), range(4))
        made = [key for key in tried if key is not None]
    assert len(made) == 1
    assert opened().keys.identify(made[0]) == Caller()
    assert opened().keys.ensure_operator() is None


def test_sessions_end_with_a_changed_password(opened: Open) -> None:
    sessions = opened().sessions
    kept = {"Ada": "scrypt:old", "Ben": "scrypt:his"}
    hers, his = sessions.open("Ada", "scrypt:old"), sessions.open("Ben", "scrypt:his")
    assert (opened().sessions.user(hers, kept.get), sessions.user("guessed", kept.get)) == (
        "Ada",
        None,
    )
    kept["Ada"] = "scrypt:new"
    assert sessions.user(hers, kept.get) is None
    kept["Ada"] = "scrypt:old"
    assert sessions.user(hers, kept.get) is None
    assert sessions.user(his, kept.get) == "Ben"
    opened().sessions.close_all("Ben")
    assert sessions.user(his, kept.get) is None
    assert opened().sessions.cookie_id == sessions.cookie_id


def test_a_session_ends_when_nobody_uses_it(address: str) -> None:
    moment = 1000.0
    sessions = open_at(address, lambda: moment).sessions
    token = sessions.open("Ada", "hash")
    for _ in range(3):
        moment += IDLE - 1
        assert sessions.user(token, lambda _: "hash") == "Ada"
    moment += IDLE
    assert sessions.user(token, lambda _: "hash") is None


def test_nothing_is_left_of_a_person_who_is_forgotten(opened: Open) -> None:
    world = opened()
    world.passwords.set("Ada", "correct horse")
    key, token = world.keys.make_for("Ada"), world.sessions.open("Ada", "hash")
    world.forget_person("Ada")
    assert (world.passwords.hash_of("Ada"), world.keys.identify(key)) == (None, None)
    assert world.sessions.user(token, lambda _: "hash") is None


def test_access_goes_along_to_another_installation(opened: Open, tmp_path: Path) -> None:
    here, there = opened(), installation_in(tmp_path, "there.sqlite")
    here.passwords.adopt("Ada", "hers")
    there.passwords.adopt("Ada", "another")
    here.copy_access("Ada", there, over=False)
    assert there.passwords.hash_of("Ada") == "another"
    key = here.keys.make_for("Ada", "phone")
    here.copy_access("Ada", there, over=True)
    assert there.passwords.hash_of("Ada") == "hers"
    assert there.keys.identify(key) == Caller("Ada")


HOME, AWAY = "203.0.113.5", "198.51.100.7"


def test_the_sixth_login_attempt_waits(address: str) -> None:
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


def test_a_login_forgives_failed_attempts(opened: Open) -> None:
    limits = opened().limits
    for _ in range(ADDRESS_TRIES // 4):
        for _ in range(4):
            assert limits.take_login("Ada", HOME) == 0
        limits.forgive_login("Ada", HOME)
    assert [limits.take_login(f"name {number}", HOME) for number in range(ADDRESS_TRIES)] == [
        0.0
    ] * ADDRESS_TRIES


def test_concurrent_attempts_do_not_exceed_the_limit(opened: Open, address: str) -> None:
    limits, is_shared = opened().limits, address.startswith("postgresql:")

    def take(_: int) -> float:
        return (opened().limits if is_shared else limits).take_login("Ada", HOME)

    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(take, range(24))).count(0.0) == TRIES


def test_requests_are_counted_for_each_and_wait(opened: Open) -> None:
    limits = opened().limits
    first, second, third = (limits.take_request(2, 60, "person", "Ada") for _ in range(3))
    other = limits.take_request(2, 60, "person", "Ben")
    assert (first, second, other) == (0, 0, 0)
    assert 55 <= third <= 61
