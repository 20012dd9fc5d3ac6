"""How dear a memory is: what a friend would come back to first, whatever was asked.

Asked for a month or for all there is, no memory is nearer to the question than another. Chosen
by nearness all the same, a quarrel and the weather would come up as often as each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from siliconfriend.dialogue.told_words import said_words
from siliconfriend.dialogue.tone import Tone, tone_told
from siliconfriend.importance import LEAST, offline_importance
from siliconfriend.language.content_words import is_small_talk
from siliconfriend.memory.records import Memory

BY_RECALL = 0.05
"""How much of importance each recall is worth, up to ten of them."""

BY_TONE: Mapping[Tone | None, float] = {"grave": 0.3, "heavy": 0.2, "bright": 0.15}
"""How much more it is worth that something weighs or gladdens by what it tells."""

CROWDED = 0.05
"""How much less another is worth for each dearer one of about the same time."""

PINNED = 2.0
"""More than whatever was not pinned."""

_T = TypeVar("_T")


def dearness(memory: Memory) -> float:
    """Return how dear a memory is, 0 to 2.

    Pinned before all, else by what it tells and how often it came back; a word or two about the
    weather least.
    """
    if memory.trace.pinned:
        return PINNED
    words = said_words(memory)
    importance = memory.trace.importance or _importance(words)
    trifling = LEAST if is_small_talk(words) else 0.0
    by_tone = BY_TONE.get(tone_told(words), 0.0)
    return importance - trifling + by_tone + BY_RECALL * min(10, len(memory.trace.recalls))


@lru_cache(maxsize=8192)
def _importance(words: str) -> float:
    """Return the importance of words; kept, since each is looked at again with the next question."""
    return offline_importance(words)


def spread(
    ranked: Iterable[_T], worth: Callable[[_T], float], piece_of: Callable[[_T], int]
) -> list[_T]:
    """Return what is ranked, anew: of each piece of time the second a little less dear, and so on."""
    before: Counter[int] = Counter()
    valued: list[tuple[float, _T]] = []
    for it in ranked:
        valued.append((worth(it) - CROWDED * before[piece_of(it)], it))
        before[piece_of(it)] += 1
    return [it for _, it in sorted(valued, key=lambda pair: -pair[0])]


def once_a_day(ranked: Iterable[_T], day_of: Callable[[_T], str]) -> list[_T]:
    """Return what is ranked, the first of each day before the second of any."""
    seen: set[str] = set()
    first, others = list[_T](), list[_T]()
    for it in ranked:
        (others if day_of(it) in seen else first).append(it)
        seen.add(day_of(it))
    return first + others
