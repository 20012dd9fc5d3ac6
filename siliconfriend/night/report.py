"""What a night did, as data and in plain words.

A report holds ids, days and counts and no words of the person, so that it can be kept,
mailed or shown to an operator without showing anyone's memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.scope import Scope
from siliconfriend.night.writing import Usage
from siliconfriend.texts import Language, text

Status = Literal["ok", "pending", "failed"]


@dataclass(slots=True)
class PersonReport:
    """One person's night, filled in while it goes on.

    Attributes:
        scope: whose.
        now: the moment the night was for.
        stages: for each stage that ran, what was due and what was done.
        summarised: ISO days whose summary was written.
        archived, dimmed: what this run newly put away or found dim, by kind.
        errors: sentences without words of the person.
        pending: stages or days left for a later night because the budget was spent.
        usage: what was asked of a model.
    """

    scope: Scope
    now: datetime
    stages: dict[str, dict[str, int]] = field(default_factory=dict)
    summarised: list[str] = field(default_factory=list)
    archived: Counter[str] = field(default_factory=Counter)
    dimmed: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    @property
    def status(self) -> Status:
        """``failed`` with any error, ``pending`` where the budget ended it, else ``ok``."""
        if self.errors:
            return "failed"
        return "pending" if self.pending else "ok"

    @property
    def did_something(self) -> bool:
        """Whether anything was written, archived or newly dim."""
        written = any(counts.get("done", 0) for counts in self.stages.values())
        return bool(written or self.archived or self.dimmed)

    def count(self, stage: str, *, due: int, done: int) -> None:
        """Note what a stage had to do and did; a stage counts several kinds of text together."""
        counts = self.stages.setdefault(stage, {"due": 0, "done": 0})
        counts["due"] += due
        counts["done"] += done

    def to_json(self) -> dict[str, Any]:
        """The report as ``nightly --json`` gives it for one person."""
        return {
            "user": self.scope.person,
            "companion": self.scope.companion,
            "status": self.status,
            "stages": self.stages,
            "summarised": self.summarised,
            "archived": dict(self.archived),
            "dimmed": dict(self.dimmed),
            "errors": self.errors,
            "pending": self.pending,
            "llm": {
                "calls": self.usage.calls,
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
            },
        }


@dataclass(frozen=True, slots=True)
class NightReport:
    """A whole night.

    Attributes:
        policy: what forgetting went by.
        people: a report each.
        now: when it was.
        seconds: how long it took.
        dry_run: nothing was done, only looked at.
    """

    policy: ForgettingPolicy
    people: tuple[PersonReport, ...]
    now: datetime
    seconds: float
    dry_run: bool = False

    def to_json(self) -> dict[str, Any]:
        """The report as ``nightly --json`` gives it."""
        return {
            "policy": self.policy.name,
            "formula": self.policy.formula("en"),
            "now": self.now.isoformat(),
            "dry_run": self.dry_run,
            "users": [person.to_json() for person in self.people],
            "seconds": round(self.seconds, 3),
        }

    def to_text(self, language: Language) -> str:
        """The report in plain words, a paragraph a person."""
        return report_text(self.to_json(), self.policy.formula(language), language)


def report_text(report: Mapping[str, Any], formula: str, language: Language) -> str:
    """A report as JSON holds it, in plain words."""

    def say(key: str, **values: object) -> str:
        return text("night", f"report.{key}", language, **values)

    lines = [say("dry_run")] if report["dry_run"] else []
    lines.append(say("formula", formula=formula))
    if not report["users"]:
        lines.append(say("nobody"))
    for person in report["users"]:
        lines.append(say(f"status.{person['status']}", name=_called(person)))
        lines += [f"  {line}" for line in _person_lines(person, language)]
    lines.append(say("seconds", seconds=f"{report['seconds']:.1f}"))
    return "\n".join(lines)


def _called(person: Mapping[str, Any]) -> str:
    if person["companion"] == "default":
        return str(person["user"])
    return f"{person['user']} ({person['companion']})"


def _person_lines(person: Mapping[str, Any], language: Language) -> Iterable[str]:
    def say(key: str, **values: object) -> str:
        return text("night", f"report.{key}", language, **values)

    lines = []
    if person["summarised"]:
        lines.append(say("summarised", count=len(person["summarised"]), days=_days(person)))
    if person["stages"].get("portrait", {}).get("done"):
        lines.append(say("portrait"))
    for what in ("dimmed", "archived"):
        if person[what]:
            lines.append(say(what, counts=_counts(person[what], language)))
    if person["stages"].get("index", {}).get("done"):
        lines.append(say("index", count=person["stages"]["index"]["done"]))
    if person["pending"]:
        lines.append(say("pending", what=", ".join(person["pending"])))
    lines += [say("error", sentence=sentence) for sentence in person["errors"]]
    if person["llm"]["calls"]:
        lines.append(say("usage", **person["llm"]))
    return lines or [say("nothing")]


def _days(person: Mapping[str, Any]) -> str:
    days = person["summarised"]
    return ", ".join(days) if len(days) <= 3 else f"{days[0]} … {days[-1]}"


def _counts(counts: Mapping[str, int], language: Language) -> str:
    return ", ".join(
        text("night", f"kinds.{kind}", language, count=count)
        for kind, count in sorted(counts.items())
    )
