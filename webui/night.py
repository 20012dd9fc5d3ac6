"""Results of the last nights, at the top of "Your story", and a button to run a night."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from threading import BoundedSemaphore
from typing import Any

from markupsafe import Markup

from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Nights
from siliconfriend.texts import Language, sentences

from .backend import Visit, steps_of
from .components import ViewEvent, shown
from .words import counted, listed, say

SHOWN_NIGHTS = 7
AT_ONCE = BoundedSemaphore(2)
"""Nights that are run from the page at the same time; others wait."""


def view(visit: Visit, event: ViewEvent) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the last nights, or run the person's night now."""
    return shown(draw(visit)) if event["event"] == "select" else run_steps(visit, event["live"])


def draw(visit: Visit, told: str = "", done: int = 0, total: int = 0) -> Markup:
    """Return the last night with its button, the earlier ones collapsed, and the progress of one."""
    reports = Nights(visit.backend.bank)
    found = reports.of(visit.scope, SHOWN_NIGHTS) if visit.memory else ()
    nights = [_night(visit, report) for report in found]
    return visit.draw("night.html", nights=nights, told=told, done=done, total=total)


def _night(visit: Visit, report: Mapping[str, Any]) -> tuple[str, str]:
    """Return the title of a night and what it did."""
    moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
    title = visit.say("night.title", day=visit.day(moment.date()), time=f"{moment:%H:%M}")
    return title, join_sentences(list(_story(report["users"][0], visit.language)))


def run_steps(visit: Visit, live: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Run the night in its own thread, independent of the tab; yields its steps."""

    def step(what: str, done: int, total: int) -> dict[str, Any]:
        stage = what.rpartition(": ")[2]
        words = sentences("web", visit.language)["night"]["steps"].get(
            stage, visit.say("night.step")
        )
        told = visit.say("night_step", what=words, done=done, total=total)
        return shown(draw(visit, told, done, max(total, 1)))

    def run(tell: Callable[..., None]) -> None:
        with AT_ONCE:
            visit.person.night(options, progress=tell)

    options = NightOptions(today="today" in live, allow_large="large" in live)
    yield shown(draw(visit, visit.say("night_begins")))
    yield from steps_of(run, step)
    visit.talk.changed()
    yield shown(draw(replace(visit)), status=visit.say("night_over"))


def _story(person: Mapping[str, Any], language: Language) -> Iterator[str]:

    def tell(group: str, **counts: int) -> list[str]:
        return [
            counted(f"story.{group}{kind}", count, language)
            for kind, count in counts.items()
            if count
        ]

    done = {stage: counts.get("done", 0) for stage, counts in person["stages"].items()}
    did = tell(
        "did.",
        tidied=done.get("tidy", 0),
        summarised=len(person["summarised"]),
        portrait=min(done.get("portrait", 0), 1),
        archived=sum(person["archived"].values()),
    )
    things = tell("things.", **{kind: person.get(kind, 0) for kind in ("events", "facts")})
    more = tell("", insights=person.get("insights", 0), dimmed=sum(person["dimmed"].values()))
    if did:
        yield say("story.begins", language, clauses=listed(did, language))
    if things:
        yield say("story.learned", language, things=listed(things, language))
    yield from (words[:1].upper() + words[1:] for words in more)
    if not (did or things or more):
        yield say("story.quiet", language)
    if held := person.get("held_back"):
        yield say("story.held_back", language, due=held["due"], alive=held["alive"])
    if person["pending"]:
        yield say("story.pending", language)
    if person["errors"]:
        yield say("story.failed", language)
