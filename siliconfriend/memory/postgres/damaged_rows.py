"""Every row that rests of a memory, older ones too, and where damaged ones are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from siliconfriend.memory.postgres.scope_rows import ScopeRows

TABLE = "siliconfriend.damaged"


@dataclass(frozen=True, slots=True)
class FormVersion:
    """The part of a memory that belongs to no day, as a generation stored it."""

    generation: int
    through: int
    form: bytes


@dataclass(frozen=True, slots=True)
class DayVersion:
    """A day, as it rested from one generation until another; None for until now."""

    date: str
    since: int
    until: int | None
    through: int
    records: bytes
    outline: bytes


def versions_of(rows: ScopeRows) -> tuple[list[FormVersion], list[DayVersion]]:
    """All that is kept: the newest first, the days by date."""
    of = (rows.scope.person, rows.scope.companion)
    forms = rows.connection.execute(
        "SELECT generation, through, form FROM siliconfriend.resting"
        " WHERE person = %s AND companion = %s ORDER BY generation DESC",
        of,
        binary=True,
    ).fetchall()
    days = rows.connection.execute(
        "SELECT date, since, until, through, records, outline FROM siliconfriend.day"
        " WHERE person = %s AND companion = %s ORDER BY date, since DESC",
        of,
        binary=True,
    ).fetchall()
    return [FormVersion(*row) for row in forms], [DayVersion(*row) for row in days]


def set_aside(rows: ScopeRows, damaged: Mapping[str, bytes]) -> None:
    """Keep rows that cannot be read as they are."""
    rows.connection.execute(
        "INSERT INTO siliconfriend.damaged (person, companion, place, data)"
        " SELECT %s, %s, * FROM unnest(%s::text[], %s::bytea[])",
        (rows.scope.person, rows.scope.companion, list(damaged), list(damaged.values())),
    )
