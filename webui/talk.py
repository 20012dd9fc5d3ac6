"""The talk: the stream that tabs follow, and what is done in it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, Literal

from fastapi.routing import APIRoute
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import BaseRoute

from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Backend, Visit
from .lines import (
    Line,
    draw_line,
    draw_lines,
    draw_separator,
    is_answered_elsewhere,
    newest_turns,
    read_lines,
)
from .markdown import plain_blocks
from .replies import Message, Reply, Talk

PREFIX = "/talk/"
LINES = 40
MOST_LINES = 2000
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

    def acting(handle: Callable[[Visit, Talk, Act], dict[str, Any]]) -> Callable[..., Any]:
        def answer(request: Request, asked: Act) -> dict[str, Any]:
            visit = _visit(backend, request, asked.person)
            return handle(visit, backend.talks.talk(visit.scope), asked)

        return answer

    def events(
        request: Request,
        person: str = "",
        tab: Key = "",
        lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = LINES,
        seen: str | None = None,
    ) -> EventSourceResponse:
        told = follow(_visit(backend, request, person), tab, lines, seen)
        return EventSourceResponse(told, headers=STREAM_HEADERS)

    acts = {"say": _say, "stop": _stop, "undo": _undo, "mark": _mark}
    return [
        APIRoute(PREFIX + "events", events, methods=["GET"]),
        *(APIRoute(PREFIX + name, acting(act), methods=["POST"]) for name, act in acts.items()),
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
    if talk.running is not None or is_answered_elsewhere(visit):
        raise UsageError("talk_busy")
    last = next(reversed(newest_turns(visit, 1)), None)
    if last is None or last.id != identifier:
        raise UsageError("talk_moved_on")
    return last


async def follow(
    visit: Visit, tab: str, most: int, seen: str | None = None
) -> AsyncIterator[bytes]:
    """Yield the talk as server-sent events.

    ``talk``: all exchanges, each its key and, if it is another than before, its HTML; at first
    what a tab shows once. ``words``: the reply under way. ``due``: what is said unasked today.
    ``waits``: how far an import is read.

    Args:
        visit: who follows.
        tab: that follows; what is off the record elsewhere is left out.
        most: at most so many exchanges.
        seen: id of the last turn that a tab just loaded has seen; None for a tab that goes on.
    """
    backend, loop, woken = visit.backend, asyncio.get_running_loop(), asyncio.Event()
    talk, replicas = backend.talks.talk(visit.scope), backend.talks.replicas
    due = None if seen is None else asyncio.ensure_future(run_in_threadpool(visit.due))
    version, silences, waits, state = -1, 0, "", None
    drawn: tuple[Reply | None, int] = (None, 0)
    sent: dict[str, str] = {}

    def wake(*_: object) -> None:
        loop.call_soon_threadsafe(woken.set)

    if due is not None:
        due.add_done_callback(wake)
    with talk.waking(wake):
        while not talk.is_closed:
            woken.clear()
            if due is not None and due.done() and sent:
                words, due = due.result(), None
                if words:
                    yield _event("due", {"html": _opening_line(visit, words)})
            running = talk.running
            if version != talk.version:
                version, drawn, silences = talk.version, (None, 0), 0
                is_busy = running is not None or bool(talk.waiting)
                visit = visit.again()
                lines, is_more = await run_in_threadpool(read_lines, visit, talk, tab, most)
                items = await run_in_threadpool(draw_lines, visit, lines)
                opening: dict[str, Any] | None = None
                if seen is not None:
                    opening, seen = await run_in_threadpool(_opening, visit, lines, seen), None
                changed = [(it, "" if sent.get(it) == html else html) for it, html in items.items()]
                told = {"lines": changed, "earlier": is_more, "busy": is_busy}
                yield _event("talk", {**told, "taken": list(talk.taken), "opening": opening})
                sent = items
                if waits:
                    waits = ""
                    yield _event("waits", {"words": waits})
            elif (
                running is not None
                and running.words
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


def _opening(visit: Visit, lines: Sequence[Line], seen: str) -> dict[str, Any]:
    """Return what a tab shows once, when it is loaded: first words, or where the new begins."""
    visit.prepare()
    told: dict[str, Any] = {"chips": visit.chips(), "model": "", "html": "", "after": ""}
    if visit.memory is None or not any(visit.memory.days):
        told["html"] = _opening_line(visit, visit.greeting())
        return {**told, "model": visit.backend.hears(visit.language)}
    last = next((it for it in lines[:-1] if it.id and it.id == seen), None)
    if last is not None:
        html = draw_separator(visit.say("talk.since_last_visit"), "talk-new")
        told.update(html=html, after=last.key)
    return told


def _opening_line(visit: Visit, words: str) -> str:
    return draw_line(visit, Line("opening", "", "opening", blocks=plain_blocks(words)))
