"""Indexes in a database: shared by all processes, behind each person's wall, gone with what is erased."""

from __future__ import annotations

import dataclasses
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from siliconfriend.errors import StoreError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import Change, Erase, PutDerived, PutTurn, apply_all
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import index as index_module
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.index_cache import Entry
from siliconfriend.recall.index_files import IndexFiles
from siliconfriend.recall.postgres import postgres_snapshots
from siliconfriend.recall.postgres.database_vectors import DatabaseVectors
from siliconfriend.recall.postgres.postgres_index import PostgresIndexes
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.postgres_server import PostgresServer
from tests.recall.known_people import a_fact, know, numbered
from tests.recall.people import GARDEN, NOW, found, remember, turns
from tests.recall.test_index import WORDS, _memory, _seen, histories
from tests.recall.test_index_cache import POT, TEA, known

OTHER = Scope("Omar", NORA.companion)
TABLES = ("entry", "vector", "spoken", "association", "used", "snapshot", "state")
GARDEN_WORDS = ("beans", "wall", "aunt", "sister", "porto", "dentist", "kettle", "blue", "zebra")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot of however little."""
    monkeypatch.setattr(index_module, "FEWEST_NEW", 0)


@pytest.fixture
def store(database: Database) -> PostgresStore:
    """A store with Nora in it."""
    store = PostgresStore(database)
    store.create(NORA, a_profile())
    return store


def a_process(
    database: Database, embedder: WordEmbedder | None = None
) -> tuple[PostgresStore, Recaller]:
    """The store and the recaller of another process."""
    store = PostgresStore(database)
    recaller = Recaller(
        store,
        embedder,
        policy=ForgettingPolicy.named("companion"),
        indexes=PostgresIndexes(database),
    )
    return store, recaller


def rows_of(server: PostgresServer, name: str, table: str) -> list[str]:
    """All rows of an index's table as text, whoever they are of."""
    query = f"SELECT t::text FROM siliconfriend.index_{table} t"
    return [text for (text,) in server.run(query, name)]


def as_written(word: str) -> str:
    """A word as the text of a column of bytes shows it."""
    return word.encode().hex()


# One process after another.


def test_what_one_process_embedded_another_reads(database: Database) -> None:
    """No text is embedded twice, and the same is found, in either language."""
    first, second = WordEmbedder((*GARDEN_WORDS, "茶")), WordEmbedder((*GARDEN_WORDS, "茶"))
    store, recaller = a_process(database, first)
    remember(store, turns((*GARDEN, ("2026-03-06", "我买了茶。", "好。"))))
    one = found(recaller.recall(NORA, "Which beans by the wall?", now=NOW))
    assert len(first.embedded) == 6
    _, other = a_process(database, second)
    assert found(other.recall(NORA, "Which beans by the wall?", now=NOW)) == one
    assert found(other.recall(NORA, "我的茶呢？", now=NOW))[0] == "我买了茶。"
    assert second.embedded == []


def test_what_another_process_wrote_is_found_by_the_next_recall(database: Database) -> None:
    """A turn, a correction and an erasure, each at once, and only the new is embedded."""
    store, _ = a_process(database)
    remember(store, turns(GARDEN))
    embedder = WordEmbedder(GARDEN_WORDS)
    elsewhere, other = a_process(database, embedder)
    other.recall(NORA, "kettle", now=NOW)
    new = a_turn("A zebra stood by the wall.", "", day="2026-03-07")
    put(store, NORA, PutTurn(new))
    assert found(other.recall(NORA, "The zebra?", now=NOW)) == [new.query]
    put(store, NORA, PutTurn(dataclasses.replace(new, query="A zebra drank from the kettle.")))
    assert found(other.recall(NORA, "The zebra?", now=NOW)) == ["A zebra drank from the kettle."]
    put(store, NORA, Erase((new.id,)))
    assert "zebra" not in " ".join(found(other.recall(NORA, "The zebra?", now=NOW)))
    assert [text.split()[1] for text in embedder.embedded if "zebra" in text] == ["zebra", "zebra"]
    assert elsewhere.load(NORA) == store.load(NORA)


def test_the_words_that_a_night_elsewhere_learned_count_in_the_next_recall(
    database: Database,
) -> None:
    """A process that learned a table in passing takes the night's when something was written."""
    store, night = a_process(database)
    know(store, [a_fact("Mochi the kitten."), a_fact("piano lesson"), a_fact("tram")])
    _, page = a_process(database)
    assert page.associations(NORA).of("mochi") == (("kitten", 5),)
    later = numbered([a_fact("Mochi likes tuna."), a_fact("Mochi likes tuna.")])
    put(store, NORA, *map(PutDerived, later))
    night.learn_associations(NORA)
    expected = night.associations(NORA).of("mochi")
    assert page.associations(NORA).of("mochi") == expected
    assert len(expected) > 1


def test_an_erasure_leaves_no_word_and_no_vector_in_any_table(
    database: Database, postgres_server: PostgresServer
) -> None:
    """Not in tokens, days or snapshot, and what another process still writes brings none back."""
    store, recaller = a_process(database, WordEmbedder(GARDEN_WORDS))
    said = turns((*GARDEN, ("2026-03-07", "The okapi stood by the wall on 9 April.", "")))
    remember(store, said)
    recaller.update_index(NORA)
    recaller.learn_associations(NORA)
    _, late = a_process(database, WordEmbedder(GARDEN_WORDS))
    late.update_index(NORA)
    index = late._indexes.get(NORA)
    name = database.place.rpartition("/")[2]
    digest = digest_of(said[-1].query)
    before = {table: " ".join(rows_of(postgres_server, name, table)) for table in TABLES}
    assert as_written("okapi") in before["entry"]
    assert as_written("okapi") in before["snapshot"]
    assert digest in before["vector"]
    assert "2025-04-09" in before["spoken"]

    put(store, NORA, Erase((said[-1].id,)))
    recaller.rewrite_index(NORA)
    index.cache.add({digest: Entry(("okapi",), np.ones(9, dtype=np.float32))})
    index.cache.put_associations([("okapi", "wall", 5)])

    after = {table: " ".join(rows_of(postgres_server, name, table)) for table in TABLES}
    everything = " ".join(after.values())
    assert as_written("okapi") not in everything
    assert digest not in everything
    assert "2025-04-09" not in everything
    assert digest_of(said[0].query + "\n" + said[0].response) in after["vector"]


def test_a_person_who_is_deleted_takes_the_index_along(
    database: Database, postgres_server: PostgresServer
) -> None:
    """And a process that still writes for them brings nothing back."""
    store, recaller = a_process(database, WordEmbedder(GARDEN_WORDS))
    remember(store, turns(GARDEN))
    recaller.rebuild_index(NORA)
    recaller.learn_associations(NORA)
    cache = recaller._indexes.get(NORA).cache
    store.delete(NORA)
    cache.add({"a": TEA})
    cache.add_times({"k": ()})
    cache.put_associations([("tea", "pot", 5)])
    cache.note_used(["a"])
    cache.keep(["a"])
    name = database.place.rpartition("/")[2]
    assert {table: rows_of(postgres_server, name, table) for table in TABLES} == {
        table: [] for table in TABLES
    }


# Walls and contents.


def test_a_transaction_sees_and_writes_the_rows_of_its_person_alone(
    database: Database, store: PostgresStore
) -> None:
    """Whatever its WHERE says; in nobody's name it sees none."""
    store.create(OTHER, a_profile(OTHER))
    indexes = PostgresIndexes(database)
    for scope in (NORA, OTHER):
        cache = indexes.cache(scope, "e 1")
        cache.add({"a": TEA})
        cache.add_times({"k": ()})
        cache.put_associations([("tea", "pot", 5)])
        cache.note_used(["a"])
    for table in (it for it in TABLES if it != "snapshot"):
        query = f"SELECT DISTINCT person FROM siliconfriend.index_{table}".encode()
        with database.transaction(NORA.person) as connection:
            assert connection.execute(query).fetchall() == [(NORA.person,)]
        with database.transaction() as connection:
            assert connection.execute(query).fetchall() == []


def test_tokens_may_hold_whatever_can_be_typed(database: Database, store: PostgresStore) -> None:
    """Characters of every plane, half of one, and the one that no text of a database holds."""
    words = ("茶", "😀", "\ud83d", "a\x00b")
    cache = PostgresIndexes(database).cache(NORA, "e 1")
    cache.add({"a": Entry(words, None)})
    cache.put_associations([(words[2], words[3], 4)])
    assert known(cache) == {"a": (words, None)}
    assert cache.associations() == [(words[2], words[3], 4)]


def test_an_embedder_of_another_dimension_makes_its_own(
    database: Database, store: PostgresStore
) -> None:
    """Nothing of the old one is compared with it, and the words stay."""
    remember(store, turns(GARDEN))
    _, before = a_process(database, WordEmbedder(GARDEN_WORDS))
    before.rebuild_index(NORA)
    embedder = WordEmbedder(GARDEN_WORDS[:4])
    _, after = a_process(database, embedder)
    assert after.rebuild_index(NORA).embedded == len(GARDEN)
    assert found(after.recall(NORA, "beans by the wall", now=NOW))[0] == GARDEN[0][1]


def test_what_the_database_refuses_is_not_kept_and_recall_goes_on(
    database: Database, store: PostgresStore
) -> None:
    """A vector that is none, from a broken embedder, spoils no other text's."""
    cache = PostgresIndexes(database).cache(NORA, "e 1")
    cache.add({"a": TEA})
    cache.add({"b": Entry(("pot",), np.array([np.nan, 0.0], dtype=np.float32))})
    assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0])}


def test_a_lost_connection_is_told_and_does_not_embed_years_again(
    tmp_path: Path,
) -> None:
    """What cannot be read raises; what cannot be written waits; then all is as it was."""
    server = PostgresServer()
    try:
        database = Database(server.address(server.fresh()))
        store = PostgresStore(database)
        store.create(NORA, a_profile())
        cache = PostgresIndexes(database).cache(NORA, "e 1")
        cache.add({"a": TEA})
        server.stop(signal.SIGQUIT)
        with pytest.raises(StoreError) as error:
            cache.find(["a"])
        assert error.value.key == "database_unreachable"
        with pytest.raises(StoreError):
            cache.keep([])
        cache.add({"b": POT})
        server.start()
        assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0])}
        database.close()
    finally:
        server.close()


# Snapshots.


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(histories, histories)
def test_opened_from_the_database_it_equals_one_made_afresh(
    database: Database, before: list[list[Change]], since: list[list[Change]]
) -> None:
    """Whatever was said, changed, put away and erased, and with the vectors left where they are."""
    store, indexes = PostgresStore(database), PostgresIndexes(database)
    if store.exists(NORA):
        store.delete(NORA)
    store.create(NORA, a_profile())
    memory = apply_all(_memory(), [change for changes in before for change in changes])
    later = apply_all(memory, [change for changes in since for change in changes])
    fresh = ScopeIndex(WordEmbedder(WORDS), IndexFiles(), NORA)
    fresh.sync(later)
    for most in (1 << 26, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(postgres_snapshots, "MOST_VECTORS", most)
            ScopeIndex(WordEmbedder(WORDS), indexes, NORA).rebuild(memory)
        restored = ScopeIndex(WordEmbedder(WORDS), indexes, NORA)
        restored.sync(later)
        assert _seen(restored) == _seen(fresh)
        assert restored.row_of.keys() == fresh.row_of.keys()
        assert dict(restored.spoken) == dict(fresh.spoken)


def test_a_memory_too_large_for_a_process_is_compared_in_the_database(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same results, and what was said since too."""
    store, recaller = a_process(database, WordEmbedder(GARDEN_WORDS))
    remember(store, turns(GARDEN))
    monkeypatch.setattr(postgres_snapshots, "MOST_VECTORS", 0)
    recaller.rebuild_index(NORA)
    embedder = WordEmbedder(GARDEN_WORDS)
    _, other = a_process(database, embedder)
    asked = ("Which beans by the wall?", "my sister in porto", "a blue kettle")
    for question in asked:
        one, same = (it.recall(NORA, question, now=NOW) for it in (recaller, other))
        assert [it.score for it in one.memories] == pytest.approx(
            [it.score for it in same.memories], abs=1e-5
        )
        assert found(one) == found(same)
    index = other._indexes.get(NORA)
    assert isinstance(index.vector_index, DatabaseVectors)
    assert embedder.embedded == []
    new = a_turn("A zebra stood by the wall.", "", day="2026-03-07")
    put(store, NORA, PutTurn(new))
    assert found(other.recall(NORA, "The zebra?", now=NOW)) == [new.query]
    assert isinstance(index.vector_index, DatabaseVectors)


def test_vectors_that_another_process_took_away_are_made_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is asking just then is told to ask again; nothing is compared with what is not there."""
    store, recaller = a_process(database, WordEmbedder(GARDEN_WORDS))
    remember(store, turns(GARDEN))
    monkeypatch.setattr(postgres_snapshots, "MOST_VECTORS", 0)
    recaller.rebuild_index(NORA)
    embedder = WordEmbedder(GARDEN_WORDS)
    _, other = a_process(database, embedder)
    question = "Which beans by the wall?"
    before = found(other.recall(NORA, question, now=NOW))
    PostgresIndexes(database).remove(NORA)
    with pytest.raises(StoreError) as error:
        other.recall(NORA, "my sister in porto", now=NOW)
    assert error.value.key == "index_changed"
    assert found(other.recall(NORA, question, now=NOW)) == before
    assert len(embedder.embedded) == len(GARDEN)


def test_a_snapshot_of_other_rules_or_with_another_byte_is_not_read(
    database: Database, postgres_server: PostgresServer, store: PostgresStore
) -> None:
    """It would find words that nobody said."""
    index = ScopeIndex(WordEmbedder(WORDS), PostgresIndexes(database), NORA)
    index.rebuild(_memory([PutTurn(a_turn("bean", "", position=0))]))
    index._save_snapshot()
    indexes = PostgresIndexes(database)
    stamps = index.cache.stamps | {"rows": index_module.row_rules()}
    assert indexes.snapshots(NORA, stamps).load() is not None
    assert indexes.snapshots(NORA, stamps | {"rows": "other"}).load() is None
    name = database.place.rpartition("/")[2]
    postgres_server.run(
        "UPDATE siliconfriend.index_snapshot SET data = set_byte(data, 300, 7)", name
    )
    assert indexes.snapshots(NORA, stamps).load() is None
    indexes.snapshots(NORA, stamps).remove()
    assert rows_of(postgres_server, name, "snapshot") == []


def test_a_store_in_memory_finds_what_the_database_finds(database: Database) -> None:
    """The same memories, in the same order, with the same scores."""
    store, recaller = a_process(database, WordEmbedder(GARDEN_WORDS))
    remember(store, turns(GARDEN))
    plain = InMemoryStore()
    remember(plain, turns(GARDEN))
    policy = ForgettingPolicy.named("companion")
    other = Recaller(plain, WordEmbedder(GARDEN_WORDS), policy=policy)
    for question in ("Which beans by the wall?", "my sister in porto", "kettle", "nothing of it"):
        one, same = (it.recall(NORA, question, now=NOW) for it in (recaller, other))
        assert [(it.memory.id, it.score) for it in one.memories] == [
            (it.memory.id, it.score) for it in same.memories
        ]
