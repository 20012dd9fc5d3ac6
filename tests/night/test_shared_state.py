"""What nights share in a database: holds, waits for a model, and whose plan can be seen."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest

from siliconfriend.errors import MemoryBusy, ModelUnavailable
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.night.call_ledger import BudgetSpentError, ModelGivenUpError
from siliconfriend.night.postgres.call_rows import CallRows
from siliconfriend.night.postgres.night_hold import NightHold, hold_in_database
from siliconfriend.night.postgres.report_rows import together
from siliconfriend.night.report import PersonReport
from siliconfriend.night.saved_report import nameless_person
from tests.night.many_people import settle_in
from tests.night.world import ADA, JUNE_5

SHORT = timedelta(milliseconds=1)
LONG = timedelta(seconds=30)


@pytest.fixture
def other(database: Database) -> Iterator[Database]:
    """The same database, as another process has it."""
    second = Database(database.address)
    yield second
    second.close()


def begun(database: Database, max_calls: int | None = None) -> int:
    """A night's row."""
    statement = "INSERT INTO siliconfriend.night (max_calls) VALUES (%s) RETURNING id"
    with database.transaction() as connection:
        row = connection.execute(statement, (max_calls,)).fetchone()
    assert row is not None
    return int(row[0])


def test_who_waits_is_told_who_is_at_work(database: Database, other: Database) -> None:
    """The machine, the process and since when; free again with the block."""
    with hold_in_database(database, ADA, JUNE_5, wait=0) as held:
        held.check()
        with (
            pytest.raises(MemoryBusy) as raised,
            hold_in_database(other, ADA, JUNE_5, wait=0),
        ):
            pass
    said = raised.value.message("en")
    assert f"process {os.getpid()} on {socket.gethostname()}" in said
    assert "since 2026-06-05 03:00 UTC" in said
    with hold_in_database(other, ADA, JUNE_5, wait=0):
        pass


def test_a_hold_ends_by_itself(database: Database, other: Database) -> None:
    """Whoever lost it goes on no more, and does not take it from the next one by ending."""
    lost = NightHold(database, ADA, JUNE_5, SHORT)
    lost.acquire(0)
    with hold_in_database(other, ADA, JUNE_5, wait=5, silence=LONG):
        with pytest.raises(MemoryBusy, match="could not be reached in time"):
            lost.check()
        lost.release()
        with pytest.raises(MemoryBusy), hold_in_database(database, ADA, JUNE_5, wait=0):
            pass


def test_a_wait_for_a_model_holds_every_worker_and_night(
    database: Database, other: Database
) -> None:
    """And nobody who asks another model."""
    first = CallRows(database, begun(database), "large")
    second = CallRows(other, begun(database), "large")
    small = CallRows(other, begun(database), "small")
    assert (first.take(), second.take()) == (0, 0)
    first.pause(7)
    first.pause(3)
    assert 6 < second.take() <= 7
    assert small.take() == 0


def test_calls_are_counted_where_all_count(database: Database, other: Database) -> None:
    """The smaller limit of the night and of a worker holds; a call that was not taken is none."""
    night = begun(database, max_calls=4)
    first, second = CallRows(database, night, "m", most=3), CallRows(other, night, "m")
    assert [first.take(), second.take(), first.take()] == [0, 0, 0]
    with pytest.raises(BudgetSpentError):
        first.take()
    assert second.take() == 0
    with pytest.raises(BudgetSpentError):
        second.take()


def test_what_is_given_up_is_given_up_by_all(database: Database, other: Database) -> None:
    """A refused key for all of the night; a server out of reach for some minutes."""
    refused = ModelUnavailable("model_key", name="m", address="here", status=401)
    gone = ModelUnavailable("model_unreachable", name="m", address="here")
    for cause, is_over in ((refused, False), (gone, True)):
        night = begun(database)
        CallRows(database, night, "m").give_up(cause)
        with pytest.raises(ModelGivenUpError) as raised:
            CallRows(other, night, "m").take()
        assert raised.value.cause.message("cn") == cause.message("cn")
        with database.transaction() as connection:
            connection.execute(
                "UPDATE siliconfriend.night SET given_up_until = given_up_until - interval '6 min'"
            )
        if is_over:
            assert CallRows(other, night, "m").take() == 0
        else:
            with pytest.raises(ModelGivenUpError):
                CallRows(other, night, "m").take()


def test_failures_in_a_row_are_those_of_all(database: Database, other: Database) -> None:
    """An answer to one of them ends the row."""
    night = begun(database)
    first, second = CallRows(database, night, "m"), CallRows(other, night, "m")
    assert [first.count_failure(), second.count_failure()] == [1, 2]
    second.forget_failures()
    assert first.count_failure() == 1


def test_a_report_that_was_broken_off_is_added_to() -> None:
    """What was done in both, and what failed at last."""
    first, second = PersonReport(ADA, JUNE_5), PersonReport(ADA, JUNE_5)
    first.count("summarise", due=3, done=1)
    first.summarised, first.pending, first.facts = ["2026-06-01"], ["2026-06-02"], 2
    first.archived["turn"] = 1
    second.count("summarise", due=2, done=2)
    second.count("portrait", due=1, done=1)
    second.summarised, second.facts = ["2026-06-02", "2026-06-03"], 1
    both = together(nameless_person(first), nameless_person(second))
    assert both["stages"] == {
        "summarise": {"due": 3, "done": 3},
        "portrait": {"due": 1, "done": 1},
    }
    assert both["summarised"] == ["2026-06-01", "2026-06-02", "2026-06-03"]
    assert (both["facts"], both["archived"], both["pending"]) == (3, {"turn": 1}, [])
    assert together({}, both) == both


def test_a_plan_is_behind_the_wall(database: Database) -> None:
    """A transaction of one person sees and changes nothing of another's; one of nobody sees none."""
    settle_in(PostgresStore(database), 2)
    add = (
        "INSERT INTO siliconfriend.night_plan (person, companion, timezone, due)"
        " VALUES (%s, 'default', 'UTC', now())"
    )
    for name in ("Person 00", "Person 01"):
        with database.transaction(name) as connection:
            connection.execute(add, (name,))
    seen = "SELECT person FROM siliconfriend.night_plan"
    with database.transaction(Scope.of("Person 01").person) as connection:
        assert connection.execute(seen).fetchall() == [("Person 01",)]
        assert connection.execute("DELETE FROM siliconfriend.night_plan").rowcount == 1
    with database.transaction() as connection:
        assert connection.execute(seen).fetchall() == []
        due = connection.execute("SELECT person FROM siliconfriend.nights_due('infinity', 9)")
        assert due.fetchall() == [("Person 00",)]
