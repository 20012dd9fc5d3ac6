"""How English names days: forms of words as data, each with what it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from siliconfriend.language.numbers import MONTHS, NUMBER_WORDS, ORDINALS, parse_number
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.calendar import PartOfDay, Third
from siliconfriend.recall.dates.slots import UNSAID, Form, Grammar, Reader, Resolver, Slots

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
WHICH = {"this": 0, "last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}
PARTS: dict[str, PartOfDay] = {
    "early morning": "morning",
    "morning": "morning",
    "lunchtime": "afternoon",
    "noon": "afternoon",
    "afternoon": "afternoon",
    "evening": "evening",
    "night": "evening",
    "midnight": "evening",
}
THIRDS: dict[str, Third] = {
    "early": 0,
    "beginning": 0,
    "start": 0,
    "mid": 1,
    "middle": 1,
    "midst": 1,
    "late": 2,
    "end": 2,
}
FEASTS = {
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
}
READERS: dict[str, Reader] = {
    "year": int,
    "month": lambda words: int(words) if words.isdecimal() else MONTHS[words],
    "day": int,
    "last_day": int,
    "weekday": lambda words: WEEKDAYS.index(words[:3]),
    "weekend": bool,
    "season": SEASONS.__getitem__,
    "feast": lambda words: FEASTS[words.replace("’", "'")],
    "part": PARTS.__getitem__,
    "third": THIRDS.__getitem__,
    "unit": str,
    "number": lambda words: 1 if words in ("a", "an") else parse_number(words),
    "which": WHICH.__getitem__,
    "nth": lambda words: -1 if words in ("last", "previous") else ORDINALS[words],
}
"""What the named groups of the patterns hold, as the values of slots."""


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH = rf"(?P<month>{_any(MONTHS)})\b\.?"
_WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b\.?)(?!s\b)"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|-\d|/\d)"
_DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)"
_MONTH_DIGITS = r"(?P<month>0?[1-9]|1[0-2])"
_DAY_ONLY = r"(?P<day>1[3-9]|[2-9]\d)"  # cannot be a month, so it is the day
_COUNT = rf"(?P<number>\d{{1,4}}|an?|{NUMBER_WORDS})"
_UNIT = r"(?P<unit>day|week|month|year)"
_SEASON = rf"(?P<season>{_any(SEASONS)})"
_THIRD = rf"(?P<third>{_any(THIRDS)})"
_THIRD_OF = rf"(?:{_THIRD}(?:\s+(?:part\s+)?(?:of\s+|in\s+)?|-)(?:the\s+)?)"
_WHICH = rf"(?P<which>{_any(WHICH)})"
_NTH = r"(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|previous)"
_OUR_TALK = r"(?:conversation|chat|talk|conversations|chats|talks|meeting|dialogue|session)"
_TALKED = r"(?:talked|chatted|spoke|met|conversed|messaged)"
_FEAST = "|".join(re.escape(name).replace("'", "['’]") for name in FEASTS)
_GOES_ON = (
    r"(?=\s*(?:$|[,.?!;:]|(?:what|which|who|where|when|how|why|did|do|does|was|were|is|had|have|"
    r"i|we|you|he|she|they|it|my|our|and|at|in|that|there)\b))"
)
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


def _counts_things(match: re.Match[str]) -> bool:
    """True if the number counts what follows: "in 2000 people"."""
    return _COUNTED.match(match.string, match.end()) is not None


def _might_be_a_verb(match: re.Match[str]) -> bool:
    """True for "may 4 ..." or "March 5 miles": nothing but the number speaks for a date."""
    if match["ordinal"] or match["year"]:
        return False
    if _counts_things(match):
        return True
    if match["month"].lower() not in _ALSO_VERBS or match["month"][0].isupper():
        return False
    return not _AFTER_PREPOSITION.search(match.string[: match.start()])


def _might_be_a_fraction(match: re.Match[str]) -> bool:
    """True for 24/7, 1/2, 10/10, unless "on 1/2" or 01/02 is said."""
    first, second = match.group().split("/")
    padded = len(first) == len(second) == 2 and "0" in (first[0], second[0])
    is_plain = padded or int(second) > 12
    if not is_plain and not _BEFORE_NUMERIC.search(match.string[: match.start()]):
        return True
    return _counts_things(match)


def _form(
    pattern: str,
    resolve: Resolver,
    given: Slots = UNSAID,
    veto: Callable[[re.Match[str]], bool] | None = None,
) -> Form:
    return Form(re.compile(pattern, re.IGNORECASE), resolve, given=given, veto=veto)


ABSOLUTE: tuple[Form, ...] = (
    _form(
        r"(?<![\d./-])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    # 4/28/2023, 28/04/2023, 04/28, on 4/5: the month first unless it cannot be one
    _form(
        rf"(?<![\d./-]){_MONTH_DIGITS}(?P<mark>[-/.])(?P<day>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    _form(
        rf"(?<![\d./-]){_DAY_ONLY}(?P<mark>[-/.]){_MONTH_DIGITS}(?P=mark)(?P<year>\d{{4}})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    _form(rf"(?<![\d./-]){_MONTH_DIGITS}/(?P<day>\d{{1,2}})/(?P<year>\d\d)(?![\d/.-])", resolvers.month_and_day),
    _form(rf"(?<![\d./-]){_DAY_ONLY}/{_MONTH_DIGITS}/(?P<year>\d\d)(?![\d/.-])", resolvers.month_and_day),
    _form(
        rf"(?<![\d./-]){_MONTH_DIGITS}/(?P<day>\d{{1,2}})(?![\d/%-]|\.\d)",
        resolvers.month_and_day,
        veto=_might_be_a_fraction,
    ),
    _form(
        rf"(?<![\d./-]){_DAY_ONLY}/{_MONTH_DIGITS}(?![\d/%-]|\.\d)",
        resolvers.month_and_day,
        veto=_might_be_a_fraction,
    ),
    _form(rf"\b{_MONTH}\s*(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?", resolvers.month_and_day, veto=_might_be_a_verb),
    _form(rf"(?<![\d.,:/])\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+(?:of\s+)?{_YEAR})?", resolvers.month_and_day, veto=_might_be_a_verb),
    _form(
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|to|through)\s*"
        rf"(?P<last_day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)(?:,?\s+{_YEAR})?",
        resolvers.month_and_day,
    ),
    _form(rf"\b{_THIRD_OF}?{_MONTH},?\s+(?:of\s+)?{_YEAR}", resolvers.month),
    _form(r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/](?P<month>\d{2})(?![\d]|[-/.]\d)", resolvers.month),
    _form(
        rf"\b(?:in|during|since|throughout|until|till|around|{_WHICH})\s+{_MONTH}(?!['’]s|\s+\d)",
        resolvers.month,
    ),
    _form(rf"\b{_THIRD_OF}{_MONTH}(?!['’]s|\s+\d)", resolvers.month),
    _form(
        rf"\b(?:in|during|of|since|from|by|before|after|until|till|year|around|throughout|"
        rf"{_THIRD_OF})\s*{_YEAR}(?!\w)",
        resolvers.year,
        veto=_counts_things,
    ),
    _form(rf"\b(?:the\s+)?{_SEASON}\s+(?:of\s+)?{_YEAR}", resolvers.season),
    _form(rf"\b(?:this|(?P<which>last|next))\s+{_SEASON}\b", resolvers.season),
    _form(
        rf"\b(?:in|during|over)\s+the\s+{_SEASON}\b"
        r"(?!\s+(?:of|semester|term|break|camp|sale))",
        resolvers.season,
    ),
    _form(rf"\bon\s+the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{_GOES_ON}", resolvers.day_of_month),
    _form(rf"\b(?:(?:on|at|over|since|this|(?P<which>last))\s+)(?P<feast>{_FEAST})(?!\w)", resolvers.feast),
    # talks
    _form(rf"\b(?:our|my)\s+(?:very\s+)?{_NTH}\s+(?:ever\s+)?{_OUR_TALK}\b(?!\s+with\s+(?!you\b))", resolvers.talk),
    _form(rf"\bthe\s+(?:very\s+)?{_NTH}\s+(?:time|day)\s+(?:that\s+)?(?:we|you\s+and\s+i|i|you)\s+"
          rf"(?:ever\s+)?(?:{_TALKED}(?!\s+(?!(?:to\s+|with\s+)?(?:you|me|each\s+other)\b)\w+)|"
          rf"(?:had\s+a\s+)?(?:talk|chat)(?:ed)?\s+(?:to|with)\s+(?:you|me))\b", resolvers.talk),
    _form(rf"\bwe\s+(?:had\s+)?first\s+(?:ever\s+)?{_TALKED}\b|\bwe\s+(?:{_TALKED})\s+for\s+the\s+first\s+time\b",
          resolvers.talk),
    _form(r"\bi\s+first\s+(?:met|talked\s+(?:to|with)|chatted\s+with|spoke\s+(?:to|with))\s+you\b"
          r"|\byou\s+first\s+met\s+me\b|\bwe\s+(?:first\s+)?got\s+to\s+know\s+each\s+other\b", resolvers.talk),
)  # fmt: skip

RELATIVE: tuple[Form, ...] = (
    # weekdays
    _form(rf"\b{_WHICH}\s+{_WEEKDAY}", resolvers.weekday),
    _form(rf"\b(?:on|since|until|till)\s+{_WEEKDAY}(?!\s+(?:or|and)\s)", resolvers.weekday),
    _form(
        rf"(?<!every )(?<!each )(?<!\ba )\b{_WEEKDAY}(?=\s+(?:morning|afternoon|evening|night)\b)",
        resolvers.weekday,
    ),
    _form(rf"\b{_WEEKDAY}\s+(?:of\s+)?(?P<which>last|this|next)\s+week\b", resolvers.offset_unit, Slots(unit="week")),
    _form(rf"\b(?P<which>last|this|next)\s+week(?:['’]s|\s+on)?\s+{_WEEKDAY}", resolvers.offset_unit, Slots(unit="week")),
    _form(r"\b(?:the|(?P<which>this|last|past|previous|next))\s+(?P<weekend>weekend)\b", resolvers.weekday),
    _form(r"\bcoming\s+(?P<weekend>weekend)\b", resolvers.weekday, Slots(which=0)),
    # relative
    _form(r"\btoday\b(?!['’]s\s+(?:world|society|youth|age))", resolvers.days_back, Slots(days_back=0)),
    _form(r"\btonight\b", resolvers.days_back, Slots(days_back=0, part="evening")),
    _form(r"\bthis\s+(?P<part>morning|afternoon|evening)\b", resolvers.days_back),
    _form(r"\byesterday\b", resolvers.days_back, Slots(days_back=1)),
    _form(r"\blast\s+(?:night|evening)\b", resolvers.days_back, Slots(days_back=1, part="evening")),
    _form(r"\b(?:the\s+)?day\s+before\s+yesterday\b", resolvers.days_back, Slots(days_back=2)),
    _form(r"\b(?:the\s+)?night\s+before\s+last\b", resolvers.days_back, Slots(days_back=2, part="evening")),
    _form(r"\btomorrow\b", resolvers.days_back, Slots(days_back=-1)),
    _form(r"\b(?:the\s+)?day\s+after\s+tomorrow\b", resolvers.days_back, Slots(days_back=-2)),
    _form(r"\b(?:the\s+)?other\s+(?:day|night|evening|morning)\b", resolvers.stretch, Slots(stretch=(7, 1))),
    _form(r"\b(?:recently|lately|these\s+days|of\s+late)\b", resolvers.stretch, Slots(stretch=(14, 0))),
    _form(r"\ba\s+while\s+(?:ago|back)\b|\bsome\s+time\s+ago\b", resolvers.stretch, Slots(stretch=(90, 7))),
    _form(
        rf"\b(?:{_THIRD_OF}|earlier\s+|later\s+)?(?P<which>this|last|past|previous|next|coming)\s+"
        rf"(?P<unit>week|month|year)\b(?!['’]?s?\s+(?:{_WEEKDAY}))",
        resolvers.offset_unit,
    ),
    _form(rf"\b{_THIRD_OF}(?P<unit>month|year)\b", resolvers.third_of_unit),
    _form(r"\b(?:the\s+)?(?P<unit>week|month|year)\s+before\s+last\b", resolvers.offset_unit, Slots(which=-2)),
    _form(rf"\b{_COUNT}\s+{_UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.ago),
    _form(rf"\b{_COUNT}\s+{_UNIT}s?\s+from\s+(?:now|today)\b", resolvers.ahead),
    _form(
        rf"\b(?:a\s+)?(?:few|several|some)\s+{_UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.few_ago
    ),
    _form(rf"\b(?:a\s+)?couple(?:\s+of)?\s+{_UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.couple_ago),
    _form(
        rf"\b(?:the\s+)?(?:last|past)\s+(?:{_COUNT}|(?:few|couple(?:\s+of)?|several))\s+{_UNIT}s?\b",
        resolvers.past,
    ),
    _form(
        r"\b(?:\d{1,3}|an?|few|couple\s+of|several|some|two|three|half\s+an)\s+"
        r"(?:second|minute|hour)s?\s+ago\b|\bjust\s+now\b",
        resolvers.days_back, Slots(days_back=0),
    ),
)  # fmt: skip

_PART_WORDS = _any(PARTS)

GRAMMAR = Grammar(
    alphabet=re.compile(r"[A-Za-z0-9]"),
    readers=READERS,
    forms=(*ABSOLUTE, *(replace(form, relative=True) for form in RELATIVE)),
    part_after=re.compile(rf"(?:,?\s+(?:in\s+the|at))?\s+(?P<part>{_PART_WORDS})\b", re.IGNORECASE),
    part_before=re.compile(
        rf"\b(?P<part>{_PART_WORDS})\s+(?:of|on)\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
)
