"""Results of the last nights, at the top of "Your story", and a button to run a night."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from threading import BoundedSemaphore
from typing import Any

from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Nights
from siliconfriend.texts import Language, sentences

from .backend import Visit, steps_of
from .components import Event, button, progress, shown
from .words import counted, listed, plain, quiet, say

SHOWN_NIGHTS = 7
AT_ONCE = BoundedSemaphore(2)
"""Nights that are run from the page at the same time; others wait."""


def view(visit: Visit, event: Event) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the last nights, or run the person's night now."""
    return shown(draw(visit)) if event["event"] == "select" else run_steps(visit, event["live"])


def draw(visit: Visit, told: str = "") -> str:
    """Return the last night with its button, and the earlier ones collapsed."""
    reports = Nights(visit.backend.bank)
    nights = [
        _draw_night(visit, report)
        for report in (reports.of(visit.scope, SHOWN_NIGHTS) if visit.memory else ())
    ]
    last = "".join(nights[:1]) or quiet(visit.say("no_reports"))
    before = "".join(nights[1:])
    if before:
        before = f"<details data-part='before'><summary>{visit.html('night.before')}</summary>{before}</details>"
    ticks = "".join(
        f'<label class="sf-check"><input type="checkbox" name="{name}"><span>{visit.html(f"labels.night_{name}")}</span></label>'
        for name in ("today", "large")
    )
    more = f'<form data-live="">{quiet(visit.say("labels.night_about"))}{ticks}</form>'
    return (
        f'<div id="nights">{last}</div>{told}<div class="sf-acts">'
        f"{button(visit.say('labels.night_run'), 'night', kind='sf-button', more='id=night-run')}</div>"
        f"<details data-part='more'><summary>{visit.html('labels.night_more')}</summary>{more}</details>{before}"
    )


def _draw_night(visit: Visit, report: Mapping[str, Any]) -> str:
    moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
    told = join_sentences(list(_story(report["users"][0], visit.language)))
    title = visit.html("night.title", day=visit.day(moment.date()), time=f"{moment:%H:%M}")
    return f'<article class="sf-night"><h2>{title}</h2><p>{plain(told)}</p></article>'


def run_steps(visit: Visit, live: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Run the night in its own thread, independent of the tab; yields its steps."""

    def step(what: str, done: int, total: int) -> dict[str, Any]:
        stage = what.rpartition(": ")[2]
        words = sentences("web", visit.language)["night"]["steps"].get(
            stage, visit.say("night.step")
        )
        return shown(
            draw(
                visit,
                progress(done, total, visit.say("night_step", what=words, done=done, total=total)),
            )
        )

    def run(tell: Callable[..., None]) -> None:
        with AT_ONCE:
            visit.person.night(options, progress=tell)

    options = NightOptions(today="today" in live, allow_large="large" in live)
    yield shown(draw(visit, quiet(visit.say("night_begins"))))
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
