"""The panel "Your story": the last nights, the portrait with its evidence, and the days as they fade."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from threading import BoundedSemaphore
from typing import Any

from markupsafe import Markup

from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Nights
from siliconfriend.person.views import PortraitPart
from siliconfriend.texts import Language, sentences

from .backend import Visit, steps_of
from .components import ViewEvent, shown
from .curve import explained
from .memories import card_values, find_days, respond
from .words import counted, listed, say

GROUPS = ("promises", "wishes", "you", "relations", "us", "thoughts")
"""The groups of lines that the panel shows."""
MOST_DAYS = 3
MOST_QUESTIONS = 5
MOST_NAMES = 24
MOST_LINES = 12
SHOWN_NIGHTS = 7
AT_ONCE = BoundedSemaphore(2)
"""Nights that are run from the page at the same time; others wait."""


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the portrait and the days, and do what is said with a line or a memory."""
    return respond(visit, event, show)


def show(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the portrait in prose, what it rests on, then how memories fade, and the days."""
    parts = tuple(visit.person.portrait().values()) if visit.memory else ()
    days, is_more, goto = find_days(visit, event) if visit.memory else ([], False, "")
    groups = {key: [part for part in parts if part.group == key][:MOST_LINES] for key in GROUPS}
    prose = [part for part in reversed(parts) if part.group == "overall"]
    prose = [part for part in prose if part.made_by != OFFLINE]  # else pieced together by rules
    names, questions = _names(parts), _questions(visit) if visit.memory else []
    html = visit.draw(
        "story.html",
        prose=prose,
        names=names,
        groups=groups,
        questions=questions,
        is_empty=not (prose or names or questions or any(groups.values())),
        days_of=_days_of,
        explained=explained(visit),
        days=days,
        is_more=is_more,
        **card_values(visit),
    )
    return shown(html, goto=goto)


def _names(parts: Sequence[PortraitPart]) -> list[tuple[str, list[PortraitPart]]]:
    """Return the facts about each person and place, the best known first."""
    by_name: dict[str, list[PortraitPart]] = {}
    for part in parts:
        if part.group == "around" and part.title:
            by_name.setdefault(part.title, []).append(part)
    return sorted(by_name.items(), key=lambda item: -len(item[1]))[:MOST_NAMES]


def _questions(visit: Visit) -> list[Fact]:
    """Return facts that fade, to be asked about."""
    fading = (row.memory for row in visit.person.list(kind="fact", state="faded"))
    facts = [memory for memory in fading if isinstance(memory, Fact) and memory.is_active]
    return facts[-MOST_QUESTIONS:]


def _days_of(part: PortraitPart) -> list[str]:
    """Return the newest days that a part rests on."""
    places = [parse_memory_id(identifier) for identifier in part.from_ids]
    return sorted({place.date for place in places if place}, reverse=True)[:MOST_DAYS]


def night_view(visit: Visit, event: ViewEvent) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the last nights, or run the person's night now."""
    return (
        shown(draw_nights(visit)) if event["event"] == "select" else run_night(visit, event["live"])
    )


def draw_nights(visit: Visit, told: str = "", done: int = 0, total: int = 0) -> Markup:
    """Return the last night with its button, the earlier ones collapsed, and the progress of one."""
    reports = Nights(visit.backend.bank)
    found = reports.of(visit.scope, SHOWN_NIGHTS) if visit.memory else ()
    nights = [
        (
            datetime.fromisoformat(report["now"]).astimezone(visit.zone),
            join_sentences(list(_story(report["users"][0], visit.language))),
        )
        for report in found
    ]
    return visit.draw("night.html", nights=nights, told=told, done=done, total=total)


def run_night(visit: Visit, live: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Run the night in its own thread, independent of the tab; yields its steps."""

    def step(what: str, done: int, total: int) -> dict[str, Any]:
        stage = what.rpartition(": ")[2]
        words = sentences("web", visit.language)["night"]["steps"].get(
            stage, visit.say("night.step")
        )
        told = visit.say("night_step", what=words, done=done, total=total)
        return shown(draw_nights(visit, told, done, max(total, 1)))

    def run(tell: Callable[..., None]) -> None:
        with AT_ONCE:
            visit.person.night(options, progress=tell)

    options = NightOptions(today="today" in live, allow_large="large" in live)
    yield shown(draw_nights(visit, visit.say("night_begins")))
    yield from steps_of(run, step)
    visit.talk.changed()
    yield shown(draw_nights(replace(visit)), status=visit.say("night_over"))


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
        yield say("story.begins", language, clauses=say("story.then", language).join(did))
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
