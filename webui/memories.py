"""The memories panel: list, search, correct, forget, import and export; and the search of the talk."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, get_args

import msgspec
from markupsafe import Markup

from siliconfriend.control.edit import Action, Before
from siliconfriend.control.listing import MemoryRow
from siliconfriend.errors import UsageError
from siliconfriend.language.moods import moods_of
from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.records import Day, DaySummary, Turn, kind_of
from siliconfriend.recall.dates import find_dates

from .backend import Visit
from .components import ViewEvent, shown
from .curve import spark_of
from .markdown import plain_html, reply_html
from .talk import erase_memory
from .talk_html import newest_turns
from .words import listed

DAYS_AT_ONCE = 10
NEVER = "9999-12-31"  # a day after all days
MOST_MOODS = 2
FOUND, FOUND_IN_TALK = 40, 12
STATES = ("all", "vivid", "faded", "archived", "forgotten", "pinned")
Draw = Callable[[Visit, ViewEvent], dict[str, Any]]


def arrange(visit: Visit, words: str, rows: Sequence[MemoryRow]) -> dict[str, Any]:
    """Separate likely results from less likely ones, and find the day that the words name."""
    days = [date.fromisoformat(iso) for iso in visit.known.days]
    named = find_dates(words, now=visit.now, zone=visit.zone, days=days)
    return {
        "day": named[0].last.isoformat() if named else "",
        "likely": [row for row in rows if row.is_likely],
        "perhaps": [row for row in rows if not row.is_likely],
    }


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the panel, and handle its events."""
    return respond(visit, event, show)


def respond(visit: Visit, event: ViewEvent, draw: Draw) -> dict[str, Any]:
    """Draw a view of memories, also after an action."""
    if event["event"] == "select" or event["act"] == "more":
        return draw(visit, event)
    told = act_on(visit, event)
    if told["sheet"]:
        return told
    return {**told, "html": draw(replace(visit), {**event, "changed": True})["html"]}


def show(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show search results, or else days: the newest, those from a date, or more."""
    live = event.get("live", {})
    words, state = live.get("words", "").strip(), live.get("state", "all")
    given: dict[str, Any] = {"words": words, "state": state, "found": None}
    goto = ""
    if visit.memory is not None and words and not event.get("day"):
        given["found"] = _found(visit, words, state)
    elif visit.memory is not None:
        given["days"], given["is_more"], goto = find_days(visit, event, state)
    states = [(name, visit.say(f"labels.{name}")) for name in STATES]
    return shown(
        visit.draw("memories.html", **given, states=states, **card_values(visit)), goto=goto
    )


def find_days(
    visit: Visit, event: ViewEvent, state: str = "all"
) -> tuple[list[dict[str, Any]], bool, str]:
    """Return the requested days, whether there are earlier ones, and the id of where to scroll."""
    days, day, is_more = visit.known.days, event.get("day", ""), event.get("act") == "more"
    start = day and max((iso for iso in days if iso <= day), default=min(days, default=""))
    until = event.get("until") if is_more or event.get("changed") else ""
    more = DAYS_AT_ONCE if is_more or not until else 0
    return *_days(
        visit, state, start, until or NEVER, more
    ), "" if until else start and f"day-{start}"


def act_on(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
    """Run the action of a button, or of the dialog for erasing and correcting.

    ValueError: there is no such action.
    """
    name, identifier, fields = event["act"], event["id"], event.get("fields")
    if name == "undo":
        _undo(visit, identifier)
        visit.talk.changed()
        return shown(status=visit.say("done.undo"))
    if name in get_args(Action):
        before = msgspec.json.encode(visit.person.act(name, identifier)).decode()
        visit.talk.changed()
        return shown(status=visit.say(f"done.{name}"), undo=(visit, before))
    if name not in ("edit", "erase"):
        raise ValueError(f"no action of a memory: {name!r}")
    is_erasing = name == "erase"
    if fields is None:
        words = {} if is_erasing else _words_of(visit, identifier)
        found = visit.person.show(identifier) if is_erasing else None
        return shown(sheet=visit.draw(f"{name}.html", id=identifier, words=words, found=found))
    if is_erasing:
        return shown(status=erase_memory(visit, identifier))
    return _correct(visit, identifier, fields)


def _correct(visit: Visit, identifier: str, fields: Mapping[str, str]) -> dict[str, Any]:
    before = _words_of(visit, identifier)
    words = {name: fields.get(name, "").strip() for name in before}
    if not (words.get("query") or words.get("text")):
        raise UsageError("edit_words", id=identifier)
    visit.person.edit(identifier, **words)
    visit.talk.changed()
    told = visit.say("done.edit" if visit.known.find(identifier) else "corrected")
    return shown(status=told, undo=(visit, json.dumps({"id": identifier, **before})))


def _undo(visit: Visit, state: str) -> None:
    """Undo an action, or a correction by restoring the earlier words."""
    before = json.loads(state)
    if "id" in before:
        visit.person.edit(before.pop("id"), **before)
    else:
        visit.person.undo(msgspec.json.decode(state, type=Before))


def _words_of(visit: Visit, identifier: str) -> dict[str, str]:
    """Return the words of a memory or a part of the portrait by the names of their fields."""
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        return {"query": record.query, "response": record.response}
    part = record or visit.person.portrait().get(identifier)
    if part is None:
        raise UsageError("memory_unknown", id=identifier)
    return {"text": part.text}


def _verbs(row: MemoryRow) -> list[str]:
    is_away = row.prospect.state in ("archived", "forgotten")
    is_unkept = isinstance(row.memory, Turn) and row.memory.unkept
    return [
        "unpin" if row.memory.trace.pinned else "pin",
        "restore" if is_away else "forget",
        *(["rekeep"] if is_unkept else []),
        *("edit", "erase"),
    ]


def _days(
    visit: Visit, state: str, start: str, until: str, more: int
) -> tuple[list[dict[str, Any]], bool]:
    """Return the days from ``start`` back to ``until`` and some more, and whether any follow."""
    found: list[dict[str, Any]] = []
    for iso in sorted(visit.known.days, reverse=True):
        if start and iso > start:
            continue
        if iso < until and more <= 0:
            return found, True
        if day := _day(visit, visit.known.days[iso], state):
            found.append(day)
            more -= iso < until
    return found, False


def _lets(row: MemoryRow, state: str) -> bool:
    if state == "pinned":
        return row.memory.trace.pinned
    return state == "all" or row.prospect.state == state


def _day(visit: Visit, day: Day, state: str) -> dict[str, Any] | None:
    """Return the rows of a day: its summary, and each turn with what was made of it."""
    ids = [record.id for record in day.memories()]
    rows = [row for row in visit.person.rows(*ids) if _lets(row, state)]
    if not rows:
        return None
    lines = {row.memory.id: row for row in rows if isinstance(row.memory, Turn)}
    made: dict[str, list[MemoryRow]] = {}
    alone, summary = [], None
    for row in rows:
        if isinstance(row.memory, DaySummary):
            summary = row
        elif not isinstance(row.memory, Turn):
            line = next((key for key in row.memory.provenance.from_ids if key in lines), None)
            made.setdefault(line, []).append(row) if line else alone.append(row)
    cards = [(row, made.get(key, [])) for key, row in lines.items()]
    cards += [(row, []) for row in alone]
    return {"date": day.date, "mood": _mood(visit, day), "summary": summary, "cards": cards}


def _mood(visit: Visit, day: Day) -> str:
    """Return the moods of a day; empty without any."""
    own = day.personality
    told = [own.mood] if own is not None and own.mood else [turn.query for turn in day.turns]
    moods = [mood for mood, _ in moods_of(told).most_common(MOST_MOODS)]
    return listed([visit.say(f"moods.{mood}") for mood in moods], visit.language)


def card_values(visit: Visit) -> dict[str, Any]:
    """Return what the template of a card asks of a row or a record."""
    return {
        "spark_of": spark_of,
        "verbs_of": _verbs,
        "meta_of": lambda row, dated: _meta(visit, row, dated=dated),
        "reply_of": _reply,
    }


def _reply(turn: Turn) -> Markup:
    """Return the companion's words as in the talk."""
    draw = plain_html if turn.replied_by == OFFLINE else reply_html
    return Markup(draw(turn.response))  # noqa: S704


def _meta(visit: Visit, row: MemoryRow, *, dated: bool) -> list[str]:
    record, outlook = row.memory, row.prospect
    told = [visit.day(record.date)] if dated else []
    if isinstance(record, Turn):
        told += [f"{record.time.astimezone(row.zone):%H:%M}"] if record.time else []
    else:
        told.append(visit.say(f"kinds.{kind_of(record)}"))
    is_alive = outlook.state in ("vivid", "faded") and not record.trace.pinned
    if outlook.retention is not None and is_alive:
        told.append(visit.say("vivid", kept=round(100 * outlook.retention)))
    if isinstance(record, Turn) and record.unkept:
        told.append(visit.say("fate_unkept"))
    elif record.trace.pinned:
        told.append(visit.say("fate_pinned"))
    elif outlook.state == "forgotten":
        told.append(visit.say("fate_forgotten"))
    elif outlook.state == "archived" and outlook.archived_on:
        told.append(visit.say("fate_archived", day=visit.day(outlook.archived_on)))
    elif outlook.state == "vivid" and outlook.dims_on:
        told.append(visit.say("fate_dims", day=visit.day(outlook.dims_on)))
    if isinstance(record, Fact) and record.superseded_by:
        told.append(visit.say("no_longer"))
    return told


def _found(visit: Visit, words: str, state: str) -> dict[str, Any]:
    """Return search results, best first; memories put away only in their own list."""
    wanted = None if state in ("all", "pinned") else state
    rows = visit.person.search(words, state=wanted, top=FOUND if state == "all" else None)
    return arrange(visit, words, [row for row in rows if _lets(row, state)][:FOUND])


def search_view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the search dialog for the talk, with the results."""
    words = event["live"].get("words", "").strip()
    found, back = None, {}
    if words and visit.memory is not None:
        turns = newest_turns(visit, sum(len(day.turns) for day in visit.memory.days.values()))
        back = {turn.id: len(turns) - place for place, turn in enumerate(turns)}
        rows = visit.person.search(words, kind="turn", top=FOUND_IN_TALK)
        found = arrange(visit, words, [row for row in rows if row.memory.id in back])
    return shown(sheet=visit.draw("search.html", words=words, found=found, back=back))
