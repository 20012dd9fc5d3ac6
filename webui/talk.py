"""The talk: its lines as JSON, the stream that tabs follow, and what is done in it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import BaseModel, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.control.listing import words_of
from siliconfriend.errors import UsageError
from siliconfriend.memory.provenance import OFFLINE, Used
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Backend, Visit
from .markdown import plain_blocks, reply_blocks
from .replies import Message, Reply, Talk
from .words import shortened

PREFIX = "/talk/"
LINES = 40
MOST_LINES = 2000
MOST_WHY = 3
LONGEST_MESSAGE = 100_000
DRAW_INTERVAL = 0.03
"""Seconds between two sends: the words of a fast model come joined, the first at once."""
SILENCE = 1.0
KEEP_ALIVE_AFTER = 10
"""Silences after which something is sent, so that a lost connection is noticed."""
STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

Words = Annotated[str, Field(max_length=LONGEST_MESSAGE)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,64}$")]


class Act(BaseModel):
    """Request of a tab, drawn for ``person``, about the exchange of an ``id``."""

    person: str
    tab: Key
    key: Key = ""
    words: Words = ""
    off_record: bool = False
    id: Annotated[str, Field(max_length=200)] = ""
    unkept: bool = False


def talk_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes below ``/talk/``."""

    def acting(handle: Callable[[Visit, Talk, Act], dict[str, Any]]) -> Any:
        async def answer(request: Request) -> Response:
            try:
                asked = Act.model_validate_json(await request.body())
            except ValidationError:
                words = text("web", "refused_request", backend.language_of(request))
                return JSONResponse({"message": words}, 422)
            visit = _visit(backend, request, asked.person)
            talk = backend.talks.talk(visit.scope)
            return JSONResponse(await run_in_threadpool(handle, visit, talk, asked))

        return answer

    async def events(request: Request) -> Response:
        asked = request.query_params
        visit = _visit(backend, request, asked.get("person", ""))
        shown = asked.get("lines", "")
        lines = min(int(shown), MOST_LINES) if shown.isdecimal() else LINES
        told = follow(visit, asked.get("tab", ""), lines, "first" in asked)
        return EventSourceResponse(told, headers=STREAM_HEADERS)

    acts = {"say": _say, "stop": _stop, "undo": _undo, "mark": _mark}
    return [
        Route(PREFIX + "events", events, methods=["GET"]),
        *(Route(PREFIX + name, acting(act), methods=["POST"]) for name, act in acts.items()),
    ]


def _visit(backend: Backend, request: Request, person: str) -> Visit:
    visit = backend.visit(request)
    if person != visit.scope.person:
        raise UsageError("talk_nobody")
    return visit


def _say(visit: Visit, talk: Talk, asked: Act) -> dict[str, Any]:
    words, again = asked.words.strip(), asked.id
    if again:
        words = words or _last_turn(visit, talk, again).query
    if not words:
        raise UsageError("nothing_said")
    off_record = asked.off_record and not again
    talk.say(Message(asked.key, words, asked.tab, visit.language, visit.now, off_record, again))
    return {}


def _stop(_visit: Visit, talk: Talk, _asked: Act) -> dict[str, Any]:
    talk.stop()
    return {}


def _undo(visit: Visit, talk: Talk, asked: Act) -> dict[str, Any]:
    turn = _last_turn(visit, talk, asked.id)
    erase_memory(visit, turn.id)
    return {"words": turn.query, "message": visit.say("talk.undone")}


def _mark(visit: Visit, talk: Talk, asked: Act) -> dict[str, Any]:
    action: Literal["unkeep", "rekeep"] = "unkeep" if asked.unkept else "rekeep"
    visit.person.act(action, asked.id)
    talk.changed()
    return {"message": visit.say(f"done.{action}")}


def erase_memory(visit: Visit, identifier: str) -> str:
    """Erase one memory with all that was made of it; returns the sentence that proves it."""
    done = visit.person.erase(identifier)
    visit.backend.talks.changed(visit.scope)
    key = "erased_left" if done.left else "erased"
    return visit.say(key, searched=done.searched, left=done.left)


def _last_turn(visit: Visit, talk: Talk, identifier: str) -> Turn:
    """Return the last turn, if it has this id and no reply is under way.

    Raises:
        UsageError: it has not.
    """
    if talk.running is not None or _is_answered_elsewhere(visit):
        raise UsageError("talk_busy")
    last = next(reversed(_newest_turns(visit, 1)), None)
    if last is None or last.id != identifier:
        raise UsageError("talk_moved_on")
    return last


async def follow(visit: Visit, tab: str, lines: int, is_first: bool) -> AsyncIterator[bytes]:
    """Yield the talk as server-sent events: ``talk`` whole, ``words`` of the reply under way.

    Args:
        visit: who follows.
        tab: that follows; what is off the record elsewhere is left out.
        lines: at most so many exchanges.
        is_first: the tab was just loaded and gets the companion's first words.
    """
    backend, loop, woken = visit.backend, asyncio.get_running_loop(), asyncio.Event()
    talk, replicas = backend.talks.talk(visit.scope), backend.talks.replicas
    opening = await run_in_threadpool(_opening, visit) if is_first else None
    due = asyncio.ensure_future(run_in_threadpool(visit.due)) if is_first else None
    version, silences, waits, state = -1, 0, "", None
    drawn: tuple[Reply | None, int] = (None, 0)

    def wake(*_: object) -> None:
        loop.call_soon_threadsafe(woken.set)

    if due is not None:
        due.add_done_callback(wake)
    with talk.waking(wake):
        while not talk.is_closed:
            woken.clear()
            if due is not None and due.done():
                words, due = due.result(), None
                if words:
                    yield _event("due", {"blocks": plain_blocks(words)})
            running = talk.running
            if version != talk.version:
                version, drawn, silences = talk.version, (None, 0), 0
                told = await run_in_threadpool(talk_json, visit, talk, tab, lines)
                yield _event("talk", {**told, "opening": opening})
                opening = None
            elif (
                running is not None
                and running.message.is_for(tab)
                and drawn != (running, len(running.words))
            ):
                drawn, silences = (running, len(running.words)), 0
                yield _event("words", {"key": running.message.key, "blocks": running.blocks()})
                await asyncio.sleep(DRAW_INTERVAL)
                continue
            try:
                await asyncio.wait_for(woken.wait(), SILENCE)
            except TimeoutError:
                silences += 1
                if replicas.are_several:
                    newest = await run_in_threadpool(replicas.state, visit.scope)
                    if state != (state := newest) and talk.running is None:
                        version = -1
                reading = await run_in_threadpool(_reading, visit) if talk.running else ""
                if reading != waits:
                    waits = reading
                    yield _event("waits", {"words": waits})
                elif silences % KEEP_ALIVE_AFTER == 0:
                    yield KEEPALIVE_COMMENT


def _event(name: str, told: dict[str, Any]) -> bytes:
    return format_sse_event(data_str=json.dumps(told, ensure_ascii=False), event=name)


def _reading(visit: Visit) -> str:
    """Return how far an import is read that the reply waits for; empty while none is."""
    progress = visit.person.indexing()
    if progress is None:
        return ""
    return text("recall", "taking_in", visit.language, done=progress[0], all=progress[1])


def _opening(visit: Visit) -> dict[str, Any]:
    """Return what a tab shows once, when it is loaded."""
    visit.prepare()
    is_new = visit.memory is None or not any(visit.memory.days)
    words = visit.greeting() if is_new else ""
    model = visit.backend.hears(visit.language) if is_new else ""
    return {"blocks": plain_blocks(words), "model": model, "chips": visit.chips()}


def talk_json(asked: Visit, talk: Talk, tab: str, most: int) -> dict[str, Any]:
    """Return the newest exchanges with those that run and wait, oldest first.

    An exchange has ``key``, ``state`` (said, running, waiting), ``day``, ``clock`` and ``query``;
    once it is stored ``id``, once it is answered ``response``, and ``blocks`` of safe HTML.
    """
    running, waiting = talk.running, list(talk.waiting)  # before what is stored: nothing is missed
    visit = asked.again()
    turns = _newest_turns(visit, most + 2)
    if running is not None and not running.message.again and turns:
        last = turns[-1]
        # Before the reply knows its turn: stored just now, and not answered.
        is_own = not running.turn and not last.response and last.query == running.message.words
        turns = turns[:-1] if last.id == running.turn or is_own else turns
    shown = [_turn_json(visit, talk, turn) for turn in turns[-most:]]
    is_open = running is None and bool(shown) and shown[-1]["end"] == "unanswered"
    if is_open and _is_answered_elsewhere(visit):
        shown[-1] |= {"state": "running", "end": ""}
    for reply in talk.aside.get(tab, ()):
        line = _reply_json(visit, reply, state="said", end=reply.end)
        later = (at for at, it in enumerate(shown) if it["at"] > line["at"])
        shown.insert(next(later, len(shown)), line)
    if running is not None and running.message.is_for(tab):
        again = running.message.again
        shown = [it for it in shown if it["id"] != again] if again else shown
        shown.append(_reply_json(visit, running, state="running"))
    shown += [_message_json(visit, message) for message in waiting if message.is_for(tab)]
    return {
        "lines": shown,
        "earlier": len(turns) > most,
        "busy": running is not None or bool(waiting),
        "taken": list(talk.taken),
    }


def _is_answered_elsewhere(visit: Visit) -> bool:
    """Return True if another process of the page says a reply to this person."""
    replies = visit.backend.installation.replies
    state = replies.state(visit.scope) if replies.are_several else None
    return state is not None and state.is_answered


def _newest_turns(visit: Visit, most: int) -> list[Turn]:
    """Return at least so many of the newest turns, oldest first; no older day is read."""
    found: list[Turn] = []
    for iso in sorted(visit.memory.days, reverse=True) if visit.memory else ():
        found = [*visit.known.days[iso].turns, *found]
        if len(found) >= most:
            break
    return found


def _turn_json(visit: Visit, talk: Talk, turn: Turn) -> dict[str, Any]:
    response = turn.response or talk.stopped_words(turn.id)
    how, trouble, key = talk.ended.get(turn.id, ("", "", turn.id))
    if not response:
        end = "taken_out" if turn.replied_by else "unanswered"
    elif turn.response and not turn.interrupted:
        end = "whole"
    else:
        end = "stopped" if how == "stopped" else "cut"
    blocks = (plain_blocks if turn.replied_by == OFFLINE else reply_blocks)(response)
    line = _line(visit, key, turn.query, turn.date, turn.time, id=turn.id, unkept=turn.unkept)
    return {**line, **_answer(visit, response, blocks, trouble, turn.used), "end": end}


def _reply_json(visit: Visit, reply: Reply, **more: str) -> dict[str, Any]:
    line = _message_json(visit, reply.message)
    answer = _answer(visit, reply.words, reply.blocks(), reply.trouble, reply.used)
    return {**line, **answer, "id": reply.turn, **more}


def _message_json(visit: Visit, message: Message) -> dict[str, Any]:
    date, off_record = message.at.date().isoformat(), message.off_record
    line = _line(visit, message.key, message.words, date, message.at, off_record=off_record)
    return {**line, "state": "waiting"}


def _line(
    visit: Visit, key: str, query: str, date: str, at: datetime | None, **more: object
) -> dict[str, Any]:
    return {
        "key": key,
        "id": "",
        "state": "said",
        "at": "" if at is None else at.astimezone(UTC).isoformat(),
        "date": date,
        "day": _day(visit, date),
        "clock": "" if at is None else f"{at.astimezone(visit.zone):%H:%M}",
        "query": query,
        "blocks": (),
        **more,
    }


def _answer(
    visit: Visit, response: str, blocks: Sequence[str], trouble: str, used: Sequence[Used]
) -> dict[str, Any]:
    why = why_json(visit, used)
    return {"response": response, "blocks": blocks, "trouble": trouble, "why": why}


def why_json(visit: Visit, used: Sequence[Used]) -> list[dict[str, str]]:
    """Return the memories that mattered most to a reply, best first, one line each."""
    best = sorted(used if visit.memory else (), key=lambda it: -it.score)
    found = ((it, visit.known.find(it.id)) for it in best)
    return [
        {
            "date": record.date,
            "day": _day(visit, record.date),
            "words": shortened(record.query if isinstance(record, Turn) else words_of(record), 90),
            "score": f"{it.score:.2f}",
        }
        for it, record in found
        if record is not None
    ][:MOST_WHY]


def _day(visit: Visit, iso: str) -> str:
    name = visit.day(iso)
    return name[:1].upper() + name[1:]
