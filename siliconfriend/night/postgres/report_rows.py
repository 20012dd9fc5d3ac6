"""The reports of nights in the database: a row a night, and one for each person in it.

Each worker writes the row of the person it was at work on, after each stage, so that what was done
stands in the report even where that worker is killed. No row names anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb
from pydantic import ValidationError

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.scope_key import scope_key
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.reports import OnMalformed, pass_over
from siliconfriend.night.saved_report import (
    SavedReport,
    nameless,
    nameless_person,
    names_of,
    total_usage,
)
from siliconfriend.night.stages import forget

MOST_NIGHTS = 60
"""Nights whose reports stay."""

_PERSON = """
INSERT INTO siliconfriend.night_report (night, scope, form) VALUES (%s, %s, %s)
ON CONFLICT (night, scope) DO UPDATE SET form = excluded.form, at = excluded.at
"""
_FORGETTING = """
INSERT INTO siliconfriend.forgetting_pass (scope, at) VALUES (%s, %s)
ON CONFLICT (scope) DO UPDATE SET at = excluded.at
"""
_PRUNE = """
DELETE FROM siliconfriend.night WHERE id <= (
    SELECT id FROM siliconfriend.night ORDER BY id DESC OFFSET %s LIMIT 1)
"""
_NIGHTS = """
SELECT n.id, n.form, (
    SELECT extract(epoch FROM max(r.at) - n.began)::float FROM siliconfriend.night_report r
    WHERE r.night = n.id), (
    SELECT count(*) FROM siliconfriend.procrastinate_jobs j
    WHERE (j.args ->> 'night')::bigint = n.id AND j.status IN ('todo', 'doing'))
FROM siliconfriend.night n
WHERE n.form IS NOT NULL AND (%(scope)s::text IS NULL OR EXISTS (
    SELECT FROM siliconfriend.night_report r WHERE r.night = n.id AND r.scope = %(scope)s))
ORDER BY n.id DESC
"""
_PEOPLE = """
SELECT scope, form FROM siliconfriend.night_report
WHERE night = %(night)s AND (%(scope)s::text IS NULL OR scope = %(scope)s)
"""


class ReportRows:
    """The reports in a database.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, night: int, report: NightReport) -> None:
        """Write the report of a night that one process ran."""
        form = nameless(report)
        people = form.pop("users")
        with self._database.transaction() as connection:
            for person, own in zip(report.people, people, strict=True):
                _write(connection, night, person, own)
            statement = "UPDATE siliconfriend.night SET form = %s WHERE id = %s"
            connection.execute(statement, (Jsonb(form), night))
            connection.execute(_PRUNE, (MOST_NIGHTS,))

    def save_person(self, night: int, report: PersonReport, earlier: Mapping[str, Any]) -> None:
        """Write one person's part, with what was done for them before in this night."""
        form = together(earlier, nameless_person(report))
        with self._database.transaction() as connection:
            _write(connection, night, report, form)

    def earlier(self, night: int, scope: Scope) -> dict[str, Any]:
        """What was done for a person in this night so far; empty for nothing."""
        with self._database.transaction() as connection:
            rows = connection.execute(_PEOPLE, {"night": night, "scope": scope_key(scope)})
            return next((form for _scope, form in rows), {})

    def last(
        self, scopes: Sequence[Scope], on_malformed: OnMalformed = pass_over
    ) -> dict[str, Any] | None:
        """Load the newest report, of a night that goes on too; None where there is none.

        ``waiting`` says how many people's nights have not ended.
        """
        known = {scope_key(scope): scope for scope in scopes}
        return next(self._newest_first(known, None, on_malformed), None)

    def of(self, scope: Scope, most: int) -> list[dict[str, Any]]:
        """Load the newest reports in which a person is, with nobody else in them, newest first."""
        key = scope_key(scope)
        found = self._newest_first({key: scope}, key, pass_over)
        return [{**it, "unreadable": []} for it, _ in zip(found, range(most), strict=False)]

    def last_passes(self, scopes: Sequence[Scope]) -> dict[Scope, datetime]:
        """When the last forgetting pass of each scope was; a scope may have had none."""
        known = {scope_key(scope): scope for scope in scopes}
        query = "SELECT scope, at FROM siliconfriend.forgetting_pass WHERE scope = ANY(%s)"
        with self._database.transaction() as connection:
            rows = connection.execute(query, (list(known),)).fetchall()
        return {known[key]: at for key, at in rows}

    def _newest_first(
        self, known: Mapping[str, Scope], scope: str | None, on_malformed: OnMalformed
    ) -> Iterator[dict[str, Any]]:
        """The reports, with names; of one person alone where a key is given."""
        with self._database.transaction(read_only=True) as connection:
            nights = connection.execute(_NIGHTS, {"scope": scope}).fetchall()
        for night, form, seconds, waiting in nights:
            with self._database.transaction(read_only=True) as connection:
                rows = connection.execute(_PEOPLE, {"night": night, "scope": scope}).fetchall()
            people = [names_of(known.get(key)) | own for key, own in rows]
            people.sort(key=lambda it: (it["user"] is None, it["user"], it["companion"]))
            usage = total_usage(own for _key, own in rows)
            counted = {"llm": usage.document(), "seconds": round(seconds or 0.0, 3)}
            document = {**counted, **form, "users": people, "waiting": waiting}
            try:
                SavedReport.model_validate(document)
            except ValidationError:
                on_malformed(f"night {night}")
                continue
            yield document


def together(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """One person's part of a report that was broken off, and of the one that went on from there."""
    if not earlier:
        return dict(later)
    counted = ("judged", "insights", "events", "facts", "topics", "knowledge")
    return {
        **later,
        **{name: earlier[name] + later[name] for name in counted},
        **{kind: _sums(earlier[kind], later[kind]) for kind in ("archived", "dimmed")},
        "stages": _stages(earlier["stages"], later["stages"]),
        "summarised": sorted({*earlier["summarised"], *later["summarised"]}),
        "llm": total_usage((earlier, later)).document(),
    }


def _stages(
    earlier: Mapping[str, Mapping[str, int]], later: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, int]]:
    """What was due at first, and all that was done of it."""
    found = {name: dict(counts) for name, counts in earlier.items()}
    for name, counts in later.items():
        before = found.get(name, {"due": 0, "done": 0})
        done = before["done"] + counts["done"]
        due = max(before["due"], before["done"] + counts["due"])
        found[name] = {"due": due, "done": done}
    return found


def _sums(earlier: Mapping[str, int], later: Mapping[str, int]) -> dict[str, int]:
    return {kind: earlier.get(kind, 0) + later.get(kind, 0) for kind in {**earlier, **later}}


def _write(
    connection: Connection, night: int, report: PersonReport, form: Mapping[str, Any]
) -> None:
    key = scope_key(report.scope)
    connection.execute(_PERSON, (night, key, Jsonb(dict(form))))
    if report.now is not None and forget.NAME in report.stages:
        connection.execute(_FORGETTING, (key, report.now))
