"""The panel "Your story": the portrait in prose, what it rests on, then the days as they fade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.person.views import PortraitPart

from .backend import Visit
from .components import Event, button, menu, shown
from .curve import explained
from .memories import draw_days, respond
from .words import plain, quiet

GROUPS = ("you", "relations", "us", "thoughts")
"""The groups of facts in their order, below people, promises and questions."""
MOST_DAYS = 3
MOST_QUESTIONS = 5
MOST_NAMES = 24
MOST_LINES = 12


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the portrait and the days, and do what is said with a line or a memory."""
    return respond(visit, event, show)


def show(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the portrait in prose, what it rests on, then how memories fade, and the days."""
    title = f"<h2>{visit.html('story.title')}</h2>{explained(visit)}"
    if visit.memory is None:
        return shown(portrait(visit) + title)
    days, goto = draw_days(visit, event)
    return shown(f"{portrait(visit)}<section>{title}{days}</section>", goto=goto)


def portrait(visit: Visit) -> str:
    """Return the portrait as HTML."""
    parts = tuple(visit.person.portrait().values()) if visit.memory else ()

    def group(key: str) -> str:
        lines = [_line(visit, each) for each in parts if each.group == key][:MOST_LINES]
        return _section(visit.say(f"known.{key}"), lines)

    told = [
        *(_prose(visit, each) for each in reversed(parts) if each.group == "overall"),
        _names(visit, [each for each in parts if each.group == "around"]),
        group("promises"),
        group("wishes"),
        _section(visit.say("portrait.unsure"), _questions(visit) if visit.memory else ()),
        *map(group, GROUPS),
    ]
    return "".join(told) or quiet(visit.say("no_portrait"))


def _prose(visit: Visit, part: PortraitPart) -> str:
    """Return a text about all days; nothing where rules pieced it together."""
    if part.made_by == OFFLINE:
        return ""
    paragraphs = "".join(f"<p>{plain(line)}</p>" for line in part.text.splitlines() if line.strip())
    return (
        f'<section class="sf-prose" data-memory="{part.id}"><div class="sf-head">'
        f"<h2>{visit.html(part.id)}</h2>{menu(visit, ['correct'], part.id, part.text)}</div>"
        f"{paragraphs}</section>"
    )


def _names(visit: Visit, parts: Sequence[PortraitPart]) -> str:
    by_name: dict[str, list[PortraitPart]] = {}
    for part in parts:
        if part.title:
            by_name.setdefault(part.title, []).append(part)
    ordered = sorted(by_name.items(), key=lambda item: -len(item[1]))[:MOST_NAMES]
    names = "".join(
        f'<details data-part="{plain(name)}"><summary>{plain(name)}</summary>'
        f'<ul class="sf-lines">{"".join(_line(visit, part) for part in known)}</ul></details>'
        for name, known in ordered
    )
    title = visit.html("portrait.names")
    return names and f'<section><h2>{title}</h2><div class="sf-names">{names}</div></section>'


def _questions(visit: Visit) -> Iterator[str]:
    fading = (row.memory for row in visit.person.list(kind="fact", state="faded"))
    facts = [memory for memory in fading if isinstance(memory, Fact) and memory.is_active]
    for fact in facts[-MOST_QUESTIONS:]:
        yes, no = visit.say("portrait.yes"), visit.say("portrait.no")
        buttons = button(yes, "restore", fact.id) + button(no, "correct", fact.id)
        yield (
            f'<li data-memory="{fact.id}"><p>{visit.html("portrait.still_so", words=fact.text)}</p>'
            f'<div class="sf-acts">{buttons}</div></li>'
        )


def _section(title: str, lines: Iterable[str]) -> str:
    listed = "".join(lines)
    return (
        listed and f'<section><h2>{plain(title)}</h2><ul class="sf-lines">{listed}</ul></section>'
    )


def _line(visit: Visit, part: PortraitPart) -> str:
    record = visit.known.find(part.id)
    is_pinned = record is not None and record.trace.pinned
    verbs = ["unpin" if is_pinned else "pin", "correct", "erase"]
    places = [parse_memory_id(identifier) for identifier in part.from_ids]
    days = sorted({place.date for place in places if place}, reverse=True)[:MOST_DAYS]
    links = " · ".join(
        f'<a href="#/memories?day={day}">{plain(visit.day(day))}</a>' for day in days
    )
    return (
        f'<li data-memory="{part.id}"><div><p>{plain(part.text)}</p><p class="sf-meta">{links}</p>'
        f"</div>{menu(visit, verbs, part.id, part.text)}</li>"
    )
