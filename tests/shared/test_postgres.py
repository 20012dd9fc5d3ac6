"""What only a database does: walls between people, its own clock, several processes of the page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.api import MemoryBank
from siliconfriend.config import Settings
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.factory import state_in_postgres
from siliconfriend.shared.login_limits import TRIES, WITHIN
from siliconfriend.shared.postgres.replicas import SeveralProcesses
from siliconfriend.shared.replicas import TalkState
from siliconfriend.shared.state import SharedState
from tests.postgres_server import ADMIN, PostgresServer

ADA, BEN = Scope("Ada"), Scope("Ben")
HOME = "203.0.113.5"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def shared(database: Database) -> SharedState:
    return state_in_postgres(database)


@pytest.fixture
def replicas(database: Database) -> Iterator[tuple[SeveralProcesses, SeveralProcesses]]:
    """Two processes of the page; rows are taken anew as soon as can be."""
    two = SeveralProcesses(database, every=0.01), SeveralProcesses(database, every=0.01)
    yield two
    for it in two:
        it.close()


class Ending:
    """What a reply is told."""

    def __init__(self) -> None:
        self.is_told = threading.Event()
        self.was_lost: bool | None = None

    def __call__(self, *, was_lost: bool) -> None:
        self.was_lost = was_lost
        self.is_told.set()


def _age(server: PostgresServer, name: str, seconds: float) -> None:
    """Let time pass in the database."""
    for statement in (
        f"UPDATE siliconfriend.session SET seen = seen - interval '{seconds} seconds'",
        f"UPDATE siliconfriend.reply SET until = until - interval '{seconds} seconds'",
        "UPDATE siliconfriend.attempt SET times = ARRAY("
        f" SELECT made - interval '{seconds} seconds' FROM unnest(times) AS made)",
    ):
        server.run(statement, name, ADMIN)


def test_a_row_is_seen_in_its_persons_name_alone(shared: SharedState, database: Database) -> None:
    for scope in (ADA, BEN):
        shared.passwords.set(scope.person, "correct horse")
        shared.keys.make_for(scope.person)
        shared.sessions().open(scope.person, "scrypt:x")
        assert shared.replicas.turn(scope, Ending()).take()
        shared.jobs.begin("erase", {"person": scope.person})
    shared.keys.ensure_operator()
    shared.replicas.close()
    for table in ("password", "key", "session", "reply", "erasing"):
        seen = {}
        for person in ("Ada", "Ben", None):
            with database.transaction(person) as connection:
                rows = connection.execute(f"SELECT person FROM siliconfriend.{table}".encode())
                seen[person] = [row[0] for row in rows]
        assert seen == {"Ada": ["Ada"], "Ben": ["Ben"], None: []}, table


def test_a_session_ends_when_it_is_idle(
    shared: SharedState, postgres_server: PostgresServer, database_name: str
) -> None:
    sessions = shared.sessions()
    token = sessions.open("Ada", "scrypt:x")
    for _ in range(3):
        _age(postgres_server, database_name, 11 * 3600)
        assert sessions.user(token, {"Ada": "scrypt:x"}.get) == "Ada"
    _age(postgres_server, database_name, 12 * 3600)
    assert sessions.user(token, {"Ada": "scrypt:x"}.get) is None
    sessions.open("Ada", "scrypt:x")
    (left,) = postgres_server.run("SELECT count(*) FROM siliconfriend.session", database_name)
    assert left == (1,)


def test_the_cookie_has_one_name_in_all_processes(database: Database, shared: SharedState) -> None:
    name = shared.sessions().cookie_id
    assert len(name) == 16
    assert state_in_postgres(database).sessions().cookie_id == name


def test_a_removed_password_ends_the_sessions(shared: SharedState) -> None:
    shared.passwords.set("Ada", "correct horse")
    kept = shared.passwords.hash_of("Ada")
    token = shared.sessions().open("Ada", str(kept))
    shared.passwords.remove("Ada")
    assert shared.sessions().user(token, lambda _: kept) is None


def test_tries_count_for_a_minute_and_leave_no_name(
    shared: SharedState, postgres_server: PostgresServer, database_name: str
) -> None:
    limits = shared.login_limits
    for _ in range(TRIES):
        assert limits.take("correct horse", HOME) == 0
    _age(postgres_server, database_name, 30)
    assert WITHIN - 35 < limits.take("correct horse", HOME) <= WITHIN - 30
    _age(postgres_server, database_name, 30)
    assert limits.take("correct horse", HOME) == 0
    kept = postgres_server.run("SELECT key FROM siliconfriend.attempt", database_name)
    assert all("horse" not in key and HOME not in key for (key,) in kept)


def test_attempts_that_count_no_more_are_removed(
    shared: SharedState, postgres_server: PostgresServer, database_name: str
) -> None:
    for number in range(5):
        shared.login_limits.take(f"name {number}", f"203.0.113.{number}")
    aged = "UPDATE siliconfriend.attempt SET until = until - interval '2 minutes'"
    postgres_server.run(aged, database_name)
    shared.login_limits.take("Ada", HOME)
    shared.login_limits.take("Ada", HOME)
    (left,) = postgres_server.run("SELECT count(*) FROM siliconfriend.attempt", database_name)
    assert left == (2,)


def test_one_process_says_a_reply_at_a_time(
    replicas: tuple[SeveralProcesses, SeveralProcesses],
) -> None:
    here, there = replicas
    first, second = here.turn(ADA, Ending()), there.turn(ADA, Ending())
    assert first.take()
    assert not second.take()
    assert there.turn(BEN, Ending()).take()
    first.give_back()
    assert second.take()
    assert not first.take()


def test_a_reply_of_a_process_that_died_holds_nobody_up_for_long(
    database: Database, postgres_server: PostgresServer, database_name: str
) -> None:
    dead, alive = SeveralProcesses(database, every=3600), SeveralProcesses(database, every=3600)
    assert dead.turn(ADA, Ending()).take()
    mine = alive.turn(ADA, Ending())
    assert not mine.take()
    _age(postgres_server, database_name, 10)
    assert mine.take()
    for it in (dead, alive):
        it.close()


def test_a_reply_that_goes_on_keeps_its_turn(
    replicas: tuple[SeveralProcesses, SeveralProcesses],
    postgres_server: PostgresServer,
    database_name: str,
) -> None:
    """Its row is taken anew, and given back it stays gone."""
    here, there = replicas
    turn = here.turn(ADA, Ending())
    assert turn.take()
    query = "SELECT until FROM siliconfriend.reply"
    (before,) = postgres_server.run(query, database_name)
    while postgres_server.run(query, database_name) == [before]:
        pass
    assert not there.turn(ADA, Ending()).take()
    turn.give_back()
    turn.heard(None)
    assert postgres_server.run(query, database_name) == []


def test_a_reply_is_stopped_from_another_process(
    replicas: tuple[SeveralProcesses, SeveralProcesses],
) -> None:
    here, there = replicas
    ending, other = Ending(), Ending()
    assert here.turn(ADA, ending).take()
    assert here.turn(BEN, other).take()
    there.stop(ADA)
    assert ending.is_told.wait(20)
    assert ending.was_lost is False
    assert not other.is_told.is_set()


def test_a_reply_that_lost_its_turn_is_told(
    replicas: tuple[SeveralProcesses, SeveralProcesses],
    postgres_server: PostgresServer,
    database_name: str,
) -> None:
    ending = Ending()
    assert replicas[0].turn(ADA, ending).take()
    postgres_server.run("UPDATE siliconfriend.reply SET holder = 'another'", database_name)
    assert ending.is_told.wait(20)
    assert ending.was_lost is True


def test_rows_that_went_with_a_crash_are_taken_once_more(
    replicas: tuple[SeveralProcesses, SeveralProcesses],
    postgres_server: PostgresServer,
    database_name: str,
) -> None:
    ending = Ending()
    assert replicas[0].turn(ADA, ending).take()
    postgres_server.run("TRUNCATE siliconfriend.reply", database_name)
    while not postgres_server.run("SELECT 1 FROM siliconfriend.reply", database_name):
        pass
    assert not replicas[1].turn(ADA, Ending()).take()
    assert not ending.is_told.is_set()


def test_what_stands_of_talks_is_asked_for_all_at_once(
    database: Database, replicas: tuple[SeveralProcesses, SeveralProcesses]
) -> None:
    store = PostgresStore(database)
    for scope in (ADA, BEN):
        store.create(scope, new_profile(scope, language="en", timezone="UTC", now=NOW))
    here, there = replicas
    assert here.turn(BEN, Ending()).take()
    assert there.states([ADA, BEN, Scope("nobody")]) == {
        ADA: TalkState(1, is_answered=False),
        BEN: TalkState(1, is_answered=True),
    }


def test_a_program_of_ones_own_erases_with_proof_and_takes_up_what_was_stopped(
    database: Database, postgres_server: PostgresServer, database_name: str, tmp_path: Path
) -> None:
    """Its intent is a row, so that the next program on any host carries it on."""
    address = postgres_server.address(database_name)
    settings = Settings(home=tmp_path, store=address, embedding="none")
    with MemoryBank(settings=settings) as bank:
        ada = bank.person("Ada")
        parrot = ada.add("My parrot is called Rio.", "Hello, Rio.").id
        ferry = ada.add("The ferry was late.", "How late?").id
        done = ada.erase(parrot)
        assert (done.left, done.searched > 0) == (0, True)
        bank.store.database.close()  # type: ignore[attr-defined]
    shared = state_in_postgres(database)
    assert shared.jobs.unfinished() == []
    intent = {"person": "Ada", "companion": "default", "ids": [ferry], "step": "begun"}
    shared.jobs.begin("erase", intent)
    with MemoryBank(settings=replace(settings, home=tmp_path / "another host")) as bank:
        assert [it.query for it in bank.person("Ada").memory().turns()] == []
        bank.store.database.close()  # type: ignore[attr-defined]
    assert shared.jobs.unfinished() == []


def test_files_tie_nothing_together(tmp_path: Path) -> None:
    from siliconfriend.shared.factory import state_on_files

    replicas = state_on_files(tmp_path).replicas
    assert not replicas.are_several
    assert replicas.turn(ADA, Ending()).take()
    assert replicas.turn(ADA, Ending()).take()
    assert replicas.states([ADA]) == {}
