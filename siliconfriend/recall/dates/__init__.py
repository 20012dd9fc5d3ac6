"""Days named in words, in English and Chinese, as days of the person's calendar.

Each form of a language (a row of ``english.toml`` or ``chinese.toml``) is a pattern whose groups are what
it says; a resolver that both languages share (``resolvers.py``) turns that into days by the arithmetic of
``calendar.py``. All forms are tried and the longest that do not overlap are kept. ``tense.py`` tells on
which side of today a day without its year lies. A feast is a row of ``feasts.toml``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.recall.dates.calendar import Calendar, DateSpan, PartOfDay
from siliconfriend.recall.dates.grammar import Grammar
from siliconfriend.recall.dates.languages import GRAMMARS
from siliconfriend.recall.dates.resolvers import Said, beside, names_days_beside
from siliconfriend.recall.dates.tense import Tenses

__all__ = [
    "DateSpan",
    "PartOfDay",
    "asks_ahead",
    "find_dates",
    "find_dates_said_on",
]

LONGEST_TEXT = 20_000
"""Characters that are read."""

LONGEST_BESIDE = 9
"""Most days of a date by which others are named ("the week before Easter")."""

_OWN_SIDE = re.compile(r"(?:before|after|of)\s+(?:the\s+)?", re.IGNORECASE)
_OWN_JOIN = re.compile(r"(?:until|till)\s+(?:the\s+)?", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:to|through|till|until|and|-|–|—|~|到|至)\s*(?:the\s+)?", re.IGNORECASE)


def find_dates(
    text: str,
    *,
    now: datetime,
    zone: ZoneInfo,
    days: Sequence[date] = (),
    planned: Sequence[date] = (),
) -> tuple[DateSpan, ...]:
    """Find the days a question names, in the order of their words.

    Args:
        text: the question, in English, Chinese or both.
        now: when it is asked, aware.
        zone: the person's time zone.
        days: the days they have memories of, ascending, each once; "May 4" is of the latest year that has some around.
        planned: the days to come of which something was told, ascending; in "What is on May 4?" one of them.
    """
    calendar = Calendar(day_of(now, zone), tuple(days), tuple(planned), asks_ahead=asks_ahead(text))
    return _parse(text, calendar)


def find_dates_said_on(text: str, day: date) -> tuple[DateSpan, ...]:
    """Find the days that words said on ``day`` name: their "last night" is that of the day before.

    A day without its year lies within three months ahead or ahead as the sentence says, behind only
    where it is plainly past or just over. Words that contradict each other ("Friday 21 February", a
    Saturday) and what recurs ("every other Friday") name no day.
    """
    return _parse(text, Calendar(day, told=True))


def asks_ahead(text: str) -> bool:
    """Return True if a question asks for what is to come: "What have I planned for November?"."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    return any(grammar.near["asks_ahead"].search(plain) for grammar in GRAMMARS)


class _Hit(NamedTuple):
    """Position of a match in the text, and its days."""

    start: int
    end: int
    days: DateSpan
    contradicts: bool = False
    others: tuple[DateSpan, ...] = ()


def _parse(text: str, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Parse the days a text names, said on the calendar's day; never raises, whatever the text."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    tenses = Tenses(plain)
    found = [hit for grammar in GRAMMARS for hit in _hits(grammar, plain, calendar, tenses)]
    found.sort(key=lambda hit: (hit.start - hit.end, hit.start))
    chosen: list[_Hit] = []
    taken = bytearray(len(plain))
    for hit in found:
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            chosen.append(hit)
    chosen.sort(key=lambda hit: hit.start)
    sure = [hit for hit in chosen if not (calendar.told and hit.contradicts)]
    return tuple(_joined(plain, [_since(plain, hit, calendar) for hit in sure]))


def _hits(grammar: Grammar, text: str, calendar: Calendar, tenses: Tenses) -> Iterator[_Hit]:
    if not grammar.near["hint"].search(text):
        return
    for form in grammar.forms:
        for match in form.pattern.finditer(text):
            start, end = match.span()
            if grammar.near["recurring"].search(text, max(0, start - 40), start):
                continue
            side = tenses.side(start, end)
            said_in = replace(calendar, side=side)
            if _since_beside(grammar, text, start, end) is not None:
                # The time since New Year began at the last one, whichever others are remembered.
                said_in = replace(calendar, days=(), side="behind")
            *others, days = grammar.resolve(form, match, said_in) or (None,)
            if days is None:
                continue
            can_have_beside = days.length <= LONGEST_BESIDE and not (days.vague or days.is_talk)
            near = _beside(grammar, text, match) if can_have_beside else None
            if near is not None:
                meant = partial(beside, said=near[2])
                named = grammar.resolve(form, match, replace(said_in, beside=meant))
                moved = meant(days) if named in ((days,), ()) else named[0]
                yield _Hit(near[0], near[1], replace(moved, relative=form.relative))
                continue
            hit = _Hit(start, end, days, others=tuple(filter(None, others)))
            if days.first == days.last and not match.groupdict().get("weekday"):
                hit = _with_weekday(grammar, text, hit)
            yield _with_part(grammar, text, hit)


def _beside(grammar: Grammar, text: str, date: re.Match[str]) -> tuple[int, int, Said] | None:
    """Find the words that name days by those of a match: "the day before Christmas Eve"."""
    start, end = date.span()
    match = grammar.near["beside"].match(text, end)
    if match is None:
        # "After Thanksgiving" is a form of its own: its "after" is that of "the day after".
        own = _OWN_SIDE.match(text, start, end)
        match = _ending_at(grammar.near["beside"], text, own.end() if own else start, 40)
    if match is None:
        return None
    said = grammar.read(match)
    whole = min(start, match.start()), max(end, match.end()), said
    return whole if names_days_beside(said) else None


def _ending_at(pattern: re.Pattern[str], text: str, end: int, reach: int) -> re.Match[str] | None:
    found = pattern.search(text, max(0, end - reach), end)
    return found if found is not None and found.end() == end else None


def _with_weekday(grammar: Grammar, text: str, hit: _Hit) -> _Hit:
    """Add the weekday that stands beside a single day."""
    match = _next_to(grammar, "weekday", text, hit)
    if match is None:
        return hit
    contradicts = grammar.read(match).weekday != hit.days.first.weekday()
    return _widened(hit, match)._replace(contradicts=contradicts)


def _with_part(grammar: Grammar, text: str, hit: _Hit) -> _Hit:
    """Add the part of the day that stands beside a single day."""
    is_open = hit.days.part_of_day is None and hit.days.first == hit.days.last
    match = _next_to(grammar, "part", text, hit) if is_open else None
    if match is None:
        return hit
    days = replace(hit.days, part_of_day=grammar.read(match).part)
    return _widened(hit, match)._replace(days=days)


def _next_to(grammar: Grammar, kind: str, text: str, hit: _Hit) -> re.Match[str] | None:
    after = grammar.near[f"{kind}_after"].match(text, hit.end)
    return after or _ending_at(grammar.near[f"{kind}_before"], text, hit.start, 40)


def _widened(hit: _Hit, match: re.Match[str]) -> _Hit:
    return hit._replace(start=min(hit.start, match.start()), end=max(hit.end, match.end()))


def _since(text: str, hit: _Hit, calendar: Calendar) -> _Hit:
    """Extend a hit up to today where "since" stands before or after it."""
    if hit.days.first > calendar.today:
        return hit
    for grammar in GRAMMARS:
        found = _since_beside(grammar, text, hit.start, hit.end)
        if found is not None:
            days = DateSpan(hit.days.first, calendar.today, relative=hit.days.relative)
            return _Hit(*found, days)
    return hit


def _since_beside(grammar: Grammar, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Start and end of a date's words together with the "since" before or after them, if any."""
    after = grammar.near["since_after"].match(text, end)
    end = after.end() if after else end
    if grammar.near["since_before"].match(text, start):
        return start, end
    before = _ending_at(grammar.near["since_before"], text, start, 20)
    if before is not None:
        return before.start(), end
    return (start, end) if after else None


def _joined(text: str, hits: list[_Hit]) -> list[DateSpan]:
    """Build the spans; "from April 27 to May 2" is one."""
    spans: list[DateSpan] = []
    end_before = 0
    for hit in hits:
        days, start = hit.days, hit.start
        if spans and _is_range(text, end_before, start, spans[-1], days.first):
            earlier = spans.pop()
            days = DateSpan(earlier.first, days.last, relative=days.relative)
            start = end_before - len(earlier.words)
        spans += [replace(it, words=text[start : hit.end]) for it in (*hit.others, days)]
        end_before = hit.end
    return spans


def _is_range(text: str, end: int, start: int, before: DateSpan, first: date) -> bool:
    own = _OWN_JOIN.match(text, start)
    join = _JOINS.fullmatch(text, end, own.end() if own else start)
    if join is None or before.last >= first:
        return False
    between = re.compile(r"(?:^|.*\b)between\b", re.IGNORECASE | re.DOTALL)
    begins = text[: end - len(before.words)][-12:] + before.words
    return join.group().strip().lower() != "and" or between.match(begins) is not None
