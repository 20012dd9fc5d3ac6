"""`migrate` into a real database and back, as a person runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.keys import Caller
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.passwords import Authenticator
from siliconfriend.shared.factory import open_shared_state, state_on_files
from tests.cli.conftest import Run
from tests.postgres_server import APP

ADA = Scope.of("Ada")


def test_into_the_database_and_back(
    run: Run, bank: Path, home: Path, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same export there; what is said there comes back with it."""
    run("import", str(bank))
    before = run("export").json
    moved = run("migrate", "--to", database_address)
    assert moved.code == 0
    assert "config set store" in moved.err
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    assert run("export").json == before
    assert "cat" in run("recall", "--user", "Ada", "What is my cat called?").out
    run("chat", "--user", "Ada", said="Said in the database.\n")
    back = run("migrate", "--to", "file", "--json")
    assert (back.code, back.json["failed"]) == (0, [])
    refused = run("chat", "--user", "Ada", said="Too late.\n")
    assert f"has moved to {home}" in refused.err
    monkeypatch.delenv("SILICONFRIEND_STORE")
    said = [turn.query for turn in FileStore(home).load(ADA).turns()]
    assert said[-1] == "Said in the database."
    assert "Too late." not in said


def test_who_may_log_in_goes_along(
    run: Run, bank: Path, home: Path, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same password and key hold there; changed there, they hold when all is back."""
    run("import", str(bank))
    run("users", "password", "Ada", said="correct horse\n")
    key = run("users", "key", "Ada").out.strip()
    assert run("migrate", "--to", database_address).code == 0
    settings = load_settings(home=str(home), store=database_address)
    there = open_shared_state(settings, open_store(settings))
    assert Authenticator(there.passwords).authenticate("Ada", "correct horse")
    assert there.keys.identify(key) == Caller("Ada")
    there.passwords.set("Ada", "staple battery")
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    assert run("migrate", "--to", "file").code == 0
    here = state_on_files(home)
    assert Authenticator(here.passwords).authenticate("Ada", "staple battery")
    assert here.keys.identify(key) == Caller("Ada")


def test_the_setting_is_switched_where_that_is_asked_for(
    run: Run, bank: Path, home: Path, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next command uses the database; a variable that overrules it is named."""
    run("import", str(bank))
    done = run("migrate", "--to", database_address, "--switch")
    assert "names the new place" in done.err
    assert run("config", "get", "store").out.startswith("postgresql://")
    run("chat", "--user", "Ada", said="Where am I?\n")
    assert "Where am I?" not in [turn.query for turn in FileStore(home).load(ADA).turns()]
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    assert "SILICONFRIEND_STORE" in run("migrate", "--to", "file", "--switch").err


def test_a_database_that_cannot_be_used(
    run: Run, bank: Path, home: Path, database_address: str, database_name: str
) -> None:
    """Each fault is told without a password, and the memory goes on where it is."""
    run("import", str(bank))
    nowhere = f"postgresql://{APP}:s3cret@127.0.0.1:1/{database_name}"
    missing = database_address.replace(f"/{database_name}", "/nowhere")
    locked = database_address.replace(f"{APP}@", "locked:s3cret@")
    for to in (nowhere, missing, locked, "postgresql://[half", "postgresql:///x?what=1"):
        done = run("migrate", "--to", to)
        assert done.code in (3, 4), (to, done)
        assert done.out == ""
        assert "s3cret" not in done.err
        assert "Traceback" not in done.err
    assert run("chat", "--user", "Ada", said="Still here.\n").code == 0
    assert FileStore(home).move_note(ADA) is None


def test_after_the_move_doctor_looks_at_the_database(
    run: Run, bank: Path, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies left behind are no fault of it; there, doctor says where the memory went."""
    run("import", str(bank))
    run("migrate", "--to", database_address)
    left = {it["name"]: it for it in run("doctor", "--json").json["checks"]}
    assert not left["store"]["ok"]
    assert "has moved" in left["store"]["detail"]
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    now = {it["name"]: it for it in run("doctor", "--json").json["checks"]}
    assert now["store"]["ok"], now
