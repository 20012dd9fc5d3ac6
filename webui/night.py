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
from .forms import progress_bar
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
        dry = gr.Checkbox(label=LABELS("night_dry"))
    progress = make_view("night", main=False, elem_id="night-progress")
    nights = make_view("night", elem_id="nights")
    fills(backend, nights, nights.select, show)

    def steps(today: bool, large: bool, dry: bool, request: gr.Request) -> Iterator[Any]:
        language = backend.language_of(request)
        try:
            options = NightOptions(today=today, allow_large=large, dry_run=dry)
            yield from run_steps(backend.visit(request), options)
        except SiliconFriendError as error:
            yield shown(quiet(error.message(language))), gr.skip()

    limit = {**PRIVATE, "concurrency_limit": NIGHTS_AT_ONCE, "concurrency_id": "night"}
    run.click(steps, [today, large, dry], [progress, nights], **limit)


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
        return shown(quiet(words) + progress_bar(done, total, words)), gr.skip()

    yield shown(quiet(visit.say("night_begins"))), gr.skip()
    report: Report = yield from steps_of(
        lambda tell: visit.person.night(options, progress=tell).to_json(), draw
    )
    visit.backend.talks.changed(visit.scope)
    over_words = quiet(visit.say("night_over"))
    told = _night(visit, report) if options.dry_run else over_words
    yield shown(told), show(visit.again(), {})


def _night(visit: Visit, report: Report) -> str:
    """Return a night as HTML: when it was, and what it did."""
    moment = datetime.fromisoformat(report["now"]).astimezone(visit.zone)
    day = day_name(moment.date().isoformat(), visit.today, visit.language)
    title = visit.say("story.dry_title") if report["dry_run"] else f"{day}, {moment:%H:%M}"
    return (
        f'<article class="sf-night"><h2>{plain(title)}</h2>'
        f"<p>{plain(story(report, visit.language))}</p></article>"
    )


def story(report: Report, language: Language) -> str:
    """Tell what a night did, or would do, in a few sentences."""
    person, dry = report["users"][0], report["dry_run"]
    sentences = list(_done(person, language, dry=dry))
    if not sentences:
        sentences = [say("story.would_be_quiet" if dry else "story.quiet", language)]
    return join_sentences([*sentences, *_left(person, language)])


def _done(person: Report, language: Language, *, dry: bool) -> Iterator[str]:
    stages, verbs = person["stages"], "story.would" if dry else "story.did"
    clauses = []
    if tidied := stages.get("tidy", {}).get("due" if dry else "done"):
        clauses.append(counted(f"{verbs}.tidied", tidied, language))
    if days := len(person["summarised"]):
        clauses.append(counted(f"{verbs}.summarised", days, language))
    if stages.get("portrait", {}).get("due" if dry else "done"):
        clauses.append(say(f"{verbs}.portrait", language))
    if archived := sum(person["archived"].values()):
        clauses.append(counted(f"{verbs}.archived", archived, language))
    if clauses:
        key = "story.would_begin" if dry else "story.begins"
        yield say(key, language, clauses=listed(clauses, language))
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
