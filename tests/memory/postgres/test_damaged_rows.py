"""A byte that flips in a row is noticed, and made good where anything else has what stood there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from siliconfriend.cli.main import program
from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.changes import PutSummary, PutTurn
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from tests.memory.people import DATES, NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put, queries
from tests.postgres_server import PostgresServer

Run = Callable[[str], object]


@pytest.fixture
def store(database: Database) -> PostgresStore:
    """Two days that rest; one of them was changed since and put to rest again; one turn is new."""
    store = PostgresStore(database)
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("beans")), PutTurn(a_turn("rain", day=DATES[1])))
    store.fold(NORA)
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")))
    store.fold(NORA)
    put(store, NORA, PutTurn(a_turn("sun", day=DATES[2])))
    return store


@pytest.fixture
def run(postgres_server: PostgresServer, database_name: str) -> Run:
    """Run SQL as the administrator."""
    return lambda statement: postgres_server.run(statement, database_name)


def _flip(table: str, column: str, where: str, byte: int = 60) -> str:
    flipped = f"set_byte({column}, {byte}, get_byte({column}, {byte}) # 1)"
    return f"UPDATE siliconfriend.{table} SET {column} = {flipped} WHERE {where}"


def _reopened(store: PostgresStore) -> PostgresStore:
    return PostgresStore(store.database)


WHOLE = {
    "a day": _flip("day", "records", f"date = '{DATES[0]}' AND until IS NULL"),
    "a day's first row": _flip("day", "records", f"date = '{DATES[1]}'"),
    "a row of another day": (
        f"UPDATE siliconfriend.day a SET records = b.records FROM siliconfriend.day b"
        f" WHERE a.date = '{DATES[0]}' AND b.date = '{DATES[1]}'"
    ),
    "what belongs to no day": _flip("resting", "form", "generation = 3"),
    "no row of what belongs to no day": "DELETE FROM siliconfriend.resting WHERE generation = 3",
    "a line that rests already": _flip("change", "line", "sequence = 2"),
}


@pytest.mark.parametrize("what", [it for it in WHOLE if it != "a row of another day"])
def test_what_something_else_has_is_made_again(store: PostgresStore, run: Run, what: str) -> None:
    """Nothing is lost: older rows and the lines since have it all."""
    whole = store.load(NORA)
    days = {date: whole.days[date] for date in whole.days}
    run(WHOLE[what])
    done = _reopened(store).repair(NORA)
    if done is not None:  # what belongs to no day was mended when it was opened
        assert (done.is_whole, done.turns, done.until) == (True, 3, DATES[2])
    mended = _reopened(store).load(NORA)
    assert dict(mended.days) == days
    assert mended.sequence == whole.sequence
    assert _reopened(store).repair(NORA) is None


def test_a_damaged_day_is_noticed_when_it_is_read_and_nothing_is_written(
    store: PostgresStore, run: Run
) -> None:
    """The others can be read all the same; whoever reads this one is told what to do."""
    run(WHOLE["a row of another day"])
    memory = _reopened(store).load(NORA)
    assert [turn.query for turn in memory.days[DATES[1]].turns] == ["rain"]
    with pytest.raises(DamagedMemory, match="doctor --repair") as raised:
        memory.days[DATES[0]]
    assert (raised.value.key, raised.value.exit_code) == ("memory_day_row_unreadable", 4)
    assert DATES[0] in raised.value.message("cn")


def test_a_damaged_line_that_is_needed_is_not_passed_over(store: PostgresStore, run: Run) -> None:
    """Nothing is written until somebody asks; the repair goes on without that one change."""
    run(_flip("change", "line", "sequence = 5"))
    for operation in (_reopened(store).load, _reopened(store).fold, _reopened(store).rewrite):
        with pytest.raises(DamagedMemory) as raised:
            operation(NORA)
        assert raised.value.key == "memory_partly_lost"
        assert "change 5" in raised.value.message("cn")
    done = _reopened(store).repair(NORA)
    assert done is not None
    assert (done.lost, done.files, done.turns) == (1, ("change 5",), 2)
    assert queries(_reopened(store)) == ["beans", "rain"]


def test_a_line_that_is_gone_is_noticed(store: PostgresStore, run: Run) -> None:
    """The memory's row says how far it had come."""
    run("DELETE FROM siliconfriend.change WHERE sequence = 5")
    with pytest.raises(DamagedMemory) as raised:
        _reopened(store).load(NORA)
    assert raised.value.details["lost"] == 1


def test_a_day_that_nothing_else_has_is_said_to_be_lost(store: PostgresStore, run: Run) -> None:
    """After a rewrite there is one row of it and no line."""
    store.rewrite(NORA)
    run(_flip("day", "records", f"date = '{DATES[1]}'"))
    done = _reopened(store).repair(NORA)
    assert done is not None
    assert (done.lost, done.files) == (1, (f"day {DATES[1]}",))
    assert queries(_reopened(store)) == ["beans", "sun"]
    kept = run("SELECT place FROM siliconfriend.damaged")
    assert kept == [(f"day {DATES[1]}",)]


def test_a_memory_without_a_beginning_is_left_as_it_is(store: PostgresStore, run: Run) -> None:
    """Nobody knows any more who they are: nothing is made up."""
    run("DELETE FROM siliconfriend.resting")
    for operation in (_reopened(store).load, _reopened(store).repair):
        with pytest.raises(DamagedMemory) as raised:
            operation(NORA)
        assert raised.value.key == "memory_rows_lost"


def test_rows_of_another_person_are_not_read(store: PostgresStore, run: Run) -> None:
    """A row that was copied does not change who one is."""
    ada = Scope.of("Ada")
    store.create(ada, a_profile(ada))
    run(
        "UPDATE siliconfriend.resting a SET form = b.form FROM siliconfriend.resting b"
        " WHERE a.person = 'Nora' AND a.generation = 3 AND b.person = 'Ada'"
    )
    with pytest.raises(DamagedMemory) as raised:
        _reopened(store).repair(NORA)
    assert raised.value.key == "memory_row_foreign"


def test_doctor_says_what_is_damaged_and_mends_it(
    store: PostgresStore, run: Run, database_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same lines as of files: a fault with what to do, then what was saved, then all is well."""
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    run(WHOLE["a day"])
    found = CliRunner().invoke(program, ["doctor"])
    assert found.exit_code == 4, found.stdout
    assert f"The row of {DATES[0]} in Nora's memory" in found.stdout
    mended = CliRunner().invoke(program, ["doctor", "--repair"])
    assert mended.exit_code == 0
    assert f"(day {DATES[0]}) and is put right: all of it is there, 3 turns" in mended.stdout
