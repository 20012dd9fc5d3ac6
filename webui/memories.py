"""The memories panel: by day, found by words or meaning, put right, let go, taken in and out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Literal

from siliconfriend.control.listing import MemoryRow, words_of
from siliconfriend.errors import UsageError
from siliconfriend.language.moods import moods_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Day, DaySummary, Turn, kind_of

from .backend import Backend, Visit
from .carrying import lay_out_files
from .components import LABELS, fills, gr, make_view, shown
from .forms import button, field, sheet
from .static import icon
from .talk import erase_memory
from .words import day_name, listed, marked, plain, quiet, shortened

DAYS_AT_ONCE = 10
FOUND = 40
MOST_MOODS = 2
STATES = ("vivid", "faded", "archived", "pinned")
UNDONE_BY = {
    "pin": "unpin",
    "unpin": "pin",
    "forget": "restore",
    "restore": "forget",
    "unkeep": "rekeep",
    "rekeep": "unkeep",
}
Side = Literal["bright", "mixed", "heavy"]


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    with gr.Row(elem_classes="sf-filters"):
        words = gr.Textbox(label=LABELS("search"), placeholder=LABELS("search_hint"), scale=3)
        state = gr.Dropdown(
            [(LABELS(it), it) for it in ("all", *STATES)], value="all", label=LABELS("state")
        )
    view = make_view("memories", elem_id="memories")
    inputs = [words, state]
    fills(backend, view, view.select, show, inputs)
    fills(backend, view, words.input, show, inputs)
    fills(backend, view, state.input, show, inputs)
    fills(backend, view, view.click, act, inputs)
    fills(backend, view, view.submit, submit, inputs)
    lay_out_files(backend)


def show(visit: Visit, event: dict[str, Any], words: str, state: str) -> dict[str, Any]:
    """Show the newest days, those from a day on, or what is found."""
    if visit.memory is None:
        return shown(quiet(visit.say("nobody_yet")))
    if words.strip():
        return shown(_found(visit, words.strip(), state))
    start = event.get("day", "")
    until = event.get("until", "") if event.get("changed") else ""
    goto = f"day-{start}" if start else ""
    return shown(_head(visit) + _days(visit, state, start=start, until=until), goto=goto)


def act(visit: Visit, event: dict[str, Any], words: str, state: str) -> dict[str, Any]:
    """Do what was chosen at a memory, or show more days."""
    name, identifier = event["act"], event["id"]
    if name == "more":
        return shown(append=_days(visit, state, before=identifier))
    if name == "day":
        return show(visit, {"day": event["value"]}, "", state)
    return _after(visit, event, act_on(visit, event), words, state)


def submit(visit: Visit, event: dict[str, Any], words: str, state: str) -> dict[str, Any]:
    """Erase or put right what the dialog was about."""
    return _after(visit, event, submit_sheet(visit, event), words, state)


def _after(
    visit: Visit, event: dict[str, Any], told: dict[str, Any], words: str, state: str
) -> dict[str, Any]:
    if told["sheet"]:
        return told
    asked = {"changed": True, "until": event.get("until", "")}
    return {**told, "html": show(visit.again(), asked, words, state)["html"]}


def act_on(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
    """Do what can be taken back at once; erasing and putting right open a dialog."""
    name, identifier = event["act"], event["id"]
    if name == "erase":
        return shown(sheet=_erase_sheet(visit, identifier))
    if name in ("edit", "correct"):
        return shown(sheet=_edit_sheet(visit, identifier))
    if name not in UNDONE_BY:
        raise UsageError("memory_unknown", id=identifier)
    done: Any = name
    visit.person.act(done, identifier)
    visit.backend.talks.changed(visit.scope)
    undo = (visit, UNDONE_BY[name], identifier)
    return shown(status=visit.say(f"done.{name}"), undo=undo)


def submit_sheet(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
    """Erase or put right; tells what was done."""
    identifier, fields = event["id"], event["fields"]
    if event["act"] == "erase":
        return shown(status=erase_memory(visit, identifier))
    words = fields.get("words", "").strip()
    if not words:
        raise UsageError("edit_words", id=identifier)
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        visit.person.edit(identifier, query=words, response=fields.get("response", ""))
    else:
        visit.person.edit(identifier, text=words)
    visit.backend.talks.changed(visit.scope)
    return shown(status=visit.say("done.edit" if record is not None else "corrected"))


def _erase_sheet(visit: Visit, identifier: str) -> str:
    found = visit.person.show(identifier)
    record, gone = found.row.memory, found.details["derived"]
    told = visit.say("erase.with", count=len(gone)) if gone else visit.say("erase.alone")
    body = f"<blockquote>{plain(words_of(record))}</blockquote><p>{plain(told)}</p>"
    title, no, yes = visit.say("erase.title"), visit.say("keep"), visit.say("sure")
    return sheet("erase", identifier, title, body, no, yes, "sf-danger")


def _edit_sheet(visit: Visit, identifier: str) -> str:
    record = visit.known.find(identifier)
    if isinstance(record, Turn):
        body = field("words", visit.say("words"), record.query, lines=4)
        body += field("response", visit.say("reply_words"), record.response, lines=4)
    else:
        words = _text_of(visit, identifier)
        body = field("words", visit.say("right_words"), words, lines=4)
    title, no, yes = visit.say("correct"), visit.say("cancel"), visit.say("save")
    return sheet("edit", identifier, title, body, no, yes)


def _text_of(visit: Visit, identifier: str) -> str:
    record = visit.known.find(identifier)
    if record is not None:
        return words_of(record)
    for part in visit.person.portrait().parts:
        if part.id == identifier:
            return part.text
    raise UsageError("memory_unknown", id=identifier)


def menu(visit: Visit, acts: Iterable[str], identifier: str, words: str) -> str:
    """Return a button that opens what can be done with a memory."""
    name = visit.say("talk.menu", words=shortened(words, 40))
    items = "".join(button(visit.say(f"verbs.{it}"), it, identifier, "") for it in acts)
    return (
        f'<details class="sf-menu"><summary aria-label="{plain(name)}">'
        f'{icon("more")}</summary><div class="sf-menu-items">{items}</div>'
        "</details>"
    )


def _verbs(row: MemoryRow) -> Iterator[str]:
    yield "unpin" if row.memory.trace.pinned else "pin"
    yield "restore" if row.prospect.state == "archived" else "forget"
    if isinstance(row.memory, Turn) and row.memory.unkept:
        yield "rekeep"
    yield from ("edit", "erase")


def _head(visit: Visit) -> str:
    """Return the way to a day."""
    newest = max(visit.known.days, default=visit.today.isoformat())
    return (
        f'<label class="sf-to-day">{plain(visit.say("go_to_day"))}'
        f'<input class="sf-input" type="date" data-act="day" max="{newest}"></label>'
    )


def _days(visit: Visit, state: str, *, start: str = "", until: str = "", before: str = "") -> str:
    """Return some days as HTML, newest first, and a button for those before them."""
    dates = sorted(visit.known.days, reverse=True)
    if start and dates:
        nearest = next((it for it in dates if it <= start), dates[-1])
        dates = dates[dates.index(nearest) :]
    dates = [it for it in dates if not before or it < before]
    parts: list[str] = []
    last = ""
    for iso in dates:
        if len(parts) >= DAYS_AT_ONCE and not (until and iso >= until):
            break
        last = iso
        if html := _day(visit, visit.known.days[iso], state, start):
            parts.append(html)
    if not parts and not before:
        return quiet(visit.say("none_found"))
    has_more = bool(last) and last > dates[-1]
    return "".join(parts) + (button(visit.say("more_days"), "more", last) if has_more else "")


def _lets(row: MemoryRow, state: str) -> bool:
    if state == "pinned":
        return row.memory.trace.pinned
    return state == "all" or row.prospect.state == state


def _day(visit: Visit, day: Day, state: str, start: str) -> str:
    """Return one day: its name, mood and summary, then what was said with what was made of it."""
    ids = [record.id for record in day.memories()]
    rows = [row for row in visit.person.rows(*ids) if _lets(row, state)]
    if not rows:
        return ""
    lines = {row.memory.id: row for row in rows if isinstance(row.memory, Turn)}
    made: dict[str, list[MemoryRow]] = {}
    alone, summary = [], ""
    for row in rows:
        if isinstance(row.memory, DaySummary):
            summary = _summary(visit, row)
        elif not isinstance(row.memory, Turn):
            line = next((it for it in row.memory.provenance.from_ids if it in lines), None)
            made.setdefault(line, []).append(row) if line else alone.append(row)
    cards = [_card(visit, row, made.get(key, ())) for key, row in lines.items()]
    cards += [_card(visit, row) for row in alone]
    name = plain(day_name(day.date, visit.today, visit.language))
    anchor = f"day-{start}" if start and day.date <= start else f"day-{day.date}"
    return (
        f'<section class="sf-day" id="{anchor}" data-day="{day.date}">'
        f'<h2><time datetime="{day.date}">{name}</time>{_mood(visit, day)}</h2>{summary}'
        f"{''.join(cards)}</section>"
    )


def _mood(visit: Visit, day: Day) -> str:
    """Return the moods named on a day; nothing where none was."""
    own = day.personality
    told = [own.mood] if own is not None and own.mood else [it.query for it in day.turns]
    moods = [mood for mood, _ in moods_of(told).most_common(MOST_MOODS)]
    if not moods:
        return ""
    bright = sum(mood.is_bright for mood in moods)
    side: Side = "bright" if bright == len(moods) else "mixed" if bright else "heavy"
    names = listed([mood.name(visit.language) for mood in moods], visit.language)
    return f'<span class="sf-mood sf-{side}">{plain(names)}</span>'


def _summary(visit: Visit, row: MemoryRow) -> str:
    words = words_of(row.memory)
    return (
        f'<div class="sf-summary" data-memory="{row.memory.id}"><p>{plain(words)}</p>'
        f"{menu(visit, _verbs(row), row.memory.id, words)}</div>"
    )


def _card(
    visit: Visit, row: MemoryRow, made: Sequence[MemoryRow] = (), terms: Iterable[str] | None = None
) -> str:
    record, dated = row.memory, terms is not None
    said = record.query if isinstance(record, Turn) else words_of(record)
    words = f"<p>{marked(said, terms or ())}</p>"
    if isinstance(record, Turn) and record.response:
        words += f'<p class="sf-reply">{marked(record.response, terms or ())}</p>'
    below = "".join(
        f'<li data-memory="{it.memory.id}">{_meta(visit, it)}<p>{plain(words_of(it.memory))}</p>'
        f"{menu(visit, _verbs(it), it.memory.id, words_of(it.memory))}</li>"
        for it in made
    )
    below = below and f'<ul class="sf-made">{below}</ul>'
    return (
        f'<article class="sf-card sf-{row.prospect.state}" data-memory="{record.id}" '
        f'style="--sf-retention:{_kept(row):.2f}"><div class="sf-head">{_meta(visit, row, dated=dated)}'
        f"{menu(visit, _verbs(row), record.id, words_of(record))}</div>"
        f'<div class="sf-fades">{words}</div>{below}</article>'
    )


def _kept(row: MemoryRow) -> float:
    share = row.prospect.retention
    if row.prospect.state == "archived":
        return 0.1
    return 1.0 if share is None or row.memory.trace.pinned else share


def _meta(visit: Visit, row: MemoryRow, *, dated: bool = False) -> str:
    record, outlook = row.memory, row.prospect
    told = []
    if dated:
        told.append(day_name(record.date, visit.today, visit.language))
    if isinstance(record, Turn) and record.time is not None:
        told.append(f"{record.time.astimezone(row.zone):%H:%M}")
    if not isinstance(record, Turn):
        told.append(visit.say(f"kinds.{kind_of(record)}"))
    if outlook.retention is not None and outlook.state != "archived" and not record.trace.pinned:
        told.append(visit.say("vivid", kept=round(100 * outlook.retention)))
    if isinstance(record, Turn) and record.unkept:
        told.append(visit.say("fate_unkept"))
    elif record.trace.pinned:
        told.append(visit.say("fate_pinned"))
    elif outlook.state == "archived" and outlook.archived_on:
        told.append(visit.say("fate_archived", day=_named(visit, outlook.archived_on)))
    elif outlook.state == "vivid" and outlook.dims_on:
        told.append(visit.say("fate_dims", day=_named(visit, outlook.dims_on)))
    if isinstance(record, Fact) and record.superseded_by:
        told.append(visit.say("no_longer"))
    return f'<p class="sf-meta">{plain(" · ".join(told))}</p>'


def _named(visit: Visit, day: date) -> str:
    return day_name(day.isoformat(), visit.today, visit.language)


def _found(visit: Visit, words: str, state: str) -> str:
    """Return what is found by meaning and by the words, best first, each with its day."""
    rows = visit.person.search(words, top=FOUND if state == "all" else None)
    rows = tuple(it for it in rows if _lets(it, state))[:FOUND]
    terms = {words, *tokenize(words)}
    return "".join(_card(visit, it, terms=terms) for it in rows) or quiet(visit.say("none_found"))
