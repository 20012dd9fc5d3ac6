"""The panel "Your story": the portrait in prose, what it rests on, then the days as they fade."""

from collections.abc import Sequence
from typing import Any

from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.person.views import PortraitPart

from .backend import Visit
from .components import ViewEvent, shown
from .curve import explained
from .memories import card_values, find_days, respond

GROUPS = ("promises", "wishes", "you", "relations", "us", "thoughts")
"""The groups of lines that the panel shows."""
MOST_DAYS = 3
MOST_QUESTIONS = 5
MOST_NAMES = 24
MOST_LINES = 12


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
        is_pinned=lambda part: _is_pinned(visit, part),
        explained=explained(visit),
        days=days,
        is_more=is_more,
        **card_values(visit),
    )
    return shown(html, goto=goto)


def _names(parts: Sequence[PortraitPart]) -> list[tuple[str, list[PortraitPart]]]:
    """Return what is known of people and places, those with the most first."""
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


def _is_pinned(visit: Visit, part: PortraitPart) -> bool:
    record = visit.known.find(part.id)
    return record is not None and record.trace.pinned


def _days_of(part: PortraitPart) -> list[str]:
    """Return the newest days that a part rests on."""
    places = [parse_memory_id(identifier) for identifier in part.from_ids]
    return sorted({place.date for place in places if place}, reverse=True)[:MOST_DAYS]
