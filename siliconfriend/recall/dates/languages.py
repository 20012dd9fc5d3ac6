"""Convert words of both languages to values, and exclude false matches of English forms."""

from __future__ import annotations

import re

from siliconfriend.language.numbers import (
    MONTHS,
    NUMBER_WORDS,
    ORDINALS,
    ordinals_to_digits,
    parse_number,
)
from siliconfriend.recall.dates.grammar import Reader, Veto, groups_of, load_grammar, piece

_ALSO_VERBS = ("may", "march", "mar")
_ENDS = piece("english", "ends")
_UNITS = {"周": "week", "星期": "week", "礼拜": "week", "月": "month"}
_PARTS = "morning|afternoon|evening|night|noon|lunchtime|midnight"


def _times_ago(words: str) -> int:
    """Read "three summers ago" as -3, "a couple of" as -2."""
    return -2 if "couple" in words else -parse_number(words)


def _count(words: str) -> int:
    """Read a count: a few is 0, a couple -2, seven or eight -7."""
    if re.search("few|several|some", words):
        return 0
    if " or " in words:
        return -parse_number(words.split(" or ")[0])
    return -2 if "couple" in words else 1 if words in ("a", "an") else parse_number(words)


def _years_ago(words: str) -> int:
    plain = words.removeprefix("the ")
    if plain == "year before last":
        return -2
    if plain.endswith(" year"):
        return {"last": -1, "this": 0, "next": 1}[plain.split()[0]]
    count = re.sub(r"\s+years?\s+\w+$", "", plain)
    return -abs(_count(count))


def _first_year(words: str) -> int:
    """Read the first year of the 90s, the 1990s."""
    year = int(words.lstrip("'’"))
    return year if year >= 100 else 1900 + year


def _count_in_chinese(words: str) -> int:
    """Read a count: 几 is 0, 头 1, 七八 -7."""
    plain = words.removeprefix("第").removeprefix("好")
    if plain in ("几", "数", "若干", "头"):
        return int(plain == "头")
    is_about = len(plain) == 2 and set(plain) <= set("一二两三四五六七八九")
    return -parse_number(plain[0]) if is_about else parse_number(plain)


_ENGLISH: dict[str, Reader] = {
    "year": int,
    "last_year": int,
    "year_offset": _years_ago,
    "month": lambda words: int(words) if words.isdecimal() else MONTHS[words],
    "last_month": MONTHS.__getitem__,
    "day": lambda words: int(re.sub(r"\D", "", ordinals_to_digits(words))),
    "last_day": int,
    "weekday": lambda words: ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(words[:3]),
    "half": lambda words: int(words == "second"),
    "decade": _first_year,
    "side": str,
    "unit": str,
    "number": _count,
    "which": _times_ago,
    "nth": lambda words: -1 if words in ("last", "previous") else ORDINALS.get(words) or int(words),
}

_CHINESE: dict[str, Reader] = {
    "year": parse_number,
    "year_offset": lambda words: -parse_number(words[: words.index("年")]),
    "month": parse_number,
    "last_month": parse_number,
    "lunar": parse_number,
    "day": lambda words: parse_number(words.removeprefix("初")),
    "last_day": parse_number,
    "unit": lambda words: _UNITS[words.removeprefix("个")],
    "number": _count_in_chinese,
    "decade": lambda words: 1900 + parse_number(words),
    "side": lambda words: "of" if words[0] == "那" else "before" if "前" in words else "after",
    "which": lambda words: -parse_number(words),
    "nth": lambda words: -1 if words[0] in "最上" else parse_number(words.removeprefix("第")),
}


def _follows(pattern: str, match: re.Match[str]) -> bool:
    return re.compile(pattern, re.IGNORECASE).match(match.string, match.end()) is not None


def _stands_before(pattern: str, match: re.Match[str], group: str | int = 0) -> bool:
    before = match.string[: match.start(group)]
    return re.search(rf"(?:{pattern})[\s,]+$", before[-60:], re.IGNORECASE) is not None


def _counts_things(match: re.Match[str]) -> bool:
    """Return True if the number counts what follows: "in 2000 people"."""
    things = r"\s+(?!(?:was|is|this|us|as|always)\b)(?:[a-z]+s|people|men|women|children|percent)\b"
    return match.group()[-1].isdecimal() and _follows(things, match)


def _is_verb(match: re.Match[str]) -> bool:
    """True for "may 4", "march 5 miles", "we march": no name of a month."""
    said = groups_of(match)
    if "ordinal" in said or "year" in said:
        return False
    is_name = said["month"].lower() not in _ALSO_VERBS or said["month"][0].isupper()
    prepositions = (
        r"\b(?:on|since|until|by|before|after|from|of|to|in|during|last|next|the|early|late)"
    )
    return _counts_things(match) or not (is_name or _stands_before(prepositions, match, "month"))


def _is_fraction(match: re.Match[str]) -> bool:
    """True for 24/7, 1/2, 10/10, unless "on 1/2" or 01/02 is said."""
    first, second = match["month"], match["day"]
    is_plain = int(second) > 12 or (len(first) == len(second) == 2 and "0" in (first[0], second[0]))
    says_on = _stands_before(r"\b(?:on|since|until|by|before|after|from|dated?)", match)
    return not (is_plain or says_on) or _counts_things(match)


def _is_no_span(match: re.Match[str]) -> bool:
    """True for a month or season without a word that makes it a time."""
    said = groups_of(match)
    lead, which, owner = said.get("lead"), said.get("which"), said.get("owner")
    if said.keys() & {"third", "year", "year_offset"} and not owner:
        return False
    if owner:
        return which is not None or not _follows(_ENDS, match)
    if "season" in said:
        general = {None, "for", "from", "until", "till"}
        is_led = lead not in (
            general if "the" in said else {*general, "over", "of", "was", "spent"}
        )
        return not (which or (is_led and ("the" in said or _follows(_ENDS, match))))
    if said["month"].lower() in _ALSO_VERBS and said["month"][0].islower():
        return lead not in ("in", "during", "since") and which not in ("last", "next")
    return not (which or lead)


def _is_no_feast(match: re.Match[str]) -> bool:
    says_time = groups_of(match).keys() & {"lead", "which", "year", "year_offset", "holiday"}
    return not (
        says_time or _follows(r"\s+(?:was|went|is\s+(?:coming|going|nearly|almost)|will)\b", match)
    )


def _is_any_weekday(match: re.Match[str]) -> bool:
    """True for a weekday that is spoken of as such, or one of several."""
    if groups_of(match).keys() & {"lead", "which"}:
        return _follows(r"\s+(?:or|and)\s", match)
    if _follows(rf"\s+(?:{_PARTS})\b", match):
        return _stands_before(r"\ban?", match)
    several = re.findall(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", match.string.lower())
    if _follows(r"\s+(?:at|around)\b", match):
        return False
    general = r"\b(?:an?|the|is|was|be|of|than|likes?|loves?|hates?|from|or|and|happy|good|bad|my|your|our|not)"
    is_alone = _follows(r"\s*(?:$|[,.?!;])|\s+(?:at|around|i|we|you|he|she|they|with)\b", match)
    return len(several) > 1 or not is_alone or _stands_before(rf"{general}|['’]s", match)


_COUNTS = re.compile(
    rf"\b(?:{NUMBER_WORDS}|once|twice|times|never|not?|nothing|nobody|hardly|barely|without|first|only|"
    r"most|best|worst|longest|\w{4,}est|have|has|had|more|many|much)\b|n['’]t\b|['’](?:ve|s\s+been)\b|\d",
    re.IGNORECASE,
)
_TO_COME = r"\b(?:am|is|are|will|going|due|starts?|comes?|leaves?|moves?|that|my\s+\w+)\b|['’](?:ll|m|re)\b"


def _is_duration(match: re.Match[str]) -> bool:
    """True where the time is how long something takes or took: "not seen her in three years"."""
    clause = re.split(r"[.!?,;:—]|\s[-–]\s|\b(?:and|but|so|that)\s", match.string[: match.start()])[
        -1
    ]
    *_, rest = _COUNTS.split(clause)
    is_plan = re.search(
        r"\bwill\b|\b(?:am|are)\s+\w+ing\b|['’](?:m|re|ll)\b", clause, re.IGNORECASE
    )
    return rest != clause and not (is_plan or re.search(_TO_COME, rest, re.IGNORECASE))


def _is_no_own_year(match: re.Match[str]) -> bool:
    return _stands_before(r"\b(?:last\s+\w+|time|film)", match) and match.group().startswith("of")


_CHECKS: tuple[Veto, ...] = (
    _counts_things,
    _is_verb,
    _is_fraction,
    _is_no_span,
    _is_no_feast,
    _is_any_weekday,
    _is_duration,
    _is_no_own_year,
)
VETOES = {check.__name__.lstrip("_"): check for check in _CHECKS}

GRAMMARS = (
    load_grammar("english", "en", _ENGLISH, VETOES),
    load_grammar("chinese", "cn", _CHINESE, {}),
)
