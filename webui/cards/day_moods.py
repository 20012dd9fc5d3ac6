"""The mood of a day, by the words of mood that were said on it.

It reads no feelings into anyone: it finds the moods that the day's portrait names or, where
there is none yet, that the person named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from siliconfriend.memory.records import Day
from siliconfriend.moods import Mood, moods_of
from siliconfriend.texts import Language

from ..words.phrases import listed

MOST_NAMED = 3

Side = Literal["bright", "mixed", "heavy"]


@dataclass(frozen=True, slots=True)
class DayMood:
    """The moods of one day, the most said first; never empty."""

    date: str
    moods: tuple[Mood, ...]

    @property
    def side(self) -> Side:
        """Which side they are on, all together."""
        bright = sum(it.is_bright for it in self.moods)
        if bright == len(self.moods):
            return "bright"
        return "mixed" if bright else "heavy"

    def name(self, language: Language) -> str:
        """The moods in words."""
        return listed([it.name(language) for it in self.moods], language)


def mood_of(day: Day) -> DayMood | None:
    """Find the mood of a day; None where no word of one was said."""
    own = day.personality
    if own is not None and (own.mood or own.text):
        told = [own.mood or own.text]
    else:
        told = [turn.query for turn in day.turns if not turn.is_left_alone]
    found = [mood for mood, _count in moods_of(told).most_common(MOST_NAMED)]
    return DayMood(day.date, tuple(found)) if found else None
