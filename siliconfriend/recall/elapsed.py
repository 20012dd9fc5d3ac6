"""Answer time questions from memories' days: how long ago, how far apart, which came first.

A question such as "How many days were there between my interview and the offer?" is read as a
:class:`TimeQuestion` with the phrases it is about. For each phrase the best-ranked memory that shares
words with it is chosen, and the answer is computed from the days these memories speak of.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.numbers import numbers_to_digits
from siliconfriend.language.sentences import CLAUSE, excerpt
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import content_set
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall.dates import DateSpan, find_dates_said_on
from siliconfriend.recall.dates.calendar import DAY, one_day
from siliconfriend.recall.dates.tense import tells_of_done
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.time_words import format_length, humanize_day, humanize_weekday
from siliconfriend.recall.times import spoken_times
from siliconfriend.texts import Language, lookup, text

TimeQuestionKind = Literal[
    "first_talk",
    "last_talk",
    "last_told",
    "day_after",
    "day_before",
    "age",
    "mention",
    "between",
    "order",
    "weekday",
    "until",
    "ago",
]
"""Kinds of time question, in the order in which they are tried."""


YOUNG = 24  # maximum age in months that is written in weeks or months
MOST_QUOTED = 3
"""Maximum number of quotations for a day."""


@dataclass(frozen=True, slots=True)
class TimeQuestion:
    """A time question: its kind, and the zero to two phrases that name its events."""

    kind: TimeQuestionKind
    about: tuple[str, ...] = ()
    words: str = ""

    def length(self, days: int, language: Language) -> str:
        """Write a number of days in days if the question asks for these, else in a fitting unit."""
        in_days = matches("tense", "asks_days", fold(self.words))
        return format_length(days, language, in_days=in_days)


@dataclass(frozen=True, slots=True)
class TimeAnswer:
    """A computed sentence, and the memories whose days it was computed from."""

    words: str
    memories: tuple[Memory, ...] = ()


def read_time_question(words: str) -> TimeQuestion | None:
    """Parse a time question; None if the answer cannot be computed."""
    folded = fold(words)
    as_said = words if len(words) == len(folded) else folded
    language: Language = "cn" if is_chinese(folded) else "en"
    for kind in get_args(TimeQuestionKind):
        for pattern in _patterns(f"asks_{kind}", language):
            if found := pattern.search(folded):
                about = (
                    as_said[slice(*found.span(name))].strip() for name in "ab"[: pattern.groups]
                )
                return TimeQuestion(kind, tuple(about), words)
    return None


def answer_time_question(
    question: TimeQuestion,
    ranked: Sequence[Memory],
    memory: PersonMemory,
    today: date,
) -> TimeAnswer | None:
    """Compute the answer to a question from recalled memories, best first; None where a day is missing."""
    language, zone = memory.profile.language, memory.profile.zone
    if question.kind == "last_told":
        return last_told(memory, today)
    if question.kind in ("first_talk", "last_talk"):
        day = first_talk(memory) if question.kind == "first_talk" else last_talk(memory, today)
        named = humanize_day(day, today, language) if day else ""
        return TimeAnswer(_say(question.kind, language, day=named)) if day else None
    chosen = _memories_about(question, ranked)
    if not chosen:
        return None
    if question.kind == "age":
        return _age(chosen[0], question, memory, today)
    if question.kind == "mention":
        told = one_day(date.fromisoformat(chosen[0].date))
        return TimeAnswer(_place(question, told, today, language), tuple(chosen))
    if any(map(_recurs, chosen)) or _was_recurring(chosen, question, ranked):
        return None
    if question.kind == "until":
        coming = _coming(chosen[0], zone, today)
        place = coming and _place(question, coming, today, language)
        return TimeAnswer(place, tuple(chosen)) if place else None
    days = [
        happened(memory, zone, phrase)
        for memory, phrase in zip(chosen, question.about, strict=False)
    ]
    if question.kind in ("day_after", "day_before", "weekday") and days[0].length > 1:
        return None
    if question.kind in ("day_after", "day_before"):
        day = days[0].last + DAY if question.kind == "day_after" else days[0].first - DAY
        return TimeAnswer(_told_of(day, memory, today))
    if question.kind in ("between", "order"):
        if len(chosen) < 2:
            return None
        return TimeAnswer(_compare(question, days, today, language), tuple(chosen))
    return TimeAnswer(_place(question, days[0], today, language), tuple(chosen))


def first_talk(memory: PersonMemory) -> date | None:
    """Return the first day on which something was said; None if there is none."""
    said = (day for day in sorted(memory.days) if memory.days[day].turns)
    return next(map(date.fromisoformat, said), None)


def last_talk(memory: PersonMemory, before: date) -> date | None:
    """Return the last day before a day on which something was said; None if there is none."""
    for day in reversed([*memory.days]):
        if day < before.isoformat() and memory.days[day].turns:
            return date.fromisoformat(day)
    return None


def happened(memory: Memory, zone: ZoneInfo, phrase: str = "") -> DateSpan:
    """Return the one day or span that a memory speaks of, by default the day it was told.

    Of a birthday, which comes back each year, it is the next one after it was told. A day beside
    something else ("The oven broke, they repair it on Friday") is not that of the ``phrase``.
    """
    told = one_day(date.fromisoformat(memory.date))
    clauses = CLAUSE.split(own_words(memory))
    about = content_set(phrase)
    own = [clause for clause in clauses if about & content_set(clause)]
    if own and tells_of_done(own[0]) and not find_dates_said_on(own[0], told.first):
        return told
    named = spoken_times(memory, zone)
    days = {(span.first.month, span.first.day, span.length) for span in named}
    return named[0] if len(days) == 1 else told


def _middle(span: DateSpan) -> date:
    return span.first + (span.last - span.first) // 2


def _recurs(memory: Memory) -> bool:
    """Return True for a memory of what is so again and again, which has no day of its own."""
    words = fold(own_words(memory))
    return matches("tense", "recurring", words) and not matches("tense", "yearly", words)


def _was_recurring(
    chosen: Sequence[Memory], question: TimeQuestion, ranked: Sequence[Memory]
) -> bool:
    """Return True if an earlier memory of the same matter recurs: lessons that move to Thursday."""
    wanted = content_set(*question.about)
    return any(
        matches("tense", "changed", fold(own_words(memory))) and _recurs(other)
        for memory in chosen
        for other in ranked
        if other.date <= memory.date and wanted & content_set(own_words(other))
    )


def _coming(memory: Memory, zone: ZoneInfo, today: date) -> DateSpan | None:
    """Return the next day that a memory speaks of, as a birthday of every year; else its last one.

    A journey of several days begins with the first.
    """
    named = [one_day(span.first) for span in spoken_times(memory, zone)]
    return next((span for span in named if span.first >= today), named[-1] if named else None)


def _age(
    memory: Memory, question: TimeQuestion, person: PersonMemory, today: date
) -> TimeAnswer | None:
    """Compute a current age from the age in a memory and the time since."""
    found = _told_age(memory)
    if found is None:
        return None
    unit, number = found
    born = date.fromisoformat(memory.date) - relativedelta(**{unit: int(number)})
    named = find_dates_said_on(question.words, today)
    age = relativedelta(named[-1].last if named else today, born)
    months, key = 12 * age.years + age.months, "age_years"
    if unit != "years" and months < YOUNG:
        key = "age_months"
    weeks = ((named[-1].last if named else today) - born).days // 7
    words = _say(key, person.profile.language, years=age.years, months=months, weeks=weeks)
    return TimeAnswer(words, (memory,))


def _told_age(memory: Memory) -> tuple[str, str] | None:
    """Return the unit and number of the age in a memory, None if there is none."""
    words = fold(numbers_to_digits(own_words(memory)))
    patterns = _patterns("told_age", "cn" if is_chinese(words) else "en")
    found = next(filter(None, (pattern.search(words) for pattern in patterns)), None)
    return next(iter(found.groupdict().items())) if found else None


def last_told(memory: PersonMemory, today: date) -> TimeAnswer | None:
    """Quote the person's last words before the day's talk, else of today; None if there are none."""
    turns = [turn for turn in memory.in_mind().turns() if turn.query]
    before = [turn for turn in turns if turn.date < today.isoformat()] or turns
    if not before:
        return None
    day = humanize_day(date.fromisoformat(before[-1].date), today, memory.profile.language)
    words = excerpt(before[-1].query)
    return TimeAnswer(_say("last_told", memory.profile.language, day=day, words=words))


def _told_of(day: date, memory: PersonMemory, today: date) -> str:
    """Quote memories told on or about a day, or say that there are none."""
    language, zone = memory.profile.language, memory.profile.zone
    told = [
        turn
        for turn in memory.in_mind().turns()
        if turn.date == day.isoformat() or one_day(day) in spoken_times(turn, zone)
    ]
    named = humanize_day(day, today, language)
    words = [_say("quoted", language, words=excerpt(turn.query)) for turn in told[:MOST_QUOTED]]
    key = "told_of" if told else "nothing_of"
    return _say(key, language, day=named, words=" ".join(words))


def _memories_about(question: TimeQuestion, ranked: Sequence[Memory]) -> list[Memory]:
    """Choose for each phrase the best-ranked memory that shares words with it, each once.

    The latest one where the last mention is asked for. A phrase without words of its own, such as "it",
    or whose words stand in none, means the best-ranked one.
    """
    chosen = list[Memory]()
    for phrase in question.about:
        wanted = content_set(phrase)
        others = [memory for memory in ranked if memory not in chosen]
        found = [other for other in others if not wanted or wanted & content_set(own_words(other))]
        if not found and len(question.about) == 1 and question.kind != "mention":
            found = others  # other words for the same
        if question.kind == "age":
            found = [memory for memory in found if _told_age(memory)]
        if question.kind == "mention":
            found.sort(key=lambda memory: memory.date, reverse=True)
        chosen += found[:1]
    return chosen


def _compare(
    question: TimeQuestion, days: Sequence[DateSpan], today: date, language: Language
) -> str:
    """Write how far apart two days are, or which of them came first; of a span its middle."""
    days = [one_day(_middle(span)) for span in days]
    (first, first_name), (second, second_name) = sorted(
        zip(days, question.about, strict=True), key=lambda pair: pair[0].first
    )
    values = {
        "first": first_name,
        "second": second_name,
        "first_day": humanize_day(first.first, today, language, alone=True),
        "second_day": humanize_day(second.first, today, language, alone=True),
        "length": question.length((second.first - first.first).days, language),
    }
    key = "same_day" if first.first == second.first else question.kind
    return _say(key, language, **values)


def _place(question: TimeQuestion, days: DateSpan, today: date, language: Language) -> str:
    """Write a day's distance from today, or its weekday; of a span only about how far it is."""
    day = _middle(days)
    key: str = question.kind
    if key in ("until", "ago"):
        key = "today" if day == today else "until" if day > today else "ago"
    if days.length > 1 and key == "ago":
        key = "ago_about"
    return _say(
        key,
        language,
        date=humanize_day(day, today, language),
        day=humanize_day(day, today, language, alone=True),
        weekday=humanize_weekday(day, language),
        length=question.length(abs((day - today).days), language),
    )


def _say(key: str, language: Language, **values: object) -> str:
    return text("times", f"elapsed.{key}", language, **values)


@cache
def _patterns(key: str, language: Language) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, lookup("tense", key, language)))
