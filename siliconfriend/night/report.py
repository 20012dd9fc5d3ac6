"""Report of a night, as data, JSON and text.

A report has days, counts and error codes only, so an operator can read it without seeing anyone's
memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from siliconfriend.control.listing import formula
from siliconfriend.errors import ModelError, NightIncomplete, SiliconFriendError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope
from siliconfriend.models.base import Usage
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import Language, sentences, text

Status = Literal["ok", "pending", "failed"]

MAX_DATES = 4
"""Maximum number of days listed in a line; earlier ones are counted."""
_WRITTEN = ("summarise", "portrait", "extract", "reflect")
"""Stages whose work is a model's or an embedder's."""


@dataclass(slots=True)
class PersonReport:
    """One person's night, filled in while it goes on.

    Attributes:
        now, zone: the moment and the person's time zone; None if the night failed before.
        stages: due and done counts of each stage that ran.
        archived, dimmed: memories newly archived or dimmed in this run, by kind.
        judged: turns whose importance was rated.
        events, facts: number of new ones.
        refused: number of derived sentences that what was told does not bear out.
        skipped: stages with due work that is impossible offline.
        errors: failed item and error code: ``2026-06-01: model_no_text``.
        pending: ISO days and names of texts that are left for a later night.
        held_back: counts of ``due`` and ``alive`` memories of a kind that were not archived because
            they are too many at once.
    """

    scope: Scope
    now: datetime | None = None
    zone: ZoneInfo | None = None
    stages: dict[str, dict[str, int]] = field(default_factory=dict)
    summarised: list[str] = field(default_factory=list)
    archived: Counter[str] = field(default_factory=Counter)
    dimmed: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    insights: int = 0
    events: int = 0
    facts: int = 0
    refused: int = 0
    skipped: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    causes: list[SiliconFriendError] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    held_back: dict[str, int] | None = None
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def of_kept(
        cls, scope: Scope, form: Mapping[str, Any], *, goes_on: bool = False
    ) -> PersonReport:
        """Return the stored report of a person in this night; an empty one for an empty form.

        ``goes_on``: drop unfinished items, for a night that resumes.
        """
        kept = {name: form[name] for name in _KEPT if form and not (goes_on and name in _OPEN)}
        kept |= {name: Counter(form.get(name, ())) for name in ("archived", "dimmed")}
        return cls(scope, **kept, usage=Usage(**form.get("llm", {})))

    @property
    def status(self) -> Status:
        """``failed`` with any error, ``pending`` where something is left or held back, else ``ok``."""
        if self.errors:
            return "failed"
        return "pending" if self.pending or self.held_back else "ok"

    @property
    def made_progress(self) -> bool:
        """True if anything was done; for a failed night, anything that asks for a model."""
        if self.status == "failed":
            done = (self.stages.get(stage, {}).get("done") for stage in _WRITTEN)
            return self.judged > 0 or any(done)
        return any(counts["done"] for counts in self.stages.values())

    def fail(self, error: SiliconFriendError, what: str = "", *, again: bool = True) -> None:
        """Add an error code and the failed item ``what``: a day, a text or a stage.

        ``again``: add it even if another item had the same error.
        """
        if not again and any(error.key == cause.key for cause in self.causes):
            return
        self.errors.append(f"{what}: {error.key}" if what else error.key)
        self.causes.append(error)

    def count(self, stage: str, *, due: int, done: int) -> None:
        """Add to a stage's due and done counts."""
        before = self.stages.get(stage, {"due": 0, "done": 0})
        due = max(before["due"], before["done"] + due)
        self.stages[stage] = {"due": due, "done": before["done"] + done}

    def to_json(self) -> dict[str, Any]:
        """Serialize the report as ``nightly --json`` gives it for one person."""
        return {
            "user": self.scope.person,
            "companion": self.scope.companion,
            "status": self.status,
            **{name: getattr(self, name) for name in _KEPT},
            "llm": self.usage.document(),
        }


_KEPT = tuple(
    column.name
    for column in fields(PersonReport)
    if column.name not in ("scope", "now", "zone", "causes", "usage")
)
"""Fields of a person's report that its JSON holds unchanged."""
_OPEN = ("skipped", "errors", "pending", "held_back")
"""Fields about unfinished work."""


@dataclass(frozen=True, slots=True)
class NightReport:
    """A whole night; ``unreadable`` lists directories whose owner is unknown."""

    policy: ForgettingPolicy
    people: tuple[PersonReport, ...]
    now: datetime
    seconds: float
    dry_run: bool = False
    unreadable: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """Exit code: 0 if no night failed, 5 if a model failed in all of them, else 6."""
        failed = [person for person in self.people if person.status == "failed"]
        if not failed and not self.unreadable:
            return 0
        nothing_done = not (self.unreadable or any(person.made_progress for person in self.people))
        codes = {cause.exit_code for person in failed for cause in person.causes}
        is_model = nothing_done and codes == {ModelError.exit_code}
        return ModelError.exit_code if is_model else NightIncomplete.exit_code

    @property
    def usage(self) -> Usage:
        """Total use of models."""
        return sum((person.usage for person in self.people), Usage())

    def to_json(self) -> dict[str, Any]:
        """Serialize the report as ``nightly --json`` gives it."""
        return {
            "policy": self.policy.name,
            "formula": formula(self.policy, "en"),
            "now": self.now.isoformat(),
            "dry_run": self.dry_run,
            "users": [person.to_json() for person in self.people],
            "unreadable": list(self.unreadable),
            "llm": self.usage.document(),
            "seconds": round(self.seconds, 3),
        }

    def to_text(self, language: Language) -> str:
        """Return the report in plain words, a paragraph a person."""
        return report_text(self.to_json(), language)


def report_text(report: Mapping[str, Any], language: Language) -> str:
    """Return a report in plain words, given as :meth:`NightReport.to_json` or saved."""
    now, is_dry = datetime.fromisoformat(report["now"]), report["dry_run"]
    date = _date(now.date().isoformat(), language)
    moment = text("night", "moment", language, date=date, time=f"{now:%H:%M}")
    policy = formula(ForgettingPolicy.named(report["policy"]), language)
    lines = [_say("dry_title" if is_dry else "title", language, moment=moment)]
    people = [
        (person, list(_lines(person, language, dry_run=is_dry))) for person in report["users"]
    ]
    if any(done for _person, done in people):
        for person, done in people:
            lines += [_name_line(person, language), *(done or [_say("nothing", language)])]
    elif people:
        lines.append(_say("all_quiet", language))
    elif not (report["unreadable"] or report.get("waiting")):
        lines.append(_say("nobody", language))
    together = Usage(**report.get("llm", {}))
    if together.calls and len(people) > 1:
        lines.append(_say("llm_together", language, usage=together.sentence(language)))
    lines += [_say("unreadable", language, folder=folder) for folder in report["unreadable"]]
    if waiting := report.get("waiting"):  # only of a night that workers are at
        lines.append(_say("waiting", language, count=waiting))
    lines.append(_say("policy", language, formula=policy))
    lines.append(_say("seconds", language, seconds=f"{report['seconds']:.1f}"))
    return "\n".join(lines)


def error_sentence(error: str, language: Language) -> str:
    """Return the sentence for an error of a report, whose last word is its code."""
    what, _, code = error.rpartition(": ")
    known = sentences("errors", language) | sentences("night", language)["report"]["errors"]
    sentence = str(known.get(code, "{"))
    if "{" in sentence:
        sentence = _say("errors.other", language, code=code)
    if not what:
        return sentence
    return _say("failure", language, what=_named(what, language), sentence=sentence)


def _say(key: str, language: Language, **values: object) -> str:
    return text("night", f"report.{key}", language, **values)


def _named(name: str, language: Language) -> str:
    named: str = sentences("night", language)["report"]["texts"].get(name, name)
    return named


def _name_line(person: Mapping[str, Any], language: Language) -> str:
    if person["user"] is None:
        return _say("person_gone", language)
    key = "person" if person["companion"] == DEFAULT_COMPANION else "person_with"
    return _say(key, language, name=person["user"], companion=person["companion"])


def _lines(person: Mapping[str, Any], language: Language, *, dry_run: bool) -> Iterator[str]:
    counts = Counter(
        {stage: counts["due" if dry_run else "done"] for stage, counts in person["stages"].items()}
    )
    new = {kind: person[f"{kind}s"] for kind in ("event", "fact") if person[f"{kind}s"]}
    days = [name for name in person["pending"] if name[:1].isdigit()]
    others = [_named(name, language) for name in person["pending"] if name not in days]
    usage, is_offline = Usage(**person["llm"]), "reflect" in person["skipped"]
    told: dict[str, object] = {
        "tidied": counts["tidy"],
        "summarised": _dates(person["summarised"], language),
        "portrait": counts["portrait"],
        "extracted": counts["extract"] if dry_run else _counts(new, language),
        "insights": counts["reflect"] and not is_offline if dry_run else person["insights"],
        "archived": _counts(person["archived"], language),
    }
    if dry_run:
        told = {f"would_{key}": what for key, what in told.items()}
    told |= {
        "refused": person["refused"],
        "too_weak": "model" in person["skipped"],
        "reflect_offline": is_offline and "model" not in person["skipped"],
        "dimmed": _counts(person["dimmed"], language),
        "pending": _dates(days, language),
        "pending_texts": _joined(others, language),
    }
    yield from (_say(key, language, what=what) for key, what in told.items() if what)
    if person["held_back"]:
        yield _say("held_back", language, **person["held_back"])
    for error in person["errors"]:
        yield _say("error", language, sentence=error_sentence(error, language))
    if usage.calls:
        yield _say("llm", language, usage=usage.sentence(language))


def _counts(counts: Mapping[str, int], language: Language) -> str:
    said = [_say(f"counts.{kind}", language, count=count) for kind, count in sorted(counts.items())]
    return _joined(said, language)


def _date(iso: str, language: Language) -> str:
    return humanize_day(date.fromisoformat(iso), date.min, language, alone=True)


def _dates(dates: Sequence[str], language: Language) -> str:
    """List ISO dates; of many the last ones and how many more there are."""
    written = _joined([_date(iso, language) for iso in dates[-MAX_DATES:]], language)
    rest = len(dates) - MAX_DATES
    return text("night", "more_days", language, days=written, count=rest) if rest > 0 else written


def _joined(items: Sequence[str], language: Language) -> str:
    return text("night", "comma", language).join(items)
