"""What the store over files does beside the contract: the readable copy, and who else may write."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.errors import (
    ConfigurationError,
    MemoryBusy,
    StoreError,
    UnknownPerson,
    UnopenableMemory,
)
from siliconfriend.memory import file_store
from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.file_store import FileStore, folder_path
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.mirror import read_mirror
from siliconfriend.memory.scope import Scope
from tests.memory.people import DATES, NORA, NOW, a_profile, a_turn
from tests.memory.stored import put, queries, say
from tests.memory.temporary import TemporaryStore
from tests.night.workers import night, settle


def test_the_copy_is_the_memory(store: FileStore, nora: Path) -> None:
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn("And corn.", day=DATES[1])))
    memory = put(store, NORA, Erase((a_turn(position=4).id,)))
    mirror = read_mirror(nora / "memory.json")
    assert (mirror.memory, mirror.is_sealed) == (memory, True)
    other = TemporaryStore()
    bank = (nora / "memory.json").read_bytes()
    import_bank(other, bank, language="cn", zone=memory.profile.zone, now=NOW)
    assert export_native(other.load(NORA)) == export_native(memory)


def test_a_large_copy_is_written_by_the_night(
    store: FileStore, nora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store, "MAX_EACH_TIME", 300)
    turn = a_turn("The kiln is in the shed.", position=7)
    put(store, NORA, PutTurn(a_turn()), PutTurn(turn))
    say(store, "Unseen as yet.")
    assert "Unseen" not in (nora / "memory.json").read_text()
    store.tidy(NORA)
    assert "Unseen" in (nora / "memory.json").read_text()
    put(store, NORA, Erase((turn.id,)))
    assert "kiln" not in (nora / "memory.json").read_text()


def test_an_erasing_leaves_no_word(store: FileStore, home: Path, nora: Path) -> None:
    """Neither in a page, in a free one, in a journal, nor in what was set aside."""
    words = [f"The heron number {number} stood at the weir." * 40 for number in range(200)]
    turns = [a_turn(said, position=number) for number, said in enumerate(words)]
    put(store, NORA, *map(PutTurn, turns))
    (nora / "damaged").mkdir()
    (nora / "damaged" / "1-memory.sqlite").write_text("heron")
    put(store, NORA, Erase(tuple(turn.id for turn in turns[1:])))
    put(store, NORA, Erase((turns[0].id,)))
    with store.database(NORA).reading() as transaction:
        assert transaction.one("PRAGMA freelist_count") == (0,)
    assert (nora / "memory.sqlite-journal").stat().st_size == 0
    assert [
        path for path in home.rglob("*") if path.is_file() and b"heron" in path.read_bytes()
    ] == []
    assert not any(b"heron" in data for _, data in store.rows(NORA))


def test_only_an_erasing_fails_where_its_copy_cannot_be_written(
    store: FileStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def failing(*_: object, **__: object) -> None:
        raise StoreError("database_unwritable", path="memory.json", cause="full")

    monkeypatch.setattr(store, "_write_copy", failing)
    say(store, "kept")
    assert "memory.json" in caplog.text
    with pytest.raises(StoreError):
        put(store, NORA, Erase((a_turn().id,)))
    assert queries(store) == ["kept"]


def test_another_process_sees_every_change(store: FileStore, home: Path) -> None:
    other = FileStore(home)
    for number in range(4):
        say((store, other)[number % 2], f"line {number}")
    assert queries(store) == queries(other) == [f"line {number}" for number in range(4)]


def test_a_memory_that_is_held_is_busy(store: FileStore, home: Path) -> None:
    other = FileStore(home, wait=0.05)
    with store.edit(NORA) as edit:
        with pytest.raises(MemoryBusy, match="Nora"):
            say(other, "lost")
        edit.add(PutTurn(a_turn("kept")))
    assert queries(other) == ["kept"]


def test_a_deleted_memory_is_not_written_to(store: FileStore, home: Path, nora: Path) -> None:
    other = FileStore(home)
    say(other, "one")
    store.delete(NORA)
    assert not nora.exists()
    with pytest.raises(UnknownPerson):
        say(other, "two")
    store.create(NORA, a_profile())
    assert queries(other) == []
    assert queries(store) == []
    say(other, "three")
    assert queries(store) == ["three"]


def test_edits_tell_which_days_changed(store: FileStore, home: Path) -> None:
    put(store, NORA, PutTurn(a_turn(day=DATES[0])))
    before = store.load(NORA).sequence
    put(store, NORA, PutTurn(a_turn(day=DATES[1])))
    for other in (store, FileStore(home)):
        assert other.changed_since(NORA, -1) == [*DATES[:2]]
        assert other.changed_since(NORA, before) == [DATES[1]]
        assert other.changed_since(NORA, other.load(NORA).sequence) == []


def test_folders_tell_their_scopes(store: FileStore, home: Path, nora: Path) -> None:
    otto = Scope.of("Otto", "Robin")
    store.create(otto, a_profile(otto))
    copied = nora.with_name("copy")
    shutil.copytree(nora, copied)
    (home / "people" / "empty").mkdir()
    other = FileStore(home)
    assert other.scopes() == [NORA, otto]
    assert other.unreadable() == ["copy"]
    assert folder_path(home, otto).parent.name == "companions"


def test_an_unopenable_file_is_reported_with_the_person(store: FileStore, nora: Path) -> None:
    say(store, "one")
    store.close()
    path = nora / "memory.sqlite"
    kept = path.read_bytes()
    path.unlink()
    path.mkdir()
    with pytest.raises((UnopenableMemory, ConfigurationError)):
        FileStore(store.home).load(NORA)
    path.rmdir()
    path.write_bytes(kept)
    assert queries(store) == ["one"]


@pytest.fixture
def open_handed() -> Iterator[None]:
    """A machine on which new files can be read by everyone unless one takes care."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
@pytest.mark.usefixtures("open_handed")
def test_all_that_is_kept_of_people_is_for_the_owner_alone(home: Path) -> None:
    """Folders 0700 and files 0600: memory, copy, damage, reports."""
    settle(home, 1)
    for _ in range(2):
        night(home, None)
    store, scope = FileStore(home), Scope.of("Person 00")
    (store.folder(scope) / "memory.sqlite").write_bytes(b"torn")
    FileStore(home).repair(scope)
    kept = set(home.rglob("*"))
    names = {path.name for path in kept}
    assert names > {"memory.json", "memory.sqlite", "damaged"}
    for path in kept | {home}:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
