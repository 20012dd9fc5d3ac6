"""Moving memories between stores: all of it, compared, and back by the same way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import MemoryElsewhere, SiliconFriendError, UsageError
from siliconfriend.memory import encryption
from siliconfriend.memory.changes import Erase, PutSummary, PutTurn
from siliconfriend.memory.copy_store import MovedMemory, fingerprint, move_memory, parse_destination
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.rows import Stored
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.embedding import WordEmbedder
from tests.memory.people import DATES, NORA, NOW, a_summary, a_turn
from tests.memory.stored import put, queries, say
from tests.memory.temporary import TemporaryStore
from tests.recall.people import a_recaller


@pytest.fixture
def full(store: FileStore) -> FileStore:
    """A memory with turns, a summary and a tombstone."""
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn(day=DATES[1])))
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")), Erase((a_turn(position=3).id,)))
    return store


def _move(
    source: MemoryStore, target: MemoryStore, name: str = "there", **named: bool
) -> MovedMemory:
    return move_memory(source, target, NORA, target_name=name, **named)


def test_there_and_back_between_files_and_a_database(
    full: FileStore, postgres: PostgresDatabase
) -> None:
    before, there = full.load(NORA), PostgresStore(postgres)
    moved = _move(full, there)
    assert (moved.error, moved.records) == (None, 4)
    assert there.load(NORA) == before
    with pytest.raises(MemoryElsewhere, match="there"):
        say(full, "lost")
    assert _move(full, there).was_moved
    said = say(there, "And on.")
    back = _move(there, full, "here")
    assert back.error is None
    assert FileStore(full.home).load(NORA) == said
    assert "And on." in (full.folder(NORA) / "memory.json").read_text()
    say(full, "At home.")
    with pytest.raises(MemoryElsewhere, match="here"):
        say(there, "lost")


def test_vectors_are_taken_along(full: FileStore, postgres: PostgresDatabase) -> None:
    words = ("beans", "wall")
    a_recaller(full, WordEmbedder(words)).update_index(NORA)
    there, embedder = PostgresStore(postgres), WordEmbedder(words)
    assert _move(full, there).error is None
    assert a_recaller(there, embedder).recall(NORA, "beans", now=NOW).memories
    assert embedder.embedded == []


def test_a_dry_run_moves_nothing(full: FileStore) -> None:
    target = TemporaryStore()
    assert _move(full, target, dry_run=True).records == 4
    assert target.scopes() == []
    say(full, "still here")


def test_an_encrypted_memory_stays_encrypted(
    full: FileStore, postgres: PostgresDatabase, tmp_path: Path
) -> None:
    """Its key goes with it, locked."""
    encryption.KEYRING.offer("a passphrase")
    full.encrypt(NORA, encryption.lock_key("a passphrase"))
    before, there = full.load(NORA), PostgresStore(postgres)
    assert _move(full, there).error is None
    with postgres.transaction(NORA.person) as transaction:
        docs = [bytes(doc) for (doc,) in transaction.execute("SELECT doc FROM record")]
    assert not any(b"beans" in doc for doc in docs)
    home = FileStore(tmp_path / "other")
    assert _move(there, home).error is None
    assert home.load(NORA) == before
    assert b"beans" not in (home.folder(NORA) / "memory.sqlite").read_bytes()


def _other(target: MemoryStore, full: FileStore) -> None:
    target.create(NORA, full.load(NORA).profile)


def _newer(target: MemoryStore, full: FileStore) -> None:
    path = full.folder(NORA) / "memory.sqlite"
    before = path.read_bytes()
    _move(full, target)
    path.write_bytes(before)  # as somebody puts an old copy back
    say(target, "newer")


@pytest.mark.parametrize("begin", [_other, _newer])
def test_what_is_there_is_never_written_over(
    full: FileStore, begin: Callable[[MemoryStore, FileStore], None]
) -> None:
    target = TemporaryStore()
    begin(target, full)
    before = target.load(NORA)
    moved = _move(full, target)
    assert isinstance(moved.error, SiliconFriendError)
    assert target.load(NORA) == before
    say(full, "still here")


def test_a_copy_that_reads_back_otherwise_is_not_used(
    full: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = TemporaryStore()
    place = TemporaryStore.place

    def lossy(
        self: TemporaryStore, scope: Scope, stored: Stored, *, key: bytes | None = None
    ) -> None:
        kept = {date: found[:1] for date, found in stored.documents.items()}
        place(self, scope, stored._replace(documents=kept), key=key)

    monkeypatch.setattr(TemporaryStore, "place", lossy)
    moved = _move(full, target)
    assert moved.error is not None
    assert moved.error.key == "move_unequal"
    assert target.scopes() == []
    assert queries(full) == ["I planted beans."] * 2


def test_a_fingerprint_counts_every_record(full: FileStore) -> None:
    stored = full.stored(NORA)
    digest, documents = fingerprint(stored), stored.documents
    name, kind, data = documents[DATES[0]][0]
    for other in (
        {**documents, DATES[0]: [(name, kind, data.replace(b"Beans", b"Beams"))]},
        {**documents, DATES[2]: []},
        {**documents, DATES[0]: documents[DATES[1]], DATES[1]: documents[DATES[0]]},
    ):
        assert fingerprint(stored._replace(documents=other)) != digest
    assert fingerprint(stored._replace(erased=stored.erased | {"x"})) != digest


@pytest.mark.parametrize("written", ["nowhere", "mysql://x/y", "file:"])
def test_a_destination_that_is_none_is_refused(settings: Settings, written: str) -> None:
    for destination in (written, "file"):
        with pytest.raises(UsageError):
            parse_destination(destination, settings)
