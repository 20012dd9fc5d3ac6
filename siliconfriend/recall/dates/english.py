"""How English names days: forms of words as data, each with what it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from siliconfriend.language.numbers import MONTHS, NUMBER_WORDS, ORDINALS
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.english_quick_look import MAY_NAME_A_DAY
from siliconfriend.recall.dates.english_words import PARTS, READERS, SEASONS, THIRDS, WHICH
from siliconfriend.recall.dates.feast_words import ENGLISH
from siliconfriend.recall.dates.slots import UNSAID, Form, Grammar, Resolver, Slots


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH = rf"(?P<month>{_any(MONTHS)})\b\.?"
_WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b\.?)(?!s\b)"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|-\d|/\d)"
_DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)"
_DAY_IN_WORDS = rf"(?P<day>(?:(?:twenty|thirty)[- ])?(?:{_any(ORDINALS)}))\b"
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
_FEAST_WORDS = "|".join(ENGLISH).replace(" ", r"\s+")
_THINGS_OF_FEASTS = (
    r"(?!['’]|\w|[- ]\s*(?:trees?|cards?|presents?|gifts?|carols?|songs?|jumpers?|pudding|markets?|lights|"
    r"eggs?|bunny|bunnies|islands?|costumes?|pumpkins?|lil(?:y|ies)|movies?|films?|stories|story|"
    r"stockings?|decorations?|cakes?|cookies|shopping|sales?|bonus|resolutions?|turkey|wishes|"
    r"greetings|parade|concerts?|albums?|roses?|cactus)\b)"
)
_FEAST = rf"(?P<feast>{_FEAST_WORDS}){_THINGS_OF_FEASTS}"
_LAST_FEAST = rf"(?P<last_feast>{_FEAST_WORDS}){_THINGS_OF_FEASTS}"
_HOLIDAY_AFTER = r"(?P<holiday>\s+(?:holidays?|weekend|break|period|week))"
_SOME_YEARS = (
    rf"(?:the\s+)?(?:year\s+before\s+last|(?:last|this|next)\s+year|"
    rf"(?:\d{{1,3}}|an?|(?:a\s+)?couple(?:\s+of)?|{NUMBER_WORDS})\s+years?\s+(?:ago|back|earlier))\b"
)
_YEARS_AGO = rf"(?P<year_offset>{_SOME_YEARS})"
_OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:{_YEAR}|{_YEARS_AGO}))"
_IN_YEAR = rf"(?:(?:in\s+)?(?:{_YEARS_AGO}|{_YEAR})(?:['’]s|,?\s+(?:in|at|on|over|around|during)(?:\s+the)?)?\s+)"
_BEFORE_LAST = r"(?P<which>before\s+last)\b"
_BUT_ONE = r"but\s+one\b"
_COUNTED_BACK = rf"(?P<which>\d{{1,2}}|(?:a\s+)?couple\s+of|{NUMBER_WORDS})"
_ASKED_OF = r"(?:(?<=\bspend )|(?<=\bspent )|(?<=\bcelebrate )|(?<=\bcelebrated ))"
_MONTH_NAMES = "|".join(sorted((name for name in MONTHS if len(name) > 4), key=len, reverse=True))
_LAST_MONTH = rf"(?P<last_month>{_any(MONTHS)})\b\.?"
_PLANNED = r"(?<=\bplan )|(?<=\bplans )|(?<=\bplanned )|(?<=\bbooked )|(?<=\bscheduled )|(?<=\bset )|(?<=\bdue )|(?<=\bup )"
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


def _might_be_a_word(match: re.Match[str]) -> bool:
    """True for "we may last year" and "we march": a verb, where no year of digits follows it."""
    if match["month"].lower() not in _ALSO_VERBS or match["month"][0].isupper():
        return False
    if match.groupdict().get("year") or match.groupdict().get("third"):
        return False
    return not _AFTER_PREPOSITION.search(match.string[: match.start("month")])


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
    _form(rf"\b{_MONTH}\s*(?:the\s+)?{_DAY}{_OF_YEAR}?", resolvers.month_and_day, veto=_might_be_a_verb),
    _form(rf"(?<![\d.,:/])\b{_DAY}\s+(?:of\s+)?{_MONTH}{_OF_YEAR}?", resolvers.month_and_day, veto=_might_be_a_verb),
    _form(rf"\b{_DAY_IN_WORDS}\s+of\s+{_MONTH}{_OF_YEAR}?", resolvers.month_and_day, veto=_might_be_a_word),
    _form(rf"\b{_MONTH}\s+the\s+{_DAY_IN_WORDS}{_OF_YEAR}?", resolvers.month_and_day, veto=_might_be_a_word),
    _form(
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|to|through)\s*"
        rf"(?P<last_day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)(?:,?\s+{_YEAR})?",
        resolvers.month_and_day,
    ),
    _form(
        rf"\b(?:from|between)\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:to|till|until|through|and|-|–)\s*"
        rf"(?:the\s+)?(?P<last_day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}{_OF_YEAR}?",
        resolvers.month_and_day,
    ),
    _form(
        rf"\b(?:(?:in|during|since|throughout|around)\s+)?{_THIRD_OF}?{_MONTH}{_OF_YEAR}",
        resolvers.month,
        veto=_might_be_a_word,
    ),
    _form(rf"\b{_IN_YEAR}(?:in\s+)?{_THIRD_OF}?{_MONTH}(?!['’]s|\s+\d)", resolvers.month),
    _form(rf"\b(?:the\s+)?{_MONTH}\s+{_BEFORE_LAST}", resolvers.month),
    _form(rf"\b(?:the\s+)?last\s+{_MONTH}\s+{_BUT_ONE}", resolvers.month, Slots(which=-2)),
    _form(rf"\b{_COUNTED_BACK}\s+(?P<month>{_MONTH_NAMES})s\s+ago\b", resolvers.month),
    _form(
        rf"\b(?:from|between)\s+(?:(?:early|mid|late)[\s-]+)?{_MONTH}\s*(?:to|till|until|through|and|-|–)\s*{_LAST_MONTH}"
        rf"(?!\s+\d{{1,2}}\b){_OF_YEAR}?",
        resolvers.months,
    ),
    _form(
        r"\b(?:from|between)\s+(?P<year>(?:19|20)\d\d)\s*(?:to|till|until|through|and|-|–)\s*"
        r"(?P<last_year>(?:19|20)\d\d)(?!\w)",
        resolvers.years,
        veto=_counts_things,
    ),
    _form(r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/](?P<month>\d{2})(?![\d]|[-/.]\d)", resolvers.month),
    _form(
        rf"\b(?:in|during|since|throughout|until|till|around|{_WHICH})\s+{_MONTH}(?!['’]s|\s+\d)",
        resolvers.month,
    ),
    _form(rf"\b(?:{_PLANNED})for\s+{_MONTH}(?!['’]s|\s+\d)", resolvers.month),
    _form(rf"\b{_THIRD_OF}{_MONTH}(?!['’]s|\s+\d)", resolvers.month),
    _form(
        rf"\b(?:in|during|of|since|from|by|before|after|until|till|year|around|throughout|"
        rf"{_THIRD_OF})\s*{_YEAR}(?!\w)",
        resolvers.year,
        veto=_counts_things,
    ),
    _form(
        rf"\b(?:in\s+)?(?:the\s+)?(?P<half>first|second)\s+half\s+of\s+(?:{_YEAR}|{_YEARS_AGO})",
        resolvers.year,
    ),
    # seasons
    _form(
        rf"\b(?:(?:in|during|over|since|throughout)\s+)?(?:the\s+)?{_THIRD_OF}?{_SEASON}{_OF_YEAR}",
        resolvers.season,
    ),
    _form(rf"\b{_IN_YEAR}(?:in\s+)?(?:the\s+)?{_THIRD_OF}?{_SEASON}\b", resolvers.season),
    _form(rf"\b(?:the\s+)?{_THIRD_OF}?{_SEASON}\s+{_BEFORE_LAST}", resolvers.season),
    _form(rf"\b(?:the\s+)?last\s+{_SEASON}\s+{_BUT_ONE}", resolvers.season, Slots(which=-2)),
    _form(rf"\b{_COUNTED_BACK}\s+{_SEASON}s\s+(?:ago|back)\b", resolvers.season),
    _form(
        rf"(?<!\bmy )(?<!\bhis )(?<!\bher )\b{_THIRD_OF}?(?:this|(?P<which>last|next))\s+{_SEASON}\b",
        resolvers.season,
    ),
    _form(
        rf"\b(?:in|during|over|since|throughout)\s+the\s+{_THIRD_OF}?{_SEASON}\b"
        r"(?!\s+(?:of|semester|term|break|camp|sale))",
        resolvers.season,
    ),
    _form(rf"\b(?:in|during|since)\s+{_THIRD_OF}?{_SEASON}\b{_GOES_ON}", resolvers.season),
    _form(rf"\bon\s+the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{_GOES_ON}", resolvers.day_of_month),
    # feasts
    _form(rf"\b(?:on\s+|at\s+)?(?:the\s+)?last\s+{_FEAST}\s+{_BUT_ONE}", resolvers.feast, Slots(which=-2)),
    _form(
        rf"\b(?:(?:on|at|by|since|after|during|until|till|for|from|of|between|this|"
        rf"(?P<which>last|next|past|previous))\s+(?:the\s+)?){_FEAST}{_OF_YEAR}?",
        resolvers.feast,
    ),
    _form(rf"{_ASKED_OF}{_FEAST}{_OF_YEAR}?", resolvers.feast),
    _form(rf"\b{_FEAST}{_OF_YEAR}", resolvers.feast),
    _form(rf"\b{_IN_YEAR}{_FEAST}", resolvers.feast),
    _form(rf"\b(?:see|saw|seen|seeing|ring|rang|rung|ringing)\s+in\s+{_YEAR}", resolvers.turn_of_year),
    _form(rf"\b(?:on\s+|at\s+)?(?:the\s+)?{_FEAST}\s+{_BEFORE_LAST}", resolvers.feast),
    _form(
        rf"\b{_COUNTED_BACK}\s+(?P<feast>christmas|easter|halloween|thanksgiving)(?:e?s)?\s+ago\b",
        resolvers.feast,
    ),
    _form(
        rf"\b(?P<holiday>over|around)\s+(?:the\s+)?(?:(?P<which>last|next)\s+)?{_FEAST}"
        rf"(?:\s+(?:holidays?|weekend|break|period))?{_OF_YEAR}?",
        resolvers.feast,
    ),
    _form(
        rf"\b(?:(?:on|at|in|during|over|since|for|this|(?P<which>last|next))\s+(?:the\s+)?)?"
        rf"{_FEAST}{_HOLIDAY_AFTER}\b{_OF_YEAR}?",
        resolvers.feast,
    ),
    _form(
        rf"\b(?:from|between)\s+(?:(?P<which>last|next)\s+)?{_FEAST}\s+(?:and|to|till|until|through)\s+"
        rf"{_LAST_FEAST}{_OF_YEAR}?",
        resolvers.feasts,
    ),
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
    _form(
        r"\b(?:in\s+|over\s+|during\s+|for\s+)?(?:the\s+)?(?:coming|next)\s+month\s+and\s+a\s+half\b",
        resolvers.coming, Slots(number=45, unit="day"),
    ),
    _form(r"\b(?:the\s+)?last\s+(?P<unit>week|month|year)\s+but\s+one\b", resolvers.offset_unit, Slots(which=-2)),
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
    _form(r"\b(?:a|one)\s+fortnight\s+(?:ago|back)\b", resolvers.ago, Slots(number=2, unit="week")),
    _form(r"\b(?:(?:in|over)\s+)?the\s+(?:coming|next)\s+fortnight\b", resolvers.coming, Slots(number=2, unit="week")),
    _form(r"\b(?:(?:in|over)\s+)?the\s+(?:last|past)\s+fortnight\b", resolvers.past, Slots(number=2, unit="week")),
    _form(r"\b(?:at\s+)?(?:this|the\s+same)\s+time\s+last\s+year\b", resolvers.ago, Slots(number=12, unit="month")),
    _form(
        r"\b(?:half\s+an?|a\s+half|half)[\s-]+year\s+(?:ago|back|earlier)\b",
        resolvers.ago, Slots(number=6, unit="month"),
    ),
    _form(
        rf"\b{_COUNT}\s+(?:years?\s+and\s+a\s+half|and\s+a\s+half\s+years?)\s+(?:ago|back)\b",
        resolvers.ago_and_half,
    ),
    _form(r"\b(?:over\s+|in\s+|during\s+)?(?:the\s+)?(?:last|past)\s+half\s+(?:a\s+)?year\b",
          resolvers.past, Slots(number=6, unit="month")),
    _form(r"\b(?:in\s+)?(?:the\s+)?(?P<half>first|second)\s+half\s+of\s+the\s+year\b", resolvers.half_year),
    _form(
        rf"\b(?:in\s+|over\s+|during\s+|for\s+)?(?:the\s+)?(?:coming|next)\s+"
        rf"(?:{_COUNT}\s+|(?:few|couple(?:\s+of)?|several)\s+)?{_UNIT}s\b",
        resolvers.coming,
    ),
    _form(rf"\bin\s+{_COUNT}\s+{_UNIT}s?['’]?\s+time\b", resolvers.ahead),
    _form(rf"\blater\s+(?:this\s+|in\s+the\s+){_UNIT}\b", resolvers.rest),
    _form(rf"\b(?:for\s+)?the\s+rest\s+of\s+(?:the|this)\s+{_UNIT}\b", resolvers.rest),
    _form(r"\bfrom\s+now(?:\s+on)?\b", resolvers.days_back),
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
    alphabet=MAY_NAME_A_DAY,
    readers=READERS,
    forms=(*ABSOLUTE, *(replace(form, relative=True) for form in RELATIVE)),
    part_after=re.compile(rf"(?:,?\s+(?:in\s+the|at))?\s+(?P<part>{_PART_WORDS})\b", re.IGNORECASE),
    part_before=re.compile(
        rf"\b(?P<part>{_PART_WORDS})\s+(?:of|on)\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
    weekday_before=re.compile(
        rf"\b(?:(?:on|this|next|last|coming)\s+)?{_WEEKDAY},?\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
    weekday_after=re.compile(
        rf"(?:,|\s+is(?:\s+an?)?)?\s+\(?{_WEEKDAY}(?!\s+\d)\)?", re.IGNORECASE
    ),
    since_before=re.compile(r"\b(?:ever\s+)?since\s+(?:the\s+)?", re.IGNORECASE),
    since_after=re.compile(r"(?!)"),
    future=re.compile(
        r"^(?!.*\b(?:did|was|were|had|told|said|happened|remember|went|last)\b).*"
        r"(?:\b(?:plan(?:s|ned|ning)?|booked|scheduled|upcoming|coming\s+up|going\s+to|diary|"
        r"calendar|agenda|from\s+now|ahead|in\s+store|have\s+(?:i|we)\s+(?:got\s+)?anything|"
        r"is\s+there\s+anything|anything\s+on|"
        r"am\s+i\s+(?:doing|going)|are\s+we\s+(?:doing|going)|will\s+(?:i|we|be))\b)",
        re.IGNORECASE | re.DOTALL,
    ),
)
