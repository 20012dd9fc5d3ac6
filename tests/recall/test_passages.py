"""Vectors and analyses are rows of the store: derived once, by whichever process comes first."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall import analysis, index
from siliconfriend.recall.analysis import passages_of
from siliconfriend.recall.documents import Document
from siliconfriend.recall.recaller import Recaller
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore
from tests.recall.people import GARDEN, NOW, a_recaller, found, remember, turns

WORDS = ("beans", "wall", "heron", "kettle", "plant", "porto")
Reopen = Callable[[], MemoryStore]


@pytest.fixture(params=["files", "PostgreSQL", "memory"])
def reopen(request: pytest.FixtureRequest, home: Path) -> Reopen:
    """Open the store as another process would: of each engine, with Nora's garden in it."""
    if request.param == "PostgreSQL":
        database: PostgresDatabase = request.getfixturevalue("postgres")
        again: Reopen = lambda: PostgresStore(database)  # noqa: E731
    elif request.param == "memory":
        kept = TemporaryStore()
        again = lambda: kept  # noqa: E731
    else:
        again = lambda: FileStore(home)  # noqa: E731
    remember(again(), turns(GARDEN))
    return again


class _Counting:
    """Counts the texts that are analysed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        monkeypatch.setattr(index, "analyse", self._analyse)

    def _analyse(self, document: Document, zone: ZoneInfo) -> analysis.Analysis:
        self.texts.append(document.text)
        return analysis.analyse(document, zone)


def _recall(
    store: MemoryStore, words: str = "Where did I plant beans?"
) -> tuple[Recaller, list[str]]:
    embedder = WordEmbedder(WORDS)
    recaller = a_recaller(store, embedder)
    assert found(recaller.recall(NORA, words, now=NOW))
    return recaller, embedder.embedded


def test_no_process_embeds_what_another_has(
    reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first recall embeds all, one in another process only what is new since."""
    seen = _Counting(monkeypatch)
    _, embedded = _recall(reopen())
    assert len(embedded) == len(seen.texts) == len(GARDEN)
    put(reopen(), NORA, PutTurn(a_turn("A heron came.", "", day="2026-03-06")))
    seen.texts.clear()
    recaller, embedded = _recall(reopen())
    assert embedded == seen.texts == ["A heron came."]
    first = recaller.recall(NORA, "heron", now=NOW).memories[0].memory
    assert first.date == "2026-03-06"


def test_a_night_embeds_ahead_and_reads_nothing_twice(
    reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens the index next has nothing to embed; without a change a night does nothing."""
    recaller = a_recaller(reopen(), WordEmbedder(WORDS))
    assert recaller.index_night(NORA) == len(GARDEN)
    assert recaller.index_night(NORA) == 0
    assert _recall(reopen())[1] == []
    seen = _Counting(monkeypatch)
    monkeypatch.setattr(index.PassageMaker, "make", pytest.fail)
    assert a_recaller(reopen(), WordEmbedder(WORDS)).index_night(NORA) == 0
    assert seen.texts == []


def test_a_night_reads_the_days_that_changed(
    reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks up the texts of no other day, and clears up when many texts are gone."""
    store = reopen()
    recaller = a_recaller(store, WordEmbedder(WORDS))
    recaller.index_night(NORA)
    put(store, NORA, PutTurn(a_turn("A heron came.", "", day="2026-03-06")))
    put(store, NORA, PutTurn(a_turn("An egret came.", "", day="2026-03-06")))
    made = list[str]()
    make = index.PassageMaker.make

    def noted(maker: index.PassageMaker, documents: list[Document], *rest: Any) -> Any:
        made.extend(document.text for document in documents)
        return make(maker, documents, *rest)

    monkeypatch.setattr(index.PassageMaker, "make", noted)
    assert (recaller.index_night(NORA), made) == (1, ["An egret came."])
    put(store, NORA, PutTurn(a_turn("A stork came.", "", day="2026-03-06")))
    recaller.index_night(NORA)
    monkeypatch.setattr("siliconfriend.recall.recaller.MOST_UNUSED", -9)
    put(store, NORA, PutTurn(a_turn("An auk came.", "", day="2026-03-07")))
    recaller.index_night(NORA)
    assert not any(b"egret" in data for _, data in store.rows(NORA))
    assert _recall(reopen(), "Where did I plant beans?")[1] == []


def test_an_erasure_removes_them(reopen: Reopen) -> None:
    """Nothing of an erased text is left, nor comes back from a process that had read it before."""
    store = reopen()
    _recall(store)
    late = a_recaller(reopen(), WordEmbedder(WORDS))
    passages = late.passages(NORA)
    gone = next(store.load(NORA).turns())
    put(store, NORA, Erase((gone.id,)))
    store.forget_texts(NORA, passages_of(store.load(NORA)))
    passages.add({"0" * 64: WordEmbedder(WORDS).passages(["wall"])[0]})
    rows = [data for _, data in store.rows(NORA)]
    assert not any(b"wall" in data or b"0" * 64 in data for data in rows)
    assert any(b"kettl" in data for data in rows)


def test_rules_and_embedders_have_their_own(
    reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A raised version number analyses again; another embedder embeds again, and both stay right."""
    _recall(reopen())
    seen = _Counting(monkeypatch)
    monkeypatch.setattr(analysis, "VERSION", analysis.VERSION + 1)
    _, embedded = _recall(reopen())
    assert (embedded, len(seen.texts)) == ([], len(GARDEN))
    other = WordEmbedder(WORDS)
    other.revision = "2"
    a_recaller(reopen(), other).recall(NORA, "beans", now=NOW)
    assert len(other.embedded) == len(GARDEN)
    assert _recall(reopen())[1] == []


def test_a_damaged_row_is_made_again(home: Path) -> None:
    """It is never believed, and what is said is untouched by it."""
    remember(FileStore(home), turns(GARDEN))
    _recall(FileStore(home))
    with closing(sqlite3.connect(FileStore(home).folder(NORA) / "memory.sqlite")) as base:
        for table in ("vector", "analysis"):
            base.execute(f"UPDATE {table} SET data = CAST(data || x'00' AS BLOB) WHERE rowid = 2")
        base.commit()
    assert len(_recall(FileStore(home))[1]) == 1
    assert _recall(FileStore(home))[1] == []
    assert FileStore(home).repair(NORA) is None


def test_row_level_security_hides_them(postgres: PostgresDatabase) -> None:
    """A query without a WHERE sees the vectors of its own person alone."""
    store = PostgresStore(postgres)
    remember(store, turns(GARDEN))
    _recall(store)
    for person, count in ((NORA.person, len(GARDEN)), ("Otto", 0)):
        with postgres.transaction(person) as transaction:
            for table in ("vector", "analysis"):
                assert transaction.one(f"SELECT count(*) FROM {table}") == (count,)
