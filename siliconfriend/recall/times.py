"""Derive the days that a memory speaks of, and find memories by the days that a message names.

"On 14 February I fly to Oslo", told on 10 January, speaks of 14 February. The days come from the
person's words only. They are stored in the index, not in the records, so better rules apply to old
memories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import MAXYEAR, date
from functools import cache
from zoneinfo import ZoneInfo

import numpy as np
from dateutil.relativedelta import relativedelta
from numpy.typing import NDArray

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold
from siliconfriend.language.message import PersonText
from siliconfriend.language.sentences import CLAUSE, split_sentences
from siliconfriend.language.word_lists import generic_words, matches, word_list
from siliconfriend.language.words import beginning_and_end, content_words, word_set
from siliconfriend.memory.knowledge import OFFLINE, Event
from siliconfriend.memory.records import DaySummary, Memory, Turn
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.dates import DateSpan, find_dates_by_part
from siliconfriend.recall.dates.calendar import DAY, one_day
from siliconfriend.recall.dates.tense import clause_with, is_of_habit
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.recall.time_words import date_with_weekday
from siliconfriend.texts import Language

LEAST_SHARE = 0.1  # of the days a memory speaks of, which must lie within those that are asked for
DAY_SIGN = "\0"  # stands for a day in the patterns ``other_day``
YEARS = 10  # years in which a birthday applies after one mention

Days = NDArray[np.int64]


def spoken_times(memory: Memory, zone: ZoneInfo) -> tuple[DateSpan, ...]:
    """Find the days that a turn or an event speaks of, in the order of its words, each once.

    An event that a model wrote is of its own moment alone; dates are read in the person's words. A
    reminder without a day is of the next one.
    """
    day = date.fromisoformat(memory.date)
    parts = tuple(_told(memory))
    named = zip(parts, find_dates_by_part(parts, day), strict=True)
    found = dict.fromkeys(days for words, spans in named for days in _spoken(words, spans, day))
    happened = day_of_event(memory, zone)
    if happened is not None and not found:
        return (one_day(happened),)
    if (
        not found
        and isinstance(memory, Turn)
        and PersonText(memory.query).asks_for_reminder
        and parts
    ):
        return (one_day(day + DAY),)
    return tuple(found)


def _spoken(words: str, spans: Iterable[DateSpan], day: date) -> Iterator[DateSpan]:
    """Choose the days that a sentence said on ``day`` speaks of, except that day and vague ones.

    Farewells, negations ("no need to go on Sunday") and weekdays of a habit have no days. A
    birthday also applies to later years.
    """
    folded = fold(words)
    if matches("tense", "farewell", folded):
        return
    is_yearly, is_own_day = (matches("tense", key, folded) for key in ("yearly", "yearly_day"))
    for span in spans:
        is_day = span.first == span.last
        if span.vague or is_of_habit(span, folded) or (is_yearly and not is_day):
            continue
        if _is_denied(folded, fold(span.words)):
            continue
        if not (is_day and span.first == day):
            yield DateSpan(span.first, span.last)
        comes_back = is_own_day if span.relative else not span.has_year
        if is_yearly and comes_back and not span.told_after:
            yield from _each_year(span.first, day)


def _each_year(first: date, told: date) -> Iterator[DateSpan]:
    """Yield the yearly repeats of a day; 29 February becomes 28 February in other years."""
    for year in range(told.year, min(first.year + YEARS, MAXYEAR) + 1):
        day = first + relativedelta(years=year - first.year)
        if day > told and day != first:
            yield one_day(day)


def _is_denied(sentence: str, day: str) -> bool:
    """True if the clause with the day, or the sentence around an empty clause, is negated.

    "It's Friday" after "it's not Tuesday any more" is no empty clause.
    """
    clause = clause_with(sentence, day)
    says = bool(content_words(clause.replace(day, " "))) or matches("tense", "changed", clause)
    says = says or matches("tense", "ahead", clause.partition(day)[0])
    words = clause if says else sentence
    if matches("tense", "other_day", sentence.replace(day, DAY_SIGN, 1)):
        return True
    return any(matches("tense", key, words) for key in ("cancelled", "denied"))


def day_of_event(memory: Memory, zone: ZoneInfo) -> date | None:
    """Return the day of an event's own time, if it differs from the day it was told."""
    if not isinstance(memory, Event) or memory.time is None:
        return None
    day = day_of(memory.time, zone)
    return None if day.isoformat() == memory.date else day


def words_of(memory: Memory, zone: ZoneInfo, language: Language) -> str:
    """Return the own words of a memory; of an event on another day with its time."""
    words, day = own_words(memory).strip(), day_of_event(memory, zone)
    if day is None or not isinstance(memory, Event) or memory.time is None:
        return words
    when, hour = date_with_weekday(day.isoformat(), language), memory.time.astimezone(zone)
    return f"{words} ({when})" if f"{hour:%H:%M}" == "12:00" else f"{words} ({when}, {hour:%H:%M})"


def _told(memory: Memory) -> Iterator[str]:
    """Yield statements, and statement clauses of questions."""
    if isinstance(memory, Event):
        if memory.provenance.made_by != OFFLINE:
            return
        words = memory.text
    elif isinstance(memory, Turn) and not memory.is_left_alone:
        words = memory.query
    else:
        return
    for sentence in split_sentences(beginning_and_end(words)):
        parts = CLAUSE.split(sentence) if _asks(sentence) else [sentence]
        yield from (part for part in parts if part and not _asks(part))


def _asks(words: str) -> bool:
    """True if words ask a question, except requests for a reminder."""
    said = PersonText(words)
    asks = said.asks_memory or said.ends_as_question or said.has_sign("memory")
    return asks and not said.asks_for_reminder


class TimeTable:
    """Spans of days by the row of the memory that speaks of them; ``rows`` counts all memories."""

    def __init__(self, rows: int = 0, spans: Days | None = None) -> None:
        self.rows = rows
        self._spans = np.zeros((3, 0), dtype=np.int64) if spans is None else spans
        self._new: list[tuple[int, int, int]] = []

    @property
    def spans(self) -> Days:
        """Row, first and last day of each span; shape (3, m)."""
        if self._new:
            self._spans = np.hstack([self._spans, np.array(self._new, dtype=np.int64).T])
            self._new = []
        return self._spans

    def append(self, times: Iterable[DateSpan]) -> None:
        """Add the next memory, with the days it speaks of."""
        self._new += [(self.rows, span.first.toordinal(), span.last.toordinal()) for span in times]
        self.rows += 1

    def days_after(self, day: date) -> list[date]:
        """Return the first and last days of spans that lie after a day, each once, in order."""
        ends = self.spans[1:]
        return [date.fromordinal(int(end)) for end in np.unique(ends[ends > day.toordinal()])]

    def subset(self, chosen: Days) -> TimeTable:
        """Build a table of these memories alone, renumbered in the order given."""
        number = np.full(self.rows, -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        row, first, last = self.spans
        spans = np.stack([number[row], first, last])
        return TimeTable(len(chosen), spans[:, spans[0] >= 0])

    def share_within(self, first: int, last: int) -> tuple[Numbers, Days]:
        """Compute the share of each memory's best span within some days, and its first day there.

        Returns:
            0 for both where none lies there; shape (n,) each.
        """
        share, day = np.zeros(self.rows), np.zeros(self.rows, dtype=np.int64)
        row, begins, ends = self.spans[:, (self.spans[1] <= last) & (self.spans[2] >= first)]
        start = np.maximum(begins, first)
        shares = (np.minimum(ends, last) - start + 1) / (ends - begins + 1)
        # The best span of each memory is written last and wins.
        order = np.argsort(shares, kind="stable")
        share[row[order]], day[row[order]] = shares[order], start[order]
        return share, day


def told_within(days: NDArray[np.int32], cue: Cue) -> Mask:
    """Return which of n days of telling a message names; shape (n,). A holiday counts some days on."""
    within = np.zeros(len(days), dtype=np.bool_)
    for span in cue.spans:
        first, last = span.first.toordinal(), span.last.toordinal() + span.told_after
        within |= (days >= first) & (days <= last)
    return within


def spoken_within(times: TimeTable, cue: Cue) -> tuple[Mask, Days]:
    """Find which of n memories speak of the days a message names.

    Returns:
        a mask, and the first matching day of each memory (0 for none); shape (n,) each.
    """
    best, day = np.zeros(times.rows), np.zeros(times.rows, dtype=np.int64)
    for span in cue.spans:
        if not span.is_talk:
            share, first = times.share_within(span.first.toordinal(), span.last.toordinal())
            is_best = (share >= LEAST_SHARE) & (share > best)
            best, day = np.where(is_best, share, best), np.where(is_best, first, day)
    return best > 0, day


def asks_only_for_time(words: Collection[str], spans: Sequence[DateSpan]) -> bool:
    """Return True if a message names days and otherwise asks for anything."""
    return bool(spans) and tokens_of_anything().issuperset(words)


def spread_over_span(
    memories: Sequence[Memory],
    days: NDArray[np.int32],
    scores: Numbers,
    spans: Sequence[DateSpan],
    top: int,
) -> list[int]:
    """Order the memories of the longest span so that the first ``top`` cover it evenly.

    The span is cut into ``top`` slices; first comes the best of each, then the second best. Turns stand
    before the summary of their day, and after it where there are more turns than places. ``days`` are
    those the memories speak of, else were told on; 0 leaves one out.

    Returns:
        positions; none where no span is longer than a week, or nothing was said in it.
    """
    span = max(spans, key=lambda span: span.length)
    if span.length <= 7 or top < 1:
        return []
    first = span.first.toordinal()
    inside = np.flatnonzero((days >= first) & (days <= span.last.toordinal())).tolist()
    is_summary = {at: isinstance(memories[at], DaySummary) for at in inside}
    summaries_first = len(inside) - sum(is_summary.values()) > top
    best_first = sorted(inside, key=lambda at: (-float(scores[at]), memories[at].id))
    taken: Counter[int] = Counter()
    rounds = {}
    for at in sorted(best_first, key=lambda at: is_summary[at] != summaries_first):
        slice_ = (int(days[at]) - first) * top // span.length
        rounds[at] = taken[slice_]
        taken[slice_] += 1
    return sorted(best_first, key=rounds.__getitem__)


@cache
def tokens_of_anything() -> frozenset[str]:
    """Return the tokens of a question that asks for anything at all: happen, busy, 发生."""
    # "We'd" has the same token as "wedding".
    generic = (word for word in generic_words() if "'" not in word)
    return word_set(*generic, *word_list("words", "of_anything"))
