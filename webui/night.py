"""The night panel: what the last nights did, and one's own night now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.queue import NightReports
from siliconfriend.texts import Language

from .backend import Backend, Visit, steps_of
from .components import LABELS, fills, gr, make_view, progress, shown
from .words import counted, listed, plain, quiet, say

SHOWN_NIGHTS = 7
NIGHTS_AT_ONCE = 2


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    gr.Markdown(LABELS("night_about"))
    run = gr.Button(LABELS("night_run"), variant="primary", elem_id="night-run")
    with gr.Accordion(LABELS("night_more"), open=False):
        today = gr.Checkbox(label=LABELS("night_today"))
        large = gr.Checkbox(label=LABELS("night_large"))
    done = make_view("night", main=False, elem_id="night-progress")
    nights = make_view("night", elem_id="nights")
    fills(backend, [nights], [nights.select], show)
    how = {"concurrency_limit": NIGHTS_AT_ONCE, "trigger_mode": "once"}
    fills(backend, [done, nights], [run.click], run_steps, [today, large], **how)


def show(visit: Visit, _event: dict[str, Any]) -> dict[str, Any]:
    """Show the last nights."""
    reports = NightReports(visit.backend.installation)
    kept = reports.of(visit.scope, SHOWN_NIGHTS) if visit.memory else ()
    nights = ""
    for report in kept:
        moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
        told = join_sentences(list(_story(report["users"][0], visit.language)))
        title = f"{plain(visit.day(moment.date()))} {moment:%H:%M}"
        nights += f'<article class="sf-night"><h2>{title}</h2><p>{plain(told)}</p></article>'
    return shown(nights or quiet(visit.say("no_reports")))


def run_steps(visit: Visit, _event: object, today: bool, large: bool) -> Iterator[Any]:
    """Run the night in a thread of its own, which a closed tab does not end; yields its steps."""

    def draw(what: str, done: int, total: int) -> Any:
        words = visit.say("night_step", what=what, done=done, total=total)
        return shown(progress(done, total, words)), gr.skip()

    options = NightOptions(today=today, allow_large=large)
    yield shown(quiet(visit.say("night_begins"))), gr.skip()
    yield from steps_of(lambda tell: visit.person.night(options, progress=tell), draw)
    visit.talk.changed()
    yield shown(quiet(visit.say("night_over"))), show(replace(visit), {})


def _story(person: Mapping[str, Any], language: Language) -> Iterator[str]:

    def tell(group: str, **counts: int) -> list[str]:
        return [
            counted(f"story.{group}{it}", count, language) for it, count in counts.items() if count
        ]

    done = {stage: counts.get("done", 0) for stage, counts in person["stages"].items()}
    did = tell(
        "did.",
        tidied=done.get("tidy", 0),
        summarised=len(person["summarised"]),
        portrait=min(done.get("portrait", 0), 1),
        archived=sum(person["archived"].values()),
    )
    things = tell("things.", **{it: person.get(it, 0) for it in ("events", "facts")})
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
