"""When feasts are: fixed days, nth weekdays of a month, days from Easter, lunar dates, solar terms.

Easter is dateutil's (Western), lunar dates and solar terms are borax's (1900 to 2100). Where
countries keep a feast on different days, the one most widely meant is taken and its name says
which: Mother's Day is the second Sunday of May (the United States, China, most of the world;
the British one is ``mothering_sunday``), Father's Day the third Sunday of June, Thanksgiving,
Labor Day, Memorial Day and the other Mondays those of the United States, National Day and
Golden Week those of China.

A feast is named by the calendar year it falls in: 除夕 of 2024 is 9 February 2024, though by the
lunar calendar that is still the year before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from borax.calendars.lunardate import LunarDate, TermUtils
from dateutil.easter import easter
from dateutil.relativedelta import relativedelta, weekday

from siliconfriend.recall.dates.calendar import DateRange

DayOfFeast = Callable[[int], date]
"""The day of a feast in a year; ValueError for a year that lacks it or is not tabulated."""

MON, THU, SUN = 0, 3, 6


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast of every year.

    Attributes:
        day: its day in a year.
        days: how many days before and after that one its name alone covers.
        holiday: the same for its holiday ("over Easter", 国庆假期).
    """

    day: DayOfFeast
    days: tuple[int, int] = (0, 0)
    holiday: tuple[int, int] = (1, 1)

    def in_year(self, year: int, *, holiday: bool = False) -> DateRange:
        """Its days in a year; ValueError where it has none."""
        before, after = self.holiday if holiday else self.days
        day = self.day(year)
        return DateRange(day - timedelta(days=before), day + timedelta(days=after))


def _fixed(month: int, day: int) -> DayOfFeast:
    return lambda year: date(year, month, day)


def _nth(month: int, nth: int, number: int, later: int = 0) -> DayOfFeast:
    """The nth weekday (Monday is 0) of a month, -1 the last, and so many days later."""
    start = relativedelta(day=1 if nth > 0 else 31, weekday=weekday(number, nth))
    return lambda year: date(year, month, 1) + start + timedelta(days=later)


def _easter(later: int) -> DayOfFeast:
    """So many days after Easter Sunday."""
    return lambda year: easter(year) + timedelta(days=later)


def _lunar(month: int, day: int) -> DayOfFeast:
    """A day of the lunar year that begins in the year."""
    return lambda year: lunar_day(year, month, day)


def _before_new_year(days: int) -> DayOfFeast:
    """So many days before the lunar year that begins in the year."""
    return lambda year: lunar_day(year, 1, 1) - timedelta(days=days)


def _last_month(day: int) -> DayOfFeast:
    """A day of the lunar month before the lunar year that begins in the year."""
    return lambda year: lunar_day(year - 1, 12, day)


def _term(name: str) -> DayOfFeast:
    """A solar term."""
    index = TermUtils.name2index(name)

    def day(year: int) -> date:
        found: date = TermUtils.nth_term_day(year, index)
        return found

    return day


def lunar_day(year: int, month: int, day: int) -> date:
    """A day of a lunar year, no leap month; ValueError where there is none, or before 1900."""
    found: date = LunarDate(year, month, day).to_solar_date()
    return found


def lunar_month(year: int, month: int) -> DateRange:
    """A month of a lunar year, no leap month."""
    first = lunar_day(year, month, 1)
    try:
        return DateRange(first, lunar_day(year, month, 30))
    except ValueError:
        return DateRange(first, lunar_day(year, month, 29))


@lru_cache(maxsize=4096)
def days_of(name: str, year: int, *, holiday: bool = False) -> DateRange:
    """The days of a feast in a year, or of its holiday; ValueError where it has none."""
    return FEASTS[name].in_year(year, holiday=holiday)


def days_from_to(name: str, last: str, year: int) -> DateRange:
    """From a feast of a year to the next of another: between Christmas and New Year."""
    first = days_of(name, year).first
    end = days_of(last, year).last
    return DateRange(first, end if end >= first else days_of(last, year + 1).last)


FEASTS: Mapping[str, Feast] = {
    # fixed days
    "new_year": Feast(_fixed(1, 1), holiday=(1, 1)),
    "turn_of_year": Feast(_fixed(1, 1), days=(1, 0)),
    "epiphany": Feast(_fixed(1, 6)),
    "burns_night": Feast(_fixed(1, 25)),
    "groundhog_day": Feast(_fixed(2, 2)),
    "valentines_day": Feast(_fixed(2, 14)),
    "womens_day": Feast(_fixed(3, 8)),
    "arbor_day": Feast(_fixed(3, 12)),
    "st_patricks_day": Feast(_fixed(3, 17)),
    "april_fools_day": Feast(_fixed(4, 1)),
    "earth_day": Feast(_fixed(4, 22)),
    "labour_day": Feast(_fixed(5, 1), holiday=(0, 4)),
    "youth_day": Feast(_fixed(5, 4)),
    "love_day": Feast(_fixed(5, 20)),
    "childrens_day": Feast(_fixed(6, 1)),
    "june_18": Feast(_fixed(6, 18)),
    "midsummer": Feast(_fixed(6, 24)),
    "canada_day": Feast(_fixed(7, 1)),
    "party_day": Feast(_fixed(7, 1)),
    "independence_day": Feast(_fixed(7, 4)),
    "bastille_day": Feast(_fixed(7, 14)),
    "army_day": Feast(_fixed(8, 1)),
    "teachers_day": Feast(_fixed(9, 10)),
    "national_day": Feast(_fixed(10, 1), holiday=(0, 6)),
    "golden_week": Feast(_fixed(10, 1), days=(0, 6), holiday=(0, 6)),
    "halloween": Feast(_fixed(10, 31)),
    "all_saints": Feast(_fixed(11, 1)),
    "bonfire_night": Feast(_fixed(11, 5)),
    "armistice_day": Feast(_fixed(11, 11)),
    "singles_day": Feast(_fixed(11, 11)),
    "double_twelve": Feast(_fixed(12, 12)),
    "christmas_eve": Feast(_fixed(12, 24)),
    "christmas": Feast(_fixed(12, 25)),
    "boxing_day": Feast(_fixed(12, 26)),
    "festive_season": Feast(_fixed(12, 25), days=(1, 7), holiday=(1, 7)),
    "new_years_eve": Feast(_fixed(12, 31)),
    # school holidays of China
    "winter_break": Feast(_fixed(1, 15), days=(0, 40), holiday=(0, 40)),
    "summer_break": Feast(_fixed(7, 1), days=(0, 61), holiday=(0, 61)),
    # weekdays
    "mlk_day": Feast(_nth(1, 3, MON)),
    "presidents_day": Feast(_nth(2, 3, MON)),
    "mothers_day": Feast(_nth(5, 2, SUN)),
    "memorial_day": Feast(_nth(5, -1, MON), holiday=(2, 0)),
    "fathers_day": Feast(_nth(6, 3, SUN)),
    "labor_day": Feast(_nth(9, 1, MON), holiday=(2, 0)),
    "columbus_day": Feast(_nth(10, 2, MON)),
    "thanksgiving": Feast(_nth(11, 4, THU), holiday=(0, 3)),
    "black_friday": Feast(_nth(11, 4, THU, 1)),
    # days from Easter
    "shrove_tuesday": Feast(_easter(-47)),
    "ash_wednesday": Feast(_easter(-46)),
    "mothering_sunday": Feast(_easter(-21)),
    "palm_sunday": Feast(_easter(-7)),
    "maundy_thursday": Feast(_easter(-3)),
    "good_friday": Feast(_easter(-2)),
    "holy_saturday": Feast(_easter(-1)),
    "easter": Feast(_easter(0), holiday=(2, 1)),
    "easter_monday": Feast(_easter(1)),
    "ascension_day": Feast(_easter(39)),
    "whitsun": Feast(_easter(49), holiday=(1, 1)),
    "whit_monday": Feast(_easter(50)),
    # lunar dates
    "laba": Feast(_last_month(8)),
    "little_new_year": Feast(_last_month(23)),
    "lunar_new_years_eve": Feast(_before_new_year(1)),
    "lunar_new_year": Feast(_lunar(1, 1)),
    "spring_festival": Feast(_lunar(1, 1), days=(1, 6), holiday=(1, 6)),
    "lantern_festival": Feast(_lunar(1, 15)),
    "dragon_head": Feast(_lunar(2, 2)),
    "dragon_boat": Feast(_lunar(5, 5)),
    "qixi": Feast(_lunar(7, 7)),
    "ghost_festival": Feast(_lunar(7, 15)),
    "mid_autumn": Feast(_lunar(8, 15)),
    "double_ninth": Feast(_lunar(9, 9)),
    # solar terms
    "start_of_spring": Feast(_term("立春")),
    "spring_equinox": Feast(_term("春分")),
    "qingming": Feast(_term("清明")),
    "start_of_summer": Feast(_term("立夏")),
    "summer_solstice": Feast(_term("夏至")),
    "start_of_autumn": Feast(_term("立秋")),
    "autumn_equinox": Feast(_term("秋分")),
    "start_of_winter": Feast(_term("立冬")),
    "winter_solstice": Feast(_term("冬至")),
}
"""The feasts by the names both languages give them."""
