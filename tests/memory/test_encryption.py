"""Files encrypted at rest: no word can be read in them, and nothing is lost by it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, DamagedMemory, StoreError, UsageError
from siliconfriend.memory import encryption
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.documents import digest_of
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put, queries

PASSPHRASE = "correct horse"
WORD = "zanzifrax"


@pytest.fixture(autouse=True)
def keyring() -> Iterator[None]:
    """A keyring that holds no key."""
    KEYRING.lock()
    yield
    KEYRING.lock()


def tell(store: FileStore, words: str, position: int = 0) -> None:
    put(store, NORA, PutTurn(a_turn(words, position=position)))


def encrypt(store: FileStore) -> None:
    KEYRING.offer(PASSPHRASE)
    store.encrypt(NORA, encryption.lock_key(PASSPHRASE))


def holders(home: Path) -> list[str]:
    """The files in which the word can be read."""
    files = (one for one in home.rglob("*") if one.is_file())
    return [file.name for file in files if WORD.encode() in file.read_bytes().lower()]


def test_no_word_can_be_read_in_any_file(store: FileStore, home: Path) -> None:
    tell(store, f"My dog is {WORD}.")
    store.tidy(NORA)
    tell(store, f"He is still {WORD}.", 1)
    assert holders(home)
    encrypt(store)
    tell(store, f"And {WORD} again.", 2)
    assert holders(home) == []
    store.tidy(NORA)
    tell(store, f"Good night, {WORD}.", 3)
    assert holders(home) == []
    assert len(queries(FileStore(home))) == 4


def test_without_the_passphrase_nothing_is_read_or_written(store: FileStore, home: Path) -> None:
    tell(store, "I planted beans.")
    encrypt(store)
    KEYRING.lock()
    before = {one: one.read_bytes() for one in home.rglob("*") if one.is_file()}
    KEYRING.offer("a wrong one")
    locked = FileStore(home)
    for act in (lambda: locked.load(NORA), lambda: tell(locked, "x", 1), lambda: locked.tidy(NORA)):
        with pytest.raises(StoreError) as refused:
            act()
        assert (refused.value.key, refused.value.exit_code) == ("memory_locked", 4)
    assert {one: one.read_bytes() for one in home.rglob("*") if one.is_file()} == before
    assert locked.scopes() == [NORA]
    KEYRING.offer(PASSPHRASE)
    assert queries(locked) == ["I planted beans."]
    KEYRING.lock()
    FileStore(home).delete(NORA)
    assert FileStore(home).scopes() == []


def test_an_encrypted_memory_can_be_decrypted(store: FileStore, home: Path) -> None:
    tell(store, f"My dog is {WORD}.")
    put(store, NORA, PutTurn(a_turn(day="2026-03-02")))
    before = store.load(NORA)
    encrypt(store)
    store.encrypt(NORA, None)
    KEYRING.lock()
    after = FileStore(home).load(NORA)
    assert list(after.turns()) == list(before.turns())
    assert store.locked_key(NORA) is None


def test_another_passphrase_opens_the_same_files(store: FileStore, home: Path) -> None:
    tell(store, "I planted beans.")
    encrypt(store)
    cipher = store.cipher(NORA)
    assert cipher is not None
    KEYRING.offer("battery staple")
    store.encrypt(NORA, encryption.lock_key("battery staple", cipher))
    KEYRING.lock()
    KEYRING.offer(PASSPHRASE)
    with pytest.raises(StoreError):
        FileStore(home).load(NORA)
    KEYRING.offer("battery staple")
    assert queries(FileStore(home)) == ["I planted beans."]


def test_without_its_key_a_person_is_gone(store: FileStore, home: Path) -> None:
    tell(store, "I planted beans.")
    encrypt(store)
    with store.database(NORA).transaction(NORA.person) as transaction:
        transaction.execute("DELETE FROM scope_key")
    with pytest.raises(DamagedMemory):
        FileStore(home).load(NORA)


def test_a_destroyed_database_comes_back_from_its_copy(store: FileStore, home: Path) -> None:
    """The copy holds the locked key too."""
    tell(store, "I planted beans.")
    encrypt(store)
    store.close()
    (store.folder(NORA) / "memory.sqlite").write_bytes(bytes(9000))
    assert FileStore(home).repair(NORA) is not None
    assert queries(FileStore(home)) == ["I planted beans."]
    assert FileStore(home).locked_key(NORA) is not None


def test_a_new_companion_of_the_person_has_the_same_key(store: FileStore, home: Path) -> None:
    encrypt(store)
    sol = Scope.of("Nora", "Sol")
    store.create(sol, a_profile())
    put(store, sol, PutTurn(a_turn(f"My dog is {WORD}.", scope=sol)))
    assert holders(home) == []
    assert [turn.query for turn in FileStore(home).load(sol).turns()] == [f"My dog is {WORD}."]


def test_two_banks_ask_for_their_own_passphrases(home: Path, settings: Settings) -> None:
    store = FileStore(home)
    store.create(NORA, a_profile())
    encrypt(store)
    KEYRING.lock()
    first = MemoryBank(settings=settings, ask_passphrase=lambda _folder: PASSPHRASE, resume=False)
    second = MemoryBank(settings=replace(settings, home=home / "other"), resume=False)
    assert second.people() == []
    assert list(first.person("Nora").turns()) == []
    KEYRING.lock()
    with pytest.raises(StoreError, match="passphrase"):
        MemoryBank(settings=settings, resume=False).person("Nora").memory()


def test_the_index_can_be_searched_and_not_read(
    store: FileStore, home: Path, settings: Settings
) -> None:
    tell(store, f"My dog is {WORD}.")
    runtime = Runtime(settings, MovingClock(), store=store, embedder=WordEmbedder())
    runtime.recaller.update_index(NORA)
    digest = digest_of(f"My dog is {WORD}.\nWhich ones?")
    assert digest.encode() in (store.folder(NORA) / "memory.sqlite").read_bytes()
    encrypt(store)
    for _ in range(2):
        recaller = Runtime(settings, MovingClock(), store=store, embedder=WordEmbedder()).recaller
        recaller.update_index(NORA)
        found = recaller.recall(NORA, f"Who is {WORD}?", now=MovingClock().moment)
        assert [memory.memory.date for memory in found.memories] == ["2026-03-01"]
        assert holders(home) == []
        assert digest.encode() not in (store.folder(NORA) / "memory.sqlite").read_bytes()


def test_a_backup_holds_it_encrypted_and_is_restored_without_the_key(
    store: FileStore, home: Path, tmp_path: Path
) -> None:
    """The key, locked, goes with it: only the passphrase is needed to read it again."""
    tell(store, "I planted beans.")
    encrypt(store)
    archive = tmp_path / "all.zip"
    KEYRING.lock()
    assert back_up(home, archive, now=MovingClock().moment).scopes == 1
    restore(archive, tmp_path / "elsewhere")
    KEYRING.offer(PASSPHRASE)
    assert queries(FileStore(tmp_path / "elsewhere")) == ["I planted beans."]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"format": "siliconfriend-key", "scrypt": 3}'])
def test_an_invalid_key_is_reported(store: FileStore, data: bytes) -> None:
    KEYRING.offer(PASSPHRASE)
    encrypt(store)
    with store.database(NORA).transaction(NORA.person) as transaction:
        transaction.execute("UPDATE scope_key SET data = ?", (data,))
    with pytest.raises(ConfigurationError) as refused:
        store.load(NORA)
    assert refused.value.key == "key_unreadable"


def test_a_key_that_nobody_could_open_is_not_written(store: FileStore) -> None:
    with pytest.raises(StoreError):
        store.encrypt(NORA, encryption.lock_key(PASSPHRASE))
    assert store.locked_key(NORA) is None
    tell(store, "I planted beans.")


def test_a_short_passphrase_is_refused() -> None:
    with pytest.raises(UsageError):
        encryption.lock_key("seven77")
