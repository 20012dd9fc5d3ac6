"""What a night did, as data.

A report holds days, counts and sentences about the program, and no words of the person,
so that it can be mailed or shown to an operator without showing anyone's memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from siliconfriend.errors import ModelError, NightIncomplete, SiliconFriendError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.scope import Scope
from siliconfriend.night.call_budget import Usage
from siliconfriend.texts import Language

Status = Literal["ok", "pending", "failed"]

_WRITTEN = ("summarise", "portrait", "extract", "reflect")
"""Steps whose work is a model's or an embedder's."""


@dataclass(slots=True)
class PersonReport:
    """One person's night, filled in while it goes on.

    Attributes:
        scope: whose.
        now: the moment the night was for; None where it never got so far.
        stages: for each step that ran, what was due and what was done.
        summarised: ISO days whose summary was written.
        archived, dimmed: what this run newly put away or found dim, by kind.
        judged: turns whose importance was judged.
        insights: thoughts that are new.
        events, facts: those that are new; a fact that was at once merged into another is none.
        topics: topics that grew or were gone through by the step ``topics``.
        knowledge: facts that became knowledge.
        skipped: steps that would have had something to do and cannot do it offline.
        errors: what failed and why, in sentences without words of the person.
        codes: the exit codes of those errors.
        pending: ISO days and names of texts that are left for a later night.
        usage: what was asked of a model.
    """

    scope: Scope
    now: datetime | None = None
    stages: dict[str, dict[str, int]] = field(default_factory=dict)
    summarised: list[str] = field(default_factory=list)
    archived: Counter[str] = field(default_factory=Counter)
    dimmed: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    insights: int = 0
    events: int = 0
    facts: int = 0
    topics: int = 0
    knowledge: int = 0
    skipped: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    codes: set[int] = field(default_factory=set)
    pending: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    @property
    def status(self) -> Status:
        """``failed`` with any error, ``pending`` where something is left, else ``ok``."""
        if self.errors:
            return "failed"
        return "pending" if self.pending else "ok"

    def fail(self, sentence: str, error: SiliconFriendError) -> None:
        """Note that something failed, and with which exit code it counts."""
        self.errors.append(sentence)
        self.codes.add(error.exit_code)

    @property
    def has_gained(self) -> bool:
        """Whether anything was done; for a failed night, anything that asks for a model."""
        if self.status == "failed":
            return self.judged > 0 or any(
                self.stages.get(stage, {}).get("done") for stage in _WRITTEN
            )
        return any(it["done"] for it in self.stages.values())

    def count(self, stage: str, *, due: int, done: int) -> None:
        """Note what a step had to do and what it did."""
        self.stages[stage] = {"due": due, "done": done}

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
            "judged": self.judged,
            "insights": self.insights,
            "events": self.events,
            "facts": self.facts,
            "topics": self.topics,
            "knowledge": self.knowledge,
            "skipped": self.skipped,
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
        unreadable: folders under ``people/`` that hold a memory of nobody knows whom.
    """

    policy: ForgettingPolicy
    people: tuple[PersonReport, ...]
    now: datetime
    seconds: float
    dry_run: bool = False
    unreadable: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command line exits with.

        0 where nobody's night failed, 5 where model or embedder failed for everyone who had
        something to be done, else 6.
        """
        failed = [person for person in self.people if person.status == "failed"]
        if not failed and not self.unreadable:
            return 0
        is_out_of_reach = not self.unreadable and not any(it.has_gained for it in self.people)
        if is_out_of_reach and all(it.codes == {ModelError.exit_code} for it in failed):
            return ModelError.exit_code
        return NightIncomplete.exit_code

    def to_json(self) -> dict[str, Any]:
        """The report as ``nightly --json`` gives it."""
        return {
            "policy": self.policy.name,
            "formula": self.policy.formula("en"),
            "now": self.now.isoformat(),
            "dry_run": self.dry_run,
            "users": [person.to_json() for person in self.people],
            "unreadable": list(self.unreadable),
            "seconds": round(self.seconds, 3),
        }

    def to_text(self, language: Language) -> str:
        """The report in plain words, a paragraph a person."""
        from siliconfriend.night.report_text import report_text

        return report_text(self.to_json(), self.policy.formula(language), language)
