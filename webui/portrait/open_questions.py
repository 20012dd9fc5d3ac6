"""What the companion is unsure of, and would ask: what was left open, and facts that fade.

It asks in the words in which it would speak of it first; nothing is marked as said, since
somebody who reads a portrait has not been asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from siliconfriend.control.listing import memory_row
from siliconfriend.dialogue.first_words import OPEN_FROM, OPEN_UNTIL, FirstMatter, compose
from siliconfriend.dialogue.open_matters import find_unsettled, unsettled_in
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.texts import Language

from ..words.phrases import tell

MOST = 5


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question, and the memory that it is about."""

    words: str
    memory: Memory


def open_questions(
    memory: PersonMemory,
    policy: ForgettingPolicy,
    now: datetime,
    companion: str,
    language: Language,
) -> list[OpenQuestion]:
    """Find what is open, the newest first, then what is known and fades."""
    memory = memory.recallable()
    today = now.astimezone(memory.profile.zone).date()
    found = [
        OpenQuestion(compose([matter], memory, today, companion, hello=False), matter.turn)
        for matter in _unsettled(memory, today)
    ]
    found += [
        OpenQuestion(tell("portrait.still_so", language, words=fact.text), fact)
        for fact in _fading_facts(memory, policy, now)
    ]
    return found[:MOST]


def _unsettled(memory: PersonMemory, today: date) -> Iterator[FirstMatter]:
    """Yield what was lost or is awaited, as far back as anybody would still ask after it."""
    first, last = (today - timedelta(days=days) for days in (OPEN_UNTIL, OPEN_FROM))
    for iso in sorted(memory.days, reverse=True):
        if iso < first.isoformat():
            return
        if iso <= last.isoformat():
            for turn in memory.days[iso].turns:
                if (matter := _matter(turn, memory)) is not None:
                    yield matter


def _matter(turn: Turn, memory: PersonMemory) -> FirstMatter | None:
    if turn.trace.archived is not None or unsettled_in(turn.query) is None:
        return None
    kind = find_unsettled(turn, memory)
    return None if kind is None else FirstMatter(kind, turn, date.fromisoformat(turn.date))


def _fading_facts(memory: PersonMemory, policy: ForgettingPolicy, now: datetime) -> Iterator[Fact]:
    for fact in memory.facts():
        if fact.is_active and memory_row(memory, fact, policy, now).prospect.state == "faded":
            yield fact
