"""What each Chinese form of words means, given the day it is read on."""

from __future__ import annotations

import re
from datetime import date, timedelta

from siliconfriend.recall.dates.almanac import (
    Almanac,
    Meaning,
    Unit,
    one_day,
    season,
    whole_month,
    whole_year,
)
from siliconfriend.recall.dates.chinese_words import (
    DAYS,
    DIGITS,
    FEASTS,
    OFFSETS,
    SEASONS,
    SHORT_PARTS,
    THIRDS,
    UNITS,
    WEEKDAYS,
    YEARS,
)
from siliconfriend.recall.dates.rules import FEW, Resolve, group, third_of


def chinese_number(text: str) -> int:
    """A number below 1000 in digits or characters: 27, 二十七, 廿七, 两; 二〇二三 is 2023."""
    if text.isdecimal():
        return int(text)
    text = text.replace("廿", "二十").replace("卅", "三十")
    if "十" not in text and "百" not in text:
        return int("".join(str(DIGITS[character]) for character in text))
    total, digit = 0, None
    for character in text:
        if character in "十百":
            total += (1 if digit is None else digit) * (10 if character == "十" else 100)
            digit = None
        else:
            digit = DIGITS[character]
    return total + (digit or 0)


def _year(match: re.Match[str]) -> int:
    year = chinese_number(match["year"])
    return year + 2000 if year < 100 else year


def _unit(match: re.Match[str]) -> Unit:
    return UNITS[match["unit"].removeprefix("个")]


def _in_year(match: re.Match[str], almanac: Almanac, make: Resolve) -> Meaning | None:
    """What ``make`` says of the year the match names, exactly, relatively or not at all."""
    if group(match, "year"):
        return make(match, Almanac(date(_year(match), 1, 1)))
    which = group(match, "which")
    if which:
        return make(match, Almanac(date(almanac.today.year + YEARS[which], 1, 1)))

    def in_year(year: int) -> Meaning:
        meaning = make(match, Almanac(date(year, 1, 1)))
        assert meaning is not None
        return meaning

    return almanac.in_year(in_year)


def month_and_day(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """5月4日, 2023年五月四号, 去年5月4日, 4月27日到29日."""
    month, day = chinese_number(match["month"]), chinese_number(match["day"])
    last = chinese_number(group(match, "last") or match["day"])

    def make(_: re.Match[str], at: Almanac) -> Meaning:
        year = at.today.year
        return Meaning(date(year, month, day), date(year, month, last))

    return _in_year(match, almanac, make)


def month_named(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """四月, 去年十二月, 4月下旬."""
    month = chinese_number(match["month"])

    def make(_: re.Match[str], at: Almanac) -> Meaning:
        return third_of(match, whole_month(at.today.year, month), THIRDS)

    return _in_year(match, almanac, make)


def year_named(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """2022年, 去年, 今年初."""

    def make(_: re.Match[str], at: Almanac) -> Meaning:
        return third_of(match, whole_year(at.today.year), THIRDS)

    return _in_year(match, almanac, make)


def season_named(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """前年夏天."""

    def make(_: re.Match[str], at: Almanac) -> Meaning:
        return season(at.today.year, SEASONS[match["season"]])

    return _in_year(match, almanac, make)


def feast(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """去年国庆."""
    month, day = FEASTS[match["feast"]]

    def make(_: re.Match[str], at: Almanac) -> Meaning:
        return one_day(date(at.today.year, month, day))

    return _in_year(match, almanac, make)


def day_of_month(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """27号."""
    return almanac.in_month(chinese_number(match["day"]))


def offset_month(match: re.Match[str], almanac: Almanac) -> Meaning:
    """上个月, 这个月初, 上月5号."""
    month = almanac.month(OFFSETS[match["which"]])
    if group(match, "day"):
        return one_day(month.first.replace(day=chinese_number(match["day"])))
    return third_of(match, month, THIRDS)


def offset_week(match: re.Match[str], almanac: Almanac) -> Meaning:
    """上周, 这周一, 上上周末."""
    offset = OFFSETS[match["which"]]
    weekday = group(match, "weekday")
    if weekday == "末":
        return almanac.weekend(offset)
    week = almanac.week(offset)
    return one_day(week.first + timedelta(days=WEEKDAYS[weekday])) if weekday else week


def weekday_named(match: re.Match[str], almanac: Almanac) -> Meaning:
    """周三, 周末."""
    weekday = match["weekday"]
    return almanac.weekend(None) if weekday == "末" else almanac.weekday(WEEKDAYS[weekday])


def relative_day(match: re.Match[str], almanac: Almanac) -> Meaning:
    """昨天, 今早, 前晚."""
    part = SHORT_PARTS.get(group(match, "short") or "")
    return one_day(almanac.back(DAYS[match["day"]], "day"), part)


def ago(match: re.Match[str], almanac: Almanac) -> Meaning:
    """两周前."""
    return almanac.ago(chinese_number(match["number"]), _unit(match))


def ahead(match: re.Match[str], almanac: Almanac) -> Meaning:
    """再过三天."""
    return one_day(almanac.back(-chinese_number(match["number"]), _unit(match)))


def few_ago(match: re.Match[str], almanac: Almanac) -> Meaning:
    """几天前."""
    return almanac.between(*FEW[_unit(match)])


def past(match: re.Match[str], almanac: Almanac) -> Meaning:
    """过去三天, 最近两周, 近几个月."""
    unit, number = _unit(match), match["number"]
    if number == "几":
        return almanac.between(FEW[unit][0], 0)
    return Meaning(almanac.back(chinese_number(number), unit), almanac.today)


def third_of_this(match: re.Match[str], almanac: Almanac) -> Meaning:
    """月初, 年底."""
    return almanac.begun(UNITS[match["unit"]], THIRDS[match["third"]])


def talk(match: re.Match[str], almanac: Almanac) -> Meaning | None:
    """我们第一次聊天."""
    return almanac.talk(chinese_number(group(match, "nth") or "一"))
