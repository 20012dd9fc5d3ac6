"""The exchanges of a talk as a tab sees them, and each as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from siliconfriend.control.listing import words_of
from siliconfriend.memory.provenance import OFFLINE, Used
from siliconfriend.memory.records import Memory, Turn

from .backend import Visit
from .forms import button, menu
from .markdown import plain_blocks, reply_blocks
from .replies import Message, Reply, Talk
from .words import plain, shortened

MOST_WHY = 3

State = Literal[
    "opening", "waiting", "running", "", "whole", "stopped", "cut", "failed", "unanswered",
    "taken_out",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """An exchange.

    Attributes:
        key: of its message, else its id.
        state: waiting, running, or how its reply ended.
        at: when it was said; None where that is not known.
        id: of its turn; empty while it is not stored.
        blocks: safe HTML of the response.
        used: the memories that the reply was given.
        trouble: a sentence about what went wrong.
    """

    key: str
    query: str
    state: State
    date: str = ""
    at: datetime | None = None
    id: str = ""
    response: str = ""
    blocks: Sequence[str] = ()
    used: Sequence[Used] = ()
    trouble: str = ""
    off_record: bool = False
    unkept: bool = False


def read_lines(visit: Visit, talk: Talk, tab: str, most: int) -> tuple[list[Line], bool]:
    """Return the newest exchanges with those that run and wait, oldest first.

    Returns:
        the exchanges, and whether there are earlier ones.
    """
    running, waiting = talk.running, list(talk.waiting)  # before what is stored: nothing is missed
    turns = newest_turns(visit, most + 2)
    if running is not None and not running.message.again and turns:
        last = turns[-1]
        # Before the reply knows its turn: stored just now, and not answered.
        is_own = not running.turn and not last.response and last.query == running.message.words
        turns = turns[:-1] if last.id == running.turn or is_own else turns
    lines = [_line_of_turn(talk, turn) for turn in turns[-most:]]
    is_open = running is None and bool(lines) and lines[-1].state == "unanswered"
    if is_open and is_answered_elsewhere(visit):
        lines[-1] = replace(lines[-1], state="running")
    for reply in talk.aside.get(tab, ()):
        said = reply.message.at
        later = (place for place, it in enumerate(lines) if it.at is not None and it.at > said)
        lines.insert(next(later, len(lines)), _line_of_reply(reply, reply.end))
    if running is not None and running.message.is_for(tab):
        again = running.message.again
        lines = [it for it in lines if it.id != again] if again else lines
        lines.append(_line_of_reply(running, "running"))
    lines += [_line_of_message(message) for message in waiting if message.is_for(tab)]
    return lines, len(turns) > most


def newest_turns(visit: Visit, most: int) -> list[Turn]:
    """Return at least so many of the newest turns, oldest first; no older day is read."""
    found: list[Turn] = []
    for iso in sorted(visit.memory.days, reverse=True) if visit.memory else ():
        found = [*visit.known.days[iso].turns, *found]
        if len(found) >= most:
            break
    return found


def is_answered_elsewhere(visit: Visit) -> bool:
    """Return True if another process of the page says a reply to this person."""
    replies = visit.backend.installation.replies
    return replies.are_several and replies.state(visit.scope)[1]


def _line_of_turn(talk: Talk, turn: Turn) -> Line:
    response = turn.response or talk.stopped_words(turn.id)
    how, trouble, key = talk.ended.get(turn.id, ("", "", turn.id))
    state: State
    if not response:
        state = "taken_out" if turn.replied_by else "unanswered"
    elif turn.response and not turn.interrupted:
        state = "whole"
    else:
        state = "stopped" if how == "stopped" else "cut"
    blocks = (plain_blocks if turn.replied_by == OFFLINE else reply_blocks)(response)
    line = Line(key, turn.query, state, turn.date, turn.time, turn.id, response, blocks)
    return replace(line, used=turn.used, trouble=trouble, unkept=turn.unkept)


def _line_of_reply(reply: Reply, state: State) -> Line:
    line = replace(_line_of_message(reply.message), state=state, id=reply.turn)
    line = replace(line, response=reply.words, blocks=reply.blocks())
    return replace(line, used=reply.used, trouble=reply.trouble)


def _line_of_message(message: Message) -> Line:
    date, off_record = message.at.date().isoformat(), message.off_record
    return Line(message.key, message.words, "waiting", date, message.at, off_record=off_record)


def draw_lines(visit: Visit, lines: Sequence[Line]) -> dict[str, str]:
    """Return the HTML of each exchange by its key, with the name of each day above its first."""
    drawn: dict[str, str] = {}
    day, is_busy = "", any(it.state in ("running", "waiting") for it in lines)
    for line in lines:
        if line.date != day:
            day = line.date
            drawn[f"day:{day}"] = draw_separator(day_name(visit, day), "talk-day")
        drawn[line.key] = draw_line(visit, line, is_last=line is lines[-1] and not is_busy)
    return drawn


def draw_separator(words: str, kind: str) -> str:
    """Return what stands between exchanges."""
    return f'<h2 class="talk-separator {kind}">{plain(words)}</h2>'


def draw_line(visit: Visit, line: Line, *, is_last: bool = False) -> str:
    """Return an exchange: the words as typed, the reply, why it was said, and what can be done."""
    aside = "is-aside" if line.off_record or line.unkept else ""
    own = ""
    if line.query:
        marks = [
            visit.say("talk.off_record_mark") if line.off_record else "",
            visit.say("talk.unkept_mark") if line.unkept else "",
            visit.say("talk.waiting") if line.state == "waiting" else "",
            f"{line.at.astimezone(visit.zone):%H:%M}" if line.at else "",
        ]
        own = (
            f'<div class="talk-mine"><span class="talk-marks">{plain(" · ".join(filter(None, marks)))}'
            f'</span><p class="user">{plain(line.query)}</p></div>'
        )
    return (
        f'<article class="talk-line {aside}" data-state="{line.state}" data-id="{plain(line.id)}">'
        f"{own}{_reply(visit, line, is_last)}{_end(visit, line, is_last)}</article>"
    )


def _reply(visit: Visit, line: Line, is_last: bool) -> str:
    if not line.blocks and line.state != "running":
        return ""
    said = "".join(f'<div class="md-block">{it}</div>' for it in line.blocks)
    if not said:
        thinking = visit.html("talk.thinking", companion=visit.companion_name)
        dots = '<span class="talk-dots" aria-hidden="true"><i></i><i></i><i></i></span>'
        said = f'<p class="talk-thinking">{dots}{thinking}</p>'
    acts = ""
    if line.state not in ("opening", "running"):
        verbs = ["copy", *(["rekeep" if line.unkept else "unkeep"] if line.id else [])]
        verbs += ["again", "reword", "undo"] if is_last and line.id else []
        acts = menu(visit, verbs, line.id or line.key, line.query)
    return (
        f'<div class="talk-theirs"><img class="sf-avatar" src="{plain(visit.picture)}" alt=""><div class="bot">'
        f'<div class="said">{said}</div>{_why(visit, line.used)}</div>{acts}</div>'
    )


def _why(visit: Visit, used: Sequence[Used]) -> str:
    """Return the memories that mattered most to a reply, a line each; their numbers are folded."""
    found = best_memories(visit, used)
    if not found:
        return ""
    items = ""
    for memory, _ in found:
        words = shortened(memory.query if isinstance(memory, Turn) else words_of(memory), 90)
        link = f'<a href="#/memories?day={memory.date}">{plain(day_name(visit, memory.date))}</a>'
        items += f"<li>{link} {plain(words)}</li>"
    numbers = " · ".join(f"{score:.2f}" for _, score in found)
    return (
        f'<details class="talk-why"><summary>{visit.html("talk.why")}</summary><ul>{items}</ul>'
        f"<details><summary>{visit.html('talk.why_numbers')}</summary><p>{numbers}</p></details>"
        "</details>"
    )


def best_memories(visit: Visit, used: Sequence[Used]) -> list[tuple[Memory, float]]:
    """Return the memories that mattered most to a reply with their scores, best first."""
    best = sorted(used if visit.memory else (), key=lambda it: -it.score)
    found = ((visit.known.find(it.id), it.score) for it in best)
    return [(memory, score) for memory, score in found if memory is not None][:MOST_WHY]


def _end(visit: Visit, line: Line, is_last: bool) -> str:
    told = f"⚠ {line.trouble} " if line.trouble else ""
    if line.state in ("stopped", "cut", "failed", "unanswered", "taken_out"):
        told += visit.say(f"talk.end.{line.state}")
    acts = ""
    if is_last and line.state not in ("whole", "taken_out"):
        if line.response:
            acts += button(visit.say("talk.go_on"), "go_on", kind="sf-link")
        if line.id or not line.response:
            acts += button(visit.say("verbs.again"), "again", kind="sf-link")
    return told and f'<p class="talk-end">{plain(told)}{acts}</p>'


def day_name(visit: Visit, iso: str) -> str:
    """Return the name of a day as a title begins."""
    name = visit.day(iso)
    return name[:1].upper() + name[1:]
