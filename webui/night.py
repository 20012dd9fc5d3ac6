"""The night panel: what the last nights did, and one's own night now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.reports import NightReports
from siliconfriend.texts import Language

from .backend import Backend, Visit, steps_of
from .components import LABELS, PRIVATE, fills, gr, make_view, shown
from .forms import progress
from .words import counted, day_name, listed, plain, quiet, say

SHOWN_NIGHTS = 7
NIGHTS_AT_ONCE = 2
Report = Mapping[str, Any]
"""A report of one person alone, as ``NightReport.to_json`` gives it; a saved one will do."""


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    gr.Markdown(LABELS("night_about"))
    run = gr.Button(LABELS("night_run"), variant="primary", elem_id="night-run")
    with gr.Accordion(LABELS("night_more"), open=False):
        today = gr.Checkbox(label=LABELS("night_today"))
        large = gr.Checkbox(label=LABELS("night_large"))
    progress = make_view("night", main=False, elem_id="night-progress")
    nights = make_view("night", elem_id="nights")
    fills(backend, nights, nights.select, show)

    def steps(today: bool, large: bool, request: gr.Request) -> Iterator[Any]:
        language = backend.language_of(request)
        try:
            options = NightOptions(today=today, allow_large=large)
            yield from run_steps(backend.visit(request), options)
        except SiliconFriendError as error:
            yield shown(quiet(error.message(language))), gr.skip()

    limit = {**PRIVATE, "concurrency_limit": NIGHTS_AT_ONCE, "concurrency_id": "night"}
    run.click(steps, [today, large], [progress, nights], **limit)


def show(visit: Visit, _event: dict[str, Any]) -> dict[str, Any]:
    """Show the last nights."""
    if visit.memory is None:
        return shown(quiet(visit.say("no_reports")))
    kept = NightReports(visit.backend.installation).of(visit.scope, SHOWN_NIGHTS)
    return shown("".join(_night(visit, it) for it in kept) or quiet(visit.say("no_reports")))


def run_steps(visit: Visit, options: NightOptions) -> Iterator[Any]:
    """Run the night in a thread of its own, which a closed tab does not end; yields its steps."""

    def draw(what: str, done: int, total: int) -> Any:
        words = visit.say("night_step", what=what, done=done, total=total)
        return shown(progress(done, total, words)), gr.skip()

    yield shown(quiet(visit.say("night_begins"))), gr.skip()
    yield from steps_of(lambda tell: visit.person.night(options, progress=tell), draw)
    visit.backend.talks.changed(visit.scope)
    yield shown(quiet(visit.say("night_over"))), show(visit.again(), {})


def _night(visit: Visit, report: Report) -> str:
    """Return a night as HTML: when it was, and what it did."""
    moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
    day = day_name(moment.date().isoformat(), visit.today, visit.language)
    return (
        f'<article class="sf-night"><h2>{plain(day)}, {moment:%H:%M}</h2>'
        f"<p>{plain(_story(report, visit.language))}</p></article>"
    )


def _story(report: Report, language: Language) -> str:
    person = report["users"][0]
    sentences = list(_done(person, language)) or [say("story.quiet", language)]
    return join_sentences([*sentences, *_left(person, language)])


def _done(person: Report, language: Language) -> Iterator[str]:
    counts = {
        "tidied": person["stages"].get("tidy", {}).get("done"),
        "summarised": len(person["summarised"]),
        "archived": sum(person["archived"].values()),
    }
    clauses = [counted(f"story.did.{it}", count, language) for it, count in counts.items() if count]
    if person["stages"].get("portrait", {}).get("done"):
        clauses.append(say("story.did.portrait", language))
    if clauses:
        yield say("story.begins", language, clauses=listed(clauses, language))
    things = [
        counted(f"story.things.{name}", person[name], language)
        for name in ("events", "facts", "topics")
        if person.get(name)
    ]
    if things:
        yield say("story.learned", language, things=listed(things, language))
    if insights := person.get("insights"):
        yield _capital(counted("story.insights", insights, language))
    if dimmed := sum(person["dimmed"].values()):
        yield _capital(counted("story.dimmed", dimmed, language))


def _left(person: Report, language: Language) -> Iterator[str]:
    """Yield what was not done, and why that is no harm."""
    if held := person.get("held_back"):
        yield say("story.held_back", language, due=held["due"], alive=held["alive"])
    if person["pending"]:
        yield say("story.pending", language)
    if person["errors"]:
        yield say("story.failed", language)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
