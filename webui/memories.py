"""The memories panel: by day, found by words or meaning, put right, let go, taken in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, get_args

import msgspec

from siliconfriend.control.edit import Action, Before
from siliconfriend.control.listing import MemoryRow
from siliconfriend.errors import UsageError
from siliconfriend.language.moods import moods_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Day, DaySummary, Turn, kind_of
from siliconfriend.recall.dates import find_dates

from .backend import Backend, Visit
from .carrying import lay_out_files
from .components import LABELS, button, field, fills, gr, make_view, menu, sheet, shown
from .talk import erase_memory
from .words import listed, marked, plain, quiet

DAYS_AT_ONCE = 10
NEVER = "9999-12-31"  # a day after all days
FOUND = 40
MOST_MOODS = 2
STATES = ("vivid", "faded", "archived", "forgotten", "pinned")


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    with gr.Row(elem_classes="sf-filters"):
        words = gr.Textbox("", label=LABELS("search"), placeholder=LABELS("search_hint"), scale=3)
        states = [(LABELS(it), it) for it in ("all", *STATES)]
        state = gr.Radio(states, value="all", label=LABELS("state"), show_label=False)
    view = make_view("memories", elem_id="memories")
    fill_and_act(backend, view, show, [words, state])
    lay_out_files(backend)


def fill_and_act(
    backend: Backend, view: Any, draw: Callable[..., dict[str, Any]], inputs: Sequence[Any] = ()
) -> None:
    """Fill a view by ``draw``, also when something was done with a memory in it."""

    def handle(visit: Visit, event: dict[str, Any], *values: Any) -> dict[str, Any]:
        if event["act"] == "more":
            return draw(visit, event, *values)
        told = act_on(visit, event)
        if told["sheet"]:
            return told
        return {**told, "html": draw(replace(visit), {**event, "changed": True}, *values)["html"]}

    fills(backend, [view], [view.select], draw, inputs)
    fills(backend, [view], [view.click, view.submit], handle, inputs)


def show(visit: Visit, event: dict[str, Any], words: str, state: str) -> dict[str, Any]:
    """Show what is found, else the days: the newest, those from a day on, or more of them."""
    if visit.memory is None:
        return shown(quiet(visit.say("nobody_yet")))
    start, is_changed = event.get("since"), event.get("changed")
    has_jumped = event.get("day") and (start or not is_changed)
    if words.strip() and not has_jumped:
        return shown(_found(visit, words.strip(), state))
    is_more = event.get("act") == "more"
    if start and (is_more or is_changed):
        more, newest = DAYS_AT_ONCE if is_more else 0, start if event.get("day") else ""
        return shown(_days(visit, state, newest, event["until"], more))
    start = event.get("day", "")
    if start:
        days = visit.memory.days
        start = max((it for it in days if it <= start), default=min(days, default=""))
    return shown(_days(visit, state, start, NEVER, DAYS_AT_ONCE), goto=start and f"day-{start}")


def act_on(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
    """Do what a button says, and what the dialog says that erasing and putting right open."""
    name, identifier, fields = event["act"], event["id"], event.get("fields")
    if name == "undo":
        visit.person.undo(msgspec.json.decode(identifier, type=Before))
        visit.talk.changed()
        return shown(status=visit.say("done.undo"))
    if name in get_args(Action):
        before = msgspec.json.encode(visit.person.act(name, identifier)).decode()
        visit.talk.changed()
        return shown(status=visit.say(f"done.{name}"), undo=(visit, before))
    is_erasing = name == "erase"
    if fields is None:
        return shown(sheet=(_erase_sheet if is_erasing else _edit_sheet)(visit, identifier))
    told = erase_memory(visit, identifier) if is_erasing else _correct(visit, identifier, fields)
    return shown(status=told)


def _correct(visit: Visit, identifier: str, fields: Mapping[str, str]) -> str:
    words = fields.get("words", "").strip()
    if not words:
        raise UsageError("edit_words", id=identifier)
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        visit.person.edit(identifier, query=words, response=fields.get("response", ""))
    else:
        visit.person.edit(identifier, text=words)
    visit.talk.changed()
    return visit.say("corrected" if record is None else "done.edit")


def _erase_sheet(visit: Visit, identifier: str) -> str:
    found = visit.person.show(identifier)
    gone, words = found["derived"], plain(found["text"])
    told = visit.html("erase.with" if gone else "erase.alone", count=len(gone))
    body = f"<blockquote>{words}</blockquote><p>{told}</p>"
    return sheet(visit, "erase", identifier, visit.say("erase.title"), body, "sure")


def _edit_sheet(visit: Visit, identifier: str) -> str:
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        body = field("words", visit.say("words"), record.query, lines=4)
        body += field("response", visit.say("reply_words"), record.response, lines=4)
    else:
        part = record or visit.person.portrait().get(identifier)
        if part is None:
            raise UsageError("memory_unknown", id=identifier)
        body = field("words", visit.say("right_words"), part.text, lines=4)
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
            line = next((it for it in row.memory.provenance.from_ids if it in lines), None)
            made.setdefault(line, []).append(row) if line else alone.append(row)
    cards = [_card(visit, row, made.get(key, ())) for key, row in lines.items()]
    cards += [_card(visit, row) for row in alone]
    return (
        f'<section class="sf-day" id="day-{day.date}" data-day="{day.date}">'
        f'<h2><time datetime="{day.date}">{plain(visit.day(day.date))}</time>{_mood(visit, day)}</h2>'
        f"{summary}{''.join(cards)}</section>"
    )


def _mood(visit: Visit, day: Day) -> str:
    """Return the moods named on a day; nothing where none was."""
    own = day.personality
    told = [own.mood] if own is not None and own.mood else [it.query for it in day.turns]
    moods = [mood for mood, _ in moods_of(told).most_common(MOST_MOODS)]
    names = listed([mood.name(visit.language) for mood in moods], visit.language)
    return names and f'<span class="sf-mood">{plain(names)}</span>'


def _card(
    visit: Visit, row: MemoryRow, made: Sequence[MemoryRow] = (), terms: Iterable[str] | None = None
) -> str:
    record = row.memory
    said = record.query if isinstance(record, Turn) else record.text
    words = f"<p>{marked(said, terms or ())}</p>"
    if isinstance(record, Turn) and record.response:
        words += f'<p class="sf-reply">{marked(record.response, terms or ())}</p>'
    below = "".join(
        f'<li data-memory="{derived.memory.id}">{_meta(visit, derived)}<p>{plain(derived.memory.text)}</p>'
        f"{_menu(visit, derived)}</li>"
        for derived in made
    )
    below = below and f'<ul class="sf-made">{below}</ul>'
    kept = row.prospect.retention
    kept = 1.0 if kept is None or record.trace.pinned else kept
    return (
        f'<article class="sf-card sf-{row.prospect.state}" data-memory="{record.id}" '
        f'style="--sf-retention:{kept:.2f}">'
        f'<div class="sf-head">{_meta(visit, row, dated=terms is not None)}{_menu(visit, row)}</div>'
        f'<div class="sf-fades">{words}</div>{below}</article>'
    )


def _meta(visit: Visit, row: MemoryRow, *, dated: bool = False) -> str:
    record, outlook = row.memory, row.prospect
    told = [visit.day(record.date)] if dated else []
    if isinstance(record, Turn):
        told += [f"{record.time.astimezone(row.zone):%H:%M}"] if record.time else []
    else:
        told.append(visit.say(f"kinds.{kind_of(record)}"))
    if outlook.retention is not None and outlook.state != "archived" and not record.trace.pinned:
        told.append(visit.say("vivid", kept=round(100 * outlook.retention)))
    if isinstance(record, Turn) and record.unkept:
        told.append(visit.say("fate_unkept"))
    elif record.trace.pinned:
        told.append(visit.say("fate_pinned"))
    elif outlook.state == "archived" and outlook.archived_on:
        told.append(visit.say("fate_archived", day=visit.day(outlook.archived_on)))
    elif outlook.state == "vivid" and outlook.dims_on:
        told.append(visit.say("fate_dims", day=visit.day(outlook.dims_on)))
    if isinstance(record, Fact) and record.superseded_by:
        told.append(visit.say("no_longer"))
    return f'<p class="sf-meta">{plain(" · ".join(told))}</p>'


def _found(visit: Visit, words: str, state: str) -> str:
    """Return what is found, best first; where the words name a day, a link to it stands above."""
    days = [date.fromisoformat(it) for it in visit.known.days]
    named = find_dates(words, now=visit.now, zone=visit.zone, days=days)
    link = "".join(
        f'<p><a href="#/memories?day={it.last}">{visit.html("go_to_day", day=visit.day(it.last))}</a></p>'
        for it in named[:1]
    )
    rows = visit.person.search(words, top=FOUND if state == "all" else None)
    rows = tuple(it for it in rows if _lets(it, state))[:FOUND]
    terms = {words, *tokenize(words)}
    cards = "".join(_card(visit, it, terms=terms) for it in rows)
    return link + (cards or quiet(visit.say("none_found")))
