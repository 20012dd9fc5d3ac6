"""Spans of days that a message names: how much they count, and how an answer is spread over them.

A day that is named decides what is recalled, and so must a month: "Where was I in March two
years ago?" is answered from March, whatever its words match elsewhere. But thirty days cannot
each count as much as the one of "on May 4th", and where the time is all that is asked for, no
turn of the span is a better answer than another: then the answer is spread over the span, as one
who tells of a month tells of its beginning and its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.sentences import is_question
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import generic_words, word_list
from siliconfriend.memory.records import DaySummary, Memory
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.time_table import TimeTable

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

WEEK = 7**-0.5
"""What a day of a longer span counts at least, as much as one of a week, and enough to pass the
relevance threshold: a question that names days wants what was said then, whatever its words. With less, turns outside
the span that match by a word or two stand above those of the month that was asked for."""

LEAST_SHARE = 0.1
"""A memory is of some days only where at least this share of what it speaks of lies within them."""

TOLD_LATER = 0.5
"""What the days after a feast count, of what the feast itself does."""


def date_match(days: NDArray[np.int32], cue: Cue, today: date) -> Numbers:
    """How much each of n days on which something was told is one that a message names; shape (n,).

    Of a span of n days each counts 1/√n, and no less than :data:`WEEK`: except where the span is
    vague ("recently"), or where a remark only says that it goes on ("it rains a lot this year").
    """
    if not cue.spans:
        return np.broadcast_to(0.0, len(days))
    match = np.zeros(len(days))
    for span, weight in _weights(cue, today).items():
        first, last = span.first.toordinal(), span.last.toordinal()
        inside = np.flatnonzero((days >= first) & (days <= last + span.told_after))
        counted = np.where(days[inside] <= last, weight, TOLD_LATER * weight)
        match[inside] = np.maximum(match[inside], counted)
    return match


def spoken_match(times: TimeTable, cue: Cue, today: date) -> tuple[Numbers, NDArray[np.int64]]:
    """How much each of n memories speaks of the days that a message names, whenever it was told.

    As much as one told on them, where all it speaks of lies within them; else by the root of the
    share that does: "in 2011" is hardly of a Tuesday in May. "Our first conversation" is what was told
    then, and not what was told of that day later.

    Returns:
        how much, and the first of these days that it speaks of, 0 for none; shape (n,) each.
    """
    match, day = np.zeros(len(times.keys)), np.zeros(len(times.keys), dtype=np.int64)
    for span, weight in _weights(cue, today).items():
        if span.is_talk:
            continue
        share, first = times.share_within(span.first.toordinal(), span.last.toordinal())
        rows = np.flatnonzero(share >= LEAST_SHARE)
        found = weight * np.sqrt(share[rows])
        rows, found = rows[found > match[rows]], found[found > match[rows]]
        match[rows], day[rows] = found, first[rows]
    return match, day


def pool_of_span(
    index: ScopeIndex,
    match: Numbers,
    is_allowed: Mask,
    lexical: Numbers,
    vector: NDArray[np.float32] | None,
    most: int,
) -> Mask:
    """Which rows of the days that are named become candidates.

    All turns of a few days; of a span with more than ``2 * most`` the best by words, the nearest
    by meaning, and so many that lie evenly over it, with the day summaries.
    """
    kinds = index.rows["kind"]
    is_named = (match > 0) & is_allowed
    is_turn = is_named & (kinds == KINDS.index("turn"))
    turns = np.flatnonzero(is_turn)
    if len(turns) <= 2 * most:
        return np.asarray(is_turn, dtype=np.bool_)
    pool = is_named & (kinds == KINDS.index("day"))
    in_order = turns[np.argsort(index.rows["said"][turns], kind="stable")]
    pool[in_order[np.linspace(0, len(in_order) - 1, most).astype(np.int64)]] = True
    best = turns[np.argsort(-lexical[turns], kind="stable")[:most]]
    pool[best[lexical[best] > 0]] = True
    if vector is not None and index.vector_index is not None:
        pool[index.vector_index.nearest(vector, most, is_named)] = True
    return np.asarray(pool, dtype=np.bool_)


def asks_only_for_time(cue: Cue) -> bool:
    """True if a message names days and asks for nothing but what was then."""
    return bool(cue.spans) and set(cue.search_tokens) <= tokens_of_anything()


def spread_over_span(
    memories: Sequence[Memory],
    days: NDArray[np.int32],
    scores: Numbers,
    spans: Sequence[DateSpan],
    top: int,
) -> list[int]:
    """Positions of the memories of the longest span, so that the first ``top`` lie all over it.

    ``days`` are those that the memories are of: the one in the span that a memory speaks of, else
    the one it was told on; 0 for one that is left out. The span is cut into ``top`` slices. First comes the best of each slice, then the second best,
    and so on; in a slice turns stand before the summary of their day. Where there are more turns
    than places the summaries come first, each of which tells of a whole day.

    Returns:
        none where no span is longer than a week, or nothing was said in it.
    """
    span = max(spans, key=lambda span: span.length)
    if span.length <= 7 or top < 1:
        return []
    first, last = span.first.toordinal(), span.last.toordinal()
    inside = np.flatnonzero((days >= first) & (days <= last))
    found = [memories[at] for at in inside.tolist()]
    is_summary = np.array([isinstance(it, DaySummary) for it in found], dtype=np.bool_)
    # Sorting is stable, so that equals stay in the order of their ids.
    ids = [it.id for it in found]
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    inside, is_summary = inside[by_id], is_summary[by_id]
    prefers_summary = np.count_nonzero(~is_summary) > top
    slices = (days[inside].astype(np.int64) - first) * top // span.length
    order = np.lexsort((-scores[inside], is_summary != prefers_summary, slices))
    rounds = np.empty(len(inside), dtype=np.int64)
    rounds[order] = np.arange(len(inside)) - np.searchsorted(slices[order], slices[order])
    ranked: list[int] = inside[np.lexsort((-scores[inside], rounds))].tolist()
    return ranked


def _weights(cue: Cue, today: date) -> dict[DateSpan, float]:
    """What a day of each span counts, each span once: a long message may name one a thousand times."""
    asks = is_question(cue.message)

    def weight(span: DateSpan) -> float:
        share: float = span.length**-0.5
        is_remark = _is_going_on(span, today) and not asks
        return share if span.vague or is_remark else max(share, WEEK)

    return {span: weight(span) for span in dict.fromkeys(cue.spans)}


def _is_going_on(span: DateSpan, today: date) -> bool:
    return span.length > 7 and span.first <= today <= span.last


@cache
def tokens_of_anything() -> frozenset[str]:
    """Tokens of a question that asks for anything at all: happen, busy, 发生."""
    words = [*generic_words(), *word_list("words", "of_anything")]
    return frozenset(token for word in words for token in tokenize(word))
