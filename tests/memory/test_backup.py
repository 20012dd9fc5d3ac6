"""A whole data directory as one file: consistent while others write, and put back whole."""

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.config import load_settings
from siliconfriend.errors import SiliconFriendError, StoreError, UnreadableFile, UsageError
from siliconfriend.memory import backup_file
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.backup_file import FORMAT, MANIFEST, VERSION
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, NOW, a_profile, a_turn
from tests.memory.stored import put

WORK = Scope.of("Nora", "work")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the backup goes."""
    return tmp_path / "backup.zip"


@pytest.fixture
def full(home: Path) -> Path:
    """A data directory with two memories of Nora, a companion, settings, words and samples."""
    store = FileStore(home)
    for scope in (NORA, WORK):
        store.create(scope, a_profile(scope))
        put(store, scope, PutTurn(a_turn(scope=scope)))
    store.tidy(NORA)
    (home / "words.txt").write_text("kiln\n", encoding="utf-8")
    (home / "config.toml").write_text('language = "cn"\n', encoding="utf-8")
    Companions(home).create(Character("Robin"))
    (home / "samples").mkdir()
    (home / "samples" / "maya.json").write_text("{}", encoding="utf-8")
    return home


def _kept(home: Path) -> dict[str, bytes]:
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and path.suffix != ".sqlite" and not path.name.endswith("-journal")
    }


def test_a_backup_restores_every_file(full: Path, file: Path, tmp_path: Path) -> None:
    done = back_up(full, file, now=NOW)
    assert (done.scopes, done.damaged, done.has_key) == (2, (), False)
    assert file.stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other"
    came = restore(file, other)
    assert (came.scopes, came.made) == (2, "2026-03-14T09:00:00+00:00")
    before = _kept(full)
    del before["samples/maya.json"], before["companions/lock"]
    assert _kept(other) == before
    assert any(name.startswith("companions/robin-") for name in before)
    assert all(path.stat().st_mode & 0o077 == 0 for path in other.rglob("*"))
    assert came.files == done.files == len(before) + 2
    assert FileStore(other).load(WORK) == FileStore(full).load(WORK)


def test_a_backup_holds_no_keys_and_a_restore_keeps_those_set(
    full: Path, file: Path, tmp_path: Path
) -> None:
    words = 'openai_api_key = "sk-1"\nlanguage = "cn"\n"deepseek_api_key"="sk-2"'
    (full / "config.toml").write_text(words, encoding="utf-8")
    assert back_up(full, file, now=NOW).has_key
    restore(file, tmp_path / "other")
    assert (tmp_path / "other" / "config.toml").read_text() == 'language = "cn"\n'
    (full / "config.toml").write_text('openai_api_key = "sk-3"\nmodel = "x"\n', encoding="utf-8")
    restore(file, full, replace=True)
    assert (full / "config.toml").read_text() == 'openai_api_key = "sk-3"\nlanguage = "cn"\n'


WRITTEN = (
    'operator_key = """\nsk-secret"""\n',
    "operator_key = '''sk-secret'''\n",
    '"operator_key" = "sk-\\u0073ecret"\n',
    'llm_address = "https://ada:sk-secret@models.example/v1"\n',
    'model = "m" # was sk-secret\n',
    '# openai_api_key = "sk-secret"\n',
    'operator_key = "sk-secret\n',
)


@pytest.mark.parametrize("written", WRITTEN)
def test_a_backup_holds_no_key_however_it_is_written(
    full: Path, file: Path, tmp_path: Path, written: str
) -> None:
    (full / "config.toml").write_text(written + 'language = "cn"\n', encoding="utf-8")
    back_up(full, file, now=NOW)
    restore(file, tmp_path / "other")
    path = tmp_path / "other" / "config.toml"
    kept = path.read_text() if path.exists() else ""
    assert "secret" not in kept
    assert load_settings(home=tmp_path / "other", environ={}).operator_key is None


def test_existing_memories_are_replaced_only_if_asked(full: Path, file: Path) -> None:
    back_up(full, file, now=NOW)
    store = FileStore(full)
    put(store, NORA, PutTurn(a_turn("I planted peas.", position=1)))
    before = _kept(full)
    with pytest.raises(UsageError, match="--yes"):
        restore(file, full)
    assert _kept(full) == before
    restore(file, full, replace=True)
    assert len(list(FileStore(full).load(NORA).turns())) == 1
    assert len(list(store.load(NORA).turns())) == 1  # one that was open sees it too
    assert (full / "samples" / "maya.json").exists()  # what is not the program's stays
    assert [path.name for path in full.iterdir() if path.name.startswith(".")] == []


def test_settings_stay_where_the_backup_has_none(full: Path, file: Path) -> None:
    settings = (full / "config.toml").read_bytes()
    (full / "config.toml").unlink()
    back_up(full, file, now=NOW)
    (full / "config.toml").write_bytes(settings)
    restore(file, full, replace=True)
    assert (full / "config.toml").read_bytes() == settings


@pytest.mark.slow
def test_a_backup_is_consistent_while_others_write(home: Path, tmp_path: Path) -> None:
    """Two processes append as fast as they can; each of ten backups is a whole memory."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.memory.writer", str(home), str(number), "150"],
            stdout=subprocess.DEVNULL,
        )
        for number in range(2)
    ]
    counts = []
    for number in range(10):
        file, other = tmp_path / f"{number}.zip", tmp_path / str(number)
        back_up(home, file, now=NOW)
        restore(file, other)
        turns = list(FileStore(other).load(NORA).turns())
        counts.append(len(turns))
        assert not (FileStore(other).folder(NORA) / "damaged").exists()
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert counts == sorted(counts)
    assert len(list(store.load(NORA).turns())) == 300


def test_a_backup_holds_the_raw_files_of_a_damaged_memory(full: Path, file: Path) -> None:
    folder = FileStore(full).folder(WORK)
    for path in (folder / "memory.json", folder / "memory.sqlite"):
        path.write_text("{torn", encoding="utf-8")
    done = back_up(full, file, now=NOW)
    assert done.damaged == (folder.relative_to(full / "people").as_posix(),)
    restore(file, full, replace=True)
    assert (folder / "memory.json").read_text(encoding="utf-8") == "{torn"
    assert len(list(FileStore(full).load(NORA).turns())) == 1


def _written(file: Path, *entries: tuple[str, bytes], version: int = VERSION) -> None:
    form = {"format": FORMAT, "version": version, "made": "x", "damaged": []}
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for name, data in (*entries, (MANIFEST, json.dumps(form).encode())):
            packed.writestr(name, data)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "C:x", "samples/maya.json"])
def test_a_backup_with_an_unsafe_name_is_rejected(full: Path, file: Path, name: str) -> None:
    before = _kept(full)
    _written(file, ("people/good.json", b"{}"), (name, b"bad"))
    with pytest.raises(UnreadableFile):
        restore(file, full, replace=True)
    assert _kept(full) == before
    assert not (full.parent / "x").exists()


def test_a_bomb_is_not_unpacked(full: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_file, "ALWAYS_ALLOWED", 1 << 20)
    before = _kept(full)
    _written(file, ("people/zeros.json", bytes(3 << 20)))
    with pytest.raises(UnreadableFile, match="unpacks to more than 1 MB"):
        restore(file, full, replace=True)
    assert _kept(full) == before


def test_a_truncated_or_changed_backup_is_rejected(full: Path, file: Path) -> None:
    back_up(full, file, now=NOW)
    before, whole = _kept(full), file.read_bytes()
    cuts = (whole[:length] for length in (*range(0, len(whole), 211), len(whole) - 1))
    middle = len(whole) // 3  # in the data of memory.sqlite
    flipped = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
    entry = whole.index(b"PK\x01\x02")  # names the length of the first file's data
    endless = whole[: entry + 20] + b"\xff\xff\xff\x7f" + whole[entry + 24 :]
    for content in (b"no archive", flipped, endless, *cuts):
        file.write_bytes(content)
        with pytest.raises(SiliconFriendError):
            restore(file, full, replace=True)
        assert _kept(full) == before


def test_a_backup_with_an_unreadable_memory_is_rejected(full: Path, file: Path) -> None:
    before = _kept(full)
    _written(file, ("people/nora/memory.json", b"{}"))
    with pytest.raises(UnreadableFile):
        restore(file, full, replace=True)
    _written(file, version=VERSION + 1)
    with pytest.raises(StoreError, match="newer version"):
        restore(file, full, replace=True)
    with pytest.raises(UnreadableFile, match="There is no backup"):
        restore(file.with_name("none"), full, replace=True)
    assert _kept(full) == before
