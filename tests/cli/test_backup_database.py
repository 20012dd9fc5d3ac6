"""`backup` and `restore` where memories are in a database: one file, and back into either store."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.keys import Caller
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.moving.fingerprint import differences
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.factory import open_shared_state, state_on_files
from tests.cli.conftest import Run
from tests.memory.stored import say
from tests.postgres_server import PostgresServer

ADA, WREN = Scope.of("Ada"), Scope.of("Wren")


@pytest.fixture
def there(
    run: Run,
    bank: Path,
    postgres_server: PostgresServer,
    database_name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """The address of a database in which Ada is known; the setting names it."""
    address = postgres_server.address(database_name)
    monkeypatch.setenv("SILICONFRIEND_STORE", address)
    run("import", str(bank))
    return address


def test_the_file_goes_back_into_files(
    run: Run, there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every record, the key, and settings; what was left in the data directory is not in it."""
    key = run("users", "key", "Ada").out.strip()
    run("config", "set", "timezone", "Europe/Berlin")
    memory = open_store(load_settings(store=there)).load(ADA)
    left = Folder(load_settings().home, WREN)
    FileStore(load_settings().home).create(WREN, memory.profile)
    file = tmp_path / "all.tar.gz"
    done = run("backup", str(file))
    assert (done.code, done.out[:33]) == (0, "Wrote the memory of 1 person (5 f"), done
    assert run("backup", str(file), "--verify").code == 0
    monkeypatch.delenv("SILICONFRIEND_STORE")
    home = tmp_path / "new"
    done = run("--home", str(home), "restore", str(file))
    assert done.code == 0, done.err
    assert FileStore(home).scopes() == [ADA]
    assert differences(FileStore(home).load(ADA), memory) == []
    assert FileStore(home).repair(ADA) is None
    assert state_on_files(home).keys.identify(key) == Caller("Ada")
    assert "Berlin" in (home / "config.toml").read_text("utf-8")
    assert left.exists()


def test_the_file_goes_back_into_the_database(run: Run, there: str, tmp_path: Path) -> None:
    """Asked for twice; who came later is gone, and the key holds again."""
    key = run("users", "key", "Ada").out.strip()
    file = tmp_path / "all.tar.gz"
    run("backup", str(file))
    store = open_store(load_settings(store=there))
    before = store.load(ADA)
    say(store, "Said after it.", ADA)
    store.create(WREN, before.profile)
    run("users", "key", "Ada", "--remove")
    refused = run("restore", str(file))
    assert refused.code == 2
    assert "--yes" in refused.err
    assert store.exists(WREN)
    done = run("restore", str(file), "--yes")
    assert done.code == 0, done.err
    assert store.scopes() == [ADA]
    assert differences(store.load(ADA), before) == []
    settings = load_settings(store=there)
    assert not (settings.home / "people").exists()
    assert open_shared_state(settings, store).keys.identify(key) == Caller("Ada")


def test_what_is_encrypted_is_not_put_in_plain_rows(
    run: Run, there: str, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is touched, and the command says why."""
    monkeypatch.delenv("SILICONFRIEND_STORE")
    monkeypatch.setenv("SILICONFRIEND_PASSPHRASE", "a passphrase")
    other = str(tmp_path / "other")
    run("--home", other, "import", str(bank))
    assert run("--home", other, "users", "encrypt", "Ada", said="a passphrase\n").code == 0
    file = tmp_path / "locked.tar.gz"
    assert run("--home", other, "backup", str(file)).code == 0
    monkeypatch.setenv("SILICONFRIEND_STORE", there)
    done = run("restore", str(file), "--yes")
    assert done.code == 4
    assert "encrypted with a passphrase" in done.err
    assert open_store(load_settings(store=there)).exists(ADA)
