"""Damage: noticed by seals and counts, refused with what to do, repaired when asked."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import file_store
from siliconfriend.memory.changes import PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore, folder_path
from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.records import PersonMemory
from tests.memory.flips import FILES, flips, live, tried
from tests.memory.people import DATES, NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put, queries, say


@pytest.fixture
def told(store: FileStore) -> Iterator[PersonMemory]:
    """Three days of Nora's, tidy."""
    put(store, NORA, *(PutTurn(a_turn(f"On {day}.", day=day)) for day in DATES))
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")), PutTurn(a_turn(position=1)))
    store.tidy(NORA)
    yield store.load(NORA)
    store.close()


def _run(nora: Path, *statements: str) -> None:
    with closing(sqlite3.connect(nora / "memory.sqlite")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


FLIP = "UPDATE {} SET {} = CAST(REPLACE(CAST({} AS TEXT), '{}', '{}') AS BLOB) WHERE {}"

DAMAGES: dict[str, str] = {
    "a word": FLIP.format("record", "doc", "doc", "On", "In", f"date = '{DATES[1]}'"),
    "the profile": FLIP.format("record", "doc", "doc", "UTC", "UTD", "id = 'profile'"),
    "a number": f"UPDATE day SET changed = 2 WHERE date = '{DATES[2]}'",
    "a vanished row": f"DELETE FROM record WHERE date = '{DATES[1]}'",
    "a vanished day": f"DELETE FROM day WHERE date = '{DATES[1]}'",
    "a row elsewhere": f"UPDATE record SET date = '{DATES[2]}' WHERE date = '{DATES[1]}'",
    "a row under another id": "UPDATE record SET id = id || '0' WHERE kind = 'turn'",
    "the state": "UPDATE scope SET sequence = sequence + 1",
    "two rows exchanged": (
        "UPDATE record SET doc = (SELECT doc FROM record r WHERE r.id <> record.id AND"
        " r.kind = 'turn' LIMIT 1) WHERE kind = 'turn'"
    ),
    "a seal": "UPDATE record SET seal = seal + 1 WHERE kind = 'day'",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_repaired_from_the_copy(
    told: PersonMemory, home: Path, nora: Path, damage: str
) -> None:
    _run(nora, damage)
    store = FileStore(home)
    with pytest.raises(DamagedMemory, match="doctor --repair"):
        _all(store)
    done = store.repair(NORA)
    assert done is not None
    # Where the numbers themselves are gone nobody can tell that the copy is as new.
    assert done.is_whole or damage == DAMAGES["the state"]
    assert store.load(NORA).days == told.days
    assert FileStore(home).load(NORA).days == told.days
    say(store, "And on.")
    assert queries(FileStore(home))[-1] == "And on."
    (nora / "memory.json").unlink()
    assert FileStore(home).repair(NORA) is None


def test_a_damaged_memory_rejects_writes(told: PersonMemory, home: Path, nora: Path) -> None:
    _run(nora, DAMAGES["a vanished day"])
    for act in (lambda: say(FileStore(home), "lost"), lambda: FileStore(home).tidy(NORA)):
        with pytest.raises(DamagedMemory, match="Nora"):
            act()
    assert FileStore(home).repair(NORA) is not None
    assert queries(FileStore(home)) == [turn.query for turn in told.turns()]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_without_a_copy_damage_is_refused(
    told: PersonMemory, home: Path, nora: Path, damage: str
) -> None:
    _run(nora, damage)
    (nora / "memory.json").unlink()
    store = FileStore(home)
    with pytest.raises(DamagedMemory) as refused:
        _all(store)
    assert "Nora" in refused.value.message("en")
    try:
        done = FileStore(home).repair(NORA)
    except DamagedMemory:
        assert damage == DAMAGES["the profile"]
        return
    assert done is not None
    assert not done.is_whole
    assert done.kept
    words = {memory.id: memory for memory in told.memories()}
    assert all(words[name] == one for name, one in _all(FileStore(home)).items())


def _all(store: FileStore) -> dict[str, object]:
    return {memory.id: memory for memory in store.load(NORA).memories()}


@pytest.mark.parametrize("left", ["nothing", "half", "zeros"])
def test_a_destroyed_file_comes_back_when_asked(
    told: PersonMemory, home: Path, nora: Path, left: str
) -> None:
    path = nora / "memory.sqlite"
    data = {"nothing": b"", "half": path.read_bytes()[:5000], "zeros": bytes(9000)}[left]
    path.unlink()
    if data:
        path.write_bytes(data)
    store = FileStore(home)
    assert store.scopes() == [NORA]
    assert store.exists(NORA)
    for read in (store.load, lambda scope: say(store, "lost", scope)):
        with pytest.raises(DamagedMemory):
            read(NORA)
    done = store.repair(NORA)
    assert done is not None
    assert (done.turns, done.until) == (4, DATES[-1])
    assert store.load(NORA).days == told.days
    say(store, "And on.")
    assert len(queries(FileStore(home))) == 5


def test_a_stale_copy_is_told(
    told: PersonMemory, home: Path, nora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store, "MAX_EACH_TIME", 0)
    store = FileStore(home)
    say(store, "Newer than the copy.")
    store.close()
    _run(
        nora,
        FLIP.format("record", "doc", "doc", "Newer", "Never", "CAST(doc AS TEXT) LIKE '%Newer%'"),
    )
    store = FileStore(home)
    with pytest.raises(DamagedMemory):
        list(store.load(NORA).turns())
    done = store.repair(NORA)
    assert done is not None
    assert (done.lost, done.turns) == (1, 4)
    assert queries(store) == [turn.query for turn in told.turns()]


def test_a_copy_that_was_changed_is_doubtful(told: PersonMemory, home: Path, nora: Path) -> None:
    path = nora / "memory.json"
    text = path.read_text().replace("On 2026", "In 2026")
    path.write_text(text[: text.index(',\n  "crc32"')] + "\n}")
    (nora / "memory.sqlite").unlink()
    with pytest.raises(DamagedMemory, match="memory"):
        FileStore(home).load(NORA)
    done = FileStore(home).repair(NORA)
    assert done is not None
    assert done.is_doubtful
    assert queries(FileStore(home))[-1] == f"In {DATES[-1]}."


def test_rows_of_a_database_are_refused(postgres: PostgresDatabase) -> None:
    """Over PostgreSQL there is no copy: damage is told, and a repair keeps what is whole."""
    store = PostgresStore(postgres)
    store.create(NORA, a_profile())
    put(store, NORA, *(PutTurn(a_turn(day=day)) for day in DATES))
    with postgres.transaction(NORA.person) as transaction:
        transaction.execute("UPDATE record SET seal = seal + 1 WHERE date = ?", (DATES[1],))
    store = PostgresStore(postgres)
    with pytest.raises(DamagedMemory, match="Nora"):
        list(store.load(NORA).turns())
    done = store.repair(NORA)
    assert done is not None
    assert (done.lost, done.turns) == (1, 2)
    assert [turn.date for turn in store.load(NORA).turns()] == [DATES[0], DATES[2]]


@pytest.mark.parametrize("with_copy", [True, False])
def test_a_flipped_bit_is_never_read_as_something_else(home: Path, with_copy: bool) -> None:
    memory = live(home)
    data = (folder_path(home, NORA) / FILES[0]).read_bytes()
    found = [
        tried(home, memory, FILES[0], changed, with_copy=with_copy) for changed in flips(data, 5003)
    ]
    assert {"whole", "repaired" if with_copy else "refused"} <= set(found)
