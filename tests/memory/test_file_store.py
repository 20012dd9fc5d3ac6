"""What only a store of files can do well or badly: processes, crashes, full disks."""

from __future__ import annotations

import json
import logging
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from siliconfriend.errors import ConfigurationError, MemoryBusy, StoreError, UnknownPerson
from siliconfriend.memory import atomic
from siliconfriend.memory.changes import Erase, PutPersonality, PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.people import new_turn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from tests.memory.people import DATES, NORA, NOW, a_profile, a_summary, a_turn


@pytest.fixture
def store(home: Path) -> FileStore:
    """A file store in which Nora is known."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    return store


@pytest.fixture
def files(home: Path) -> Folder:
    """Where Nora's files lie."""
    return Folder(home, NORA)


def _say(store: FileStore, query: str, scope: Scope = NORA) -> PersonMemory:
    return store.update(scope, lambda memory: [PutTurn(new_turn(scope, memory, query, now=NOW))])


def _queries(store: FileStore) -> list[str]:
    return [turn.query for turn in store.load(NORA).turns()]


def _everything_in(path: Path) -> bytes:
    return b"".join(it.read_bytes() for it in sorted(path.rglob("*")) if it.is_file())


@contextmanager
def _full_disk(limit: int) -> Iterator[None]:
    """No file can grow beyond ``limit`` bytes, which fails as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_nothing_is_written_before_somebody_is_met(home: Path) -> None:
    """Looking at a data directory that does not exist does not make it."""
    store = FileStore(home)
    assert store.scopes() == []
    with pytest.raises(UnknownPerson):
        store.load(NORA)
    assert not home.exists()


def test_a_turn_costs_one_line_however_much_is_remembered(store: FileStore, files: Folder) -> None:
    """An update appends to the journal and touches no other file."""
    _say(store, "one")
    store.fold(NORA)
    before = files.memory.stat()
    size = files.journal.stat().st_size
    _say(store, "two")
    assert files.memory.stat().st_mtime_ns == before.st_mtime_ns
    line = files.journal.read_bytes()[size:]
    assert line.count(b"\n") == 1
    assert json.loads(line)["turn"]["query"] == "two"


def test_two_stores_see_what_the_other_wrote(store: FileStore, home: Path) -> None:
    """Two processes with one person: each builds on the other's newest turn, across folds."""
    other = FileStore(home)
    for number in range(4):
        _say(store, f"a{number}")
        if number == 1:
            other.fold(NORA)
        _say(other, f"b{number}")
        if number == 2:
            store.rewrite(NORA)
    expected = ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"]
    assert _queries(store) == _queries(other) == expected
    assert store.load(NORA) == other.load(NORA) == FileStore(home).load(NORA)


def test_only_what_is_new_is_read(store: FileStore, home: Path) -> None:
    """A second look reads no line twice: the days already known are the same objects."""
    reader = FileStore(home)
    store.update(NORA, lambda _: [PutTurn(a_turn(day=DATES[0]))])
    known = reader.load(NORA)
    store.update(NORA, lambda _: [PutTurn(a_turn(day=DATES[1]))])
    again = reader.load(NORA)
    assert again.days[DATES[0]] is known.days[DATES[0]]
    assert DATES[1] in again.days


def test_somebody_deleted_and_met_again_is_new(store: FileStore, home: Path) -> None:
    """Another process that knew the deleted person takes nothing over into the new one."""
    other = FileStore(home)
    _say(store, "a secret")
    assert _queries(other) == ["a secret"]
    store.delete(NORA)
    store.create(NORA, a_profile())
    assert _queries(other) == []
    _say(other, "hello")
    assert _queries(store) == ["hello"]


def test_another_journal_is_read_from_its_beginning(store: FileStore, home: Path) -> None:
    """Where a known journal stopped means nothing in one that has another head."""
    other = FileStore(home)
    _say(store, "a secret")
    assert _queries(other) == ["a secret"]
    store.delete(NORA)
    store.create(NORA, a_profile())
    for query in ("hello", "a long story " * 40):
        _say(store, query)
    assert _queries(other) == ["hello", "a long story " * 40]


def test_folding_empties_the_journal_and_keeps_the_file_before(
    store: FileStore, files: Folder
) -> None:
    """``memory.json`` says how far it goes; the one before lies in ``backup`` with its journal."""
    _say(store, "one")
    first = files.memory.read_bytes()
    journal = files.journal.read_bytes()
    store.fold(NORA)
    form = json.loads(files.memory.read_bytes())
    assert (form["generation"], form["folded_through"]) == (2, 2)
    assert len(files.journal.read_bytes().splitlines()) == 1
    assert (files.backup / "memory-1.json").read_bytes() == first
    assert (files.backup / "journal-1.jsonl").read_bytes() == journal


def test_folding_again_without_news_writes_nothing(store: FileStore, files: Folder) -> None:
    """A fold with an empty journal is no fold, so that backups are not used up."""
    _say(store, "one")
    store.fold(NORA)
    before = files.memory.stat().st_mtime_ns
    store.fold(NORA)
    assert files.memory.stat().st_mtime_ns == before


def test_two_generations_are_kept(store: FileStore, files: Folder) -> None:
    """Backups do not pile up."""
    for number in range(5):
        _say(store, str(number))
        store.fold(NORA)
    kept = sorted(path.name for path in files.backup.iterdir())
    assert kept == ["journal-4.jsonl", "journal-5.jsonl", "memory-4.json", "memory-5.json"]


def test_the_journal_folds_by_itself_when_it_has_grown(home: Path, files: Folder) -> None:
    """No night is needed to keep a journal short."""
    store = FileStore(home, fold_at=2000)
    store.create(NORA, a_profile())
    for number in range(40):
        _say(store, f"number {number}")
        assert files.journal.stat().st_size <= 2000
    assert len(_queries(FileStore(home))) == 40


def test_a_large_memory_is_folded_less_often(home: Path, files: Folder) -> None:
    """A journal is left until it has an eighth of what a fold writes."""
    store = FileStore(home, fold_at=0)
    store.create(NORA, a_profile())
    store.update(NORA, lambda _: [PutTurn(a_turn("x" * 80_000))])
    before = files.memory.stat().st_mtime_ns
    store.update(NORA, lambda _: [PutTurn(a_turn("y" * 5_000, position=1))])
    assert files.memory.stat().st_mtime_ns == before
    store.update(NORA, lambda _: [PutTurn(a_turn("z" * 5_000, position=2))])
    assert files.memory.stat().st_mtime_ns > before


def test_erasing_reaches_journal_and_backups(store: FileStore, files: Folder) -> None:
    """Words of an erased turn and of what was made from it are in no file afterwards."""
    secret = "the combination is 4711"
    _say(store, secret)
    (turn,) = store.load(NORA).turns()
    for _ in range(3):
        store.update(NORA, lambda _: [PutSummary(turn.date, a_summary(secret, day=turn.date))])
        store.fold(NORA)
        _say(store, "something else")
    with files.journal.open("ab") as file:
        file.write(b'{"seq":99,"put":"turn","turn":{"query":"' + secret.encode())
    removal = [
        Erase((turn.id,)),
        PutSummary(turn.date, None),
        PutPersonality(turn.date, None),
    ]
    after = store.update(NORA, lambda _: removal)
    assert b"4711" not in _everything_in(files.path)
    assert FileStore(files.path.parents[1]).load(NORA) == after


def test_rewriting_forgets_words_that_were_corrected(store: FileStore, files: Folder) -> None:
    """After ``rewrite`` only what is remembered now is in the files, and it can be mended."""
    store.update(NORA, lambda _: [PutTurn(a_turn("the old words"))])
    store.fold(NORA)
    store.update(NORA, lambda _: [PutTurn(a_turn("the new words"))])
    store.rewrite(NORA)
    assert b"old words" not in _everything_in(files.path)
    store.update(NORA, lambda _: [PutTurn(a_turn("more", position=1))])
    files.memory.write_bytes(b"{")
    assert _queries(FileStore(files.path.parents[1])) == ["the new words", "more"]


def test_deleting_removes_every_file(store: FileStore, home: Path, files: Folder) -> None:
    """Caches and backups go too, and so does the folder; another companion's stay."""
    sol = Scope.of("Nora", "Sol")
    store.create(sol, a_profile(sol))
    _say(store, "one")
    store.fold(NORA)
    (files.path / "index.sqlite").write_bytes(b"words")
    store.delete(NORA)
    assert [path.name for path in files.path.iterdir()] == ["companions"]
    assert store.scopes() == [sol]
    store.delete(sol)
    assert list((home / "people").iterdir()) == []


def test_who_waits_for_a_deleted_person_finds_nobody(store: FileStore, files: Folder) -> None:
    """An operation that comes too late makes no folder again."""
    store.delete(NORA)
    with pytest.raises(UnknownPerson):
        _say(store, "too late")
    assert not files.path.exists()


def test_a_torn_last_line_is_set_aside(
    store: FileStore, files: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """A crash in mid-line costs that line only; it is kept, told, and never glued to the next."""
    _say(store, "one")
    torn_words = b'{"seq":3,"put":"turn","turn":{"query":"' + b"long " * 200
    with files.journal.open("ab") as file:
        file.write(torn_words)
    reader = FileStore(files.path.parents[1])
    with caplog.at_level(logging.WARNING):
        _say(reader, "two")
    assert _queries(reader) == _queries(store) == ["one", "two"]
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
    changes = [PutTurn(a_turn(str(position), position=position)) for position in range(3)]
    store.update(NORA, lambda _: changes)
    whole = files.journal.read_bytes()
    files.journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    assert _queries(FileStore(files.path.parents[1])) == []
    assert len(list(files.damaged.iterdir())) == 1


def test_a_full_disk_costs_the_turn_and_nothing_else(store: FileStore, files: Folder) -> None:
    """An append that fails leaves the journal as it was, and the next one works."""
    _say(store, "one")
    before = files.journal.read_bytes()
    with _full_disk(len(before) + 50), pytest.raises(StoreError) as raised:
        _say(store, "does not fit" * 10)
    assert raised.value.exit_code == 4
    assert "safe" in raised.value.message("en")
    assert files.journal.read_bytes() == before
    _say(store, "two")
    assert _queries(store) == _queries(FileStore(files.path.parents[1])) == ["one", "two"]


def test_a_fold_on_a_full_disk_leaves_the_old_file_whole(store: FileStore, files: Folder) -> None:
    """The file that rests is replaced in one step or not at all."""
    for number in range(20):
        _say(store, f"number {number}")
    store.fold(NORA)
    _say(store, "one more")
    before = files.memory.read_bytes()
    with _full_disk(1000), pytest.raises(StoreError):
        store.fold(NORA)
    assert files.memory.read_bytes() == before
    assert len(_queries(FileStore(files.path.parents[1]))) == 21
    store.fold(NORA)
    assert len(_queries(FileStore(files.path.parents[1]))) == 21


def test_a_turn_stands_although_folding_after_it_fails(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What was appended is safe; a fold that could not be made is told and made later."""
    store = FileStore(home, fold_at=900)
    store.create(NORA, a_profile())
    _say(store, "long" * 1000)
    with _full_disk(2500), caplog.at_level(logging.WARNING):
        for number in range(5):
            _say(store, f"number {number}" + "." * 60)
    assert any("could not be read or written" in it.getMessage() for it in caplog.records)
    assert len(_queries(FileStore(home))) == 6
    _say(store, "there is room again")
    assert len(_queries(FileStore(home))) == 7


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
        _say(store, said[-1])
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(atomic, "write_whole", crash)
            store.fold(NORA)
        assert _queries(FileStore(home)) == said
        assert _queries(store) == said


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
        _say(store, "one")
    assert raised.value.exit_code == 4
    assert "Nora" in raised.value.message("cn")
    holder.communicate()
    assert _say(store, "one").sequence == 2


def test_a_home_that_cannot_be_made_is_a_matter_of_settings(tmp_path: Path) -> None:
    """A data directory below a plain file is refused with the path and the remedy."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError) as raised:
        FileStore(tmp_path / "file" / "home").create(NORA, a_profile())
    assert raised.value.exit_code == 3
    assert str(tmp_path / "file" / "home") in raised.value.message("en")


def test_a_newer_version_is_refused_as_it_stands(store: FileStore, files: Folder) -> None:
    """Files of a later version are neither read nor mended nor set aside."""
    _say(store, "one")
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


def test_names_of_any_kind_get_safe_folders(home: Path) -> None:
    """Folder names are short plain ASCII, whatever the person is called."""
    store = FileStore(home)
    names = ["小明", "A", "a", "Ａ", "con", "a_b", "名" * 200, "..a", "e\u0301", "😀"]
    for name in names:
        scope = Scope.of(name)
        store.create(scope, a_profile(scope))
    folders = [path.name for path in (home / "people").iterdir()]
    assert len(folders) == len(names) == len(store.scopes())
    assert all(it.isascii() and len(it) < 50 and it == it.lower() for it in folders)


def test_a_copied_folder_is_nobodys(
    store: FileStore, home: Path, files: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy beside the original does not make a second Nora, and is left alone."""
    _say(store, "one")
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
    _say(store, "a secret")
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
        store.update(NORA, lambda _: [1 / 0])  # type: ignore[list-item]
    with FileLock(files.lock, timeout=0):
        pass


def test_a_process_keeps_only_some_people_at_hand(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passing through many people does not hold them all, and each still reads right."""
    monkeypatch.setattr("siliconfriend.memory.file_store.KEPT_SNAPSHOTS", 3)
    store = FileStore(home)
    scopes = [Scope.of(f"person {number}") for number in range(8)]
    for scope in scopes:
        store.create(scope, replace(a_profile(scope)))
        _say(store, f"I am {scope.person}", scope)
    for scope in scopes:
        assert [turn.query for turn in store.load(scope).turns()] == [f"I am {scope.person}"]
    assert len(store._snapshots) == 3
