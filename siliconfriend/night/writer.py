"""What writes the derived texts of a night, and when one must be written.

A model writes them, or the offline companion: both are a :class:`Writer`. Nothing remembers
that a stage "ran". A text is due when there is none, when it was made from other words than
there are now, or when it was made offline and a model is there. That alone makes a night
resumable, and picks up talk, edits and erasures whenever they come. A text that the person
corrected, or that was imported, stays until its day changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import Day
from siliconfriend.night.portrayed_days import PortrayedDays
from siliconfriend.texts import Language, text


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
    """Writes four kinds of text.

    Every method raises ModelError rather than give back a text that is empty or is none:
    what is returned gets remembered.

    Attributes:
        made_by: what the texts' provenance says.
    """

    @property
    def made_by(self) -> str:
        """The model's name, or :data:`OFFLINE`."""
        ...

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of one day, at the cost of one where that can be."""
        ...

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The events of one day."""
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
    if provenance is None or provenance.inputs != inputs:
        return True
    return provenance.made_by == OFFLINE and made_by != OFFLINE
