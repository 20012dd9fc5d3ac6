"""The extraction queue of turns: live, then pending, then extracted.

The state is stored on the turn itself. These functions compute changes from a snapshot; their
callers write them.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.records import PersonMemory, Turn, in_order

MAX_LIVE = 20
"""Number of live turns at which the oldest become pending."""
BATCH_SIZE = 10
"""Number of turns that become pending then, and maximum size of a batch."""
NIGHT_BATCH_SIZE = 20
"""Most turns of a day that a capable model reads at once at night, whatever their scenes."""
SCENE_GAP = timedelta(minutes=30)
"""Pause after which the next message starts a new scene."""

_UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns of one day that are read together, oldest first; of one scene while the talk goes on.

    ``before`` is the turn right before the first, from whichever day. ``role_play`` holds the ids
    of role-play turns, which contain no facts. ``notes`` are sentences that a model wrote from the
    turns ``noted`` before, to be checked along with the batch. ``brought`` are ids of related earlier
    turns, besides those used in the replies.
    """

    turns: tuple[Turn, ...]
    before: Turn | None
    zone: ZoneInfo = _UTC
    role_play: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    noted: tuple[Turn, ...] = ()
    brought: tuple[str, ...] = ()

    @property
    def date(self) -> str:
        """The ISO day of its turns."""
        return self.turns[0].date


def newly_pending(memory: PersonMemory, now: datetime) -> tuple[str, ...]:
    """Return the ids of the live turns that become pending with a message at ``now``.

    All after :data:`SCENE_GAP` or on another day; else the oldest of :data:`MAX_LIVE` or more.
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
    memory: PersonMemory, now: datetime, *, over: bool, today: bool = False, most: int = BATCH_SIZE
) -> list[Batch]:
    """Return the batches of turns that may be remembered and wait to be read, oldest first.

    ``over``: also turns of days that are over which never left the talk, imports among them.
    ``today``: the person's present day counts as over too.
    ``most``: turns of a batch; above :data:`BATCH_SIZE` a batch may hold several scenes.
    """
    present = day_of(now, memory.profile.zone).isoformat()

    def is_read(turn: Turn) -> bool:
        if turn.is_read or not _is_readable(turn, now):
            return False
        is_over = turn.date < present or (today and turn.date == present)
        return turn.context == "pending" or (over and is_over)

    unread = {"live", "pending"}
    dates = [date for date, day in memory.days.items() if not day.contexts.isdisjoint(unread)]
    return list(_batches(memory, dates, is_read, most))


def offline_batches(memory: PersonMemory, now: datetime, most: int = BATCH_SIZE) -> Iterator[Batch]:
    """Return the batches that were read by rules and that a model is to read again, oldest first."""

    def is_read(turn: Turn) -> bool:
        return turn.context == "noted" and _is_readable(turn, now)

    dates = [date for date, day in memory.days.items() if "noted" in day.contexts]
    return _batches(memory, dates, is_read, most)


def _is_readable(turn: Turn, now: datetime) -> bool:
    expires = turn.trace.expires
    is_there = not turn.is_left_alone and turn.trace.is_active
    return is_there and (expires is None or expires > now)


def _batches(
    memory: PersonMemory, dates: Iterable[str], is_read: Callable[[Turn], bool], most: int
) -> Iterator[Batch]:
    for day in map(memory.days.__getitem__, dates):
        kept = [turn for turn in day.turns if not turn.is_left_alone]
        before = dict(zip((turn.id for turn in kept[1:]), kept, strict=False))
        scenes = _scenes(day.turns)
        plays = (
            role_play_turns(turn for turn in scene if not turn.is_left_alone) for scene in scenes
        )
        play = frozenset[str]().union(*plays)
        for scene in scenes if most <= BATCH_SIZE else [list(day.turns)]:
            read = [turn for turn in scene if is_read(turn)]
            for start in range(0, len(read), most):
                turns = tuple(read[start : start + most])
                earlier = before.get(turns[0].id) or _last_turn_before(memory, day.date)
                yield Batch(turns, earlier, memory.profile.zone, play & {turn.id for turn in turns})


def live_in_queue(memory: PersonMemory) -> list[Turn]:
    """Return the turns of the talk that were not sent to be read, oldest first."""
    days = (day for day in memory.days.values() if "live" in day.contexts)
    turns = in_order(turn for day in days for turn in day.turns)
    return [turn for turn in turns if turn.origin == "chat" and turn.context == "live"]


def _scenes(turns: Iterable[Turn]) -> list[list[Turn]]:
    """Split the turns of a day where the person ended a scene or was silent for :data:`SCENE_GAP`."""
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
    """Find the ids of the turns of one scene that are role-play, from its begin to before its end."""
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


def _last_turn_before(memory: PersonMemory, date: str) -> Turn | None:
    dates = list(memory.days)
    for earlier in reversed(dates[: bisect_left(dates, date)]):
        for turn in reversed(memory.days[earlier].turns):
            if not turn.is_left_alone:
                return turn
    return None
