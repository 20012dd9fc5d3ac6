"""Exchanges of a talk as one tab shows them, as HTML."""

from collections.abc import Sequence
from copy import copy
from itertools import islice

from markupsafe import Markup

from siliconfriend.language.message import takes_up
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Visit
from .markdown import growing_html, plain_html, reply_html
from .replies import EntryState, TalkEntry
from .words import error_words

MOST_WHY = 3


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
    # A stopped reply is not stored yet while its model is still silent.
    response = turn.response or (known.response if known else "")
    state: EntryState
    if not response:
        state = "taken_out" if turn.replied_by else "unanswered"
    elif turn.response and not turn.interrupted:
        state = "whole"
    else:
        state = "stopped" if known and known.state == "stopped" else "cut"
    key, troubles = (known.key, known.troubles) if known else (turn.id, ())
    found = TalkEntry(key, turn.query, state, turn.date, turn.time, id=turn.id, response=response)
    found.used, found.troubles, found.unkept = turn.used, troubles, turn.unkept
    found.is_plain = turn.replied_by == OFFLINE
    return found


def first_new(exchanges: Sequence[TalkEntry], seen: str) -> str:
    """Return the key of the first exchange after the turn ``seen``; empty where there is none."""
    keys = [exchange.key for exchange in exchanges]
    places = [at for at, exchange in enumerate(exchanges) if seen and exchange.id == seen]
    return keys[places[0] + 1] if places and places[0] + 1 < len(keys) else ""


def draw_exchanges(visit: Visit, exchanges: Sequence[TalkEntry], new: str) -> dict[str, str]:
    """Return the HTML of each exchange by its key, with the separators between them.

    There is one above the first exchange of each day, and one above the exchange ``new``.
    """
    drawn: dict[str, str] = {}
    separator = Markup('<h2 class="talk-separator {}">{}</h2>')
    day, is_busy = "", any(exchange.state in ("running", "waiting") for exchange in exchanges)
    for exchange in exchanges:
        is_last = exchange is exchanges[-1]
        if exchange.date != day:
            day = exchange.date
            drawn[f"day:{day}"] = separator.format("talk-day", visit.day_title(day))
        if exchange.key == new:
            drawn["new"] = separator.format("talk-new", visit.say("talk.since_last_visit"))
        drawn[exchange.key] = draw_exchange(visit, exchange, is_last=is_last and not is_busy)
    return drawn


def draw_exchange(visit: Visit, exchange: TalkEntry, *, is_last: bool = False) -> Markup:
    """Return the HTML of an exchange: message, reply, its memories, and the actions."""
    is_running = exchange.state == "running"
    marks = [
        visit.say("talk.off_record_mark") if exchange.off_record else "",
        visit.say("talk.unkept_mark") if exchange.unkept else "",
        visit.say("talk.waiting") if exchange.state == "waiting" else "",
        f"{exchange.at.astimezone(visit.zone):%H:%M}" if exchange.at else "",
    ]
    said = _reply(visit, exchange)
    verbs, acts = [], []
    if said and exchange.state not in ("opening", "running"):
        verbs = ["copy", *(["rekeep" if exchange.unkept else "unkeep"] if exchange.id else [])]
        verbs += ["again", "reword", "undo"] if is_last and exchange.id else []
    end = "".join(f"⚠ {error_words(each, visit.language)} " for each in exchange.troubles)
    if exchange.state in ("stopped", "cut", "failed", "unanswered", "taken_out"):
        end += visit.say(f"talk.end.{exchange.state}")
    if is_last and exchange.state not in ("opening", "whole", "taken_out"):
        acts += ["go_on"] if exchange.response else []
        acts += ["again"] if exchange.id or not exchange.response else []
    return visit.draw(
        "exchange.html",
        exchange=exchange,
        marks=marks,
        said=said,
        thinking=_thinking(visit) if is_running and not said else "",
        why=[] if is_running else carrying_memories(visit, exchange),
        verbs=verbs,
        end=end,
        acts=acts,
    )


def _reply(visit: Visit, exchange: TalkEntry) -> Markup:
    written = growing_html if exchange.state == "running" else reply_html
    said = (plain_html if exchange.is_plain else written)(exchange.response)
    if exchange.state != "running" and "<pre>" in said:
        said = said.replace("<pre>", f"{visit.draw('copy_code.html')}<pre>")
    return Markup(said)  # noqa: S704  # cleaned by markdown.py


def _thinking(visit: Visit) -> str:
    """Return what the reply is waiting for: its first word, or an import."""
    if progress := visit.person.indexing():
        done, count = progress
        return text("recall", "taking_in", visit.language, done=done, all=count)
    return visit.say("talk.thinking", companion=visit.companion_name)


def carrying_memories(visit: Visit, exchange: TalkEntry) -> list[tuple[str, str]]:
    """Return the days and the words of the likely memories behind a reply, best first.

    The nearest memory is not one of them if it was unlikely meant or not taken up, nor is what was
    only due.
    """
    likely = (each for each in exchange.used if each.is_likely and not each.is_due)
    best = sorted(likely, key=lambda each: -each.score)
    found = (visit.known.find(each.id) for each in (best if visit.memory else ()))
    memories = (
        each
        for each in found
        if each is not None and takes_up(exchange.query, exchange.response, each.text)
    )
    return [
        (memory.date, memory.query if isinstance(memory, Turn) else memory.text)
        for memory in islice(memories, MOST_WHY)
    ]
