"""What every place to keep memory does, whichever it is."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory import encryption
from siliconfriend.memory.changes import Erase, PutSummary, PutTrace, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.postgresql import PostgresStore
from siliconfriend.memory.records import PersonMemory, Profile, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import DATES, NORA, NOW, a_profile, a_summary, a_turn
from tests.memory.stored import put, say


class EncryptedFiles(FileStore):
    """Files that are encrypted from the moment a memory begins."""

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        super().create(scope, profile)
        if self.locked_key(scope) is None:
            self.encrypt(scope, encryption.lock_key("a passphrase"))
        return self.load(scope)


class EncryptedRows(PostgresStore):
    """Rows that are encrypted from the moment a memory begins."""

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        if not self.exists(scope):
            super().create(scope, profile)
            self.encrypt(scope, encryption.lock_key("a passphrase"))
        return self.load(scope)


STORES = (
    *("files", "encrypted files"),
    *(pytest.param(one, marks=pytest.mark.slow) for one in ("database", "encrypted database")),
)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, home: Path) -> MemoryStore:
    """Every store there is."""
    encryption.KEYRING.offer("a passphrase")
    makers: dict[str, Callable[[], MemoryStore]] = {
        "files": lambda: FileStore(home),
        "encrypted files": lambda: EncryptedFiles(home),
        "database": lambda: PostgresStore(request.getfixturevalue("postgres")),
        "encrypted database": lambda: EncryptedRows(request.getfixturevalue("postgres")),
    }
    return makers[request.param]()


def _reopened(store: MemoryStore, home: Path) -> MemoryStore:
    """What another process would open; the same store where no other can."""
    if isinstance(store, PostgresStore):
        return PostgresStore(store.shared)
    return FileStore(home) if isinstance(store, FileStore) else store


def test_nobody_is_known_at_first(store: MemoryStore) -> None:
    assert store.scopes() == []
    assert not store.exists(NORA)
    operations: list[Callable[[], object]] = [
        lambda: store.load(NORA),
        lambda: store.edit(NORA).__enter__(),
        lambda: store.tidy(NORA),
        lambda: store.rewrite(NORA),
        lambda: store.repair(NORA),
        lambda: store.delete(NORA),
    ]
    for operation in operations:
        with pytest.raises(UnknownPerson) as raised:
            operation()
        assert "Nora" in raised.value.message("en")
    assert not store.exists(NORA)


def test_a_memory_begins_with_a_profile(store: MemoryStore) -> None:
    """What ``create`` gives back is what ``load`` finds."""
    begun = store.create(NORA, replace(a_profile(), name="Ada"))
    assert begun.profile == a_profile()  # named as its scope
    assert (dict(begun.days), begun.sequence) == ({}, 1)
    assert store.exists(NORA)
    assert store.load(NORA) == begun


def test_beginning_again_changes_nothing(store: MemoryStore) -> None:
    """``create`` for somebody known gives what is there."""
    store.create(NORA, a_profile())
    said = say(store, "I am here.")
    assert store.create(NORA, replace(a_profile(), timezone="Asia/Shanghai")) == said


def test_changes_of_one_edit_are_numbered_in_order(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    with store.edit(NORA) as edit:
        edit.add(PutTurn(a_turn("first")), PutTurn(a_turn("second")))
        edit.add(PutTurn(a_turn(position=1)))
    assert edit.memory_after.sequence == 4
    assert [turn.query for turn in edit.memory_after.turns()] == ["second", "I planted beans."]
    assert store.load(NORA) == edit.memory_after


def test_changes_are_there_when_the_block_ends_and_not_before(
    store: MemoryStore, home: Path
) -> None:
    """What ``edit.memory`` shows stays as it was; after the block others read the changes."""
    begun = store.create(NORA, a_profile())
    with store.edit(NORA) as edit:
        edit.add(PutTurn(a_turn("planted")))
        assert edit.memory == begun
        with pytest.raises(RuntimeError, match="when its block has ended"):
            assert edit.memory_after
    for reader in (store, _reopened(store, home)):
        assert [turn.query for turn in reader.load(NORA).turns()] == ["planted"]


def test_an_edit_that_adds_nothing_writes_nothing(store: MemoryStore, home: Path) -> None:
    begun = store.create(NORA, a_profile())
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    with store.edit(NORA) as edit:
        edit.add()
    assert edit.memory_after == begun
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_an_edit_that_fails_changes_nothing(store: MemoryStore) -> None:
    """An error in the block leaves the memory as it was and the store in use."""
    begun = store.create(NORA, a_profile())
    edits = []

    def fail() -> None:
        with store.edit(NORA) as edit:
            edits.append(edit)
            edit.add(PutTurn(a_turn()))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert store.load(NORA) == begun
    with pytest.raises(RuntimeError, match="when its block has ended"):
        assert edits[0].memory_after
    assert say(store, "I am here.").sequence == 2


def test_nothing_is_added_after_the_block(store: MemoryStore) -> None:
    begun = store.create(NORA, a_profile())
    with store.edit(NORA) as edit:
        pass
    with pytest.raises(RuntimeError, match="inside the block"):
        edit.add(PutTurn(a_turn()))
    assert store.load(NORA) == begun


def test_an_edit_cannot_call_the_store(store: MemoryStore) -> None:
    store.create(NORA, a_profile())

    def say_twice() -> None:
        with store.edit(NORA) as edit:
            edit.add(PutTurn(a_turn()))
            say(store, "lost")

    with pytest.raises(RuntimeError, match="must not call the store"):
        say_twice()
    operations: list[Callable[[], object]] = [
        lambda: store.create(NORA, a_profile()),
        lambda: store.tidy(NORA),
        lambda: store.rewrite(NORA),
        lambda: store.repair(NORA),
        lambda: store.delete(NORA),
        lambda: store.encrypt(NORA, None),
        lambda: store.place(NORA, stored),
        lambda: store.moving_out(NORA, "there").__enter__(),
    ]
    stored = store.stored(NORA)
    for operation in operations:
        with store.edit(NORA), pytest.raises(RuntimeError, match="must not call the store"):
            operation()
    assert store.load(NORA).sequence == 1


def test_others_wait_until_an_edit_ends(store: MemoryStore) -> None:
    """A reader and a writer in another thread see the memory only with the changes in it."""
    store.create(NORA, a_profile())
    seen: list[int] = []

    def read() -> None:
        seen.append(store.load(NORA).sequence)
        seen.append(say(store, "after").sequence)

    other = threading.Thread(target=read)
    with store.edit(NORA) as edit:
        other.start()
        other.join(timeout=0.05)
        assert seen == []
        edit.add(PutTurn(a_turn()))
    other.join()
    assert seen == [2, 3]


def test_a_cache_lies_where_the_store_says(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    folder = store.folder(NORA)
    assert (folder is None) == isinstance(store, PostgresStore)
    assert folder is None or folder != store.folder(Scope.of("Nora", "Sol"))
    if folder is not None:
        (folder / "cache").write_bytes(b"words")
        store.delete(NORA)
        assert not folder.exists()


def test_a_snapshot_never_moves(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    held = say(store, "one")
    say(store, "two")
    put(store, NORA, PutTurn(a_turn()))
    assert [turn.query for turn in held.turns()] == ["one"]


def test_people_and_companions_never_meet(store: MemoryStore) -> None:
    scopes = [
        *(Scope.of(name) for name in ("A", "a", "Ａ", "a_b", "小明", "小明 ", "e\u0301", "..a")),
        *(Scope.of("a", companion) for companion in ("A", "小明", "default ")),
    ]
    distinct = list(dict.fromkeys(scopes))
    for scope in distinct:
        store.create(scope, a_profile(scope))
        say(store, f"I am {scope}", scope)
    assert store.scopes() == sorted(distinct)
    for scope in distinct:
        (turn,) = store.load(scope).turns()
        assert turn.query == f"I am {scope}"
        assert turn.id.endswith(scope.digest)


def test_erased_turns_stay_away(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    turn = a_turn()
    put(store, NORA, PutTurn(turn), PutTurn(a_turn(position=1)))
    put(store, NORA, Erase((a_turn(position=1).id,)))
    after = put(store, NORA, PutTurn(a_turn("again", position=1)))
    assert list(after.turns()) == [turn]
    assert after.next_position(turn.date) == 2
    assert after.find(a_turn(position=1).id) is None


def test_a_trace_is_set_and_the_words_stay(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    turn, summary = a_turn(), a_summary("Beans.")
    put(store, NORA, PutTurn(turn), PutSummary(DATES[0], summary))
    trace = replace(turn.trace, pinned=True, recalls=(NOW, NOW + timedelta(days=2)))
    ids = (turn.id, summary.id, "turn-2026-03-01-9-00000000")
    memory = put(store, NORA, *(PutTrace(identifier, trace) for identifier in ids))
    assert memory.find(turn.id) == replace(turn, trace=trace)
    assert memory.find(summary.id) == replace(summary, trace=trace)
    assert len(list(memory.memories())) == 2


def test_tidying_changes_nothing_that_is_remembered(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    said = say(store, "one")
    for tidy in (store.tidy, store.tidy, store.rewrite, store.rewrite, store.tidy):
        tidy(NORA)
        assert store.load(NORA) == said
    assert say(store, "two").sequence == said.sequence + 1


def test_deleting_leaves_nothing_of_a_person(store: MemoryStore) -> None:
    other = Scope.of("Nora", "Sol")
    for scope in (NORA, other):
        store.create(scope, a_profile(scope))
        say(store, "one", scope)
    store.delete(NORA)
    assert store.scopes() == [other]
    with pytest.raises(UnknownPerson):
        store.load(NORA)
    assert store.create(NORA, a_profile()).sequence == 1
    store.delete(other)
    assert store.scopes() == [NORA]


def test_broken_characters_become_whole(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    memory = put(store, NORA, PutTurn(a_turn("a\ud83d b", "\ud83d\ude00 \udcff")))
    (turn,) = memory.turns()
    assert (turn.query, turn.response) == ("a\ufffd b", "😀 \ufffd")
    assert store.load(NORA) == memory


def test_any_words_are_kept_as_they_are(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    said = 'a\nb\r\nc\u2028d\x85e\x00f "g" \\h\\ 你好 \U0001f600 \ufeff'
    put(store, NORA, PutTurn(a_turn(said, said)))
    store.tidy(NORA)
    (turn,) = store.load(NORA).turns()
    assert (turn.query, turn.response) == (said, said)


def test_what_cannot_be_kept_is_refused(store: MemoryStore) -> None:
    begun = store.create(NORA, a_profile())
    turn = a_turn()
    naive = replace(turn, trace=replace(turn.trace, created=NOW.replace(tzinfo=None)))
    wrong: list[Turn] = [
        naive,
        replace(turn, query=None),  # type: ignore[arg-type]
        replace(turn, trace=replace(turn.trace, first_strength=float("nan"))),
    ]
    for refused in wrong:
        with pytest.raises(ValueError, match=r"."):
            put(store, NORA, PutTurn(refused))
    assert store.load(NORA) == begun


def test_threads_lose_nothing(store: MemoryStore) -> None:
    """Four threads that talk to one person at once: every turn is there, each at its own place."""
    store.create(NORA, a_profile())

    def talk(name: int) -> None:
        for number in range(10):
            say(store, f"{name}-{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(talk, range(4)))
    turns = list(store.load(NORA).turns())
    assert {turn.query for turn in turns} == {f"{a}-{b}" for a in range(4) for b in range(10)}
    assert [turn.position for turn in turns] == list(range(40))
