"""Find memories of the days that a message names, and spread an answer over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import generic_words, word_list
from siliconfriend.memory.records import DaySummary, Memory
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.times import TimeTable

LEAST_SHARE = 0.1
"""Least share of the days a memory speaks of that must lie within those that are asked for."""

Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]
Days = NDArray[np.int64]


def told_within(days: NDArray[np.int32], cue: Cue) -> Mask:
    """Tell which of n days of telling a message names; shape (n,). Of a feast one tells for days."""
    within = np.zeros(len(days), dtype=np.bool_)
    for span in cue.spans:
        within |= (days >= span.first.toordinal()) & (
            days <= span.last.toordinal() + span.told_after
        )
    return within


def spoken_within(times: TimeTable, cue: Cue) -> tuple[Mask, Days]:
    """Tell which of n memories speak of the days a message names, whenever they were told.

    Returns:
        which, and the first of these days that each speaks of, 0 for none; shape (n,) each.
    """
    best, day = np.zeros(times.rows), np.zeros(times.rows, dtype=np.int64)
    for span in cue.spans:
        if not span.is_talk:
            share, first = times.share_within(span.first.toordinal(), span.last.toordinal())
            rows = np.flatnonzero((share >= LEAST_SHARE) & (share > best))
            best[rows], day[rows] = share[rows], first[rows]
    return best > 0, day


def asks_only_for_time(cue: Cue) -> bool:
    """Return True if a message names days and asks for nothing but what was then."""
    return bool(cue.spans) and set(cue.search_tokens) <= tokens_of_anything()


def spread_over_span(
    memories: Sequence[Memory],
    days: NDArray[np.int32],
    scores: Numbers,
    spans: Sequence[DateSpan],
    top: int,
) -> list[int]:
    """Order the memories of the longest span so that the first ``top`` lie all over it.

    The span is cut into ``top`` slices; first comes the best of each, then the second best. Turns stand
    before the summary of their day, and after it where there are more turns than places.

    Args:
        memories: the candidates.
        days: of each, the day in the span it speaks of, else the day it was told on; 0 leaves it out.
        scores: of each.
        spans: that the message names.
        top: places.

    Returns:
        positions; none where no span is longer than a week, or nothing was said in it.
    """
    span = max(spans, key=lambda span: span.length)
    if span.length <= 7 or top < 1:
        return []
    first = span.first.toordinal()
    inside = np.flatnonzero((days >= first) & (days <= span.last.toordinal())).tolist()
    turns = sum(not isinstance(memories[at], DaySummary) for at in inside)

    def place(at: int) -> tuple[bool, float, str]:
        is_summary = isinstance(memories[at], DaySummary)
        return is_summary != (turns > top), -float(scores[at]), memories[at].id

    rounds: dict[int, int] = {}
    taken: Counter[int] = Counter()
    for at in sorted(inside, key=place):
        slice_ = (int(days[at]) - first) * top // span.length
        rounds[at] = taken[slice_]
        taken[slice_] += 1
    return sorted(inside, key=lambda at: (rounds[at], *place(at)[1:]))


@cache
def tokens_of_anything() -> frozenset[str]:
    """Return the tokens of a question that asks for anything at all: happen, busy, 发生."""
    words = [*generic_words(), *word_list("words", "of_anything")]
    return frozenset(token for word in words for token in tokenize(word))
