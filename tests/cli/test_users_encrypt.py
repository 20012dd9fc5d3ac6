"""``users encrypt``: asked for, used, refused, undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.memory.encryption import KEYRING
from tests.cli.conftest import Run

PASSPHRASE = "correct horse"
WORD = "zanzifrax"


@pytest.fixture(autouse=True)
def keyring() -> Iterator[None]:
    """A keyring that holds no key."""
    KEYRING.lock()
    yield
    KEYRING.lock()


def holders(home: Path) -> list[str]:
    """The files in which the word can be read."""
    files = (it for it in home.rglob("*") if it.is_file())
    return [it.name for it in files if WORD.encode() in it.read_bytes().lower()]


def test_the_command(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encrypted, read with the passphrase, refused without it, and plain again."""
    at = ("--home", str(home))
    assert run(*at, "chat", "--user", "Ada", said=f"My dog is {WORD}.\n").code == 0
    made = run(*at, "users", "encrypt", "Ada", said=f"{PASSPHRASE}\n")
    assert (made.code, holders(home)) == (0, [])
    assert "are encrypted" in made.out + made.err
    KEYRING.lock()
    refused = run(*at, "users", "show", "Ada")
    assert refused.code == 4
    assert "no passphrase that was given" in refused.err
    monkeypatch.setenv("SILICONFRIEND_PASSPHRASE", PASSPHRASE)
    assert WORD in run(*at, "memories", "list", "--user", "Ada").out.lower()
    assert run(*at, "users", "encrypt", "Ada", "--remove").code == 0
    assert holders(home)
    assert run(*at, "config", "set", "passphrase", "x").code == 2
