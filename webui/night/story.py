"""A night as a short story, from the counts of its report; the technical lines are folded.

The report counts stages and kinds for whoever runs the machine. The person wants to know
what became of their days: how many were summed up, and what was let go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.control.policy_text import formula
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.report import report_text
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import day_name, plain
from ..words.phrases import capitalized, counted, joined_clauses, listed, tell

Report = Mapping[str, Any]
"""A report of one person alone, as ``NightReport.to_json`` gives it; a saved one will do."""


def story(report: Report, language: Language) -> str:
    """Tell what a night did, or would do, in a few sentences."""
    person = report["users"][0]
    return join_sentences(list(_sentences(person, language, dry_run=report["dry_run"])))


def story_card(report: Report, zone: ZoneInfo, today: date, language: Language) -> str:
    """Return a night as HTML: when it was, its story, and the lines of its report, folded."""
    if report["dry_run"]:
        title = tell("story.dry_title", language)
    else:
        moment = datetime.fromisoformat(report["now"]).astimezone(zone)
        day = capitalized(day_name(moment.date().isoformat(), today, language))
        title = tell("story.title", language, day=day, time=f"{moment:%H:%M}")
    policy = formula(ForgettingPolicy.named(report["policy"]), language)
    lines = report_text(_without_commands(report), policy, language)
    return (
        f'<article class="sf-card sf-night"><h3>{plain(title)}</h3>'
        f"<p>{plain(story(report, language))}</p>"
        f"<details><summary>{plain(tell('story.details', language))}</summary>"
        f"<pre>{plain(lines)}</pre></details></article>"
    )


def _without_commands(report: Report) -> dict[str, Any]:
    """The report without what was held back, which the story says without naming a command."""
    return {**report, "users": [{**it, "held_back": None} for it in report["users"]]}


def _sentences(person: Report, language: Language, *, dry_run: bool) -> Iterator[str]:
    told = list(_told(person, language, dry_run=dry_run))
    if not told:
        told = [tell("story.would_be_quiet" if dry_run else "story.quiet", language)]
    yield from told
    yield from _left(person, language)


def _told(person: Report, language: Language, *, dry_run: bool) -> Iterator[str]:
    clauses = list(_clauses(person, language, dry_run=dry_run))
    if clauses:
        key = "story.would_begin" if dry_run else "story.begins"
        yield tell(key, language, clauses=joined_clauses(clauses, language))
    things = [
        counted(f"story.things.{name}", person[name], language)
        for name in ("events", "facts", "topics")
        if person.get(name)
    ]
    if things:
        yield tell("story.learned", language, things=listed(things, language))
    if known := person.get("knowledge"):
        things = [counted("story.things.knowledge", known, language)]
        yield tell("story.knowledge", language, things=listed(things, language))
    if insights := person.get("insights"):
        yield capitalized(counted("story.insights", insights, language))
    if dimmed := sum(person["dimmed"].values()):
        yield capitalized(counted("story.dimmed", dimmed, language))


def _clauses(person: Report, language: Language, *, dry_run: bool) -> Iterator[str]:
    """Yield what was done in the order of the night: tidied, summed up, portrayed, let go."""
    stages, verbs = person["stages"], "story.would" if dry_run else "story.did"
    done = "due" if dry_run else "done"
    if tidied := stages.get("tidy", {}).get(done):
        yield counted(f"{verbs}.tidied", tidied, language)
    if days := len(person["summarised"]):
        yield counted(f"{verbs}.summarised", days, language)
    if stages.get("portrait", {}).get(done):
        yield tell(f"{verbs}.portrait", language)
    if archived := sum(person["archived"].values()):
        yield counted(f"{verbs}.archived", archived, language)


def _left(person: Report, language: Language) -> Iterator[str]:
    """Yield what was not done and why that is no harm."""
    if held := person.get("held_back"):
        box = say("night_large", language)
        yield tell("story.held_back", language, due=held["due"], alive=held["alive"], box=box)
    days = [name for name in person["pending"] if name[:1].isdigit()]
    if days:
        yield capitalized(counted("story.pending", len(days), language))
    elif person["pending"]:
        yield tell("story.pending_more", language)
    if person["errors"]:
        yield tell("story.failed", language)
