"""The night panel: what the last nights did, and one's own night now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from siliconfriend.language.sentences import join_sentences
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.queue import NightReports
from siliconfriend.texts import Language

from .backend import Backend, Visit, steps_of
from .components import LABELS, fills, gr, make_view, shown
from .forms import progress
from .words import counted, listed, plain, quiet, say

SHOWN_NIGHTS = 7
NIGHTS_AT_ONCE = 2
COUNTED = ("events", "facts", "topics")


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    gr.Markdown(LABELS("night_about"))
    run = gr.Button(LABELS("night_run"), variant="primary", elem_id="night-run")
    with gr.Accordion(LABELS("night_more"), open=False):
        today = gr.Checkbox(label=LABELS("night_today"))
        large = gr.Checkbox(label=LABELS("night_large"))
    done = make_view("night", main=False, elem_id="night-progress")
    nights = make_view("night", elem_id="nights")
    fills(backend, [nights], nights.select, show)
    limit = {"concurrency_limit": NIGHTS_AT_ONCE, "concurrency_id": "night"}
    fills(backend, [done, nights], run.click, run_steps, [today, large], **limit)


def show(visit: Visit, _event: dict[str, Any]) -> dict[str, Any]:
    """Show the last nights."""
    reports = NightReports(visit.backend.installation)
    kept = reports.of(visit.scope, SHOWN_NIGHTS) if visit.memory else ()
    return shown("".join(_night(visit, it) for it in kept) or quiet(visit.say("no_reports")))


def run_steps(visit: Visit, _event: object, today: bool, large: bool) -> Iterator[Any]:
    """Run the night in a thread of its own, which a closed tab does not end; yields its steps."""

    def draw(what: str, done: int, total: int) -> Any:
        words = visit.say("night_step", what=what, done=done, total=total)
        return shown(progress(done, total, words)), gr.skip()

    options = NightOptions(today=today, allow_large=large)
    yield shown(quiet(visit.say("night_begins"))), gr.skip()
    yield from steps_of(lambda tell: visit.person.night(options, progress=tell), draw)
    visit.talk.changed()
    yield shown(quiet(visit.say("night_over"))), show(visit.again(), {})


def _night(visit: Visit, report: Mapping[str, Any]) -> str:
    """Return a night as HTML: when it was, and what it did."""
    moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
    told = join_sentences(list(_story(report["users"][0], visit.language)))
    return (
        f'<article class="sf-night"><h2>{plain(visit.day(moment.date()))}, {moment:%H:%M}</h2>'
        f"<p>{plain(told)}</p></article>"
    )


def _story(person: Mapping[str, Any], language: Language) -> Iterator[str]:
    """Yield sentences of what was done, then of what was not, and why that is no harm."""
    counts = {
        "did.tidied": person["stages"].get("tidy", {}).get("done"),
        "did.summarised": len(person["summarised"]),
        "did.archived": sum(person["archived"].values()),
        **{f"things.{name}": person.get(name) for name in COUNTED},
        "insights": person.get("insights"),
        "dimmed": sum(person["dimmed"].values()),
    }
    told = {name: counted(f"story.{name}", it, language) for name, it in counts.items() if it}
    clauses = [words for name, words in told.items() if name.startswith("did.")]
    if person["stages"].get("portrait", {}).get("done"):
        clauses.append(say("story.did.portrait", language))
    if clauses:
        yield say("story.begins", language, clauses=listed(clauses, language))
    if things := [words for name, words in told.items() if name.startswith("things.")]:
        yield say("story.learned", language, things=listed(things, language))
    for words in (told.get("insights"), told.get("dimmed")):
        if words:
            yield words[:1].upper() + words[1:]
    if not (clauses or told):
        yield say("story.quiet", language)
    if held := person.get("held_back"):
        yield say("story.held_back", language, due=held["due"], alive=held["alive"])
    if person["pending"]:
        yield say("story.pending", language)
    if person["errors"]:
        yield say("story.failed", language)
