"""Who somebody is, at a glance: since when they are known, who and what they come back to.

Everything here is counted in what was said, or is a memory itself, so that each line of the
portrait has the days it rests on. Nothing is asked of a model.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from siliconfriend.control.notes.names import names_in
from siliconfriend.language.content_words import worded_sentences
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.night.salience import recurring_terms

from ..cards.day_moods import DayMood, mood_of

MOST_NAMES = 12
MOST_RETURNING = 8
DAYS_OF_NAMES = 120
"""The newest days in which names are looked for; a name that is known is counted in all of them."""
DAYS_OF_WORDS = 360
"""The newest days in which words are looked for that somebody returns to."""
MOST_KEPT = 32
"""Glances that are kept until the memory changes: to look at years takes a second."""
FEWEST_DAYS = 2
"""Days on which somebody spoke of what they come back to."""


@dataclass(frozen=True, slots=True)
class Returning:
    """A name or a word, and the days on which it was spoken of, oldest first."""

    name: str
    days: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """What a portrait shows first.

    Attributes:
        since: the first day they talked, or were met.
        last: the newest day they talked; None before the first.
        days: on how many days they talked.
        exchanges: how many there are.
        moods: of the days on which a mood was named, oldest first.
        names: people and places, those of most days first.
        returning: what else they come back to, that of most days first.
    """

    since: date
    last: date | None
    days: int
    exchanges: int
    moods: tuple[DayMood, ...]
    names: tuple[Returning, ...]
    returning: tuple[Returning, ...]


def glance_at(memory: PersonMemory, companion: str) -> Glance:
    """Look at a memory.

    Args:
        memory: whose.
        companion: what the companion calls itself, which is no name of theirs.
    """
    memory = memory.recallable()
    talked = {iso: day for iso, day in memory.days.items() if day.turns}
    said = {iso: [turn.query for turn in day.turns] for iso, day in talked.items()}
    names = sorted(
        _days_of_names(_names(memory, companion), said), key=lambda it: (-len(it.days), it.name)
    )[:MOST_NAMES]
    known = {it.name.casefold() for it in names} | {memory.profile.name.casefold()}
    returning = (it for it in _returning(said) if it.name.casefold() not in known)
    dates = [date.fromisoformat(it) for it in talked]
    return Glance(
        since=min(dates, default=memory.profile.created.astimezone(memory.profile.zone).date()),
        last=max(dates, default=None),
        days=len(talked),
        exchanges=sum(len(day.turns) for day in talked.values()),
        moods=tuple(mood for day in talked.values() if (mood := mood_of(day)) is not None),
        names=tuple(names),
        returning=tuple(list(returning)[:MOST_RETURNING]),
    )


class Glances:
    """Keeps the glances of the memories that were looked at last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Scope, tuple[PersonMemory, Glance]] = OrderedDict()

    def at(self, scope: Scope, memory: PersonMemory, companion: str) -> Glance:
        """Return the glance at a memory; a new one only where the memory is another than before."""
        with self._lock:
            kept = self._kept.get(scope)
        if kept is not None and kept[0] is memory:
            return kept[1]
        glance = glance_at(memory, companion)
        with self._lock:
            self._kept[scope] = (memory, glance)
            self._kept.move_to_end(scope)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return glance


def _names(memory: PersonMemory, companion: str) -> list[str]:
    """Return the names of the newest days, and those of which something is known from any day."""
    newest = sorted(memory.days)[-DAYS_OF_NAMES:]
    known = [
        fact.entity.strip()
        for fact in memory.facts()
        if fact.entity_type == "specific" and fact.is_active
    ]
    recent = replace(memory, days={iso: memory.days[iso] for iso in newest})
    speakers = {memory.profile.name.casefold(), companion.casefold()}
    spelled = {it.casefold(): it for it in [*names_in(recent, companion), *known] if it}
    return [name for key, name in spelled.items() if key not in speakers]


def _days_of_names(names: list[str], said: Mapping[str, list[str]]) -> Iterator[Returning]:
    told = {iso: "\n".join(words).casefold() for iso, words in said.items()}
    for name in names:
        pattern = re.escape(name.casefold())
        # A Chinese name stands without spaces; one of letters is a word of its own.
        whole = re.compile(rf"(?<!\w){pattern}(?!\w)" if name.isascii() else pattern)
        days = tuple(iso for iso, words in told.items() if whole.search(words))
        if days:
            yield Returning(name, days)


def _returning(said: Mapping[str, list[str]]) -> Iterator[Returning]:
    sentences = {iso: worded_sentences(words) for iso, words in list(said.items())[-DAYS_OF_WORDS:]}
    most = MOST_NAMES + MOST_RETURNING
    for term in recurring_terms(sentences, most=most, least_days=FEWEST_DAYS):
        yield Returning(term.name, tuple(term.days))
