"""The memories panel: list, search, correct, forget, import and export."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import msgspec

from siliconfriend.control.edit import Action, Before
from siliconfriend.control.listing import MemoryRow
from siliconfriend.errors import UsageError
from siliconfriend.language.moods import moods_of
from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.records import Day, DaySummary, Turn, kind_of

from .backend import Visit
from .components import Event, button, choices, field, menu, sheet, shown
from .curve import draw_spark
from .importing import draw_files
from .markdown import plain_html, reply_html
from .search import FOUND, draw_found
from .talk import erase_memory
from .words import listed, marked, plain, quiet

DAYS_AT_ONCE = 10
NEVER = "9999-12-31"  # a day after all days
MOST_MOODS = 2
STATES = ("all", "vivid", "faded", "archived", "forgotten", "pinned")
Draw = Callable[[Visit, Event], dict[str, Any]]


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the panel, and handle its events."""
    return respond(visit, event, show)


def respond(visit: Visit, event: Event, draw: Draw) -> dict[str, Any]:
    """Draw a view of memories, also after an action."""
    if event["event"] == "select" or event["act"] == "more":
        return draw(visit, event)
    told = act_on(visit, event)
    if told["sheet"]:
        return told
    return {**told, "html": draw(replace(visit), {**event, "changed": True})["html"]}


def show(visit: Visit, event: Event) -> dict[str, Any]:
    """Show search results, or else days: the newest, those from a date, or more."""
    files = draw_files(visit)
    if visit.memory is None:
        return shown(quiet(visit.say("nobody_yet")) + files)
    live = event.get("live", {})
    words, state = live.get("words", "").strip(), live.get("state", "all")
    start, is_changed = event.get("since"), event.get("changed")
    has_jumped = event.get("day") and (start or not is_changed)
    if words and not has_jumped:
        return shown(_filters(visit, words, state) + _found(visit, words, state) + files)
    drawn, goto = draw_days(visit, event, state)
    return shown(_filters(visit, words, state) + drawn + files, goto=goto)


def draw_days(visit: Visit, event: Event, state: str = "all") -> tuple[str, str]:
    """Return the requested days, and the id of the memory to scroll to, if any."""
    start, is_more = event.get("since"), event.get("act") == "more"
    if start and (is_more or event.get("changed")):
        more, newest = DAYS_AT_ONCE if is_more else 0, start if event.get("day") else ""
        return _days(visit, state, newest, event["until"], more), ""
    start = event.get("day", "")
    if start:
        days = visit.known.days
        start = max((iso for iso in days if iso <= start), default=min(days, default=""))
    return _days(visit, state, start, NEVER, DAYS_AT_ONCE), start and f"day-{start}"


def _filters(visit: Visit, words: str, state: str) -> str:
    hint = plain(visit.say("labels.search_hint"))
    more = f'type="search" placeholder="{hint}" autocomplete="off"'
    search = field("words", visit.say("labels.search"), words, more=more)
    states = [(name, visit.say(f"labels.{name}")) for name in STATES]
    ticks = choices("state", visit.say("labels.state"), states, state)
    return f'<form data-live="" data-part="filters" class="sf-filters">{search}{ticks}</form>'


def act_on(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
    """Run the action of a button, or of the dialog for erasing and correcting."""
    name, identifier, fields = event["act"], event["id"], event.get("fields")
    if name == "undo":
        _undo(visit, identifier)
        visit.talk.changed()
        return shown(status=visit.say("done.undo"))
    if name in get_args(Action):
        before = msgspec.json.encode(visit.person.act(name, identifier)).decode()
        visit.talk.changed()
        return shown(status=visit.say(f"done.{name}"), undo=(visit, before))
    is_erasing = name == "erase"
    if fields is None:
        return shown(sheet=(_erase_sheet if is_erasing else _edit_sheet)(visit, identifier))
    if is_erasing:
        return shown(status=erase_memory(visit, identifier))
    return _correct(visit, identifier, fields)


def _correct(visit: Visit, identifier: str, fields: Mapping[str, str]) -> dict[str, Any]:
    words = fields.get("words", "").strip()
    if not words:
        raise UsageError("edit_words", id=identifier)
    record = visit.known.find(identifier)
    before = {"id": identifier, **_words_of(visit, identifier)}
    if isinstance(record, Turn):
        visit.person.edit(identifier, query=words, response=fields.get("response", ""))
    else:
        visit.person.edit(identifier, text=words)
    visit.talk.changed()
    told = visit.say("corrected" if record is None else "done.edit")
    return shown(status=told, undo=(visit, json.dumps(before)))


def _undo(visit: Visit, state: str) -> None:
    """Undo an action, or a correction by restoring the earlier words."""
    before = json.loads(state)
    if isinstance(before.get("words"), str):
        parts = ("query", "response") if "response" in before else ("text",)
        given = (before["words"], before.get("response", ""))
        visit.person.edit(before["id"], **dict(zip(parts, given, strict=False)))
    else:
        visit.person.undo(msgspec.json.decode(state, type=Before))


def _words_of(visit: Visit, identifier: str) -> dict[str, str]:
    """Return the words of a memory or a part of the portrait by the names of their fields."""
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        return {"words": record.query, "response": record.response}
    part = record or visit.person.portrait().get(identifier)
    if part is None:
        raise UsageError("memory_unknown", id=identifier)
    return {"words": part.text}


def _erase_sheet(visit: Visit, identifier: str) -> str:
    found = visit.person.show(identifier)
    gone, words = found["derived"], plain(found["text"])
    told = visit.html("erase.with" if gone else "erase.alone", count=len(gone))
    body = f"<blockquote>{words}</blockquote><p>{told}</p>"
    return sheet(visit, "erase", identifier, visit.say("erase.title"), body, "sure")


def _edit_sheet(visit: Visit, identifier: str) -> str:
    words = _words_of(visit, identifier)
    is_turn = "response" in words
    body = field("words", visit.say("words" if is_turn else "right_words"), words["words"], lines=4)
    if is_turn:
        body += field("response", visit.say("reply_words"), words["response"], lines=4)
    return sheet(visit, "edit", identifier, visit.say("correct"), body, "save")


def _verbs(row: MemoryRow) -> Iterator[str]:
    yield "unpin" if row.memory.trace.pinned else "pin"
    is_away = row.prospect.state in ("archived", "forgotten")
    yield "restore" if is_away else "forget"
    if isinstance(row.memory, Turn) and row.memory.unkept:
        yield "rekeep"
    yield from ("edit", "erase")


def _menu(visit: Visit, row: MemoryRow) -> str:
    return menu(visit, _verbs(row), row.memory.id, row.memory.text)


def _days(visit: Visit, state: str, start: str, until: str, more: int) -> str:
    """Return the days from ``start`` back to ``until`` and some more, and a button for the next."""
    drawn = ""
    for iso in sorted(visit.known.days, reverse=True):
        if start and iso > start:
            continue
        if iso < until and more <= 0:
            return drawn + button(visit.say("more_days"), "more")
        if html := _day(visit, visit.known.days[iso], state):
            drawn += html
            more -= iso < until
    return drawn or quiet(visit.say("none_found"))


def _lets(row: MemoryRow, state: str) -> bool:
    if state == "pinned":
        return row.memory.trace.pinned
    return state == "all" or row.prospect.state == state


def _day(visit: Visit, day: Day, state: str) -> str:
    ids = [record.id for record in day.memories()]
    rows = [row for row in visit.person.rows(*ids) if _lets(row, state)]
    if not rows:
        return ""
    lines = {row.memory.id: row for row in rows if isinstance(row.memory, Turn)}
    made: dict[str, list[MemoryRow]] = {}
    alone, summary = [], ""
    for row in rows:
        if isinstance(row.memory, DaySummary):
            words = f"<p>{plain(row.memory.text)}</p>{_menu(visit, row)}"
            summary = f'<div class="sf-summary" data-memory="{row.memory.id}">{words}</div>'
        elif not isinstance(row.memory, Turn):
            line = next((key for key in row.memory.provenance.from_ids if key in lines), None)
            made.setdefault(line, []).append(row) if line else alone.append(row)
    cards = [_card(visit, row, made.get(key, ())) for key, row in lines.items()]
    cards += [_card(visit, row) for row in alone]
    return (
        f'<section class="sf-day" id="day-{day.date}" data-day="{day.date}">'
        f'<h2><time datetime="{day.date}">{plain(visit.day(day.date))}</time>{_mood(visit, day)}</h2>'
        f"{summary}{''.join(cards)}</section>"
    )


def _mood(visit: Visit, day: Day) -> str:
    """Return the moods of a day; empty without any."""
    own = day.personality
    told = [own.mood] if own is not None and own.mood else [turn.query for turn in day.turns]
    moods = [mood for mood, _ in moods_of(told).most_common(MOST_MOODS)]
    names = listed([visit.say(f"moods.{mood}") for mood in moods], visit.language)
    return names and f'<span class="sf-mood">{plain(names)}</span>'


def _card(
    visit: Visit, row: MemoryRow, made: Sequence[MemoryRow] = (), terms: Iterable[str] | None = None
) -> str:
    record = row.memory
    said = record.query if isinstance(record, Turn) else record.text
    words = f"<p>{marked(said, terms or ())}</p>"
    if isinstance(record, Turn) and record.response:
        words += f'<div class="sf-reply">{_reply(record, terms)}</div>'
    below = "".join(
        f'<li data-memory="{derived.memory.id}">{_meta(visit, derived)}<p>{plain(derived.memory.text)}</p>'
        f"{_menu(visit, derived)}</li>"
        for derived in made
    )
    below = below and f'<ul class="sf-made">{below}</ul>'
    kept = row.prospect.retention
    kept = 1.0 if kept is None or record.trace.pinned else kept
    head = draw_spark(visit, row) + _meta(visit, row, dated=terms is not None) + _menu(visit, row)
    return (
        f'<article class="sf-card sf-{row.prospect.state}" data-memory="{record.id}" '
        f'style="--sf-retention:{kept:.2f}"><div class="sf-head">{head}</div>'
        f'<div class="sf-fades">{words}</div>{below}</article>'
    )


def _reply(turn: Turn, terms: Iterable[str] | None) -> str:
    """Return the companion's words: with marks where something was searched, else as in the talk."""
    if terms:
        return f"<p>{marked(turn.response, terms)}</p>"
    draw = plain_html if turn.replied_by == OFFLINE else reply_html
    return f'<div class="md-block">{draw(turn.response)}</div>'


def _meta(visit: Visit, row: MemoryRow, *, dated: bool = False) -> str:
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
    return f'<p class="sf-meta">{plain(" · ".join(told))}</p>'


def _found(visit: Visit, words: str, state: str) -> str:
    """Return search results, best first; memories put away only in their own list."""
    wanted = None if state in ("all", "pinned") else state
    rows = visit.person.search(words, state=wanted, top=FOUND if state == "all" else None)
    rows = tuple(row for row in rows if _lets(row, state))[:FOUND]
    return draw_found(visit, words, rows, lambda row, terms: _card(visit, row, terms=terms))
