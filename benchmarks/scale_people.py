"""Many people in PostgreSQL within minutes: a few that the program made, and copies of their rows.

A few models talk for some weeks and have their night, all by the program itself. Everybody else
has a model's rows with their own name and ids in them, sealed anew; vectors are drawn by a text's
hash. So each is a memory that the program opens, searches and adds to as one it wrote.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, LiteralString
from zoneinfo import ZoneInfo

import psycopg
from psycopg import sql

from benchmarks.ten_years import HashEmbedder
from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.memory import checksum
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.night.run import run_night
from siliconfriend.recall.index_snapshot import dump_snapshot, load_snapshot
from siliconfriend.runtime import Runtime

NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)
MODELS = 8
DAYS = 14
TURNS_A_DAY = 5

_THINGS = [
    "beans",
    "boat",
    "choir",
    "violin",
    "bakery",
    "library",
    "cello",
    "garden",
    "harbour",
    "kite",
    "lantern",
    "map",
]
_PLACES = ["Bern", "Lund", "Porto", "Cork", "Turku", "Graz", "Ghent", "Tartu"]
_DOINGS = ["planted", "repaired", "painted", "lost", "bought", "dreamt_of", "sold", "carried"]
_SEAL = len(b',"crc32":"00000000"}')
_AS_THEY_ARE = ("index_state", "index_entry", "index_vector", "index_spoken", "index_association")


@dataclass(frozen=True, slots=True)
class Crowd:
    """People in one database.

    Attributes:
        names: of all who are not models.
        memories: how many memories they have together.
        turns: how many of these were said.
        seconds: that making them took.
    """

    names: Sequence[str]
    memories: int
    turns: int
    seconds: float


@contextmanager
def a_runtime(address: str) -> Iterator[Runtime]:
    """Everything opened by a process that begins now."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), store=address)
        runtime = Runtime(settings, FixedClock(NOW), embedder=HashEmbedder())
        yield runtime
        runtime.close()
        runtime.store.database.close()  # type: ignore[attr-defined]


def person(number: int) -> str:
    """The name of somebody, as long as every other."""
    return f"person-{number:06}"


def make_models(address: str) -> dict[str, tuple[int, int]]:
    """Let a few people talk for some weeks; how many memories and turns each has."""
    counted = {}
    with a_runtime(address) as runtime:
        bank = {f"model--{number:06}": _talked(number) for number in range(MODELS)}
        zone = ZoneInfo("UTC")
        import_bank(runtime.store, bank, language="en", zone=zone, now=NOW)
        run_night(runtime, users=list(bank))
        for name in bank:
            scope = Scope.of(name)
            runtime.recaller.recall(scope, "What did I plant?", now=NOW)
            runtime.store.rewrite(scope)
            runtime.rewrite_index(scope)
            memory = runtime.store.load(scope)
            counted[name] = (len(list(memory.memories())), len(list(memory.turns())))
    return counted


def _talked(number: int) -> dict[str, Any]:
    history = {
        f"2026-03-{day:02}": [
            {
                "query": f"Today I {_pick(_DOINGS, number + day, turn)} the {_pick(_THINGS, day, turn * number)}"
                f" number {day * turn} in {_pick(_PLACES, turn, number)}, and it rained.",
                "response": f"How was it in {_pick(_PLACES, turn, number)}? Tell me more when you like.",
            }
            for turn in range(TURNS_A_DAY)
        ]
        for day in range(2, 2 + DAYS)
    }
    return {"name": f"model--{number:06}", "history": history}


def _pick(words: Sequence[str], first: int, second: int) -> str:
    return words[(first * 5 + second * 3) % len(words)].replace("_", " ")


def copy_people(admin: str, models: Mapping[str, tuple[int, int]], people: int) -> None:
    """Give so many people a model's rows each, in their own name.

    Args:
        admin: address of the database for a role that sees all rows.
        models: as :func:`make_models` returned them.
        people: how many.
    """
    with psycopg.connect(admin, autocommit=True) as connection:
        for at, model in enumerate(models):
            names = [person(number) for number in range(at, people, len(models))]
            for first in range(0, len(names), 250):
                with connection.transaction():
                    _copy(connection, model, names[first : first + 250])
        connection.execute("VACUUM ANALYZE")


def _copy(connection: psycopg.Connection, model: str, names: Sequence[str]) -> None:
    _insert(connection, "scope", model, names)
    scopes = [Scope.of(name) for name in names]
    for table in ("resting", "day"):
        _copy_sealed(connection, table, Scope.of(model), scopes)
    for table in _AS_THEY_ARE:
        _insert(connection, table, model, names)
    _copy_snapshot(connection, Scope.of(model), scopes)


def _insert(
    connection: psycopg.Connection, table: LiteralString, model: str, names: Sequence[str]
) -> None:
    """Rows in which no name stands but in the column of it."""
    columns = sql.SQL(", ").join(map(sql.Identifier, _columns(connection, table)))
    statement = sql.SQL(
        "INSERT INTO siliconfriend.{table} (person, {columns}) SELECT name, {columns}"
        " FROM siliconfriend.{table}, unnest(%s::text[]) AS name WHERE person = %s"
    ).format(table=sql.Identifier(table), columns=columns)
    connection.execute(statement, (list(names), model))


def _columns(connection: psycopg.Connection, table: str) -> list[str]:
    rows = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'siliconfriend'"
        " AND table_name = %s AND column_name <> 'person' ORDER BY ordinal_position",
        (table,),
    )
    return [name for (name,) in rows]


def _copy_sealed(
    connection: psycopg.Connection, table: LiteralString, model: Scope, scopes: Sequence[Scope]
) -> None:
    """Rows of sealed JSON, in which names and ids stand too."""
    columns = _columns(connection, table)
    listed = sql.SQL(", ").join(map(sql.Identifier, columns))
    named = {"table": sql.Identifier(table), "columns": listed}
    query = sql.SQL("SELECT {columns} FROM siliconfriend.{table} WHERE person = %s")
    rows = connection.execute(query.format(**named), (model.person,), binary=True).fetchall()
    statement = sql.SQL("COPY siliconfriend.{table} (person, {columns}) FROM STDIN")
    with connection.cursor() as cursor, cursor.copy(statement.format(**named)) as copy:
        for scope in scopes:
            for row in rows:
                copy.write_row([scope.person, *(_in_name_of(it, model, scope) for it in row)])


def _in_name_of(value: object, model: Scope, scope: Scope) -> object:
    if not isinstance(value, bytes) or b'"crc32":"' not in value[-_SEAL:]:
        return value
    body = value[:-_SEAL].replace(model.digest.encode(), scope.digest.encode())
    return checksum.seal(body.replace(model.person.encode(), scope.person.encode()) + b"}")


def _copy_snapshot(connection: psycopg.Connection, model: Scope, scopes: Sequence[Scope]) -> None:
    query = "SELECT stamp, data FROM siliconfriend.index_snapshot WHERE person = %s"
    row = connection.execute(query, (model.person,), binary=True).fetchone()
    if row is None:
        return
    stamp = str(row[0])
    snapshot = load_snapshot(row[1], stamp)
    assert snapshot is not None
    statement = "COPY siliconfriend.index_snapshot (person, companion, stamp, data) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for scope in scopes:
            ids = [it.replace(model.digest, scope.digest) for it in snapshot.ids]
            data = dump_snapshot(replace(snapshot, ids=ids), stamp)
            copy.write_row([scope.person, scope.companion, stamp, data])
