"""The talk: the stream that tabs follow, and what is done in it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Depends
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import BaseRoute

from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Turn
from siliconfriend.models.output import validate_message

from .backend import Backend, Visit
from .markdown import Growing
from .replies import TalkEntry
from .talk_html import (
    draw_exchange,
    draw_exchanges,
    first_new,
    is_answered_elsewhere,
    newest_turns,
    read_exchanges,
)

PREFIX = "/talk/"
LINES = 40
MOST_LINES = 2000
DRAW_INTERVAL = 0.03
"""Seconds between two sends: the words of a fast model come joined, the first at once."""
SILENCE = 1.0
"""Seconds after which a silent model, or another process, is looked at."""

EntryKey = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,64}$")]


class TalkAct(BaseModel):
    """Request of a tab, drawn for ``person``, about the exchange of an ``id``."""

    person: str
    tab: EntryKey
    key: EntryKey = ""
    words: str = ""
    off_record: bool = False
    id: Annotated[str, Field(max_length=200)] = ""
    unkept: bool = False


def talk_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes below ``/talk/``."""

    def acting(handle: Callable[[Visit, TalkAct], dict[str, Any]]) -> Callable[..., Any]:
        def answer(request: Request, asked: TalkAct) -> dict[str, Any]:
            return handle(backend.visit(request, asked.person), asked)

        return answer

    def visiting(request: Request, person: str = "") -> Visit:
        return backend.visit(request, person)

    following = Depends(visiting)

    async def events(
        visit: Visit = following,
        tab: EntryKey = "",
        lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = LINES,
        seen: str = "",
    ) -> AsyncIterator[ServerSentEvent]:
        async for event in follow(visit, tab, lines, seen):
            yield event

    acts = {"say": _say, "stop": _stop, "undo": _undo, "mark": _mark}
    return [
        APIRoute(PREFIX + "events", events, methods=["GET"], response_class=EventSourceResponse),
        *(APIRoute(PREFIX + name, acting(act), methods=["POST"]) for name, act in acts.items()),
    ]


def _say(visit: Visit, asked: TalkAct) -> dict[str, Any]:
    words, again, now = asked.words, asked.id, visit.now
    if again:
        words = words.strip() or _last_turn(visit, again).query
    words = validate_message(words)
    of_tab = (now.date().isoformat(), now, asked.tab, visit.language)
    exchange = TalkEntry(
        asked.key, words, "waiting", *of_tab, asked.off_record and not again, again
    )
    visit.talk.say(exchange)
    return {}


def _stop(visit: Visit, _asked: TalkAct) -> dict[str, Any]:
    visit.talk.stop()
    return {}


def _undo(visit: Visit, asked: TalkAct) -> dict[str, Any]:
    turn = _last_turn(visit, asked.id)
    erase_memory(visit, turn.id)
    return {"words": turn.query, "message": visit.say("talk.undone")}


def _mark(visit: Visit, asked: TalkAct) -> dict[str, Any]:
    action: Literal["unkeep", "rekeep"] = "unkeep" if asked.unkept else "rekeep"
    visit.person.act(action, asked.id)
    visit.talk.changed()
    return {"message": visit.say(f"done.{action}")}


def erase_memory(visit: Visit, identifier: str) -> str:
    """Erase one memory with all that was made of it; returns the sentence that proves it."""
    done = visit.person.erase(identifier)
    visit.talk.changed()
    key = "erased_left" if done.left else "erased"
    return visit.say(key, searched=done.searched, left=done.left)


def _last_turn(visit: Visit, identifier: str) -> Turn:
    """Return the last turn (UsageError: it has another id, or a reply is under way)."""
    if visit.talk.running is not None or is_answered_elsewhere(visit):
        raise UsageError("talk_busy")
    last = next(reversed(newest_turns(visit, 1)), None)
    if last is None or last.id != identifier:
        raise UsageError("talk_moved_on")
    return last


async def follow(visit: Visit, tab: str, most: int, seen: str) -> AsyncIterator[ServerSentEvent]:
    """Yield the talk as server-sent events.

    ``talk``: all exchanges, each its key and, if it is another than before, its HTML; at first
    what a tab shows once. ``line``: key of the exchange whose reply is under way, the number of blocks of it
    that stay, and the HTML of those after them; the whole exchange where that number is -1.

    Args:
        visit: who follows.
        tab: that follows; what is off the record elsewhere is left out.
        most: at most so many exchanges.
        seen: id of the last turn that was seen before the tab was loaded; empty for all of them.
    """
    loop, woken, talk = asyncio.get_running_loop(), asyncio.Event(), visit.talk
    installation = visit.backend.installation
    version, state = -1, None
    sent: dict[str, str] = {}
    new: str | None = None  # key of the first exchange since the last visit, as of the first look
    growing = Growing("")

    def wake() -> None:
        loop.call_soon_threadsafe(woken.set)

    talk.wakers.add(wake)
    try:
        while not talk.is_closed:
            woken.clear()
            running = talk.running
            if version != talk.version:
                version, growing, visit = talk.version, Growing(""), replace(visit)
                told, items, new = await run_in_threadpool(_draw, visit, tab, most, seen, new)
                lines = [
                    (key, "" if sent.get(key) == html else html) for key, html in items.items()
                ]
                sent = items
                yield ServerSentEvent(event="talk", data={**told, "lines": lines})
            elif running and running.is_for(tab) and len(running.response) != growing.length:
                if growing.key != running.key:
                    growing = Growing(running.key, is_plain=running.is_plain)
                is_first = not growing.length
                place, html = await run_in_threadpool(growing.draw, running.response)
                if is_first:  # the bubble with it, in which there were dots
                    html = await run_in_threadpool(draw_exchange, visit, running)
                data = [running.key, -1 if is_first else place, html]
                yield ServerSentEvent(event="line", data=data)
                await asyncio.sleep(DRAW_INTERVAL)
                continue
            try:
                await asyncio.wait_for(woken.wait(), SILENCE)
            except TimeoutError:
                newest = None
                if installation.is_shared and running is None:
                    newest = await run_in_threadpool(installation.talk_state, visit.scope)
                if state != newest or (running and not running.response):
                    version, state = -1, newest  # what is stored, or how far an import is read
    finally:
        talk.wakers.discard(wake)


def _draw(
    visit: Visit, tab: str, most: int, seen: str, new: str | None
) -> tuple[dict[str, Any], dict[str, str], str]:
    exchanges, is_more = read_exchanges(visit, tab, most)
    if new is None:
        new = first_new(exchanges, seen)
    own = visit.talk.exchanges
    is_busy = any(exchange.state in ("running", "waiting") for exchange in own)
    taken = [exchange.key for exchange in own]
    told = {"earlier": is_more, "busy": is_busy, "taken": taken}
    return told, draw_exchanges(visit, exchanges, new), new
