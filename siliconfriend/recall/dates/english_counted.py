"""English forms that find days by counting: the first week of August, three Sundays ago, Q2.

Each is listed with the others in :mod:`siliconfriend.recall.dates.english`.
"""

from __future__ import annotations

import re

from siliconfriend.language.numbers import NUMBER_WORDS, ORDINALS
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.english_pieces import (
    BEFORE_LAST,
    COUNT,
    COUNTED_BACK,
    FEAST_WORDS,
    MONTH,
    OF_YEAR,
    SEASON,
    UNIT,
    WEEKDAY,
    YEAR,
    YEARS_AGO,
    form,
    one_of,
)
from siliconfriend.recall.dates.english_words import DECADES
from siliconfriend.recall.dates.slots import Form, Slots

NEAR = 200
"""So many letters before a time are read for what says that it is a duration."""

_NTH = r"(?:the\s+)?(?:very\s+)?(?P<nth>first|second|third|fourth|fifth|last)"
_WEEKDAYS = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_IN_MONTH = rf"\s+(?:of|in)\s+{MONTH}{OF_YEAR}?"
_OF_SOME_YEAR = rf"(?:\s+(?:of\s+)?(?:{YEAR}|{YEARS_AGO}))"
_BESIDE_A_COUNT = re.compile(
    rf"(?:\d|\b(?:{NUMBER_WORDS}|once|twice|times|most|best|more|less|fewer|many|much)\b)"
    r"[^.!?]*$",
    re.IGNORECASE,
)
_NO_DAY_BEFORE = re.compile(
    r"\b(?:every|each|an?|the|is|was|be|['’]s|it['’]s|of|than|like|likes|love|loves|hate|hates|"
    r"called|named|from|or|and|happy|good|bad|black|ash|easter|palm|man|my|your|our|not|mean)[\s,]+$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"[.!?,;:—]|\s[-–]\s|\b(?:and|but|so|because|although|though|while|when)\s+(?=(?:i|we|you|he|she|they|it|there|my|our)\b)",
    re.IGNORECASE,
)
_SAID_OF_NOW = (
    r"\b(?:am|is|are|will|shall|can|may|must|due|starts?|begins?|comes?|arrives?|opens?|ends?|"
    r"leaves?|moves?|goes|flies|gets|turns|takes|finishes|retires|graduates|marries|expires|before|until|what|who|how|whether|if|that|i|we|he|she|they)\b|['’](?:ll|m|re)\b"
)
_NOT_SINCE = (
    r"(?:\b(?:have|has|had)|['’](?:ve|s))\s+not\b|\b(?:have|has|had)n['’]?t\b|"
    r"^\s*not\s+(?!in\b|ready\b)|\bain['’]t\s+(?!going\b|gonna\b)|"
    r"\b(?:do\s+not|don['’]t)\s+think\s+(?:i|we)(?:['’]ve|\s+have)\b|"
    r"\bnot\s+(?:an?|one|once|any|much|even)\b|\b(?:never|hardly|barely|scarcely|rarely|seldom|"
    r"no|nothing|nobody|none|without)\b"
)
_FIRST_SINCE = (
    rf"\b(?:{one_of(ORDINALS)}|the\s+only|worst|least)\b|"
    r"\b(?!(?:forest|harvest|honest|interest|request|protest|arrest|invest|suggest|contest|modest|"
    r"priest|conquest|inquest|digest|tempest|earnest|budapest|everest|(?:north|south|mid)west)\b)"
    r"[a-z]{3,}est\b"
)
_NOT_IN_TIME = re.compile(rf"(?:{_NOT_SINCE})(?!.*(?:{_SAID_OF_NOW}))", re.IGNORECASE)
_FIRST_IN_TIME = re.compile(rf"(?:{_FIRST_SINCE})(?!.*(?:{_SAID_OF_NOW}))", re.IGNORECASE)
_IS_DOING = re.compile(
    r"\b(?:i|we|you|they|he|she)\b(?!(?:['’](?:ve|s)|\s+(?:have|has))\s+(?:had|been|seen|\w+ed)\b)"
    r"(?!.*\btime\s*$)",
    re.IGNORECASE,
)
_NOT_DONE_AFTER = re.compile(
    r"[\s,]+(?:i|we|you|he|she|they|it)(?:\s+(?:have|has)|['’]ve|['’]s)"
    r"(?:n['’]?t|\s+(?:not|never|hardly|barely|scarcely|rarely))\b",
    re.IGNORECASE,
)
_ANY_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)


def _counts_within(match: re.Match[str]) -> bool:
    """True where the time is how long something takes or took: "ten books in a month".

    So it is after a negation, a superlative and "first": "not seen her in three years".
    """
    before = match.string[max(0, match.start() - NEAR) : match.start()]
    if _BESIDE_A_COUNT.search(before) or _NOT_DONE_AFTER.match(match.string, match.end()):
        return True
    clause = _ASIDE.split(before)[-1]
    if _NOT_IN_TIME.search(clause):
        return True
    # "I have my first lesson in three days" is a plan, "my first holiday in four years" none.
    is_plan = match["unit"].lower() != "year" and _IS_DOING.search(clause)
    return not is_plan and _FIRST_IN_TIME.search(clause) is not None


def _is_any_weekday(match: re.Match[str]) -> bool:
    """True for a weekday that is spoken of as such, or one of several."""
    before = match.string[: match.start()]
    return len(_ANY_WEEKDAY.findall(match.string)) > 1 or bool(_NO_DAY_BEFORE.search(before))


ABSOLUTE: tuple[Form, ...] = (
    form(rf"\b(?:in\s+|on\s+|at\s+|during\s+)?{_NTH}\s+(?P<unit>week){_IN_MONTH}", resolvers.nth_of_month),
    form(rf"\b(?:in\s+|on\s+|at\s+|over\s+)?{_NTH}\s+(?P<weekend>weekend){_IN_MONTH}", resolvers.nth_of_month),
    form(rf"\b(?:on\s+)?{_NTH}\s+{_WEEKDAYS}{_IN_MONTH}", resolvers.nth_of_month),
    form(rf"\b(?:in\s+)?(?:the\s+)?(?P<nth>first|second|third|fourth|last)\s+quarter{_OF_SOME_YEAR}", resolvers.quarter),
    form(rf"\bQ(?P<nth>[1-4])\b{_OF_SOME_YEAR}?", resolvers.quarter),
    form(rf"\b{YEAR}\s+Q(?P<nth>[1-4])\b", resolvers.quarter),
    form(
        r"\b(?:in\s+|during\s+|since\s+)?the\s+(?:(?P<third>early|mid|middle|late)(?:\s+|-)(?:of\s+the\s+)?)?"
        rf"(?P<decade>(?:(?:19|20)\d0|['’]?[3-9]0)(?=['’]?s\b)|{one_of(DECADES)})(?:['’]?s)?\b",
        resolvers.decade,
    ),
    form(rf"\b(?:in\s+|during\s+|over\s+)?(?:the\s+)?{SEASON}\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\s?/\s?\d\d(?:\d\d)?\b",
         resolvers.season),
)  # fmt: skip

RELATIVE: tuple[Form, ...] = (
    form(rf"\b(?:on\s+)?(?:the\s+)?{_WEEKDAYS}\s+{BEFORE_LAST}", resolvers.weekday),
    form(rf"\b(?:on\s+)?(?:the\s+)?{_WEEKDAYS}\s+after\s+next\b", resolvers.weekday_after_next),
    form(rf"\b(?:at\s+|over\s+)?(?:the\s+)?(?P<weekend>weekend)\s+{BEFORE_LAST}", resolvers.weekday),
    form(rf"\b{COUNTED_BACK}\s+(?:{_WEEKDAYS}|(?P<weekend>weekend))s\s+(?:ago|back)\b", resolvers.weekday),
    form(
        rf"\b(?:(?:the|my|our|these)\s+)?(?:last|past|previous)\s+{COUNT}\s+(?P<feast>{FEAST_WORDS})(?:e?s)?\b",
        resolvers.last_feasts,
    ),
    form(r"\b(?:in\s+)?the\s+(?P<unit>week|month|year)\s+after\s+next\b", resolvers.offset_unit, Slots(which=2)),
    form(rf"\b{COUNT}\s+years?\s+ago\s+(?:today|to\s+the\s+day)\b", resolvers.years_ago_today),
    form(rf"\b{COUNT}\s+years?\s+ago\s+yesterday\b", resolvers.years_ago_today, Slots(days_back=1)),
    form(r"\b(?:this\s+(?:very\s+)?day|today)\s+last\s+year\b", resolvers.years_ago_today, Slots(number=1)),
    form(rf"\b{COUNT}\s+(?:or|to)\s+(?:{NUMBER_WORDS}|\d{{1,2}})\s+{UNIT}s\s+(?:ago|back)\b", resolvers.couple_ago),
    form(r"\b(?:a|one)\s+decade\s+(?:ago|back)\b", resolvers.ago, Slots(number=10, unit="year")),
    form(rf"\bin\s+(?:about\s+|around\s+)?(?!an?\s+day\b){COUNT}\s+{UNIT}s?(?=\s*(?:$|[,.?!;])|\s+(?:i|we|you|he|she|they|it|my|your|our|the)\b)",
         resolvers.ahead_if_to_come, veto=_counts_within),
    form(rf"\b{WEEKDAY}(?=\s*(?:$|[,.?!;])|\s+(?:at|around|i|we|you|he|she|they|with)\b)", resolvers.weekday, veto=_is_any_weekday),
)  # fmt: skip
