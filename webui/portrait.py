"""The portrait panel: who somebody is to the companion, in prose, then what that rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.person.views import PortraitPart

from .backend import Backend, Visit
from .components import fills, make_view, shown
from .forms import button
from .memories import act_on, menu, submit_sheet
from .words import day_name, plain, quiet

GROUPS = ("promises", "you", "relations", "us", "thoughts")
"""The groups of facts in their order, below people and places."""
MOST_DAYS = 3
MOST_QUESTIONS = 5
MOST_NAMES = 24
MOST_LINES = 12


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    view = make_view("portrait", elem_id="portrait")
    fills(backend, view, view.select, lambda visit, _event: shown(portrait(visit)))
    fills(backend, view, view.click, lambda visit, event: _after(visit, act_on(visit, event)))
    fills(
        backend, view, view.submit, lambda visit, event: _after(visit, submit_sheet(visit, event))
    )


def _after(visit: Visit, told: dict[str, Any]) -> dict[str, Any]:
    return told if told["sheet"] else {**told, "html": portrait(visit.again())}


def portrait(visit: Visit) -> str:
    """Return the portrait as HTML."""
    if visit.memory is None:
        return quiet(visit.say("no_portrait"))
    parts = visit.person.portrait().parts
    prose = "".join(_prose(visit, it) for it in reversed(parts) if it.group == "overall")
    names = _names(visit, [it for it in parts if it.group == "around"])
    unsure = _group(visit.say("portrait.unsure"), _questions(visit))
    groups = [
        _group(
            visit.say(f"known.{group}"),
            [_line(visit, it) for it in parts if it.group == group][:MOST_LINES],
        )
        for group in GROUPS
    ]
    return "".join((prose, names, groups[0], unsure, *groups[1:])) or quiet(
        visit.say("no_portrait")
    )


def _prose(visit: Visit, part: PortraitPart) -> str:
    """Return a text about all days; nothing where rules pieced it together."""
    if part.made_by == OFFLINE:
        return ""
    paragraphs = "".join(f"<p>{plain(it)}</p>" for it in part.text.splitlines() if it.strip())
    return (
        f'<section class="sf-prose" data-memory="{part.id}"><div class="sf-head">'
        f"<h2>{plain(visit.say(part.id))}</h2>{menu(visit, ['correct'], part.id, part.text)}</div>"
        f"{paragraphs}</section>"
    )


def _names(visit: Visit, parts: Sequence[PortraitPart]) -> str:
    """Return people, places and things by name, those of most facts first, each to unfold."""
    by_name: dict[str, list[PortraitPart]] = {}
    for part in parts:
        by_name.setdefault(part.title, []).append(part)
    ordered = sorted(by_name.items(), key=lambda it: -len(it[1]))[:MOST_NAMES]
    names = "".join(
        f'<details data-part="{plain(name)}"><summary>{plain(name)}</summary>'
        f'<ul class="sf-lines">{"".join(_line(visit, part) for part in known)}</ul></details>'
        for name, known in ordered
        if name
    )
    title = plain(visit.say("portrait.names"))
    return (
        f'<section><h2>{title}</h2><div class="sf-names">{names}</div></section>' if names else ""
    )


def _questions(visit: Visit) -> Iterator[str]:
    """Yield facts that fade, as questions that the person may answer."""
    fading = (row.memory for row in visit.person.list(kind="fact", state="faded"))
    facts = [it for it in fading if isinstance(it, Fact) and it.is_active]
    for fact in facts[-MOST_QUESTIONS:]:
        asked = plain(visit.say("portrait.still_so", words=fact.text))
        yes, no = visit.say("portrait.yes"), visit.say("portrait.no")
        buttons = button(yes, "restore", fact.id) + button(no, "correct", fact.id)
        yield f'<li data-memory="{fact.id}"><p>{asked}</p><div class="sf-acts">{buttons}</div></li>'


def _group(title: str, lines: Iterable[str]) -> str:
    listed = "".join(lines)
    if not listed:
        return ""
    return f'<section><h2>{plain(title)}</h2><ul class="sf-lines">{listed}</ul></section>'


def _line(visit: Visit, part: PortraitPart) -> str:
    record = visit.known.find(part.id)
    is_pinned = record is not None and record.trace.pinned
    acts = ["unpin" if is_pinned else "pin", "correct", "erase"]
    places = [parse_memory_id(it) for it in part.from_ids]
    days = sorted({place.date for place in places if place}, reverse=True)[:MOST_DAYS]
    links = " · ".join(
        f'<a href="#/memories?day={it}">{plain(day_name(it, visit.today, visit.language))}</a>'
        for it in days
    )
    return (
        f'<li data-memory="{part.id}"><div><p>{plain(part.text)}</p><p class="sf-meta">{links}</p>'
        f"</div>{menu(visit, acts, part.id, part.text)}</li>"
    )
