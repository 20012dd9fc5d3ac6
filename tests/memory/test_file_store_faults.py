"""What a full disk, a crash, a held lock or a foreign file costs the store: never a promised turn."""

from __future__ import annotations

import logging
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from filelock import FileLock

from siliconfriend.errors import ConfigurationError, MemoryBusy, StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put, queries, say


@contextmanager
def _full_disk(limit: int) -> Iterator[None]:
    """No file can grow beyond ``limit`` bytes, which fails as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_torn_last_line_is_set_aside(
    store: FileStore, files: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """A crash in mid-line costs that line only; it is kept, told, and never glued to the next."""
    say(store, "one")
    torn_words = b'{"seq":3,"put":"turn","turn":{"query":"' + b"long " * 200
    with files.journal.open("ab") as file:
        file.write(torn_words)
    reader = FileStore(files.path.parents[1])
    with caplog.at_level(logging.WARNING):
        say(reader, "two")
    assert queries(reader) == queries(store) == ["one", "two"]
    (torn,) = files.damaged.iterdir()
    assert torn.read_bytes() == torn_words
    assert b"long" not in files.journal.read_bytes()
    assert [record.getMessage() for record in caplog.records] == [
        "Something that was being written when the program last stopped did not become part"
        f" of Nora's memory. It is kept in {torn}."
    ]
    caplog.clear()
    FileStore(files.path.parents[1]).load(NORA)
    assert caplog.records == []


def test_an_update_counts_whole_or_not_at_all(store: FileStore, files: Folder) -> None:
    """Whole lines of an update whose last line is missing are set aside like a torn one."""
    mark = files.mark.read_bytes()  # written when an update is durable, so not by one that stops
    changes = [PutTurn(a_turn(str(position), position=position)) for position in range(3)]
    put(store, NORA, *changes)
    whole = files.journal.read_bytes()
    files.journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    files.mark.write_bytes(mark)
    assert queries(FileStore(files.path.parents[1])) == []
    assert len(list(files.damaged.iterdir())) == 1


def test_a_full_disk_costs_the_turn_and_nothing_else(store: FileStore, files: Folder) -> None:
    """An append that fails leaves the journal as it was, and the next one works."""
    say(store, "one")
    before = files.journal.read_bytes()
    with _full_disk(len(before) + 50), pytest.raises(StoreError) as raised:
        say(store, "does not fit" * 10)
    assert raised.value.exit_code == 4
    assert "safe" in raised.value.message("en")
    assert files.journal.read_bytes() == before
    say(store, "two")
    assert queries(store) == queries(FileStore(files.path.parents[1])) == ["one", "two"]


def test_a_fold_on_a_full_disk_leaves_the_old_file_whole(store: FileStore, files: Folder) -> None:
    """The file that rests is replaced in one step or not at all."""
    for number in range(20):
        say(store, f"number {number}")
    store.fold(NORA)
    say(store, "one more")
    before = files.memory.read_bytes()
    with _full_disk(1000), pytest.raises(StoreError):
        store.fold(NORA)
    assert files.memory.read_bytes() == before
    assert len(queries(FileStore(files.path.parents[1]))) == 21
    store.fold(NORA)
    assert len(queries(FileStore(files.path.parents[1]))) == 21


def test_a_turn_stands_although_folding_after_it_fails(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What was appended is safe; a fold that could not be made is told and made later."""
    store = FileStore(home, fold_at=900)
    store.create(NORA, a_profile())
    say(store, "long" * 1000)
    with _full_disk(2500), caplog.at_level(logging.WARNING):
        for number in range(5):
            say(store, f"number {number}" + "." * 60)
    assert any("could not be read or written" in it.getMessage() for it in caplog.records)
    assert len(queries(FileStore(home))) == 6
    say(store, "there is room again")
    assert len(queries(FileStore(home))) == 7


def test_a_crash_between_the_steps_of_a_fold_loses_nothing(
    store: FileStore, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each single write of a fold, and again after the next, the files hold everything."""
    real = atomic.write_whole
    said = []
    for whole_writes in (0, 1, 2) * 3:
        left = iter(range(whole_writes))

        def crash(path: Path, data: bytes, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            real(path, data)

        said.append(f"before crash {len(said)}")
        say(store, said[-1])
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(atomic, "write_whole", crash)
            store.fold(NORA)
        assert queries(FileStore(home)) == said
        assert queries(store) == said


def test_a_held_lock_is_waited_for_and_then_told(home: Path, files: Folder) -> None:
    """Who holds a memory for too long is an error of its own, with nothing changed."""
    store = FileStore(home, wait=0.05)
    store.create(NORA, a_profile())
    code = (
        "import sys; from filelock import FileLock\n"
        "with FileLock(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(files.lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(MemoryBusy) as raised:
        say(store, "one")
    assert raised.value.exit_code == 4
    assert "Nora" in raised.value.message("cn")
    holder.communicate()
    assert say(store, "one").sequence == 2


def test_a_home_that_cannot_be_made_is_a_matter_of_settings(tmp_path: Path) -> None:
    """A data directory below a plain file is refused with the path and the remedy."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError) as raised:
        FileStore(tmp_path / "file" / "home").create(NORA, a_profile())
    assert raised.value.exit_code == 3
    assert str(tmp_path / "file" / "home") in raised.value.message("en")


def test_a_newer_version_is_refused_as_it_stands(store: FileStore, files: Folder) -> None:
    """Files of a later version are neither read nor mended nor set aside."""
    say(store, "one")
    for path in (files.memory, files.journal):
        before = path.read_bytes()
        path.write_bytes(before.replace(b'"version": 1', b'"version": 2', 1))
        path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":2', 1))
        newer = path.read_bytes()
        assert newer != before
        with pytest.raises(StoreError) as raised:
            FileStore(files.path.parents[1]).load(NORA)
        assert raised.value.key == "memory_too_new"
        assert path.read_bytes() == newer
        assert not files.damaged.exists()
        path.write_bytes(before)


def test_a_copied_folder_is_nobodys(
    store: FileStore, home: Path, files: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy beside the original does not make a second Nora, and is left alone."""
    say(store, "one")
    copy = home / "people" / "copy-of-nora"
    copy.mkdir()
    for path in (files.memory, files.journal):
        (copy / path.name).write_bytes(path.read_bytes())
    assert store.scopes() == [NORA]
    assert "copy-of-nora" in caplog.text


def test_a_person_never_takes_over_anothers_files(
    store: FileStore, home: Path, files: Folder
) -> None:
    """Files that were copied into the wrong folder are refused and stay as they are."""
    say(store, "a secret")
    ada = Scope.of("Ada")
    store.create(ada, a_profile(ada))
    theirs = Folder(home, ada)
    for path in ("memory", "journal"):
        getattr(theirs, path).write_bytes(getattr(files, path).read_bytes())
    with pytest.raises(StoreError) as raised:
        FileStore(home).load(ada)
    assert raised.value.key == "memory_foreign"


def test_the_lock_is_free_after_an_error(store: FileStore, files: Folder) -> None:
    """A failed decision does not hold the memory."""
    with pytest.raises(ZeroDivisionError):
        put(store, NORA, 1 / 0)  # type: ignore[list-item]
    with FileLock(files.lock, timeout=0):
        pass
