"""What the night asks of whoever writes its texts, a model or the offline companion.

Both write the same four texts, so a stage never knows which one it has; the record says
by its ``made_by``, and what the offline companion wrote is written again once there is a
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from siliconfriend.memory.records import Day, Profile, Provenance

OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Dated:
    """A text and the ISO day it is about."""

    date: str
    text: str


@dataclass(frozen=True, slots=True)
class Personality:
    """How a person was on one day: three parts, each a sentence or a few."""

    traits: str
    mood: str
    strategy: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What was asked of a model: calls, and tokens as the server counted them."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            self.calls - other.calls,
            self.input_tokens - other.input_tokens,
            self.output_tokens - other.output_tokens,
        )


class Writer(Protocol):
    """Writes the texts of a night for one person, in their language.

    Attributes:
        made_by: what a record says it was made by: the model's name, or ``offline``.
        usage: what was asked of a model so far.

    Every method raises a ModelError where no usable text came; none returns an empty one.
    """

    made_by: str
    usage: Usage

    def day_summary(self, profile: Profile, day: Day) -> str:
        """The events of a day in a few sentences."""
        ...

    def day_personality(self, profile: Profile, day: Day) -> Personality:
        """How the person was on a day, and how best to answer them."""
        ...

    def overall_history(self, profile: Profile, summaries: Sequence[Dated]) -> str:
        """All days in a few sentences."""
        ...

    def overall_personality(self, profile: Profile, personalities: Sequence[Dated]) -> str:
        """Who the person is over all days, and the reply strategy that suits them best."""
        ...


def is_due(provenance: Provenance | None, inputs: str, made_by: str) -> bool:
    """Whether a text must be written: there is none, what it rests on changed, or it was
    written offline and a model is there now.
    """
    if provenance is None or provenance.inputs != inputs:
        return True
    return provenance.made_by == OFFLINE and made_by != OFFLINE
