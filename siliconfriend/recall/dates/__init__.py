"""Days named in words, in English and Chinese, as days of the person's calendar.

A question that names its day ("on May 4th", 上周三) is answered from that day, so what is
parsed here decides what is recalled: a date found where there is none hides the right memory,
which is why every form asks for more than a bare number or a word that is also a verb.
The same parsing gives a turn's own "last night" the day it was said against, not the day
it is read on.

How a text becomes days: each form of a language (``english.py``, ``chinese.py``) is a pattern
whose named groups are slots (:class:`~siliconfriend.recall.dates.slots.Slots`: year, month,
weekday ...). The language's readers turn what the groups hold into numbers, and a resolver that
both languages share (``resolvers.py``) says which days they are, by the arithmetic of
``calendar.py``. ``parser.py`` tries all forms and keeps the longest that do not overlap. Which
year a day without one is of, in what somebody tells, follows from the tense (``tense.py``).

To add a form of words ("the weekend before last", 大前年夏天): one ``_form`` in the table of each
language that has it, ``ABSOLUTE`` or ``RELATIVE``, with the resolver it shares with its like;
``ABSOLUTE`` is for what means the same days whenever it is said. To add a feast: one row in
``feasts.py``, which says when it is, and its words in ``feast_words.py``. To add a kind of
date: a slot in ``slots.py`` where the words say something new, a reader for it in each language,
one resolver, and its forms.
"""

from siliconfriend.recall.dates.calendar import PartOfDay
from siliconfriend.recall.dates.parser import (
    DateSpan,
    asks_ahead,
    find_dates,
    find_dates_said_on,
    rules_of_dates,
)

__all__ = [
    "DateSpan",
    "PartOfDay",
    "asks_ahead",
    "find_dates",
    "find_dates_said_on",
    "rules_of_dates",
]
