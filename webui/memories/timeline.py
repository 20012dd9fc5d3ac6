"""The memories of days as HTML, day by day: what the timeline shows, and what a search found.

A life has thousands of days. The page gets the list of them and asks for the words of those
that come into sight, so nothing here ever goes through all of it but for a filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from siliconfriend.control.listing import MemoryRow, day_rows, memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import Day, PersonMemory, kind_of
from siliconfriend.texts import Language

from ..cards.cards import card, summary_card, thing_card
from ..cards.day_moods import mood_of
from ..cards.things import things_of
from ..words.labels import say
from ..words.markup import day_name, plain

STATES = ("vivid", "faded", "archived")


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories are shown; an empty string lets all through."""

    kind: str = ""
    state: str = ""

    def lets(self, row: MemoryRow) -> bool:
        """True if a memory is shown."""
        return self.kind in ("", kind_of(row.memory)) and self.state in ("", row.prospect.state)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The memories of one person at one moment.

    Attributes:
        memory: whose.
        policy: of forgetting.
        now: aware.
        language: of the labels.
    """

    memory: PersonMemory
    policy: ForgettingPolicy
    now: datetime
    language: Language

    @property
    def today(self) -> date:
        """The person's day."""
        return self.now.astimezone(self.memory.profile.zone).date()

    def rows(self, wanted: MemoryFilter) -> list[MemoryRow]:
        """Return the memories that a filter lets through, oldest day first."""
        return [it for it in memory_rows(self.memory, self.policy, self.now) if wanted.lets(it)]

    def dates(self, wanted: MemoryFilter) -> list[str]:
        """Return the days that hold what a filter lets through, newest first.

        Without a filter those of which anything is known: no day is read for it.
        """
        if wanted == MemoryFilter():
            return sorted(self.memory.days, reverse=True)
        return sorted({row.memory.date for row in self.rows(wanted)}, reverse=True)

    def day(self, iso: str, wanted: MemoryFilter) -> str:
        """Return one day as HTML: its name, its mood, its summary, and what was said, in order."""
        day = self.memory.days.get(iso)
        if day is None:
            return ""
        rows = day_rows(self.memory, day, self.policy, self.now)
        found = things_of(row for row in rows if wanted.lets(row))
        head = (
            "" if found.summary is None else summary_card(found.summary, self.today, self.language)
        )
        things = "".join(
            f"<li>{thing_card(it, self.today, self.language)}</li>" for it in found.things
        )
        listed = f'<ol class="sf-things">{things}</ol>' if things else ""
        if not head and not listed:
            return ""
        return f'<div class="sf-day-head">{self._title(day)}</div>{head}{listed}'

    def _title(self, day: Day) -> str:
        name = plain(day_name(day.date, self.today, self.language))
        mood = mood_of(day)
        told = ""
        if mood is not None:
            said = "" if day.personality is None else day.personality.mood
            told = (
                f'<span class="sf-mood sf-{mood.side}" title="{plain(said)}">'
                f"{plain(mood.name(self.language))}</span>"
            )
        return f'<h3><time datetime="{day.date}">{name}</time></h3>{told}'

    def found(self, rows: Sequence[MemoryRow]) -> str:
        """Return what a search found as HTML, each with its day, in the order given."""
        return "".join(card(row, self.today, self.language, dated=True) for row in rows)


def counted(every: Sequence[MemoryRow], language: Language) -> str:
    """Return how many memories there are, by state, in words."""
    states: Counter[str] = Counter(row.prospect.state for row in every)
    numbers = {it: states[it] for it in STATES}
    return say("counted", language, all=len(every), **numbers)


def ordered(found: Sequence[MemoryRow], ids: Sequence[str]) -> Iterator[MemoryRow]:
    """Yield the rows with these ids, each once, in the order of the ids."""
    by_id = {row.memory.id: row for row in found}
    for identifier in dict.fromkeys(ids):
        if identifier in by_id:
            yield by_id[identifier]
