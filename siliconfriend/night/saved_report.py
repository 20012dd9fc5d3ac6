"""The form of a report that is saved: without names, and checked before anything is told from it.

It is kept with the digest of a scope in place of names, so that deleting a person leaves nothing
that names them. Reports are files that anybody can touch and earlier versions wrote with fewer
fields. One that lacks what is told of a night is passed over, instead of breaking
``nightly --last``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel

from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.models.usage import Usage
from siliconfriend.night.report import NightReport, PersonReport, usage_in
from siliconfriend.night.stages import forget

_Kind = Literal["turn", "day", "event", "fact", "insight", "topic"]


def _known_policy(name: str) -> str:
    if name not in POLICIES:
        msg = "no policy of this program"
        raise ValueError(msg)
    return name


def _day_or_name(name: str) -> str:
    if name[:1].isdigit():
        date.fromisoformat(name)
    return name


class _SavedUsage(BaseModel):
    calls: int
    input_tokens: int
    output_tokens: int
    fallback_calls: int = 0
    cost: float | None = None
    currency: str | None = None


class _SavedHeldBack(BaseModel):
    due: int
    alive: int


class _SavedPerson(BaseModel):
    """One person's night; what an earlier version did not have may be missing."""

    scope: str
    now: datetime | None = None
    stages: dict[str, dict[str, int]]
    summarised: list[date]
    archived: dict[_Kind, int]
    dimmed: dict[_Kind, int]
    errors: list[str]
    pending: list[Annotated[str, AfterValidator(_day_or_name)]]
    llm: _SavedUsage
    held_back: _SavedHeldBack | None = None
    events: int = 0
    facts: int = 0
    topics: int = 0
    knowledge: int = 0
    insights: int = 0
    skipped: tuple[str, ...] = ()


class SavedReport(BaseModel):
    """A report as :func:`nameless` makes it; fields beside these are let be."""

    policy: Annotated[str, AfterValidator(_known_policy)]
    now: datetime
    dry_run: bool
    users: list[_SavedPerson]
    unreadable: list[str]
    seconds: float
    llm: _SavedUsage | None = None


def nameless(report: NightReport) -> dict[str, Any]:
    """The report as it is saved: ``NightReport.to_json`` with digests in the place of names."""
    document = report.to_json()
    document["users"] = [nameless_person(person) for person in report.people]
    # A folder's name begins with letters of a person's; what follows its last dash names nobody.
    document["unreadable"] = [name.rpartition("-")[2] for name in report.unreadable]
    return document


def nameless_person(report: PersonReport) -> dict[str, Any]:
    """One person's part of a report as it is saved."""
    form = report.to_json()
    del form["user"], form["companion"]
    form["scope"] = report.scope.digest
    form["now"] = None if report.now is None else report.now.isoformat()
    form["errors"] = [_without_names(error, report.scope) for error in report.errors]
    return form


def named(document: Mapping[str, Any], known: Mapping[str, Scope]) -> dict[str, Any]:
    """A saved report with the names again of who is known, by digest; of others ``user`` is None."""
    people = [names_of(known.get(form["scope"])) | form for form in document["users"]]
    return {**document, "users": people}


def alone(document: Mapping[str, Any], scope: Scope) -> dict[str, Any] | None:
    """A saved report with one person in it and nobody else; None where they are not in it."""
    own = [form for form in document["users"] if form["scope"] == scope.digest]
    if not own:
        return None
    return {**document, "users": [names_of(scope) | own[0]], "unreadable": []}


def total_usage(people: Iterable[Mapping[str, Any]]) -> Usage:
    """What models were asked for all of these together."""
    return sum((usage_in(person["llm"]) for person in people), Usage())


def passes_in(document: Mapping[str, Any]) -> dict[str, datetime]:
    """The moments of the forgetting passes that a saved report tells of, by digest."""
    return {
        person["scope"]: datetime.fromisoformat(person["now"])
        for person in document["users"]
        if person.get("now") and forget.NAME in person["stages"]
    }


def names_of(scope: Scope | None) -> dict[str, Any]:
    """The names of a scope as a report has them; None each of who is not known any more."""
    if scope is None:
        return {"user": None, "companion": None}
    return {"user": scope.person, "companion": scope.companion}


def _without_names(sentence: str, scope: Scope) -> str:
    """The sentence with the digest where it names the person or their folder."""
    for name in (folder_id(scope.person), scope.person):
        sentence = re.sub(
            rf"(?<![a-zA-Z0-9]){re.escape(name)}(?![a-zA-Z0-9])", scope.digest, sentence
        )
    return sentence
