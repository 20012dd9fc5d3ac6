"""Parse the days a text names: every form of both languages is tried, the longest stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.recall.dates import chinese, english
from siliconfriend.recall.dates.calendar import Calendar, DateRange, PartOfDay
from siliconfriend.recall.dates.resolvers import beside, names_days_beside
from siliconfriend.recall.dates.slots import Grammar, Slots
from siliconfriend.recall.dates.tense import Evidence, Tenses, tense_rules

GRAMMARS = (english.GRAMMAR, chinese.GRAMMAR)

LONGEST_TEXT = 20_000
"""Characters that are read; a longer message names its day near its beginning or not at all."""

_YEAR = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|[零〇一二三四五六七八九]{4}年|\byears?\b|[去今明后前]年"
)

LONGEST_NAMED_BESIDE = 9
"""Days that a date may have that others are named by: "the week before Easter", 国庆前一天."""

_SIDE = re.compile(r"(?:before|after|of)\s+(?:the\s+)?", re.IGNORECASE)

_JOINS = re.compile(r"\s*(?:to|through|till|until|and|-|–|—|~|到|至)\s*(?:the\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Days that a text names.

    Attributes:
        first, last: the days, both inclusive, of the person's calendar.
        part_of_day: ``morning``, ``afternoon`` or ``evening`` where it is said, else None.
        words: as they stand in the text (in NFKC).
        relative: they mean something only on the day they are said.
        told_after: how many days after them they are still told of, as feasts are.
        vague: the words only say about when ("recently").
        is_talk: they name a conversation of that day, and nothing else that happened on it.
    """

    first: date
    last: date
    part_of_day: PartOfDay | None
    words: str
    relative: bool = False
    told_after: int = 0
    vague: bool = False
    is_talk: bool = False

    @property
    def has_year(self) -> bool:
        """True if the words say which year, or follow from the day they were said on."""
        return self.relative or _YEAR.search(self.words) is not None

    @property
    def length(self) -> int:
        """How many days."""
        return (self.last - self.first).days + 1


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
    return _parse(text, Calendar(day_of(now, zone), tuple(days), planned=tuple(planned)))


def find_dates_said_on(text: str, day: date) -> tuple[DateSpan, ...]:
    """Find the days that words said on ``day`` name: their "last night" is that of the day before.

    A day without its year lies on the side that the tense says, else it is the nearest. Where
    words contradict each other ("on Friday 21 February", a Saturday), no day is found.
    """
    return _parse(text, Calendar(day, nearest=True))


def asks_ahead(text: str) -> bool:
    """True if a question asks for what is to come: "What have I planned for November?"."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    return any(grammar.future.search(plain) for grammar in GRAMMARS)


def rules_of_dates() -> str:
    """Everything the reading of dates is written down in, so that a change of it can be seen."""
    forms = [form.words for grammar in GRAMMARS for form in grammar.forms]
    beside = [grammar.beside.pattern for grammar in GRAMMARS]
    return " ".join([*forms, *beside, tense_rules()])


def _parse(text: str, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Parse the days a text names, said on the calendar's day; never raises, whatever the text."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    if not calendar.nearest and asks_ahead(text):
        calendar = replace(calendar, ahead=True)
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
    sure = [hit for hit in chosen if not (calendar.nearest and hit.contradicts)]
    return tuple(_joined(plain, [_since(plain, hit, calendar) for hit in sure]))


@dataclass(frozen=True, slots=True)
class _Hit:
    """Where in the text a form matched, and the days it means.

    ``contradicts``: beside the day stands a weekday that it is not.
    """

    start: int
    end: int
    days: DateRange
    relative: bool
    contradicts: bool = False


def _hits(grammar: Grammar, text: str, calendar: Calendar, tenses: Tenses) -> Iterator[_Hit]:
    if not grammar.alphabet.search(text):
        return
    for form in grammar.forms:
        for match in form.pattern.finditer(text):
            is_since = _since_beside(grammar, text, match.start(), match.end()) is not None
            # The time since New Year began at the last one, whichever others are remembered.
            said_in = replace(calendar, days=(), behind=True) if is_since else calendar
            if not is_since:
                said_in = _in_tense(calendar, tenses.at(match.start(), match.end()))
            days = grammar.resolve(form, match, said_in)
            if days is not None:
                near = _beside(grammar, text, match) if _may_have_beside(days) else None
                if near is not None:
                    meant = partial(beside, slots=near.said)
                    named = grammar.resolve(form, match, replace(said_in, beside=meant))
                    days = meant(days) if named in (days, None) else named
                    yield _Hit(near.start, near.end, days, form.relative)
                    continue
                hit = _Hit(match.start(), match.end(), days, form.relative)
                if not match.groupdict().get("weekday"):
                    hit = _with_weekday(grammar, text, hit)
                yield _with_part_of_day(grammar, text, hit)


def _may_have_beside(days: DateRange) -> bool:
    return days.length <= LONGEST_NAMED_BESIDE and not (days.vague or days.is_talk)


class _Beside(NamedTuple):
    """Words next to a date that name the days beside it, with the date's own: where they stand."""

    start: int
    end: int
    said: Slots


def _beside(grammar: Grammar, text: str, date_match: re.Match[str]) -> _Beside | None:
    """The words that name days by those of a match: "the day before Christmas Eve", 国庆前一天."""
    start, end = date_match.span()
    match = grammar.beside.match(text, end)
    if match is None:
        # "After Thanksgiving" is a form of its own: its "after" is that of "the day after".
        own = _SIDE.match(text, start, end)
        at = own.end() if own else start
        match = grammar.beside.search(text, max(0, at - 40), at)
        if match is None or match.end() != at:
            return None
    said = grammar.read(match)
    found = _Beside(min(start, match.start()), max(end, match.end()), said)
    return found if names_days_beside(said) else None


def _with_weekday(grammar: Grammar, text: str, hit: _Hit) -> _Hit:
    """The hit with the weekday that is said beside it, where it is a single day."""
    if hit.days.first != hit.days.last:
        return hit
    start, end = hit.start, hit.end
    match = grammar.weekday_after.match(text, end)
    if match is not None:
        end = match.end()
    else:
        match = grammar.weekday_before.search(text, max(0, start - 30), start)
        if match is None:
            return hit
        start = match.start()
    weekday = grammar.read(match).weekday
    return _Hit(start, end, hit.days, hit.relative, weekday != hit.days.first.weekday())


def _in_tense(calendar: Calendar, found: Evidence | None) -> Calendar:
    tense, is_sure = found or (None, True)
    behind = tense == "behind"
    if calendar.nearest:
        return replace(calendar, ahead=tense == "ahead", behind=behind, doubtful=not is_sure)
    # What is asked may be of the past in the present tense; it is of a plan only where there is one.
    return replace(calendar, behind=behind and is_sure, may_come=tense == "ahead")


def _with_part_of_day(grammar: Grammar, text: str, hit: _Hit) -> _Hit:
    """The hit with the part of the day that is said beside it, where it is a single day."""
    if hit.days.part is not None or hit.days.first != hit.days.last:
        return hit
    start, end = hit.start, hit.end
    match = grammar.part_after.match(text, end)
    if match is not None:
        end = match.end()
    else:
        match = grammar.part_before.search(text, max(0, start - 40), start)
        if match is None:
            return hit
        start = match.start()
    return replace(hit, start=start, end=end, days=replace(hit.days, part=grammar.read(match).part))


def _since(text: str, hit: _Hit, calendar: Calendar) -> _Hit:
    """The hit up to today where "since" is said before or after it."""
    if hit.days.first > calendar.today:
        return hit
    for grammar in GRAMMARS:
        found = _since_beside(grammar, text, hit.start, hit.end)
        if found is not None:
            return _Hit(*found, DateRange(hit.days.first, calendar.today), hit.relative)
    return hit


def _since_beside(grammar: Grammar, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Start and end of a date's words together with the "since" before or after them, if any."""
    after = grammar.since_after.match(text, end)
    end = after.end() if after else end
    if grammar.since_before.match(text, start):
        return start, end
    before = grammar.since_before.search(text, max(0, start - 20), start)
    if before is not None and before.end() == start:
        return before.start(), end
    return (start, end) if after else None


def _joined(text: str, hits: list[_Hit]) -> list[DateSpan]:
    """The spans; "from April 27 to May 2" is one."""
    spans: list[DateSpan] = []
    end_before = 0
    for hit in hits:
        days, start = hit.days, hit.start
        if spans and _is_range(text, end_before, start, spans[-1], days.first):
            earlier = spans.pop()
            days = DateRange(earlier.first, days.last)
            start = end_before - len(earlier.words)
        words = text[start : hit.end]
        spans += [_span(named, words, hit.relative) for named in (*days.others, days)]
        end_before = hit.end
    return spans


def _span(days: DateRange, words: str, relative: bool) -> DateSpan:
    first, last, part = days.first, days.last, days.part
    return DateSpan(first, last, part, words, relative, days.told_after, days.vague, days.is_talk)


def _is_range(text: str, end: int, start: int, before: DateSpan, first: date) -> bool:
    join = _JOINS.fullmatch(text, end, start)
    if join is None or before.last >= first:
        return False
    if join.group().strip().lower() != "and":
        return True
    return bool(
        re.search(r"\bbetween\s+(?:the\s+)?$", text[: end - len(before.words)], re.IGNORECASE)
        or re.match(r"between\b", before.words, re.IGNORECASE)
    )
