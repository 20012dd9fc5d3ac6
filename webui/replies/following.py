"""Following a talk: its events as server-sent events, from any number on.

A tab that comes back after a lost connection names the last event it heard (``Last-Event-ID``).
Where the server cannot go on from there, since it was started anew or has let go of what was in
between, it sends ``reset`` and the tab asks for the whole talk.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

from siliconfriend.server.sse import KEEP_ALIVE, event

from .events import TalkEvent
from .running_replies import Talk

DRAW_INTERVAL = 0.03
"""Seconds between two sends; the words of a fast model come joined, the first at once."""
SILENCE = 1.0
"""Seconds without a first word after which the tab is told what the reply waits for."""
KEEP_ALIVE_AFTER = 10
"""Silences after which something is sent, so that a proxy does not hang up and a tab knows that
the connection still stands."""


async def follow_talk(
    talk: Talk,
    after: int | None,
    tab: str,
    event_id: Callable[[int], str],
    waits_for: Callable[[], str],
) -> AsyncIterator[str]:
    """Yield the events of a talk after a number, as they come.

    Args:
        talk: that is followed.
        after: the last number that was heard; None where that is of another start.
        tab: that follows; what is off the record in another is not told.
        event_id: returns what a tab names of an event it heard.
        waits_for: what a reply that has not begun waits for; empty where nothing is.
    """
    loop, woken = asyncio.get_running_loop(), asyncio.Event()
    events = talk.events

    def wake() -> None:
        loop.call_soon_threadsafe(woken.set)

    told, silences, drawn = "", 0, _Drawn(talk)
    with events.waking(wake):
        while not events.is_closed:
            woken.clear()
            found = None if after is None else events.since(after)
            if found is None:
                yield event({}, "reset")
                return
            for it in joined([it for it in found if it.tab in ("", tab)]):
                yield event(drawn.with_blocks(it), it.name, event_id(it.number))
            if found:
                after, silences = found[-1].number, 0
                await asyncio.sleep(DRAW_INTERVAL)
                continue
            try:
                await asyncio.wait_for(woken.wait(), SILENCE)
            except TimeoutError:
                silences += 1
                waiting = await asyncio.to_thread(_waits, talk, waits_for)
                if waiting != told:
                    told = waiting
                    yield event({"words": told}, "waits")
                elif silences % KEEP_ALIVE_AFTER == 0:
                    yield KEEP_ALIVE


class _Drawn:
    """What a tab has drawn of the reply under way, so that only blocks that changed are sent."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._key = ""
        self._blocks: Sequence[str] = ()

    def with_blocks(self, it: TalkEvent) -> Mapping[str, Any]:
        """Return an event's data; of new words with the blocks from the first that changed."""
        if it.name != "piece":
            return it.data
        key = it.data["key"]
        blocks = self._talk.blocks(key)
        if blocks is None:
            return it.data
        before = self._blocks if key == self._key else ()
        pairs = enumerate(zip(before, blocks, strict=False))
        same = next((at for at, (old, new) in pairs if old != new), min(len(before), len(blocks)))
        self._key, self._blocks = key, blocks
        return {**it.data, "from": same, "blocks": list(blocks[same:])}


def joined(events: Sequence[TalkEvent]) -> Iterator[TalkEvent]:
    """Yield the events, pieces in a row as one that has the last one's number."""
    words, last = "", None
    for it in events:
        if it.name == "piece":
            words, last = words + it.data["words"], it
            continue
        if last is not None:
            yield TalkEvent(last.number, "piece", {**last.data, "words": words})
        words, last = "", None
        yield it
    if last is not None:
        yield TalkEvent(last.number, "piece", {**last.data, "words": words})


def _waits(talk: Talk, waits_for: Callable[[], str]) -> str:
    running = talk.running
    return waits_for() if running is not None and not running.words else ""
