"""Passwords: only hashes are kept, and they alone let in."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siliconfriend import passwords
from siliconfriend.errors import ConfigurationError, RefusedName, UsageError
from siliconfriend.passwords import (
    COST,
    Authenticator,
    PasswordFile,
    hash_password,
    verify_password,
)

pytestmark = pytest.mark.slow


class Seconds:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        """The moment."""
        return self.at


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in which Ada and 小安 have passwords."""
    path = tmp_path / "passwords.json"
    PasswordFile(path).set("Ada", "correct horse")
    PasswordFile(path).set("小安", "渡船倒扣在老码头")
    return path


def test_the_hash_is_scrypt_as_the_library_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kept form can be checked by hand: scrypt of the words, salt and costs beside it."""
    monkeypatch.setattr(passwords, "COST", COST)
    made = hashlib.scrypt(b"correct horse", salt=b"0123456789abcdef", n=2**14, r=8, p=5)
    salt, key = b64encode(b"0123456789abcdef").decode(), b64encode(made).decode()
    assert hash_password("correct horse", b"0123456789abcdef") == f"scrypt:16384:8:5:{salt}:{key}"


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=50)
def test_only_the_same_words_match(first: str, second: str) -> None:
    """A password matches its own hash, and no other words do."""
    kept = hash_password(first)
    assert verify_password(first, kept)
    assert verify_password(second, kept) == (
        hash_password(second, b"s") == hash_password(first, b"s")
    )


def test_letters_written_in_two_ways_are_the_same_password() -> None:
    """An é of one key and an e with an accent after it are the same letter."""
    assert verify_password("caf\u00e9 cr\u00e8me", hash_password("cafe\u0301 cre\u0300me"))


@pytest.mark.parametrize(
    "kept", ["", "scrypt:1:2", "scrypt:a:8:5:AA==:AA==", "plain:16:1:1:AA==:x"]
)
def test_a_hash_that_is_none_matches_nothing(kept: str) -> None:
    """What somebody damaged in the file lets nobody in."""
    assert not verify_password("correct horse", kept)


def test_the_file_holds_no_password_and_is_its_owners_alone(path: Path) -> None:
    """Equal passwords differ by their salt; nobody else may even read the hashes."""
    PasswordFile(path).set("Ben", "correct horse")
    words = path.read_text(encoding="utf-8")
    kept = json.loads(words)
    assert kept["format"] == "siliconfriend-passwords"
    assert list(kept["users"]) == ["Ada", "小安", "Ben"]
    assert kept["users"]["Ada"] != kept["users"]["Ben"]
    assert "horse" not in words
    assert path.stat().st_mode & 0o777 == 0o600
    assert [it.name for it in path.parent.iterdir()] == [path.name]


def test_a_short_password_or_a_bad_name_changes_nothing(path: Path) -> None:
    """Refused before anything is written."""
    before = path.read_bytes()
    with pytest.raises(UsageError):
        PasswordFile(path).set("Ada", "seven77")
    with pytest.raises(RefusedName):
        PasswordFile(path).set("../Ada", "long enough")
    assert path.read_bytes() == before


def test_removing_takes_one_person_out(path: Path) -> None:
    """The others stay; who had none is not there to be removed."""
    assert PasswordFile(path).remove(" Ada ")
    assert list(passwords.read_hashes(path)) == ["小安"]
    assert not PasswordFile(path).remove("Ada")
    assert not PasswordFile(path.with_name("none.json")).remove("Ada")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "[]",
        '{"users": {}}',
        '{"format": "siliconfriend-passwords", "users": []}',
        '{"format": "siliconfriend-passwords", "users": {"a/b": "x"}}',
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, words: str) -> None:
    """A file that is not one of passwords opens no door, and no password goes into it."""
    path = tmp_path / "x.json"
    path.write_text(words, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        Authenticator(PasswordFile(path))
    with pytest.raises(ConfigurationError):
        PasswordFile(path).set("Ada", "correct horse")
    assert path.read_text(encoding="utf-8") == words


def test_a_file_of_nobody_opens_no_page(path: Path) -> None:
    """A page nobody could log in to is told at once."""
    PasswordFile(path).remove("Ada")
    PasswordFile(path).remove("小安")
    with pytest.raises(ConfigurationError):
        Authenticator(PasswordFile(path))


def test_the_guard_lets_in_by_name_and_password_alone(path: Path) -> None:
    """Another's password, another spelling and an unknown name are all refused alike."""
    guard = Authenticator(PasswordFile(path))
    assert guard.authenticate("Ada", "correct horse")
    assert guard.authenticate("小安", "渡船倒扣在老码头")
    for name, password in (
        ("Ada", "渡船倒扣在老码头"),
        ("Ada", ""),
        ("ada", "correct horse"),
        (" Ada", "correct horse"),
        ("", ""),
        ("Ben", "nobody's password"),
        ("../Ada", "correct horse"),
    ):
        assert not guard.authenticate(name, password), name


def test_a_changed_password_counts_at_once(path: Path) -> None:
    """The file is read at each log-in, so the page need not be started again."""
    guard = Authenticator(PasswordFile(path))
    PasswordFile(path).set("Ada", "battery staple")
    assert not guard.authenticate("Ada", "correct horse")
    assert guard.authenticate("Ada", "battery staple")
    PasswordFile(path).remove("Ada")
    assert not guard.authenticate("Ada", "battery staple")
