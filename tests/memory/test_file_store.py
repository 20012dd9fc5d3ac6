"""What only a store of files can do well or badly: processes, crashes, full disks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.changes import Erase, PutPersonality, PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.scope import Scope
from tests.memory.people import DATES, NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put, queries, say


def _everything_in(path: Path) -> bytes:
    return b"".join(it.read_bytes() for it in sorted(path.rglob("*")) if it.is_file())


def test_nothing_is_written_before_somebody_is_met(home: Path) -> None:
    """Looking at a data directory that does not exist does not make it."""
    store = FileStore(home)
    assert store.scopes() == []
    with pytest.raises(UnknownPerson):
        store.load(NORA)
    assert not home.exists()


def test_a_turn_costs_one_line_however_much_is_remembered(store: FileStore, files: Folder) -> None:
    """An update appends to the journal and touches no other file."""
    say(store, "one")
    store.fold(NORA)
    before = files.memory.stat()
    size = files.journal.stat().st_size
    say(store, "two")
    assert files.memory.stat().st_mtime_ns == before.st_mtime_ns
    line = files.journal.read_bytes()[size:]
    assert line.count(b"\n") == 1
    assert json.loads(line)["turn"]["query"] == "two"


def test_two_stores_see_what_the_other_wrote(store: FileStore, home: Path) -> None:
    """Two processes with one person: each builds on the other's newest turn, across folds."""
    other = FileStore(home)
    for number in range(4):
        say(store, f"a{number}")
        if number == 1:
            other.fold(NORA)
        say(other, f"b{number}")
        if number == 2:
            store.rewrite(NORA)
    expected = ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"]
    assert queries(store) == queries(other) == expected
    assert store.load(NORA) == other.load(NORA) == FileStore(home).load(NORA)


def test_only_what_is_new_is_read(store: FileStore, home: Path) -> None:
    """A second look reads no line twice: the days already known are the same objects."""
    reader = FileStore(home)
    put(store, NORA, PutTurn(a_turn(day=DATES[0])))
    known = reader.load(NORA)
    put(store, NORA, PutTurn(a_turn(day=DATES[1])))
    again = reader.load(NORA)
    assert again.days[DATES[0]] is known.days[DATES[0]]
    assert DATES[1] in again.days


def test_somebody_deleted_and_met_again_is_new(store: FileStore, home: Path) -> None:
    """Another process that knew the deleted person takes nothing over into the new one."""
    other = FileStore(home)
    say(store, "a secret")
    assert queries(other) == ["a secret"]
    store.delete(NORA)
    store.create(NORA, a_profile())
    assert queries(other) == []
    say(other, "hello")
    assert queries(store) == ["hello"]


def test_another_journal_is_read_from_its_beginning(store: FileStore, home: Path) -> None:
    """Where a known journal stopped means nothing in one that has another head."""
    other = FileStore(home)
    say(store, "a secret")
    assert queries(other) == ["a secret"]
    store.delete(NORA)
    store.create(NORA, a_profile())
    for query in ("hello", "a long story " * 40):
        say(store, query)
    assert queries(other) == ["hello", "a long story " * 40]


def test_folding_empties_the_journal_and_keeps_the_file_before(
    store: FileStore, files: Folder
) -> None:
    """``memory.json`` says how far it goes; the one before lies in ``backup`` with its journal."""
    say(store, "one")
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
    say(store, "one")
    store.fold(NORA)
    before = files.memory.stat().st_mtime_ns
    store.fold(NORA)
    assert files.memory.stat().st_mtime_ns == before


def test_two_generations_are_kept(store: FileStore, files: Folder) -> None:
    """Backups do not pile up."""
    for number in range(5):
        say(store, str(number))
        store.fold(NORA)
    kept = sorted(path.name for path in files.backup.iterdir())
    assert kept == ["journal-4.jsonl", "journal-5.jsonl", "memory-4.json", "memory-5.json"]


def test_the_journal_folds_by_itself_when_it_has_grown(home: Path, files: Folder) -> None:
    """No night is needed to keep a journal short."""
    store = FileStore(home, fold_at=2000)
    store.create(NORA, a_profile())
    for number in range(40):
        say(store, f"number {number}")
        assert files.journal.stat().st_size <= 2000
    assert len(queries(FileStore(home))) == 40


def test_a_large_memory_is_folded_less_often(home: Path, files: Folder) -> None:
    """A journal is left until it has an eighth of what a fold writes."""
    store = FileStore(home, fold_at=0)
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("x" * 80_000)))
    before = files.memory.stat().st_mtime_ns
    put(store, NORA, PutTurn(a_turn("y" * 5_000, position=1)))
    assert files.memory.stat().st_mtime_ns == before
    put(store, NORA, PutTurn(a_turn("z" * 5_000, position=2)))
    assert files.memory.stat().st_mtime_ns > before


def test_erasing_reaches_journal_and_backups(store: FileStore, files: Folder) -> None:
    """Words of an erased turn and of what was made from it are in no file afterwards."""
    secret = "the combination is 4711"
    say(store, secret)
    (turn,) = store.load(NORA).turns()
    for _ in range(3):
        put(store, NORA, PutSummary(turn.date, a_summary(secret, day=turn.date)))
        store.fold(NORA)
        say(store, "something else")
    with files.journal.open("ab") as file:
        file.write(b'{"seq":99,"put":"turn","turn":{"query":"' + secret.encode())
    removal = [
        Erase((turn.id,)),
        PutSummary(turn.date, None),
        PutPersonality(turn.date, None),
    ]
    after = put(store, NORA, *removal)
    assert b"4711" not in _everything_in(files.path)
    assert FileStore(files.path.parents[1]).load(NORA) == after


def test_rewriting_forgets_words_that_were_corrected(store: FileStore, files: Folder) -> None:
    """After ``rewrite`` only what is remembered now is in the files, and it can be mended."""
    put(store, NORA, PutTurn(a_turn("the old words")))
    store.fold(NORA)
    put(store, NORA, PutTurn(a_turn("the new words")))
    store.rewrite(NORA)
    assert b"old words" not in _everything_in(files.path)
    put(store, NORA, PutTurn(a_turn("more", position=1)))
    files.memory.write_bytes(b"{")
    assert queries(FileStore(files.path.parents[1])) == ["the new words", "more"]


def test_deleting_removes_every_file(store: FileStore, home: Path, files: Folder) -> None:
    """Caches and backups go too, and so does the folder; another companion's stay."""
    sol = Scope.of("Nora", "Sol")
    store.create(sol, a_profile(sol))
    say(store, "one")
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
        say(store, "too late")
    assert not files.path.exists()


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


def test_a_process_keeps_only_some_people_at_hand(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passing through many people does not hold them all, and each still reads right."""
    monkeypatch.setattr("siliconfriend.memory.recent.MOST_KEPT", 3)
    store = FileStore(home)
    scopes = [Scope.of(f"person {number}") for number in range(8)]
    for scope in scopes:
        store.create(scope, replace(a_profile(scope)))
        say(store, f"I am {scope.person}", scope)
    for scope in scopes:
        assert [turn.query for turn in store.load(scope).turns()] == [f"I am {scope.person}"]
    assert len(store._snapshots._known) == 3
