"""Search of memories and the talk: likely results, a line, then less likely ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from siliconfriend.control.listing import MemoryRow
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.records import Turn
from siliconfriend.recall.dates import find_dates

from .backend import Visit
from .components import Event, field, sheet, shown
from .talk_html import newest_turns
from .words import marked, plain, quiet

FOUND, FOUND_IN_TALK = 40, 12


def draw_found(
    visit: Visit, words: str, rows: Sequence[MemoryRow], draw: Callable[[MemoryRow, set[str]], str]
) -> str:
    """Return the results, best first, with a line between likely and less likely ones.

    Where the words name a day, a link to it stands above. ``draw`` is given each row and the terms
    to mark in it.
    """
    terms = {words, *tokenize(words)}
    likely = [draw(row, terms) for row in rows if row.is_likely]
    perhaps = [draw(row, terms) for row in rows if not row.is_likely]
    line = visit.html("search.perhaps" if likely else "search.closest")
    told = _day_named(visit, words) + "".join(likely)
    if perhaps:
        told += f'<h2 class="talk-separator sf-perhaps">{line}</h2>{"".join(perhaps)}'
    return told or quiet(visit.say("none_found"))


def _day_named(visit: Visit, words: str) -> str:
    days = [date.fromisoformat(iso) for iso in visit.known.days]
    named = find_dates(words, now=visit.now, zone=visit.zone, days=days)
    return "".join(
        f'<p><a href="#/memories?day={found.last}" data-first>'
        f"{visit.html('go_to_day', day=visit.day(found.last))}</a></p>"
        for found in named[:1]
    )


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the search dialog for the talk, with the results."""
    words = event["live"].get("words", "").strip()
    found = _found(visit, words) if words else ""
    label = visit.say("labels.search_hint")
    typed = field("words", label, words, more='type="search" autofocus autocomplete="off"')
    body = f'<div class="sf-found" aria-live="polite">{found}</div>'
    title = f'<h2 id="sf-sheet-title">{visit.html("search.title")}</h2>'
    form = sheet(visit, "search", "", "", body)
    return shown(sheet=f'<form data-live="">{title}{typed}</form>{form}')


def _found(visit: Visit, words: str) -> str:
    if visit.memory is None:
        return quiet(visit.say("none_found"))
    turns = newest_turns(visit, sum(len(day.turns) for day in visit.memory.days.values()))
    back = {turn.id: len(turns) - place for place, turn in enumerate(turns)}
    rows = visit.person.search(words, kind="turn", top=FOUND_IN_TALK)
    return draw_found(visit, words, rows, lambda row, terms: _line(visit, row, terms, back))


def _line(visit: Visit, row: MemoryRow, terms: set[str], back: Mapping[str, int]) -> str:
    """Return a line that links to its place in the talk; ``data-back`` counts from the end."""
    turn = row.memory
    if not isinstance(turn, Turn):
        return ""
    said = f"<p>{marked(turn.query, terms)}</p>"
    if turn.response:
        said += f'<p class="sf-reply">{marked(turn.response, terms)}</p>'
    place = f'data-turn="{plain(turn.id)}" data-back="{back.get(turn.id, 0)}"'
    return (
        f'<a class="sf-hit" href="#/chat" {place} data-first>'
        f'<span class="sf-meta">{plain(visit.day(turn.date))}</span>{said}</a>'
    )
