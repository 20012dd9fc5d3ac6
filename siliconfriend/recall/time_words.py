"""Format days and times, for people, for a prompt, and behind words that name a day.

A memory's line carries a label: its day, the weekday and the distance from today. The older a memory,
the coarser its time: to the minute on its day, to the hour for a week, the part of the day for a month,
then the day alone. Ages count the person's calendar days. Words such as "last night" are followed by
their day, since they would mean another one later.
"""

from bisect import bisect_right
from calendar import monthrange
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.recall.dates import find_dates_by_part
from siliconfriend.recall.dates.tense import is_of_habit
from siliconfriend.texts import Language, plural, sentences, text

HOURS_UNTIL, PARTS_UNTIL = 7, 30  # oldest ages in days at which hour and part of day are written
PARTS = ("evening", "early", "morning", "afternoon", "evening")
PARTS_FROM = (4, 6, 12, 18)  # hours from which each part after the first one lasts
NEAR = {0: "today", -1: "yesterday", 1: "tomorrow"}  # keys of the days around today
MONTH_DAYS, YEAR_DAYS = 30.44, 365.24  # mean lengths
DAYS_UNTIL, MONTHS_UNTIL = 99, 23  # longest distances written in days, and in months
LONGEST_SPAN = 31  # days of a span that is written out, where it is no month, season or year
LONGEST_MONTHS = 184  # days of whole months that are written out; a longer span is "a year ago"


def humanize_day(day: date, today: date, language: Language, *, alone: bool = False) -> str:
    """Name a day in a sentence: "yesterday", "on Fri 28 April (9 days ago)", 4月28日周五（9天前）.

    ``alone`` gives the bare name, "28 April".
    """
    key = NEAR.get((day - today).days)
    if key is None:
        key = "this_year" if day.year == today.year else "other_year"
        key = f"alone_{key}" if alone else key
    distance = format_distance(day, today, language)
    return text("times", f"days.{key}", language, distance=distance, **_parts(day, language))


def format_distance(day: date, today: date, language: Language) -> str:
    """Write how far a day lies from today: "6 days ago", "tomorrow", "about 4 months ago"."""
    days = (day - today).days
    if near := NEAR.get(days):
        return text("times", f"days.{near}", language)
    side = "ahead" if days > 0 else "ago"
    return text("times", f"distance.{side}", language, length=format_length(abs(days), language))


def format_length(days: int, language: Language, *, in_days: bool = False) -> str:
    """Write a number of days: "1 day", "80 days", "about 4 months", "about 2 years"."""
    number, unit = days, "day"
    if days > DAYS_UNTIL and not in_days:
        months, years = round(days / MONTH_DAYS), round(days / YEAR_DAYS)
        number, unit = (months, "month") if months <= MONTHS_UNTIL else (years, "year")
    return plural("times", f"distance.{unit}", number, language)


def label_day(day: date, today: date, language: Language) -> str:
    """Write a day with its weekday and its distance: "Sun 22 Nov 2026, 6 days ago"."""
    distance = format_distance(day, today, language)
    return text("times", "days.label", language, distance=distance, **_parts(day, language))


def humanize_weekday(day: date, language: Language) -> str:
    """Name the weekday of a day in full: "Friday", 星期五."""
    return str(_parts(day, language)["weekday"])


def date_with_weekday(iso: str, language: Language) -> str:
    """Write an ISO date with its weekday, which models compute wrongly: "2026-11-22 (Sunday)"."""
    weekday = humanize_weekday(date.fromisoformat(iso), language)
    return text("times", "days.dated", language, date=iso, weekday=weekday)


def humanize_moment(moment: datetime, language: Language, last_talk: date | None = None) -> str:
    """Name a local moment in full, with the day of the last talk before that day, if known."""
    parts = _parts(moment.date(), language)
    now = text("times", "days.moment", language, time=f"{moment:%H:%M}", **parts)
    if last_talk is None:
        return now
    label = label_day(last_talk, moment.date(), language)
    return text("times", "days.moment_after", language, now=now, last=label)


def label_time(
    day: date, moment: datetime | None, *, now: datetime, zone: ZoneInfo, language: Language
) -> str:
    """Write the label of a memory's day, and as much of its moment, if known, as its age leaves."""
    today = day_of(now, zone)
    label = label_day(day, today, language)
    age = (today - day_of(moment, zone)).days if moment else PARTS_UNTIL + 1
    if moment is None or age > PARTS_UNTIL:
        return label
    local = moment.astimezone(zone)
    key = f"parts.{PARTS[bisect_right(PARTS_FROM, local.hour)]}"
    if age <= HOURS_UNTIL:
        key = "minute" if age <= 0 else "hour"
    values = {"date": label, "time": f"{local:%H:%M}", "hour": local.hour}
    return text("times", key, language, **values)


# Cached, since a prompt formats each memory twice: to measure and to write.
@lru_cache(maxsize=4096)
def annotate_dates(words: str, day: date, language: Language) -> str:
    """Add the days that are meant to the dates in words the person said on ``day``.

    Nothing is added after "today", dates with a year, or weekdays of a habit.
    """
    done, rest = [], words
    sentences = tuple(split_sentences(words))
    for sentence, spans in zip(sentences, find_dates_by_part(sentences, day), strict=True):
        folded = fold(sentence)
        for span in spans:
            if span.vague or span.has_year or is_of_habit(span, folded):
                continue
            days = (
                ""
                if span.first == span.last == day
                else format_span(span.first, span.last, language)
            )
            before, found, after = rest.partition(span.words.rstrip(". "))
            if days and found:
                done += [before, text("times", "dated", language, words=found, days=days)]
                rest = after
    return "".join([*done, rest])


def format_span(first: date, last: date, language: Language) -> str:
    """Write days as a date, a year, months or a range; empty for vague days.

    A day is ``2026-02-21``, a month ``2026-02``, a year ``2026``, a season ``2025-06 to 2025-08``.
    """
    length = (last - first).days + 1
    are_months = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    if are_months and (first.year, first.month, last.month) == (last.year, 1, 12):
        letters = len("2026")
    elif are_months and length <= LONGEST_MONTHS:
        letters = len("2026-02")
    else:
        letters = len("2026-02-21") if length <= LONGEST_SPAN else 0
    begin, end = first.isoformat()[:letters], last.isoformat()[:letters]
    return begin if begin == end else text("times", "span", language, first=begin, last=end)


def _parts(day: date, language: Language) -> dict[str, object]:
    words = sentences("times", language)["days"]
    return {
        "year": day.year,
        "month": words["months"][day.month - 1],
        "day": day.day,
        "weekday": words["weekdays"][day.weekday()],
        "short_month": words["short_months"][day.month - 1],
        "short_weekday": words["short_weekdays"][day.weekday()],
    }
