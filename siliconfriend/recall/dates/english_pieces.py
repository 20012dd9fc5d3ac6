"""The pieces that the English forms of words for days are put together from, and what no date is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from siliconfriend.language.numbers import MONTHS, NUMBER_WORDS, ORDINALS
from siliconfriend.recall.dates.english_words import SEASONS, THIRDS, WHICH
from siliconfriend.recall.dates.feast_words import ENGLISH
from siliconfriend.recall.dates.slots import UNSAID, Form, Resolver, Slots


def one_of(words: Iterable[str]) -> str:
    """The source of a pattern for one of some words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


MONTH = rf"(?P<month>{one_of(MONTHS)})\b\.?"
WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b\.?)(?!s\b)"
)
YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|-\d|/\d)"
DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)"
DAY_IN_WORDS = rf"(?P<day>(?:(?:twenty|thirty)[- ])?(?:{one_of(ORDINALS)}))\b"
MONTH_DIGITS = r"(?P<month>0?[1-9]|1[0-2])"
DAY_ONLY = r"(?P<day>1[3-9]|[2-9]\d)"  # cannot be a month, so it is the day
COUNT = rf"(?P<number>\d{{1,4}}|an?|{NUMBER_WORDS})"
UNIT = r"(?P<unit>day|week|month|year)"
SEASON = rf"(?P<season>{one_of(SEASONS)})"
THIRD = rf"(?P<third>{one_of(THIRDS)})"
THIRD_OF = rf"(?:{THIRD}(?:\s+(?:part\s+)?(?:of\s+|in\s+)?|-)(?:the\s+)?)"
WHICH_ONE = rf"(?P<which>{one_of(WHICH)})"
NTH = r"(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|previous)"
OUR_TALK = r"(?:conversation|chat|talk|conversations|chats|talks|meeting|dialogue|session)"
TALKED = r"(?:talked|chatted|spoke|met|conversed|messaged)"
FEAST_WORDS = "|".join(ENGLISH).replace(" ", r"\s+")
THINGS_OF_FEASTS = (
    r"(?!['’]|\w|[- ]\s*(?:trees?|cards?|presents?|gifts?|carols?|songs?|jumpers?|pudding|markets?|lights|"
    r"eggs?|bunny|bunnies|islands?|costumes?|pumpkins?|lil(?:y|ies)|movies?|films?|stories|story|"
    r"stockings?|decorations?|cakes?|cookies|shopping|sales?|bonus|resolutions?|turkey|wishes|"
    r"greetings|parade|concerts?|albums?|roses?|cactus)\b)"
)
FEAST = rf"(?P<feast>{FEAST_WORDS}){THINGS_OF_FEASTS}"
LAST_FEAST = rf"(?P<last_feast>{FEAST_WORDS}){THINGS_OF_FEASTS}"
HOLIDAY_AFTER = r"(?P<holiday>\s+(?:holidays?|weekend|break|period|week))"
SOME_YEARS = (
    rf"(?:the\s+)?(?:year\s+before\s+last|(?:last|this|next)\s+year|"
    rf"(?:\d{{1,3}}|an?|(?:a\s+)?couple(?:\s+of)?|{NUMBER_WORDS})\s+years?\s+(?:ago|back|earlier))\b"
)
YEARS_AGO = rf"(?P<year_offset>{SOME_YEARS})"
OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:{YEAR}|{YEARS_AGO}))"
IN_YEAR = rf"(?:(?:in\s+)?(?:{YEARS_AGO}|{YEAR})(?:['’]s|,?\s+(?:in|at|on|over|around|during)(?:\s+the)?)?\s+)"
BEFORE_LAST = r"(?P<which>before\s+last)\b"
BUT_ONE = r"but\s+one\b"
COUNTED_BACK = rf"(?P<which>\d{{1,2}}|(?:a\s+)?couple\s+of|{NUMBER_WORDS})"
BESIDE = r"(?:(?<=day before )|(?<=days before )|(?<=week before )|(?<=weeks before )|(?<=weekend before )|(?<=night before )|(?<=evening before )|(?<=morning before )|(?<=month before ))"
ASKED_OF = r"(?:(?<=\bhow was )|(?<=\bhow was my )|(?<=\bhow was our )|(?<=\bspend )|(?<=\bspent )|(?<=\bcelebrate )|(?<=\bcelebrated ))"
MONTH_NAMES = "|".join(sorted((name for name in MONTHS if len(name) > 4), key=len, reverse=True))
LAST_MONTH = rf"(?P<last_month>{one_of(MONTHS)})\b\.?"
PLANNED = r"(?<=\bplan )|(?<=\bplans )|(?<=\bplanned )|(?<=\bbooked )|(?<=\bscheduled )|(?<=\bset )|(?<=\bdue )|(?<=\bup )"
GOES_ON = (
    r"(?=\s*(?:$|[,.?!;:]|(?:what|which|who|where|when|how|why|did|do|does|was|were|is|had|have|"
    r"i|we|you|he|she|they|it|my|our|and|at|in|that|there)\b))"
)
WHOLE = r"(?:(?:whole|entire)\s+)?"
ALONE = (
    r"(?=\s*(?:$|[,.?!;:]|(?:so\s+far|for|like|been|go|went|look|looked|treat|treated|bring|all|turn|turned|in\s+(?:short|"
    r"brief|review|a\s+few)|as\s+you|from|that|please|did|was|has|what|i|we|you|and|with\s+me|up\s+to|until|till)\b))"
)
PART_OF = (
    r"\b(?:(?<=day )|(?<=days )|(?<=thing )|(?<=things )|(?<=moment )|(?<=moments )|(?<=part )|(?<=week )|"
    r"(?<=month )|(?<=memory )|(?<=memories )|(?<=news )|(?<=point )|(?<=best )|(?<=worst )|(?<=hardest )|(?<=happiest )|(?<=highlight )|(?<=highlights ))"
    r"(?<!first day )(?<!last day )(?<!first week )(?<!last week )(?<!first month )(?<!last month )"
)
TOLD_OF = r"(?:(?<=\bhow was )|(?<=\bhow has )|(?<=\bhow did )|(?<=\bwhat did )|(?<=\bsum up )|(?<=\bwrap up )|(?<=\bback on )|(?<=\bback at )|(?<=\bback over )|(?<=\bthrough )|(?<=\brecap )|(?<=\breview ))"
COUNTED = re.compile(
    r"\s+(?!(?:was|is|this|us|as|always)\b)(?:[a-z]+s|people|men|women|children|percent)\b"
)
AFTER_PREPOSITION = re.compile(
    r"\b(?:on|since|until|till|by|before|after|from|of|around|to|for|in|during|and|between|"
    r"last|this|next|the|early|late|mid)\s+$",
    re.IGNORECASE,
)
BEFORE_NUMERIC = re.compile(
    r"\b(?:on|since|until|till|by|before|after|from|dated|date)\s+$", re.IGNORECASE
)
ALSO_VERBS = ("may", "march", "mar")


def counts_things(match: re.Match[str]) -> bool:
    """True if the number counts what follows: "in 2000 people"."""
    return COUNTED.match(match.string, match.end()) is not None


def might_be_a_verb(match: re.Match[str]) -> bool:
    """True for "may 4 ..." or "March 5 miles": nothing but the number speaks for a date."""
    if match["ordinal"] or match["year"]:
        return False
    if match.group()[-1].isdecimal() and counts_things(match):
        return True
    if match["month"].lower() not in ALSO_VERBS or match["month"][0].isupper():
        return False
    return not AFTER_PREPOSITION.search(match.string[: match.start()])


def might_be_a_word(match: re.Match[str]) -> bool:
    """True for "we may last year" and "we march": a verb, where no year of digits follows it."""
    if match["month"].lower() not in ALSO_VERBS or match["month"][0].isupper():
        return False
    if match.groupdict().get("year") or match.groupdict().get("third"):
        return False
    return not AFTER_PREPOSITION.search(match.string[: match.start("month")])


def might_be_a_fraction(match: re.Match[str]) -> bool:
    """True for 24/7, 1/2, 10/10, unless "on 1/2" or 01/02 is said."""
    first, second = match.group().split("/")
    padded = len(first) == len(second) == 2 and "0" in (first[0], second[0])
    is_plain = padded or int(second) > 12
    if not is_plain and not BEFORE_NUMERIC.search(match.string[: match.start()]):
        return True
    return counts_things(match)


def form(
    pattern: str,
    resolve: Resolver,
    given: Slots = UNSAID,
    veto: Callable[[re.Match[str]], bool] | None = None,
) -> Form:
    """A form of words in any letter case."""
    return Form(pattern, resolve, given=given, veto=veto, flags=re.IGNORECASE)
