"""The rows of one scope: every statement the store makes, within a transaction of that person.

What is written here is written once and for all; *when* is decided in
:mod:`siliconfriend.memory.postgres.postgres_store`.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from psycopg import Connection, sql

from siliconfriend.memory.postgres.day_rows import DayRow
from siliconfriend.memory.scope import Scope

KEPT_GENERATIONS = 2
"""Generations beside the newest whose rows are kept: snapshots that are still read, and the way
back from a damaged row."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a memory has come.

    Attributes:
        segment: another one wherever the log was begun anew.
        sequence: of the last change.
        generation: how often it was put to rest.
        folded_through: the last change that stands in what rests.
        log_bytes: of the lines behind that one.
        resting_bytes: of what rests.
    """

    segment: int
    sequence: int
    generation: int
    folded_through: int
    log_bytes: int
    resting_bytes: int


@dataclass(frozen=True, slots=True)
class Rest:
    """The rows that a fold writes.

    Attributes:
        form: what belongs to no day.
        days: those that changed.
        gone: the dates that are in it no more.
    """

    form: bytes
    days: Sequence[DayRow]
    gone: Collection[str] = ()


def new_segment() -> int:
    """A number by chance."""
    return secrets.randbits(62)


class ScopeRows:
    """One scope's rows, in one transaction.

    Args:
        connection: in a transaction of this person.
        scope: whose.

    Attributes:
        connection, scope: as given.
        note: what stands beside the memory of a move, once it is locked.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self.scope = scope
        self.note: bytes | None = None
        self._of = (scope.person, scope.companion)

    def exists(self) -> bool:
        """True if there is a memory."""
        query = "SELECT 1 FROM siliconfriend.scope WHERE person = %s AND companion = %s"
        return self.connection.execute(query, self._of).fetchone() is not None

    def lock(self) -> None:
        """Hold the memory's lock until the transaction ends. Others still read."""
        query = "SELECT note FROM siliconfriend.scope WHERE person = %s AND companion = %s FOR NO KEY UPDATE"
        row = self.connection.execute(query, self._of).fetchone()
        self.note = None if row is None else row[0]

    def read_note(self) -> bytes | None:
        """Read the note of a move."""
        query = "SELECT note FROM siliconfriend.scope WHERE person = %s AND companion = %s"
        row = self.connection.execute(query, self._of).fetchone()
        return None if row is None else row[0]

    def write_note(self, note: bytes) -> None:
        """Write what stands beside the memory of a move."""
        statement = "UPDATE siliconfriend.scope SET note = %s WHERE person = %s AND companion = %s"
        self.connection.execute(statement, (note, *self._of))

    def begin_at(self, sequence: int) -> State | None:
        """Begin a memory whose next change is the one behind a number; None where there is one."""
        if not self.begin():
            return None
        statement = (
            "UPDATE siliconfriend.scope SET sequence = %s WHERE person = %s AND companion = %s"
        )
        self.connection.execute(statement, (sequence, *self._of))
        found = self.state_and_lines(sequence + 1)
        assert found is not None
        return found[0]

    def state_and_lines(self, first: int) -> tuple[State, list[tuple[int, bytes]]] | None:
        """How far it has come, and the lines from a number on; None where there is no memory."""
        query = (
            "SELECT segment, s.sequence, generation, folded_through, log_bytes, resting_bytes,"
            " c.sequence, c.line FROM siliconfriend.scope s LEFT JOIN siliconfriend.change c"
            " ON c.person = s.person AND c.companion = s.companion AND c.sequence >= %s"
            " WHERE s.person = %s AND s.companion = %s ORDER BY c.sequence"
        )
        rows = self.connection.execute(query, (first, *self._of), binary=True).fetchall()
        if not rows:
            return None
        return State(*rows[0][:6]), [(number, line) for *_, number, line in rows if line]

    def lines(self, first: int) -> list[tuple[int, bytes]]:
        """The lines from a number on."""
        query = (
            "SELECT sequence, line FROM siliconfriend.change WHERE person = %s AND companion = %s AND sequence >= %s"
            " ORDER BY sequence"
        )
        values = (*self._of, first)
        return self.connection.execute(query, values, binary=True).fetchall()

    def append(self, after: int, lines: Sequence[bytes]) -> None:
        """Write lines behind a change."""
        statement = (
            "WITH written AS (INSERT INTO siliconfriend.change (person, companion, sequence, line)"
            " SELECT %s, %s, %s + number, line FROM unnest(%s::bytea[])"
            " WITH ORDINALITY AS new (line, number))"
            " UPDATE siliconfriend.scope SET sequence = %s, log_bytes = log_bytes + %s"
            " WHERE person = %s AND companion = %s"
        )
        through, size = after + len(lines), sum(map(len, lines))
        values = (*self._of, after, list(lines), through, size, *self._of)
        self.connection.execute(statement, values)

    def begin(self) -> bool:
        """Begin a memory without anything in it; False where there is one, also just made by others."""
        statement = (
            "INSERT INTO siliconfriend.scope VALUES (%s, %s, %s, 0, 0, 0, 0, 0)"
            " ON CONFLICT DO NOTHING"
        )
        return self.connection.execute(statement, (*self._of, new_segment())).rowcount == 1

    def rest(self, state: State, rest: Rest) -> State:
        """Write what rests as the next generation; what is older than is kept goes."""
        generation = self._write_generation(state, rest, kept=KEPT_GENERATIONS)
        return self._set_rested(state.segment, generation)

    def rewrite(self, state: State, rest: Rest, segment: int) -> State:
        """As :meth:`rest`, and leave nothing that was written before; the log begins anew."""
        generation = self._write_generation(state, rest, kept=0)
        for table in ("change", "damaged"):
            statement = sql.SQL("DELETE FROM siliconfriend.{} WHERE person = %s AND companion = %s")
            self.connection.execute(statement.format(sql.Identifier(table)), self._of)
        return self._set_rested(segment, generation)

    def form(self, generation: int) -> bytes | None:
        """The part that belongs to no day, as a generation stored it."""
        query = "SELECT form FROM siliconfriend.resting WHERE person = %s AND companion = %s AND generation = %s"
        values = (*self._of, generation)
        row = self.connection.execute(query, values, binary=True).fetchone()
        return None if row is None else row[0]

    def marks(self) -> dict[str, bytes]:
        """The marks of the days that rest now, by date ascending."""
        query = "SELECT date, mark FROM siliconfriend.day WHERE person = %s AND companion = %s AND until IS NULL ORDER BY date"
        return dict(self.connection.execute(query, self._of, binary=True).fetchall())

    def delete(self) -> None:
        """Remove the memory and all rows that are its own."""
        self.connection.execute(
            "DELETE FROM siliconfriend.scope WHERE person = %s AND companion = %s", self._of
        )

    def _write_generation(self, state: State, rest: Rest, *, kept: int) -> int:
        """Write the next generation, keep so many before it, and return its number."""
        generation = state.generation + 1
        self._supersede([*(row.date for row in rest.days), *rest.gone], generation)
        self._write_days(rest.days, generation, state.sequence)
        self._insert_form(generation, state.sequence, rest.form)
        self._prune(generation - kept)
        return generation

    def _supersede(self, dates: Sequence[str], generation: int) -> None:
        statement = (
            "UPDATE siliconfriend.day SET until = %s WHERE person = %s AND companion = %s"
            " AND until IS NULL AND date = ANY(%s)"
        )
        self.connection.execute(statement, (generation, *self._of, list(dates)))

    def _write_days(self, rows: Sequence[DayRow], generation: int, through: int) -> None:
        statement = (
            "INSERT INTO siliconfriend.day"
            " (person, companion, since, through, date, mark, records, outline)"
            " SELECT %s, %s, %s, %s, * FROM unnest(%s::text[], %s::bytea[], %s::bytea[], %s::bytea[])"
        )
        columns = [[getattr(row, name) for row in rows] for name in DayRow.__dataclass_fields__]
        self.connection.execute(statement, (*self._of, generation, through, *columns))

    def _insert_form(self, generation: int, through: int, form: bytes) -> None:
        statement = "INSERT INTO siliconfriend.resting VALUES (%s, %s, %s, %s, %s)"
        self.connection.execute(statement, (*self._of, generation, through, form))

    def _prune(self, oldest: int) -> None:
        """Remove what nobody reads who reads this generation or a newer one."""
        self.connection.execute(
            "DELETE FROM siliconfriend.day WHERE person = %s AND companion = %s AND until <= %s",
            (*self._of, oldest),
        )
        self.connection.execute(
            "DELETE FROM siliconfriend.resting WHERE person = %s AND companion = %s AND generation < %s",
            (*self._of, oldest),
        )
        statement = (
            "DELETE FROM siliconfriend.change WHERE person = %s AND companion = %s AND sequence <="
            " (SELECT min(through) FROM siliconfriend.resting WHERE person = %s AND companion = %s)"
        )
        self.connection.execute(statement, (*self._of, *self._of))

    def _set_rested(self, segment: int, generation: int) -> State:
        statement = (
            "UPDATE siliconfriend.scope SET segment = %s, generation = %s,"
            " folded_through = sequence, log_bytes = 0, resting_bytes ="
            " (SELECT coalesce(sum(length(records)), 0) FROM siliconfriend.day WHERE person = %s AND companion = %s"
            " AND until IS NULL) WHERE person = %s AND companion = %s"
            " RETURNING segment, sequence, generation, folded_through, log_bytes, resting_bytes"
        )
        values = (segment, generation, *self._of, *self._of)
        row = self.connection.execute(statement, values).fetchone()
        assert row is not None
        return State(*row)
