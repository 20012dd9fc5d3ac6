"""What was erased is in no row: looked for by the proof, and in a dump of the whole database."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from siliconfriend.cli.main import program
from siliconfriend.control.erasure.verification import ErasedWords, verify_erased
from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import DATES, NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.postgres_server import ADMIN, PostgresServer, programs

SECRET = "My secret garden lies in Kilkenny."
TOKENS = ("secret", "garden", "kilkenny")


def _dump(server: PostgresServer, database: str) -> str:
    """Everything in the tables as text, what is binary decoded."""
    command = [str(programs() / "pg_dump"), "--data-only", "--inserts"]
    done = subprocess.run(
        [*command, server.address(database, ADMIN)], capture_output=True, text=True, check=True
    )
    parts = done.stdout.split("'\\x")
    binary = [
        bytes.fromhex(part.partition("'")[0]).decode("utf-8", "replace") for part in parts[1:]
    ]
    return done.stdout + "\n".join(binary)


@pytest.fixture
def store(database: Database) -> PostgresStore:
    """Two turns that rest, with a row before and lines of both, and one that is new."""
    store = PostgresStore(database)
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn(SECRET)), PutTurn(a_turn("It rained.", position=1)))
    store.fold(NORA)
    put(store, NORA, PutTurn(a_turn("Still raining.", position=2)))
    store.fold(NORA)
    put(store, NORA, PutTurn(a_turn("Sun.", day=DATES[1])))
    return store


def test_no_row_holds_the_words_when_the_edit_ends(
    store: PostgresStore, postgres_server: PostgresServer, database_name: str
) -> None:
    """Rows that rest, rows before them and the log: all in the transaction of the erasing."""
    assert "Kilkenny" in _dump(postgres_server, database_name)
    after = put(store, NORA, Erase((a_turn().id,)))
    assert "Kilkenny" not in _dump(postgres_server, database_name)
    for reader in (store, PostgresStore(store.database)):
        assert reader.load(NORA) == after
        assert [turn.position for turn in reader.load(NORA).turns()] == [1, 2, 0]


def test_another_process_reads_anew_after_an_erasing(store: PostgresStore) -> None:
    """What it held is no beginning of what is there now."""
    other = PostgresStore(store.database)
    other.load(NORA)
    put(store, NORA, Erase((a_turn().id,)))
    said = put(store, NORA, PutTurn(a_turn("Later.", position=3)))
    assert other.load(NORA) == said


def test_the_proof_reads_every_table(store: PostgresStore, tmp_path: Path) -> None:
    """Words that stand in any row of the person are found, and the table is named."""
    gone = ErasedWords([SECRET], [])
    proof = verify_erased(gone, tmp_path, None, rows=store.rows(NORA))
    assert set(proof.found_in) == {"database: change", "database: day"}
    put(store, NORA, Erase((a_turn().id,)))
    proof = verify_erased(gone, tmp_path, None, rows=store.rows(NORA))
    assert proof.found_in == ()
    assert proof.searched >= 3


@pytest.mark.slow
def test_a_talk_a_night_an_erasing_and_a_deletion(
    postgres_server: PostgresServer,
    database_name: str,
    database_address: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the commands a person types: nothing of the words, then nothing of the person, is left."""
    monkeypatch.setenv("SILICONFRIEND_STORE", database_address)
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    monkeypatch.setenv("SILICONFRIEND_TIMEZONE", "UTC")

    def run(*words: str, said: str | None = None, hour: int = 9) -> Result:
        now = f"2026-03-{14 if said else 15}T{hour:02}:00"
        result = CliRunner().invoke(program, ["--now", now, *words], input=said)
        assert result.exit_code == 0, result.output
        return result

    run("chat", "--user", "Nora", said=f"{SECRET}\nMy sister Clara lives in Oslo.\n")
    run("nightly", hour=4)
    found = run("recall", "--user", "Nora", "Where is my garden?", "--json")
    assert "Kilkenny" in found.stdout
    dump = _dump(postgres_server, database_name).lower()
    assert all(token in dump for token in TOKENS)
    erased = json.loads(
        run("memories", "erase", _first_turn(run), "--user", "Nora", "--yes", "--json").stdout
    )
    assert erased["left"] == 0
    dump = _dump(postgres_server, database_name).lower()
    assert [token for token in TOKENS if token in dump] == []
    assert "Clara" in run("recall", "--user", "Nora", "Where does my sister live?").stdout
    assert "Nora" in run("users", "list").stdout
    run("users", "delete", "Nora", "--yes")
    dump = _dump(postgres_server, database_name)
    left = [
        line[:300] for line in dump.splitlines() if "Clara" in line or f"-{NORA.digest}" in line
    ]
    assert left == []


def _first_turn(run: object) -> str:
    listed = run("memories", "list", "--user", "Nora", "--json")  # type: ignore[operator]
    return next(
        it["id"] for it in json.loads(listed.stdout)["memories"] if "Kilkenny" in it["text"]
    )
