"""Exchanges of a talk as one tab shows them, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.texts import text

from .backend import Visit
from .components import button, menu
from .markdown import growing_html, plain_html, reply_html
from .replies import State, TalkEntry
from .static import icon
from .words import plain, shortened

MOST_WHY = 3
CODE = '<div class="md-wide" tabindex="0"><pre>'


def read_exchanges(visit: Visit, tab: str, most: int) -> tuple[list[TalkEntry], bool]:
    """Return the newest exchanges, oldest first, and whether there are earlier ones."""
    # Before what is stored, so that nothing is missed; copied, since a reply may end meanwhile.
    own = [copy(exchange) for exchange in visit.talk.exchanges if exchange.is_for(tab)]
    running = next((exchange for exchange in own if exchange.state == "running"), None)
    turns = newest_turns(visit, most + 2)
    if running is not None and turns:
        last = turns[-1]
        # Before the reply knows its turn: stored just now, and not answered.
        is_own = not (running.id or running.again or running.off_record)
        is_own = is_own and not last.response and last.query == running.query
        if is_own or last.id in (running.id, running.again):
            turns = turns[:-1]
    by_turn = {exchange.id: exchange for exchange in own if exchange.is_stored}
    found = [_exchange_of(turn, by_turn.get(turn.id)) for turn in turns[-most:]]
    is_open = running is None and bool(found) and found[-1].state == "unanswered"
    if is_open and is_answered_elsewhere(visit):
        found[-1].state = "running"
    for exchange in own:
        place, said = len(found), exchange.at
        if exchange.state in ("running", "waiting"):
            found.append(exchange)
        elif not exchange.is_stored and said:
            is_first = exchange.state == "opening"  # unasked, so before what was said then
            later = (
                at
                for at, memory in enumerate(found)
                if memory.at is not None and (memory.at >= said if is_first else memory.at > said)
            )
            found.insert(next(later, place), exchange)
    is_more, today = len(turns) > most, visit.now.date().isoformat()
    if not is_more and (not turns or turns[0].date == today):
        words = visit.greeting()
        found.insert(0, TalkEntry("greeting", "", "opening", response=words))
    return found, is_more


def newest_turns(visit: Visit, most: int) -> list[Turn]:
    """Return at least so many of the newest turns, oldest first; no older day is read."""
    found: list[Turn] = []
    for iso in sorted(visit.memory.days, reverse=True) if visit.memory else ():
        found = [*visit.known.days[iso].turns, *found]
        if len(found) >= most:
            break
    return found


def is_answered_elsewhere(visit: Visit) -> bool:
    """Return True if another process is generating a reply to this person."""
    installation = visit.backend.installation
    return installation.is_shared and installation.talk_state(visit.scope)[1]


def _exchange_of(turn: Turn, known: TalkEntry | None) -> TalkEntry:
    # The words of a stopped reply whose model is still silent are not stored yet.
    response = turn.response or (known.response if known else "")
    state: State
    if not response:
        state = "taken_out" if turn.replied_by else "unanswered"
    elif turn.response and not turn.interrupted:
        state = "whole"
    else:
        state = "stopped" if known and known.state == "stopped" else "cut"
    key, trouble = (known.key, known.trouble) if known else (turn.id, "")
    found = TalkEntry(key, turn.query, state, turn.date, turn.time, id=turn.id, response=response)
    found.used, found.trouble, found.unkept = turn.used, trouble, turn.unkept
    found.is_plain = turn.replied_by == OFFLINE
    return found


def first_new(exchanges: Sequence[TalkEntry], seen: str) -> str:
    """Return the key of the first exchange after the turn ``seen``; empty where there is none."""
    keys = [exchange.key for exchange in exchanges]
    places = [at for at, exchange in enumerate(exchanges) if seen and exchange.id == seen]
    return keys[places[0] + 1] if places and places[0] + 1 < len(keys) else ""


def draw_exchanges(visit: Visit, exchanges: Sequence[TalkEntry], new: str) -> dict[str, str]:
    """Return the HTML of each exchange by its key, with the separators between them.

    These name each day above its first exchange, and stand above the exchange of the key ``new``.
    """
    drawn: dict[str, str] = {}
    day, is_busy = "", any(exchange.state in ("running", "waiting") for exchange in exchanges)
    for exchange in exchanges:
        is_last = exchange is exchanges[-1]
        if exchange.date != day:
            day = exchange.date
            drawn[f"day:{day}"] = _separator(visit.day_title(day), "talk-day")
        if exchange.key == new:
            drawn["new"] = _separator(visit.say("talk.since_last_visit"), "talk-new")
        drawn[exchange.key] = draw_exchange(visit, exchange, is_last=is_last and not is_busy)
    return drawn


def _separator(words: str, kind: str) -> str:
    return f'<h2 class="talk-separator {kind}">{plain(words)}</h2>'


def draw_exchange(visit: Visit, exchange: TalkEntry, *, is_last: bool = False) -> str:
    """Return the HTML of an exchange: message, reply, its memories, and the actions."""
    aside = "is-aside" if exchange.off_record or exchange.unkept else ""
    own = ""
    if exchange.query:
        marks = [
            visit.say("talk.off_record_mark") if exchange.off_record else "",
            visit.say("talk.unkept_mark") if exchange.unkept else "",
            visit.say("talk.waiting") if exchange.state == "waiting" else "",
            f"{exchange.at.astimezone(visit.zone):%H:%M}" if exchange.at else "",
        ]
        own = (
            f'<div class="talk-mine"><span class="talk-marks">{plain(" · ".join(filter(None, marks)))}'
            f'</span><p class="user">{plain(exchange.query)}</p></div>'
        )
    return (
        f'<article class="talk-line {aside}" data-state="{exchange.state}" data-id="{plain(exchange.id)}">'
        f"{own}{_reply(visit, exchange, is_last)}{_end(visit, exchange, is_last)}</article>"
    )


def _reply(visit: Visit, exchange: TalkEntry, is_last: bool) -> str:
    written = growing_html if exchange.state == "running" else reply_html
    said = (plain_html if exchange.is_plain else written)(exchange.response)
    if exchange.state != "running":
        copy = f'<button type="button" class="sf-copy" data-act="copy_code" aria-label="{visit.html("talk.copy_code")}">{icon("copy")}</button>'
        said = said.replace(CODE, f"{CODE}{copy}")
    said = said and f'<div class="md-block">{said}</div>'
    if exchange.state == "running" and not said:
        dots = '<span class="talk-dots" aria-hidden="true"><i></i><i></i><i></i></span>'
        said = f'<p class="talk-thinking">{dots}{plain(_thinking(visit))}</p>'
    if not said:
        return ""
    acts = ""
    if exchange.state not in ("opening", "running"):
        verbs = ["copy", *(["rekeep" if exchange.unkept else "unkeep"] if exchange.id else [])]
        verbs += ["again", "reword", "undo"] if is_last and exchange.id else []
        acts = menu(visit, verbs, exchange.id or exchange.key, exchange.query)
    why = "" if exchange.state == "running" else _why(visit, exchange.used)
    return (
        f'<div class="talk-theirs"><img class="sf-avatar" src="{plain(visit.picture)}" alt=""><div class="bot">'
        f'<div class="said">{said}</div>{why}</div>{acts}</div>'
    )


def _thinking(visit: Visit) -> str:
    """Return what the reply is waiting for: its first word, or an import."""
    if progress := visit.person.indexing():
        done, count = progress
        return text("recall", "taking_in", visit.language, done=done, all=count)
    return visit.say("talk.thinking", companion=visit.companion_name)


def _why(visit: Visit, used: Sequence[Used]) -> str:
    """Return a chip that names the memory behind a reply; empty if none is likely."""
    found = carrying_memories(visit, used)
    if not found:
        return ""
    items = "".join(
        f'<li><a href="#/memories?day={memory.date}">{plain(visit.day_title(memory.date))}</a> '
        f"{plain(shortened(_words_of(memory), 90))}</li>"
        for memory in found
    )
    words = shortened(_words_of(found[0]), 36)
    chip = visit.html("talk.why", day=visit.day(found[0].date), words=words)
    return f'<details class="talk-why"><summary>{chip}</summary><ul>{items}</ul></details>'


def _words_of(memory: Memory) -> str:
    return memory.query if isinstance(memory, Turn) else memory.text


def carrying_memories(visit: Visit, used: Sequence[Used]) -> list[Memory]:
    """Return the likely memories behind a reply, best first.

    The nearest memory is not one of them if it was unlikely meant.
    """
    best = sorted((each for each in used if each.is_likely), key=lambda each: -each.score)
    found = (visit.known.find(each.id) for each in (best if visit.memory else ()))
    return [memory for memory in found if memory is not None][:MOST_WHY]


def _end(visit: Visit, exchange: TalkEntry, is_last: bool) -> str:
    told = f"⚠ {exchange.trouble} " if exchange.trouble else ""
    if exchange.state in ("stopped", "cut", "failed", "unanswered", "taken_out"):
        told += visit.say(f"talk.end.{exchange.state}")
    acts = ""
    if is_last and exchange.state not in ("opening", "whole", "taken_out"):
        if exchange.response:
            acts += button(visit.say("talk.go_on"), "go_on", kind="sf-link")
        if exchange.id or not exchange.response:
            acts += button(visit.say("verbs.again"), "again", kind="sf-link")
    return told and f'<p class="talk-end">{plain(told)}{acts}</p>'
