"""Days named in words, in English and Chinese, as days of the person's calendar.

Each form of a language (a row of ``english.toml`` or ``chinese.toml``) is a pattern whose groups
are fields; a resolver that both languages share (``resolvers.py``) turns the fields into days by the
arithmetic of ``calendar.py``. All forms are tried and the longest that do not overlap are kept.
``tense.py`` finds the side of today on which a day without its year lies. A holiday is a row of
``holidays.toml``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.language.message import read_message
from siliconfriend.recall.dates.calendar import DateSpan
from siliconfriend.recall.dates.grammar import GRAMMARS, Grammar
from siliconfriend.recall.dates.resolvers import Calendar, beside
from siliconfriend.recall.dates.tense import side_of

__all__ = ["DateSpan", "find_dates", "find_dates_said_on"]

LONGEST_TEXT = 20_000  # characters that are read
LONGEST_BESIDE = 9  # days of a date by which others may be named ("the week before Easter")

_JOINS = re.compile(r"\s*(?:to|through|till|until|and|-|–|—|~|到|至)\s*(?:the\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:^|.*\b)between\b", re.IGNORECASE | re.DOTALL)


def find_dates(
    text: str,
    *,
    now: datetime,
    zone: ZoneInfo,
    days: Sequence[date] = (),
    planned: Sequence[date] = (),
) -> tuple[DateSpan, ...]:
    """Find the days a question names, asked at ``now`` (aware), in the order of their words.

    "May 4" is of the latest year in which one of ``days``, those they have memories of, lies around
    it; "What is on May 4?" of that of one of ``planned``, those to come of which something was told.
    Both ascend.
    """
    calendar = Calendar(day_of(now, zone), days, planned)
    if read_message(text).asks_ahead:
        calendar = replace(calendar, is_statement=True, side="ahead")
    return _parse(text, calendar)


def find_dates_said_on(text: str, day: date) -> tuple[DateSpan, ...]:
    """Find the days that words said on ``day`` name: their "last night" is that of the day before.

    A day without its year lies within three months ahead or ahead as the sentence says, behind only
    where it is plainly past or just over. Words that contradict each other ("Friday 21 February", a
    Saturday) and what recurs ("every other Friday") name no day.
    """
    return _parse(text, Calendar(day, is_statement=True))


class _Hit(NamedTuple):
    """Position of words in the text, and the days they name; no days where they contradict."""

    start: int
    end: int
    spans: tuple[DateSpan, ...]


def _parse(text: str, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Parse the days a text names, said on the calendar's day; never raises, whatever the text."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    found = [hit for grammar in GRAMMARS for hit in _hits(grammar, plain, calendar)]
    found.sort(key=lambda hit: (hit.start - hit.end, hit.start))
    chosen: list[_Hit] = []
    taken = bytearray(len(plain))
    for hit in found:
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            chosen.append(hit)
    return tuple(_joined(plain, sorted(chosen)))


def _hits(grammar: Grammar, text: str, calendar: Calendar) -> Iterator[_Hit]:
    if not grammar.context["hint"].search(text):
        return
    for form in grammar.forms:
        for match in form.pattern.finditer(text):
            if _ending_at(grammar.context["recurring"], text, match.start()):
                continue
            since = _since(grammar, match)
            verb = grammar.context["verb"].match(text, match.start())
            start = verb.end() if verb else match.start()
            # The time since New Year began at the last one, whichever others are remembered.
            side = "behind" if since else calendar.side or side_of(text, start, match.end())
            days = () if since else calendar.days
            spans = grammar.resolve(form, match, replace(calendar, side=side, days=days))
            if spans and since and spans[-1].first <= calendar.today:
                found = DateSpan(spans[-1].first, calendar.today, has_year=spans[-1].has_year)
                yield _Hit(*since, (found,))
            elif spans:
                yield _with_neighbours(grammar, match, spans, is_statement=calendar.is_statement)


def _since(grammar: Grammar, match: re.Match[str]) -> tuple[int, int] | None:
    """Start and end of a date's words together with the "since" before or after them, if any."""
    before = grammar.context["since_before"].match(match.string, match.start())
    before = before or _ending_at(grammar.context["since_before"], match.string, match.start())
    after = grammar.context["since_after"].match(match.string, match.end())
    if before or after:
        return (before or match).start(), (after or match).end()
    return None


def _with_neighbours(
    grammar: Grammar, match: re.Match[str], spans: tuple[DateSpan, ...], *, is_statement: bool
) -> _Hit:
    """Apply what stands beside a date: days named by it, its weekday, a part of the day."""
    start, end, days = *match.span(), spans[-1]
    neighbour = _touching(grammar, "beside", match)
    if neighbour and days.length <= LONGEST_BESIDE and not (days.vague or days.is_talk):
        found = beside(days, grammar.read(neighbour))
        if found is not None:
            spans = (replace(found, relative=days.relative, has_year=days.has_year),)
            return _Hit(min(start, neighbour.start()), max(end, neighbour.end()), spans)
    if days.length > 1:
        return _Hit(start, end, spans)
    neighbour = _touching(grammar, "weekday", match)
    if neighbour and not match.groupdict().get("weekday"):
        start, end = min(start, neighbour.start()), max(end, neighbour.end())
        if is_statement and grammar.read(neighbour).weekday != days.first.weekday():
            spans = ()
    part = grammar.context["part_after"].match(match.string, end)
    return _Hit(start, part.end() if part else end, spans)


def _touching(grammar: Grammar, key: str, match: re.Match[str]) -> re.Match[str] | None:
    after = grammar.context[f"{key}_after"].match(match.string, match.end())
    return after or _ending_at(grammar.context[f"{key}_before"], match.string, match.start())


def _ending_at(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    found = pattern.search(text, max(0, end - 40), end)
    return found if found is not None and found.end() == end else None


def _joined(text: str, hits: list[_Hit]) -> list[DateSpan]:
    """Build the spans; "from April 27 to May 2" is one."""
    spans: list[DateSpan] = []
    end_before = 0
    for start, end, found in hits:
        if not found:
            continue
        begin, days = start, found[-1]
        if spans and _is_range(text, end_before, start, spans[-1], days.first):
            earlier = spans.pop()
            has_year = earlier.has_year or days.has_year
            days = replace(days, first=earlier.first, has_year=has_year, told_after=0)
            begin = end_before - len(earlier.words)
        spans += [replace(span, words=text[begin:end]) for span in (*found[:-1], days)]
        end_before = end
    return spans


def _is_range(text: str, end: int, start: int, before: DateSpan, first: date) -> bool:
    join = _JOINS.match(text, end)  # its words may be those of the second date: "until Friday"
    if join is None or join.end() < start or before.last >= first:
        return False
    begins = text[: end - len(before.words)][-12:] + before.words
    return join.group().split()[0].lower() != "and" or _BETWEEN.match(begins) is not None
