"""Days named in words, in English and Chinese, as days of the person's calendar.

Each form of a language (a row of ``english.toml`` or ``chinese.toml``) is a pattern whose groups
are fields; resolvers that both languages share (``recurring.py``, ``relative.py``) turn the fields
into days by the arithmetic of ``calendar.py``. All forms are tried and the longest that do not overlap are kept. Then
the dates of a text are read together: a day without its month is of the month named before it, and the
ends of a range belong together. A day without its year is the nearest one, unless ``tense.py`` finds
that the sentence clearly looks to the other side of today. A holiday is a row of ``holidays.toml``.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.message import read_message
from siliconfriend.language.word_lists import matches
from siliconfriend.recall.dates.calendar import DAY, DateSpan
from siliconfriend.recall.dates.fields import Calendar, DateFields
from siliconfriend.recall.dates.grammar import GRAMMARS, SIMPLIFIED, DateForm, Grammar
from siliconfriend.recall.dates.recurring import nearest_day, shift
from siliconfriend.recall.dates.relative import beside
from siliconfriend.recall.dates.tense import SENTENCE_END, side_of

__all__ = ["DateSpan", "find_dates", "find_dates_by_part", "find_dates_said_on"]

LONGEST_TEXT = 20_000  # characters that are read
FURTHEST_RETURN = 30 * DAY  # from a day to the one without its month on which somebody is back
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
    return tuple(span for _, span in _parse(_plain(text), calendar))


def find_dates_said_on(text: str, day: date) -> tuple[DateSpan, ...]:
    """Find the days that words said on ``day`` name: their "last night" is that of the day before.

    A day without its year is the nearest one, unless the sentence clearly looks to the other side of
    ``day``; it names none where both are plausible. Words that contradict each other ("Friday 21
    February", a Saturday) and what recurs ("every other Friday") name no day.
    """
    return find_dates_by_part((text,), day)[0]


@lru_cache(maxsize=256)
def find_dates_by_part(parts: tuple[str, ...], day: date) -> tuple[tuple[DateSpan, ...], ...]:
    """Find the days that each part of a message said on ``day`` names, such as its sentences.

    The parts are read as one text: "We go in December. Back on the 20th." names 20 December.
    """
    plain = [_plain(part) for part in parts]
    starts = [0, *accumulate(len(part) + 1 for part in plain)]
    found: list[list[DateSpan]] = [[] for _ in parts]
    for start, span in _parse("\n".join(plain)[:LONGEST_TEXT], Calendar(day, is_statement=True)):
        found[bisect_right(starts, start) - 1].append(span)
    return tuple(map(tuple, found))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:LONGEST_TEXT])


class _Hit(NamedTuple):
    """Position of words in the text, the days they name, and what they say.

    No days if the words contradict each other. ``weekday`` is an adjacent weekday.
    """

    start: int
    end: int
    spans: tuple[DateSpan, ...]
    fields: DateFields
    weekday: int | None = None

    @property
    def days(self) -> DateSpan:
        """The last of the spans."""
        return self.spans[-1]


def _parse(text: str, calendar: Calendar) -> list[tuple[int, DateSpan]]:
    """Find the days a text names and where their words begin; never raises, whatever the text."""
    simplified = text.translate(SIMPLIFIED)  # of the same length
    found = [hit for grammar in GRAMMARS for hit in _hits(grammar, simplified, calendar)]
    found.sort(key=lambda hit: (hit.start - hit.end, hit.start))
    chosen: list[_Hit] = []
    taken = bytearray(len(text))
    for hit in found:
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            chosen.append(hit)
    chosen.sort(key=lambda hit: hit.start)
    if calendar.is_statement:
        chosen = list(_in_their_month(text, chosen, calendar))
        chosen = list(_in_their_week(text, chosen, calendar))
    return _joined(text, _listed(text, [hit for hit in chosen if hit.spans]))


def _hits(grammar: Grammar, text: str, calendar: Calendar) -> Iterator[_Hit]:
    if not grammar.context["hint"].search(text):
        return
    for form in grammar.forms:
        for match in form.pattern.finditer(text):
            if not _ending_at(grammar.context["recurring"], text, match.start()):
                yield from _resolved(grammar, form, match, calendar)


def _resolved(
    grammar: Grammar, form: DateForm, match: re.Match[str], calendar: Calendar
) -> Iterator[_Hit]:
    since = _since(grammar, match)
    verb = grammar.context["verb"].match(match.string, match.start())
    start = verb.end() if verb else match.start()
    fields = grammar.fields(form, match)
    if fields is None:
        return
    side, days = calendar.side, calendar.days
    if since:
        # The time since New Year began at the last one, whichever others are remembered.
        side, days = "behind", ()
    elif side is None and fields.year is None:
        side = side_of(match.string, start, match.end())
    spans = grammar.resolve(form, fields, replace(calendar, side=side, days=days))
    if spans and since and spans[-1].first <= calendar.today:
        found = DateSpan(spans[-1].first, calendar.today, has_year=spans[-1].has_year)
        yield _Hit(*since, (found,), fields)
    elif spans:
        hit = _Hit(start, match.end(), spans, fields)
        yield _with_neighbours(grammar, match, hit, is_statement=calendar.is_statement)
    elif fields.month and fields.day:
        yield _Hit(start, match.end(), (), fields)  # its month alone is not meant


def _since(grammar: Grammar, match: re.Match[str]) -> tuple[int, int] | None:
    """Start and end of a date's words together with the "since" before or after them, if any."""
    before = grammar.context["since_before"].match(match.string, match.start())
    before = before or _ending_at(grammar.context["since_before"], match.string, match.start())
    after = grammar.context["since_after"].match(match.string, match.end())
    if before or after:
        return (before or match).start(), (after or match).end()
    return None


def _with_neighbours(grammar: Grammar, match: re.Match[str], hit: _Hit, is_statement: bool) -> _Hit:
    """Apply the context of a date: relative days, its weekday, a part of the day."""
    start, end, days = *match.span(), hit.days
    neighbour = _touching(grammar, "beside", match)
    if neighbour and days.length <= LONGEST_BESIDE and not (days.vague or days.is_talk):
        found = beside(days, grammar.read(neighbour))
        if found is not None:
            found = replace(found, relative=days.relative, has_year=days.has_year)
            start, end = min(start, neighbour.start()), max(end, neighbour.end())
            return _Hit(start, end, (found,), hit.fields)
    if days.length > 1:
        return hit._replace(start=start)
    neighbour, weekday = _touching(grammar, "weekday", match), None
    if neighbour and hit.fields.weekday is None:
        start, end = min(start, neighbour.start()), max(end, neighbour.end())
        weekday = grammar.read(neighbour).weekday
    part = grammar.context["part_after"].match(match.string, end)
    is_wrong = is_statement and weekday not in (None, days.first.weekday())
    # A day without its month may be of a month in which it is that weekday.
    spans = () if is_wrong and not hit.fields.is_bare_day else hit.spans
    return _Hit(start, part.end() if part else end, spans, hit.fields, weekday)


def _touching(grammar: Grammar, key: str, match: re.Match[str]) -> re.Match[str] | None:
    after = grammar.context[f"{key}_after"].match(match.string, match.end())
    return after or _ending_at(grammar.context[f"{key}_before"], match.string, match.start())


def _ending_at(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    found = pattern.search(text, max(0, end - 40), end)
    return found if found is not None and found.end() == end else None


def _in_their_month(text: str, hits: Iterable[_Hit], calendar: Calendar) -> Iterator[_Hit]:
    """Move each day without its month to the one named before it, to its weekday, and behind a start.

    "On the 19th, back on the 4th" names the 4th of the next month.
    """
    named: DateSpan | None = None
    before: _Hit | None = None
    for hit in hits:
        weekday = hit.fields.weekday if hit.weekday is None else hit.weekday
        if hit.spans and hit.fields.is_bare_day:
            day = hit.fields.day or 1
            found: date | None = hit.days.first
            near = named or DateSpan(calendar.today, calendar.today)
            if named or weekday not in (None, hit.days.first.weekday()):
                found = nearest_day(day, near, weekday)
            is_past = found is not None and found < calendar.today <= hit.days.first
            if is_past and side_of(text, hit.start, hit.end) == "ahead":
                found = hit.days.first
            if before and before.spans and found and _returns(text, before, hit):
                begin = before.days.first
                after = DateSpan(begin, begin + FURTHEST_RETURN)
                found = nearest_day(day, after, weekday) if found < begin else found
            hit = hit._replace(spans=(replace(hit.days, first=found, last=found),) if found else ())
        if hit.spans and hit.fields.names_month:
            named = hit.days
        before = hit
        yield hit


def _in_their_week(text: str, hits: Iterable[_Hit], calendar: Calendar) -> Iterator[_Hit]:
    """Move a weekday alone to the week that its sentence named before it: 下周三体检，周二提醒我."""
    before: _Hit | None = None
    for hit in hits:
        fields = hit.fields
        if before and SENTENCE_END.search(text[before.start : hit.start]):
            before = None
        if fields.which and fields.unit == "week":
            before = hit
        elif before and hit.spans and fields.is_bare_weekday:
            day = (
                calendar.span("week", before.fields.which or 0).first + (fields.weekday or 0) * DAY
            )
            hit = hit._replace(spans=(replace(hit.days, first=day, last=day),))
        yield hit


def _returns(text: str, before: _Hit, hit: _Hit) -> bool:
    """Return True if a sentence ends on the second of two days what begins on the first."""
    words = text[before.start : hit.end + len("回来")]
    is_one = not SENTENCE_END.search(text[before.start : hit.start])
    return is_one and matches("tense", "returns", fold(words))


def _listed(text: str, hits: list[_Hit]) -> list[_Hit]:
    """Add the days listed beside one that is named in full: "the 3rd, 10th and 17th", 下周一三五."""
    whole: list[_Hit] = []
    end = len(text)
    while hits:
        hit = hits.pop()
        context = GRAMMARS[is_chinese(text[hit.start : hit.end])].context
        listed = [hit]
        while item := _ending_at(context["list_before"], text, listed[0].start):
            added = _beside_in_list(listed[0], item, -1)
            # "Room 3, 8 December" lists no days; "3, 5 and 8 December" does.
            if not added or (item["comma"] and len(listed) == 1):
                break
            if hits and added.start < hits[-1].end:
                # "On Tuesday and Thursday next week" names two days of next week.
                if hits[-1].fields.which is not None or hits[-1].fields.weekday is None:
                    break
                hits.pop()
            listed.insert(0, added)
        while item := context["list_after"].match(text, listed[-1].end):
            added = _beside_in_list(listed[-1], item, 1) if item.end() <= end else None
            if not added:
                break
            listed.append(added)
        whole[:0] = listed
        end = listed[0].start
    return whole


def _beside_in_list(hit: _Hit, item: re.Match[str], step: int) -> _Hit | None:
    """Return the day before (step -1) or after (1) one in a list; None if that is of another kind."""
    grammar, near = GRAMMARS[is_chinese(item.group())], hit.days.first
    fields = grammar.read(item)
    if hit.days.length > 1 or hit.days.vague or hit.days.is_talk:
        return None
    if fields.weekday is not None and hit.fields.weekday is not None:
        apart = (fields.weekday - near.weekday()) * step % 7
        found = near + step * (apart or 7) * DAY
    elif fields.day and hit.fields.day:
        found = near + relativedelta(
            day=fields.day, months=int(step > 0 and fields.day <= near.day)
        )
        if found.day != fields.day or (found - near).days * step <= 0:
            return None
    else:
        return None
    start, end = item.span(item.lastgroup or 0)
    span = replace(hit.days, first=found, last=found)
    named = replace(hit.fields, day=fields.day, weekday=fields.weekday)
    return _Hit(start, end, (span,), named)


def _joined(text: str, hits: Sequence[_Hit]) -> list[tuple[int, DateSpan]]:
    """Build the spans with the positions of their words; "from April 27 to May 2" is one."""
    spans: list[tuple[int, DateSpan]] = []
    before: _Hit | None = None
    for hit in hits:
        whole = before and _range(text, before, hit)
        if before and whole:
            spans.pop()
            hit = hit._replace(start=before.start, spans=(*hit.spans[:-1], whole))
        words = text[hit.start : hit.end]
        spans += [(hit.start, replace(span, words=words)) for span in hit.spans]
        before = hit
    return spans


def _range(text: str, before: _Hit, hit: _Hit) -> DateSpan | None:
    """Return the days from one date to another that is joined to it; None where they are two."""
    join = _JOINS.match(
        text, before.end
    )  # its words may be those of the second date: "until Friday"
    if join is None or join.end() < hit.start:
        return None
    begins = text[max(0, before.start - 12) : before.end]
    if join.group().split()[0].lower() == "and" and not _BETWEEN.match(begins):
        return None
    first, last = before.days, hit.days
    # The end that says less is the one that moves.
    if hit.fields.period and not (before.fields.is_bare_day and not hit.fields.is_bare_day):
        last = shift(last, hit.fields.period, at_least=first.first)
    elif before.fields.period:
        first = shift(first, before.fields.period, at_most=last.first)
    if last.first <= first.last:
        return None
    has_year = first.has_year or last.has_year
    return replace(last, first=first.first, has_year=has_year, told_after=0)
