"""The queue of turns to read: live, then pending, then extracted.

The state is stored on the turn itself. These functions compute changes from a snapshot; their
callers write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date as date_type
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.days import last_turn_before, outlines
from siliconfriend.memory.records import PersonMemory, Turn

MAX_LIVE = 20
"""Live turns at which the oldest leave the talk."""
BATCH_SIZE = 10
"""Turns that leave it then, and the most that are read at once."""
SCENE_GAP = timedelta(minutes=30)
"""Silence after which whatever is said next is another scene."""

_UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that are read together.

    Attributes:
        turns: at least one and at most :data:`BATCH_SIZE`, of one scene of one day, oldest first.
        before: the turn right before the first, from whichever day; None for none.
        zone: the person's, in which times of day are told.
        role_play: ids of those turns that are role-play; they tell nothing of anybody.
    """

    turns: tuple[Turn, ...]
    before: Turn | None
    zone: ZoneInfo = _UTC
    role_play: frozenset[str] = frozenset()

    @property
    def date(self) -> str:
        """The ISO day of its turns."""
        return self.turns[0].date


def newly_pending(memory: PersonMemory, now: datetime) -> tuple[str, ...]:
    """Ids of the live turns that become pending because something is said at ``now``.

    All of them after :data:`SCENE_GAP` or on another day of the person; else the oldest
    :data:`BATCH_SIZE` where :data:`MAX_LIVE` or more are live.
    """
    live = live_in_queue(memory)
    if not live:
        return ()
    last = live[-1]
    is_other_day = last.date != day_of(now, memory.profile.zone).isoformat()
    if is_other_day or (last.time is not None and now - last.time >= SCENE_GAP):
        return tuple(turn.id for turn in live)
    return tuple(turn.id for turn in live[:BATCH_SIZE]) if len(live) >= MAX_LIVE else ()


def pending_batches(
    memory: PersonMemory, now: datetime, *, over: bool, today: bool = False
) -> list[Batch]:
    """Return the batches of turns that may be remembered and wait to be read, oldest first.

    Args:
        memory: whose turns.
        now: decides which days are over.
        over: read also the turns of days that are over that never left the talk, imports among them.
        today: take the person's present day as over too.
    """
    present = day_of(now, memory.profile.zone)

    def is_read(turn: Turn) -> bool:
        if turn.is_read or not _is_readable(turn, now):
            return False
        day = date_type.fromisoformat(turn.date)
        is_over = over and (day < present or (today and day == present))
        return turn.context == "pending" or is_over

    dates = [date for date, outline in outlines(memory.days) if outline.unread]
    return list(_batches(memory, dates, is_read))


def offline_batches(memory: PersonMemory, now: datetime) -> Iterator[Batch]:
    """Batches that were read by rules and are to be read again by a model, oldest first."""

    def is_read(turn: Turn) -> bool:
        return turn.context == "noted" and _is_readable(turn, now)

    dates = [date for date, outline in outlines(memory.days) if outline.noted]
    return _batches(memory, dates, is_read)


def _is_readable(turn: Turn, now: datetime) -> bool:
    expires = turn.trace.expires
    is_there = not turn.is_left_alone and turn.trace.archived is None
    return is_there and (expires is None or expires > now)


def _batches(
    memory: PersonMemory, dates: Iterable[str], is_read: Callable[[Turn], bool]
) -> Iterator[Batch]:
    for day in map(memory.days.__getitem__, dates):
        kept = [turn for turn in day.turns if not turn.is_left_alone]
        before = dict(zip((turn.id for turn in kept[1:]), kept, strict=False))
        for scene in _scenes(day.turns):
            read = [turn for turn in scene if is_read(turn)]
            play = (
                role_play_turns([turn for turn in scene if not turn.is_left_alone])
                if read
                else frozenset()
            )
            for start in range(0, len(read), BATCH_SIZE):
                turns = tuple(read[start : start + BATCH_SIZE])
                ids = frozenset(turn.id for turn in turns)
                first = turns[0].id
                earlier = before.get(first) or last_turn_before(memory, day.date)
                yield Batch(turns, earlier, memory.profile.zone, play & ids)


def live_in_queue(memory: PersonMemory) -> list[Turn]:
    """Return the turns of the talk that were not sent to be read, oldest first."""
    return [
        turn
        for date, outline in outlines(memory.days)
        if outline.live
        for turn in memory.days[date].turns
        if turn.origin == "chat" and turn.context == "live"
    ]


def _scenes(turns: Iterable[Turn]) -> list[list[Turn]]:
    """The turns of a day, apart where the person ended a scene or was silent for :data:`SCENE_GAP`."""
    scenes: list[list[Turn]] = []
    last, is_over = None, True
    for turn in turns:
        silence = turn.time - last if turn.time and last else timedelta(0)
        if is_over or silence >= SCENE_GAP:
            scenes.append([])
        scenes[-1].append(turn)
        last, is_over = turn.time or (None if is_over else last), turn.scene_over
    return scenes


def role_play_turns(scene: Iterable[Turn]) -> frozenset[str]:
    """Find the ids of the turns of one scene that are role-play, the one that begins it among them.

    The turn that ends the play is in earnest again.
    """
    found: set[str] = set()
    is_on = False
    for turn in scene:
        for sentence in map(fold, split_sentences(turn.query.replace("’", "'"))):
            if matches("extraction", "play_ends", sentence):
                is_on = False
            elif matches("extraction", "play_begins", sentence):
                is_on = True
        if is_on:
            found.add(turn.id)
    return frozenset(found)
