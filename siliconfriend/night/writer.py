"""What writes the derived texts of a night, from which days, and when one must be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol, runtime_checkable

from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import Day
from siliconfriend.texts import Language, text

LAST = 30
"""The last days are all taken."""

EARLIER = 30
"""Of the days before them at most so many, spread over the years."""


@dataclass(frozen=True, slots=True)
class PortrayedDays:
    """The days of a life from which its portrait is made.

    Attributes:
        dates: all days that could be told of, oldest first.
        days: those that are, in their order.
    """

    dates: Sequence[str]
    days: Sequence[Day]

    @classmethod
    def of(cls, days: Mapping[str, Day], dates: Sequence[str]) -> PortrayedDays:
        """Choose among the days of these dates."""
        return cls(dates, [days[it] for it in portrayed_dates(dates)])

    @property
    def earlier(self) -> Sequence[Day]:
        """Those before the last ones."""
        return self.days[:-LAST]

    @property
    def last(self) -> Sequence[Day]:
        """The last ones, which are all taken."""
        return self.days[-LAST:]


def portrayed_dates(dates: Sequence[str]) -> list[str]:
    """The last dates and some of the earlier ones, in their order.

    Of the earlier ones every second day of the calendar, every fourth, every eighth and so on,
    as few as it takes.
    """
    earlier, last = list(dates[:-LAST]), dates[-LAST:]
    apart = 1
    while len(earlier) > EARLIER:
        apart *= 2
        earlier = every(apart, earlier)
    return [*earlier, *last]


def every(apart: int, dates: Sequence[str]) -> list[str]:
    """Of some dates those that are so many days of the calendar apart."""
    return [it for it in dates if date.fromisoformat(it).toordinal() % apart == 0]


@dataclass(frozen=True, slots=True)
class Portrayal:
    """How a person was on one day, in its three parts."""

    traits: str
    mood: str
    strategy: str

    def text(self, language: Language) -> str:
        """The three parts with their labels, as one text."""
        return text(
            "night",
            "personality",
            language,
            traits=self.traits,
            mood=self.mood,
            strategy=self.strategy,
        )


@dataclass(frozen=True, slots=True)
class DayTexts:
    """Both texts of a day."""

    summary: str
    portrayal: Portrayal


class Writer(Protocol):
    """Writes the summary of a day.

    Every method raises ModelError rather than give back a text that is empty or is none:
    what is returned gets remembered.

    Attributes:
        made_by: what the texts' provenance says.
    """

    @property
    def made_by(self) -> str:
        """The model's name, or :data:`OFFLINE`."""
        ...

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The events of one day."""
        ...


@runtime_checkable
class PortraitWriter(Writer, Protocol):
    """Writes who the person is as well: a model."""

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of one day, at the cost of one where that can be."""
        ...

    def day_personality(self, subject: Subject, day: Day) -> Portrayal:
        """Traits, mood and reply strategy of one day."""
        ...

    def overall_history(self, subject: Subject, life: PortrayedDays) -> str:
        """The days that have a summary, oldest first, in one text."""
        ...

    def overall_personality(
        self, subject: Subject, life: PortrayedDays, topics: Sequence[Topic] = ()
    ) -> str:
        """Personality and reply strategy over the days that have a personality.

        ``topics`` are what the two keep coming back to.
        """
        ...


def is_due(provenance: Provenance | None, inputs: str, made_by: str) -> bool:
    """True if a text must be made by ``made_by`` from what hashes to ``inputs``.

    Args:
        provenance: of the text there is; None where there is none.
        inputs: hash of what it would be made from now.
        made_by: who would make it.
    """
    if provenance is None:
        return True
    if made_by == OFFLINE:
        # What a model or a person wrote is better than what rules would put in its place.
        return provenance.made_by == OFFLINE and provenance.inputs != inputs
    return provenance.inputs != inputs or provenance.made_by == OFFLINE
