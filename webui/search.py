"""Search of memories and the talk: likely results, a line, then less likely ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from siliconfriend.control.listing import MemoryRow
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.dates import find_dates

from .backend import Visit
from .components import ViewEvent, shown
from .talk_html import newest_turns

FOUND, FOUND_IN_TALK = 40, 12


@dataclass(frozen=True)
class FoundMemories:
    """Results of a search, best first.

    Attributes:
        terms: to mark in them.
        day: ISO day that the words name; empty if none.
    """

    terms: set[str]
    day: str
    likely: Sequence[MemoryRow]
    perhaps: Sequence[MemoryRow]


def arrange(visit: Visit, words: str, rows: Sequence[MemoryRow]) -> FoundMemories:
    """Separate likely results from less likely ones."""
    days = [date.fromisoformat(iso) for iso in visit.known.days]
    named = find_dates(words, now=visit.now, zone=visit.zone, days=days)
    return FoundMemories(
        terms={words, *tokenize(words)},
        day=named[0].last.isoformat() if named else "",
        likely=[row for row in rows if row.is_likely],
        perhaps=[row for row in rows if not row.is_likely],
    )


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the search dialog for the talk, with the results."""
    words = event["live"].get("words", "").strip()
    found, back = None, {}
    if words and visit.memory is not None:
        turns = newest_turns(visit, sum(len(day.turns) for day in visit.memory.days.values()))
        back = {turn.id: len(turns) - place for place, turn in enumerate(turns)}
        rows = visit.person.search(words, kind="turn", top=FOUND_IN_TALK)
        found = arrange(visit, words, [row for row in rows if row.memory.id in back])
    return shown(sheet=visit.draw("search.html", words=words, found=found, back=back))
