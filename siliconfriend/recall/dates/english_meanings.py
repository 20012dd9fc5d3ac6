"""What each English form of words means, given the day it is read on.

``python-dateutil``'s parser reads the absolute forms. It is given only phrases that a
pattern already took for a date, since left to itself it finds one in nearly every sentence
("may", "sat", "12 people").
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from dateutil import parser
from dateutil.relativedelta import relativedelta

from siliconfriend.recall.dates.almanac import (
    Almanac,
    Meaning,
    PartOfDay,
    Unit,
    one_day,
    season,
    whole_month,
    whole_year,
)
from siliconfriend.recall.dates.english_words import (
    FEASTS,
    INFO,
    NUMBERS,
    OFFSETS,
    ORDINALS,
    PARTS,
    SEASONS,
    THIRDS,
)
from siliconfriend.recall.dates.rules import FEW, Resolve, group, third_of, told

_COUNTED = re.compile(
    r"\s+(?!(?:was|is|this|us|as|always)\b)(?:[a-z]+s|people|men|women|children|percent)\b"
)
_AFTER_PREPOSITION = re.compile(
    r"\b(?:on|since|until|till|by|before|after|from|of|around|to|for|in|during|and|between|"
    r"last|this|next|the|early|late|mid)\s+$",
    re.IGNORECASE,
)
_BEFORE_NUMERIC = re.compile(
    r"\b(?:on|since|until|till|by|before|after|from|dated|date)\s+$", re.IGNORECASE
)
_ALSO_VERBS = ("may", "march", "mar")


def _month(match: re.Match[str]) -> int:
    number = INFO.month(match["month"])
    assert number is not None
    return int(number)


def _weekday(match: re.Match[str]) -> int:
    number = INFO.weekday(match["weekday"][:3])  # as in Tues, which the table lacks
    assert number is not None
    return int(number)


def _number(word: str) -> int:
    return NUMBERS[word.lower()] if word.lower() in NUMBERS else int(word)


def _unit(match: re.Match[str]) -> Unit:
    units: dict[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}
    return units[match["unit"].lower()]


def _might_be_a_verb(match: re.Match[str]) -> bool:
    """Whether "may 4 ..." or "March 5 miles" is no date: nothing but the number speaks for one."""
    text = match.string
    if match["ordinal"] or group(match, "year"):
        return False
    if _COUNTED.match(text, match.end()):
        return True
    if match["month"].lower() not in _ALSO_VERBS or match["month"][0].isupper():
        return False
    return not _AFTER_PREPOSITION.search(text[: match.start()])


def _parsed(words: str, year: int, *, day_first: bool = False) -> date:
    """An absolute date in words, read by dateutil; ``year`` where they name none."""
    clean = re.sub(r"\b(?:the|of)\b", " ", words, flags=re.IGNORECASE)
    read: datetime = parser.parse(clean, default=datetime(year, 1, 1), dayfirst=day_first)  # noqa: DTZ001 - a calendar day, no moment
    return read.date()


def absolute(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """Month and day, either first, with or without the year."""
    if _might_be_a_verb(match):
        return None
    if match["year"]:
        return one_day(_parsed(match.group(), int(match["year"])))
    # dateutil takes the 29th of February in a year that has none for the 28th
    leap = _parsed(match.group(), 2000)
    return almanac.in_year(lambda year: one_day(leap.replace(year=year)))


def days_of_month(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """April 27-29."""
    first, last, month = int(match["day"]), int(match["last"]), _month(match)
    year = group(match, "year")

    def make(in_year: int) -> Meaning:
        return Meaning(date(in_year, month, first), date(in_year, month, last))

    return make(int(year)) if year else almanac.in_year(make)


def numeric(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """4/28/2023, 28/04/2023, 04/28, on 4/5: the month first unless it cannot be one."""
    first, second = match["a"], match["b"]
    day_first = int(first) > 12
    month, day = (int(second), int(first)) if day_first else (int(first), int(second))
    year = group(match, "year")
    if year:
        return one_day(_parsed(match.group(), almanac.today.year, day_first=day_first))
    padded = len(first) == len(second) == 2 and (first[0] == "0" or second[0] == "0")
    plain = padded or (not day_first and day > 12)
    if not plain and not _BEFORE_NUMERIC.search(match.string[: match.start()]):
        return None  # 24/7, 1/2, 10/10
    if _COUNTED.match(match.string, match.end()):
        return None
    return almanac.in_year(lambda at: one_day(date(at, month, day)))


def iso(match: re.Match[str], _almanac: Almanac) -> Meaning:
    """2023-04-28."""
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])))


def month_of_year(match: re.Match[str], _almanac: Almanac) -> Meaning:
    """April 2023, 2023-04, late April 2023."""
    month = int(match["number"]) if group(match, "number") else _month(match)
    return third_of(match, whole_month(int(match["year"]), month), THIRDS)


def named_month(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """In April, last April, this April, late April."""
    month = _month(match)
    which = (group(match, "which") or "").lower()

    def make(year: int) -> Meaning:
        return whole_month(year, month)

    this = make(almanac.today.year)
    if which == "this":
        whole: Meaning | None = this
    elif which == "next":
        whole = this if this.first > almanac.today else make(almanac.today.year + 1)
    elif which in ("last", "past", "previous"):
        whole = this if this.last < almanac.today else make(almanac.today.year - 1)
    else:
        whole = almanac.in_year(make)
    return None if whole is None else third_of(match, whole, THIRDS)


def named_year(match: re.Match[str], _almanac: Almanac) -> Meaning | None:
    """In 2022, early 2023."""
    if _COUNTED.match(match.string, match.end()):
        return None
    return third_of(match, whole_year(int(match["year"])), THIRDS)


def season_named(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """Last summer, in the summer of 2022."""
    month = SEASONS[match["season"].lower()]
    year, which = group(match, "year"), (group(match, "which") or "").lower()
    if year:
        return season(int(year), month)
    if which == "last":
        this = season(almanac.today.year, month)
        behind = 0
        while this.last >= almanac.today:
            behind += 1
            this = season(almanac.today.year - behind, month)
        return this
    if which == "next":
        this = season(almanac.today.year, month)
        return this if this.first > almanac.today else season(almanac.today.year + 1, month)
    return almanac.in_year(lambda at: season(at, month))


def day_of_month(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """On the 27th."""
    return almanac.in_month(int(match["day"]))


def weekday_named(match: re.Match[str], almanac: Almanac) -> Meaning:
    """On Tuesday, last Tuesday, next Friday."""
    number = _weekday(match)
    which = (group(match, "which") or "").lower()
    if which == "this":
        return one_day(almanac.week(0).first + timedelta(days=number))
    if which in ("next", "coming"):
        ahead = (number - almanac.today.weekday() - 1) % 7 + 1
        return one_day(almanac.today + timedelta(days=ahead))
    if which in ("last", "past", "previous"):
        return almanac.last_weekday(number)
    return almanac.weekday(number)


def weekday_of_week(match: re.Match[str], almanac: Almanac) -> Meaning:
    """Tuesday of last week."""
    monday = almanac.week(OFFSETS[match["which"].lower()]).first
    return one_day(monday + timedelta(days=_weekday(match)))


def weekend(match: re.Match[str], almanac: Almanac) -> Meaning:
    """The weekend, last weekend."""
    which = match["which"].lower()
    if which in ("last", "past", "previous"):
        latest = almanac.weekend(-1)
        this = almanac.weekend(0)
        return this if this.last < almanac.today else latest
    return almanac.weekend({"this": 0, "next": 1, "coming": 0}.get(which))


def offset(match: re.Match[str], almanac: Almanac) -> Meaning:
    """This week, last month, next year, early last year."""
    return third_of(match, almanac.span(_unit(match), OFFSETS[match["which"].lower()]), THIRDS)


def of_the(match: re.Match[str], almanac: Almanac) -> Meaning:
    """At the beginning of the month."""
    return almanac.begun(_unit(match), THIRDS[match["third"].lower()])


def before_last(match: re.Match[str], almanac: Almanac) -> Meaning:
    """The week before last."""
    return almanac.span(_unit(match), -2)


def ago(match: re.Match[str], almanac: Almanac) -> Meaning:
    """Two weeks ago."""
    return almanac.ago(_number(match["number"]), _unit(match))


def ahead(match: re.Match[str], almanac: Almanac) -> Meaning:
    """Three days from now."""
    return one_day(almanac.back(-_number(match["number"]), _unit(match)))


def few_ago(match: re.Match[str], almanac: Almanac) -> Meaning:
    """A few days ago, a couple of weeks ago."""
    unit = _unit(match)
    if match["few"].lower().startswith("couple"):
        return Meaning(almanac.ago(3, unit).first, almanac.ago(2, unit).last)
    return almanac.between(*FEW[unit])


def past(match: re.Match[str], almanac: Almanac) -> Meaning:
    """In the last two weeks, over the past few days."""
    unit, number = _unit(match), group(match, "number")
    if number:
        return Meaning(almanac.back(_number(number), unit), almanac.today)
    return almanac.between(FEW[unit][0], 0)


def days_ago(days: int, part: PartOfDay | None = None) -> Resolve:
    """That many days before today; after it where negative."""
    return told(lambda almanac: one_day(almanac.back(days, "day"), part))


def this_part(match: re.Match[str], almanac: Almanac) -> Meaning:
    """This morning."""
    return one_day(almanac.today, PARTS[match["part"].lower()])


def talk(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """Our first conversation, the last time we talked."""
    word = (group(match, "nth") or "first").lower()
    return almanac.talk(-1 if word in ("last", "previous") else ORDINALS[word])


def feast(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """At Christmas."""
    month, day = FEASTS[match["feast"].lower().replace("’", "'")]
    if (match["which"] or "").lower() == "last":
        this = date(almanac.today.year, month, day)
        return one_day(this if this < almanac.today else this - relativedelta(years=1))
    return almanac.in_year(lambda year: one_day(date(year, month, day)))
