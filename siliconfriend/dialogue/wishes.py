"""Wishes to forget something: listed first, erased only after a yes.

A wish is handled before any model call. Its turn is marked as not to be remembered, so that
neither the name nor the list comes back; with the yes it is erased itself.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from siliconfriend.clock import day_of
from siliconfriend.control.erasure.erase import Eraser
from siliconfriend.control.search import memories_with_words
from siliconfriend.dialogue.wish_acts import WishAct
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.numbers import parse_number
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.word_lists import matches, word_pattern
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn, is_put_away
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.silenced import object_of
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import Language, text

VALID_FOR = timedelta(hours=6)
"""Time after a list of memories in which an answer to it erases them."""

MOST_LISTED = 12
"""Most memories that are quoted before the rest is only counted."""

MOST_MEANT, LEAST_MEANT, NEAR_BEST = 3, 0.05, 0.67
"""Maximum number of memories listed by meaning, their minimum likelihood, and their minimum share of
the likelihood of the best of them.
"""

LISTED = "listed"
"""Part of each memory in the reply that lists it; its score is 1 where it is ticked."""

Recall = Callable[[str], Iterable[Recalled]]
"""Recalls memories for a text, best first."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to erase memories that name ``what``, or the preceding exchange if that is empty.

    Attributes:
        ids: memories that match its words; in a confirmation, also the turn of the wish.
        is_confirmed: an answer that says what to erase.
        is_refused: an answer that leaves everything.
    """

    what: str = ""
    ids: tuple[str, ...] = ()
    is_confirmed: bool = False
    is_refused: bool = False


def read_wish(message: str, act: WishAct) -> str | None:
    """Return the words to forget, empty for the preceding exchange; None if there is no wish."""
    reading, plain = read_message(message), " ".join(fold(message).replace("’", "'").split())
    if matches("message", "wishes.forget_before", plain):
        return ""
    if reading.opts_out:
        return None
    if reading.asks_to_forget:
        return reading.asks_to_forget
    if act == "forget" or matches("message", "wishes.forget_named", plain):
        return object_of(message)
    return None


def find_wish(
    message: str, act: WishAct, memory: PersonMemory, now: datetime, last_shown: str | None = None
) -> Wish | None:
    """Find a wish in a message, or the answer to a preceding wish, or None.

    Args:
        message: what is said.
        act: what the message asks for, by learned weights.
        memory: of the person, before it, with the turns that are not to be remembered.
        now: aware.
        last_shown: the last message in a client program's chat; None in the program's own talk.
    """
    asked = _asked(memory, now, last_shown)
    if asked is not None:
        chosen = _chosen(message, asked)
        if chosen:
            what = read_wish(asked.query, "forget")
            named = memories_with_words(memory, what) if what else []
            unkept = (turn.id for turn in named if isinstance(turn, Turn) and turn.unkept)
            ids = dict.fromkeys((*chosen, asked.id, *unkept))
            return Wish(ids=tuple(ids), is_confirmed=True)
        if read_message(message).answer:
            return Wish(is_refused=True)
    what = read_wish(message, act)
    if what is None:
        return None
    records = memories_to_forget(memory, what) if what else _said_before(memory, now)
    return Wish(what, tuple(record.id for record in records))


def memories_to_forget(memory: PersonMemory, what: str) -> list[Memory]:
    """Return memories that name ``what``: turns, and derived texts not erased with them."""
    found = memories_with_words(memory, what)
    turns = {record.id for record in found if isinstance(record, Turn) and not record.unkept}
    return [
        record
        for record in found
        if record.id in turns
        or (
            not isinstance(record, Turn | DaySummary)
            and not turns.intersection(record.provenance.from_ids)
        )
    ]


def list_wish(
    wish: Wish, memory: PersonMemory, now: datetime, recall: Recall
) -> tuple[str, tuple[Used, ...]]:
    """Write what a wish would erase, numbered, with the question for a yes, and which memories.

    Matches by words are ticked; matches by meaning are not.
    """
    language = memory.profile.language
    if wish.is_refused:
        return text("control", "wish.kept", language), ()
    ticked = [record for identifier in wish.ids if (record := memory.find(identifier))]
    meant = _meant(wish, recall) if wish.what else []
    if not (ticked or meant):
        key = "wish.nothing" if wish.what else "wish.nothing_before"
        return text("control", key, language, what=wish.what), ()
    header = "list" if wish.what else "list_before"
    lines = [
        text("control", f"wish.{header if ticked else 'list_meant'}", language, what=wish.what)
    ]
    shown = ticked[:MOST_LISTED]
    lines += _lines(shown, memory, now, 1, "☑")
    if len(ticked) > len(shown):
        lines.append(text("control", "wish.more", language, count=len(ticked) - len(shown)))
    lines += [text("control", "wish.also_meant", language)] if ticked and meant else []
    lines += _lines(meant, memory, now, len(ticked) + 1, "☐")
    sure = "sure" if not meant else "sure_ticked" if ticked else "sure_which"
    words = "\n".join((*lines, text("control", f"wish.{sure}", language)))
    marked = [(record, 1.0) for record in ticked] + [(record, 0.0) for record in meant]
    return words, tuple(Used(record.id, tick, {LISTED: 1.0}) for record, tick in marked)


def erase_wish(wish: Wish, eraser: Eraser, scope: Scope, language: Language) -> str:
    """Erase what was confirmed, with the turn of the wish, and write that it is done."""
    memory = eraser.store.load(scope)
    ids = [identifier for identifier in wish.ids if memory.find(identifier) is not None]
    erasure = eraser.erase(scope, ids)
    return text("control", "wish.left" if erasure.left else "wish.done", language)


def _meant(wish: Wish, recall: Recall) -> list[Memory]:
    """Return the memories that tell something and are related to a wish by meaning alone."""
    unnamed = [one for one in recall(wish.what) if one.memory.id not in wish.ids]
    told = [one for one in unnamed if read_message(own_words(one.memory)).tells_something]
    least = max(LEAST_MEANT, NEAR_BEST * max((one.likelihood for one in told), default=0.0))
    return [one.memory for one in told if one.likelihood >= least][:MOST_MEANT]


def _lines(
    records: Sequence[Memory], memory: PersonMemory, now: datetime, first: int, tick: str
) -> list[str]:
    language, today = memory.profile.language, day_of(now, memory.profile.zone)
    lines = []
    for number, record in enumerate(records, first):
        told = humanize_day(date.fromisoformat(record.date), today, language, alone=True)
        words = {"number": number, "tick": tick, "day": told, "words": excerpt(own_words(record))}
        lines.append(text("control", "wish.line", language, **words))
    return lines


def _last_turn(memory: PersonMemory, now: datetime) -> Turn | None:
    latest = max((day for day in memory.days if memory.days[day].turns), default=None)
    turns: Sequence[Turn] = () if latest is None else memory.days[latest].turns
    return max(turns, key=lambda turn: (turn.time or now, turn.position), default=None)


def _said_before(memory: PersonMemory, now: datetime) -> list[Memory]:
    """Return the last stored message and, if it only asked, the memories its answer quoted."""
    last = _last_turn(memory.in_mind(), now)
    if last is None:
        return []
    asked = read_message(last.query).asks_memory
    quoted = [found for used in last.used if asked and (found := memory.find(used.id))]
    return [last, *(record for record in quoted if not is_put_away(record))]


def _asked(memory: PersonMemory, now: datetime, last_shown: str | None) -> Turn | None:
    """Return the turn of the wish that an answer is about: the last one of this talk."""
    turn = _last_turn(memory, now)
    if turn is None:
        return None
    is_here = turn.place is None if last_shown is None else last_shown.strip() == turn.query.strip()
    is_listed = turn.replied_by == OFFLINE and any(LISTED in used.parts for used in turn.used)
    is_recent = turn.time is not None and now - turn.time <= VALID_FOR
    return turn if is_here and turn.unkept and is_listed and is_recent else None


def _chosen(message: str, asked: Turn) -> list[str]:
    """Return the ids that an answer chooses of a list; none where it is no such answer."""
    plain, ids = fold(message).strip(), [used.id for used in asked.used]
    ticked = [used.id for used in asked.used if used.score > 0]
    if read_message(message).answer == "consent":
        return ticked
    if matches("message", "wishes.all_of_them", plain):
        return ids
    rest = word_pattern("message", "wishes.numbers").sub(" ", plain)
    parts = [part for part in re.split(r"[\s,，、.。!！&+]+|(?<=[一二三四五])", rest) if part]
    try:
        numbers = [parse_number(part) for part in parts]
    except ValueError:
        return []
    is_listed = all(0 < number <= len(ids) for number in numbers)
    return [ids[number - 1] for number in numbers] if is_listed else []
