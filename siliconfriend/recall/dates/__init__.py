"""Days named in words, in English and Chinese, as days of the person's calendar.

A question that names its day ("on May 4th", 上周三) is answered from that day, so what is
read here decides what is recalled: a date read where there is none hides the right memory,
which is why every rule asks for more than a bare number or a word that is also a verb.
The same reading gives a turn's own "last night" the day it was said against, not the day
it is read on.
"""

from siliconfriend.recall.dates.almanac import PartOfDay
from siliconfriend.recall.dates.reading import (
    DateSpan,
    dates_said,
    find_dates,
    may_be_relative,
)

__all__ = ["DateSpan", "PartOfDay", "dates_said", "find_dates", "may_be_relative"]
