"""The reports of the last nights: a row a night, and one for each memory in it, without names.

Each process writes the row of its person, so that the report survives a killed process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.installation.installation import Installation
from siliconfriend.installation.tables import Tables, scope_key
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.models.base import Usage
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.report import NightReport, PersonReport

MAX_NIGHTS = 60
"""Nights whose reports stay."""
MAX_ROWS = 20_000
"""Reports of one person in all nights; the newest night stays, however many it has."""


class NightReports:
    """The reports of an installation."""

    def __init__(self, installation: Installation) -> None:
        self._tables: Tables = installation.tables

    def last(self, scopes: Sequence[Scope]) -> dict[str, Any] | None:
        """Load the newest report, of a night that goes on too; None where there is none."""
        return next(self._newest_first(scopes), None)

    def of(self, scope: Scope, most: int) -> list[dict[str, Any]]:
        """Load the newest reports in which a person is, with nobody else in them, newest first."""
        found = islice(self._newest_first([scope], key=scope_key(scope)), most)
        return [{**form, "unreadable": []} for form in found]

    def named(self, name: str, scopes: Sequence[Scope]) -> dict[str, Any] | None:
        """Load the report of the night that was begun by a name, as far as it is; None for no such.

        ``is_over`` says whether its process has ended it, ``waiting`` how many people it has still
        to come to, and ``error`` why it was broken off; otherwise as :meth:`last`.
        """
        rows = self._tables.read("SELECT id, head FROM night WHERE name = ?", (name,))
        for number, head in rows:
            found = next(self._newest_first(scopes, night=number))
            return {**found, "is_over": "seconds" in json.loads(head)}
        return None

    def begin(
        self,
        transaction: Transaction,
        policy: ForgettingPolicy,
        now: datetime,
        options: NightOptions,
        name: str | None = None,
        max_calls: int | None = None,
    ) -> int:
        """Begin a night within a transaction, or find the one of that name; return its number."""
        head = _head(NightReport(policy, (), now, 0.0))
        del head["seconds"]
        given = (json.dumps(head), msgspec.json.encode(options).decode(), max_calls)
        row = transaction.one(
            "INSERT INTO night (name, began, head, options, max_calls, calls)"
            " VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING RETURNING id",
            (name, self._tables.now(), *given),
        )
        if row is None:
            ((number,),) = transaction.execute("SELECT id FROM night WHERE name = ?", (name,))
            return int(number)
        _prune(transaction)
        return int(row[0])

    def save_error(self, night: int, error: str) -> None:
        """Write why a night was broken off."""
        (row,) = self._tables.read("SELECT head FROM night WHERE id = ?", (night,))
        self._save_head(night, {**json.loads(row[0]), "error": error})

    def person(self, night: int, scope: Scope) -> dict[str, Any]:
        """Return the report of a person's night so far; empty for nothing."""
        query = "SELECT form FROM night_report WHERE night = ? AND scope = ?"
        rows = self._tables.read(query, (night, scope_key(scope)))
        return json.loads(rows[0][0]) if rows else {}

    def save_person(self, night: int, report: PersonReport) -> None:
        """Write one person's part."""
        with self._tables.write() as transaction:
            self.put(transaction, night, report)

    def put(self, transaction: Transaction, night: int, report: PersonReport) -> None:
        """Write one person's part within a transaction."""
        form = json.dumps(_nameless(report))
        transaction.execute(
            "INSERT INTO night_report (night, scope, at, form) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (night, scope) DO UPDATE SET form = excluded.form, at = excluded.at",
            (night, scope_key(report.scope), self._tables.now(), form),
        )

    def save(self, night: int, report: NightReport) -> None:
        """Write what a whole night says of all."""
        self._save_head(night, _head(report))

    def _save_head(self, night: int, head: dict[str, Any]) -> None:
        statement = "UPDATE night SET head = ? WHERE id = ?"
        self._tables.change(statement, (json.dumps(head), night))

    def _newest_first(
        self, scopes: Sequence[Scope], *, key: str = "", night: int = 0
    ) -> Iterator[dict[str, Any]]:
        """Yield the reports, with names; of one person or one night alone where that is given."""
        known = {scope_key(scope): scope for scope in scopes}
        nights = self._tables.read(
            "SELECT id, began, head, (SELECT max(at) FROM night_report r WHERE r.night = n.id),"
            " (SELECT count(*) FROM night_person p WHERE p.night = n.id) FROM night n"
            " WHERE (? = 0 OR id = ?) AND (? = '' OR EXISTS (SELECT 1 FROM night_report r"
            " WHERE r.night = n.id AND r.scope = ?)) ORDER BY id DESC",
            (night, night, key, key),
        )
        for number, began, head, ended, waiting in nights:
            rows = self._tables.read(
                "SELECT scope, form FROM night_report WHERE night = ? AND (scope = ? OR ? = '')",
                (number, key, key),
            )
            people, usage = [], Usage()
            for scope, written in rows:
                form = json.loads(written)
                usage += Usage(**form["llm"])
                named = known.get(scope)
                user, companion = (named.person, named.companion) if named else (None, None)
                people.append({"user": user, "companion": companion, **form})
            people.sort(key=lambda it: (it["user"] is None, it["user"], it["companion"]))
            counted = {"llm": usage.document(), "seconds": round((ended or began) - began, 3)}
            yield {**counted, **json.loads(head), "users": people, "waiting": waiting}


def _head(report: NightReport) -> dict[str, Any]:
    head = report.to_json()
    del head["users"], head["llm"]
    # A folder's name begins with letters of a person's; behind its last dash it names nobody.
    head["unreadable"] = [name.rpartition("-")[2] for name in report.unreadable]
    return head


def _nameless(report: PersonReport) -> dict[str, Any]:
    """One person's part of a report as it is kept, with a hash where it names them."""
    form = report.to_json()
    del form["user"], form["companion"]
    scope = report.scope
    for name in (folder_id(scope.person), scope.person):
        pattern = rf"(?<![a-zA-Z0-9]){re.escape(name)}(?![a-zA-Z0-9])"
        form["errors"] = [re.sub(pattern, scope.digest, error) for error in form["errors"]]
    return form


def _prune(transaction: Transaction) -> None:
    """Delete the oldest nights beyond what may stay, with their reports."""
    nights = transaction.execute(
        "SELECT n.id, (SELECT count(*) FROM night_report r WHERE r.night = n.id) FROM night n"
        " ORDER BY n.id DESC"
    )
    rows = 0
    for number, (night, count) in enumerate(nights):
        rows += count
        if number and (number >= MAX_NIGHTS or rows > MAX_ROWS):
            transaction.execute("DELETE FROM night WHERE id = ?", (night,))
