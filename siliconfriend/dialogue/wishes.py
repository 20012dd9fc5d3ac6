"""Wishes to forget somebody or something: listed first, erased only after a yes.

A wish is acted on before any model hears it. Its turn is marked as not to be remembered, so that
neither the name nor the list comes back; with the yes it is erased itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from siliconfriend.clock import day_of
from siliconfriend.control.erasure.erase import Eraser
from siliconfriend.control.search import memories_with_words
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import Language, text

VALID_FOR = timedelta(hours=6)
"""Time after a list of memories in which a yes is one to erase them."""

MOST_LISTED = 12
"""Most memories that are quoted before the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to erase all that names ``what``: ``ids`` of what is meant.

    A confirmation holds the turn of the wish as well; ``what`` is empty in an answer to the list.
    """

    what: str = ""
    ids: tuple[str, ...] = ()
    is_confirmed: bool = False


def find_wish(
    message: str, memory: PersonMemory, now: datetime, last_shown: str | None = None
) -> Wish | None:
    """Find a wish in a message, or the answer to one just before; None where there is none.

    Args:
        message: what is said.
        memory: of the person, before it, with the turns that are not to be remembered.
        now: aware.
        last_shown: the last message in a client program's chat; None in the program's own talk.
    """
    reading = read_message(message)
    asked = _asked(memory, now, last_shown) if reading.answer else None
    if asked is not None and reading.answer == "consent":
        named = memories_with_words(memory, read_message(asked.query).asks_to_forget)
        unkept = (it.id for it in named if isinstance(it, Turn) and it.unkept)
        ids = (*(used.id for used in asked.used), asked.id, *unkept)
        return Wish(ids=tuple(dict.fromkeys(ids)), is_confirmed=True)
    if asked is not None:
        return Wish()
    what = reading.asks_to_forget
    if not what:
        return None
    return Wish(what, tuple(record.id for record in memories_to_forget(memory, what)))


def memories_to_forget(memory: PersonMemory, what: str) -> list[Memory]:
    """Return what names ``what``: the person's turns, and derived texts that do not go with them."""
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


def list_wish(wish: Wish, memory: PersonMemory, now: datetime) -> tuple[str, tuple[Used, ...]]:
    """Write what a wish would erase, by day, with the question for a yes, and which memories."""
    language, zone = memory.profile.language, memory.profile.zone
    if not wish.what:
        return text("control", "wish.kept", language), ()
    records = [record for identifier in wish.ids if (record := memory.find(identifier))]
    if not records:
        return text("control", "wish.nothing", language, what=wish.what), ()
    today = day_of(now, zone)
    lines = []
    for record in records[:MOST_LISTED]:
        told = humanize_day(date.fromisoformat(record.date), today, language, alone=True)
        words = excerpt(own_words(record))
        lines.append(text("control", "wish.line", language, day=told, words=words))
    more = len(records) - len(lines)
    if more:
        lines.append(text("control", "wish.more", language, count=more))
    opening = text("control", "wish.list", language, what=wish.what)
    words = "\n".join((opening, *lines, text("control", "wish.sure", language)))
    return words, tuple(Used(record.id, 0.0) for record in records)


def erase_wish(wish: Wish, eraser: Eraser, scope: Scope, language: Language) -> str:
    """Erase what was confirmed, with the turn of the wish, and write that it is done."""
    memory = eraser.store.load(scope)
    ids = [identifier for identifier in wish.ids if memory.find(identifier) is not None]
    erasure = eraser.erase(scope, ids)
    return text("control", "wish.left" if erasure.left else "wish.done", language)


def _asked(memory: PersonMemory, now: datetime, last_shown: str | None) -> Turn | None:
    """Return the turn of the wish that a yes answers: the last one of this talk."""
    turns = [turn for turn in memory.turns_since(now - VALID_FOR) if turn.time is not None]
    if not turns:
        return None
    turn = turns[-1]
    is_here = turn.place is None if last_shown is None else last_shown.strip() == turn.query.strip()
    is_listed = turn.unkept and turn.replied_by == OFFLINE and bool(turn.used)
    is_wish = bool(read_message(turn.query).asks_to_forget)
    return turn if is_here and is_listed and is_wish else None
