"""Parse numbers in digits and in words: "twenty-one people" and 二十一个人 hold the same number."""

import re
from functools import lru_cache

from siliconfriend.language.characters import fold

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
CARDINALS = {
    **{word: number for number, word in enumerate((*_ONES, *_TEENS), start=1)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
"""Numbers of English number words without hyphen."""

NUMBER_WORDS = (
    rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES)}))?|{'|'.join(_TEENS)}|{'|'.join(_ONES)}"
)
"""Pattern source of an English number below 100 in words."""

_ORDINAL_WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS, start=1)} | {"thirtieth": 30}
"""Numbers of English ordinals without hyphen, for days of a month."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may", "june jun"),
            *("july jul", "august aug", "september sep sept", "october oct", "november nov"),
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
"""Numbers of English names of months."""

CHINESE_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")}
CHINESE_DIGITS |= {"〇": 0, "两": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
CHINESE_NUMERALS = "".join(CHINESE_DIGITS) + "".join(_CHINESE_UNITS) + "廿卅"
"""Characters of Chinese numbers, as the inside of a character class."""

_UNITS_OF_TIME = "月日号岁年点时天周"
_MEASURES = "个人位名次小分只条本部首张杯件场遍种块元度"
_COUNTED = re.compile(
    rf"(?!十分(?!钟)|百分|千万(?!块|元|人)|万一)[{CHINESE_NUMERALS}]{{1,12}}(?=[{_UNITS_OF_TIME}{_MEASURES}])"
)
"""A Chinese number; without a measure word after it, 一 and 十 are parts of other words, and so
they are in 十分, "very", and 百分之, "per cent"."""
_ARTICLE = re.compile(rf"(?<![{CHINESE_NUMERALS}])一(?=[{_MEASURES}])")
"""The 一 of 一只猫, "a cat"."""
_ABOUT = re.compile(
    rf"(?<![{CHINESE_NUMERALS}\d])(?P<low>[一二两三四五六七八])(?P<high>[二两三四五六七八九])"
    rf"(?P<unit>[十百千万]?)(?=[天周{_MEASURES}])"
)
"""A number between two neighbours: 两三个人, 五六十块."""
_GROUPED = re.compile(r"(?<=\d)[,，](?=\d{3}\b)")
_CARDINAL = re.compile(rf"\b(?!one\b)(?:{NUMBER_WORDS})\b", re.IGNORECASE)
"""An English number; not "one" alone, which is mostly a pronoun."""
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>twenty|thirty)[- ])?(?P<ones>{'|'.join(ORDINALS)})\b", re.IGNORECASE
)


def parse_number(text: str) -> int:
    """Parse a number: 27, seven, twenty-seven, 二十七, 廿七, 两, 一百二 (120); 二〇二三 is 2023.

    Raises:
        ValueError: the text is no number.
    """
    plain = text.strip().lower()
    if plain.isdecimal():
        return int(plain)
    if plain in CARDINALS:
        return CARDINALS[plain]
    tens, _, ones = plain.replace(" ", "-").partition("-")
    if tens in _TENS and ones in _ONES:
        return CARDINALS[tens] + CARDINALS[ones]
    if not plain or any(character not in CHINESE_NUMERALS for character in plain):
        msg = f"no number: {text!r}"
        raise ValueError(msg)
    return _parse_chinese(plain.replace("廿", "二十").replace("卅", "三十"))


def numbers_to_digits(text: str) -> str:
    """Replace number words of both languages by digits: "8 people", "8个人"."""
    digits = _CARDINAL.sub(lambda found: str(parse_number(found.group())), text)
    digits = _ABOUT.sub(_both_in_digits, digits)
    return _COUNTED.sub(lambda found: str(parse_number(found.group())), digits)


def ordinals_to_digits(text: str) -> str:
    """Replace English ordinals by digits: 1st, 2nd, 31st."""

    def in_digits(found: re.Match[str]) -> str:
        tens = CARDINALS[found["tens"].lower()] if found["tens"] else 0
        number = tens + ORDINALS[found["ones"].lower()]
        ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if number in (11, 12, 13) else number % 10, "th")
        return f"{number}{ending}"

    return _ORDINAL.sub(in_digits, text)


@lru_cache(maxsize=4096)
def figures_in(text: str) -> frozenset[str]:
    """Return the numbers in a text, in digits or words, without leading zeros; "a" is none."""
    plain = _ARTICLE.sub(" ", _GROUPED.sub("", text))
    digits = re.findall(r"\d+", fold(numbers_to_digits(ordinals_to_digits(plain))))
    return frozenset(digit.lstrip("0") or "0" for digit in digits)


def figures_told(text: str) -> frozenset[str]:
    """Return the figures of a text, its months by their numbers among them."""
    words = re.findall(r"[a-z]+", fold(text))
    return figures_in(text).union(str(MONTHS[word]) for word in words if word in MONTHS)


def _both_in_digits(found: re.Match[str]) -> str:
    """Return both of two neighbouring numbers: "2 3" of 两三; as it is if they are no neighbours."""
    low, high = CHINESE_DIGITS[found["low"]], CHINESE_DIGITS[found["high"]]
    if high != low + 1:
        return found.group()
    unit = _CHINESE_UNITS.get(found["unit"], 1)
    return f"{low * unit} {high * unit}"


def _parse_chinese(numeral: str) -> int:
    if not any(unit in numeral for unit in _CHINESE_UNITS):
        return int("".join(str(CHINESE_DIGITS[character]) for character in numeral))
    total, section, digit, last = 0, 0, None, 1
    for character in numeral:
        unit = _CHINESE_UNITS.get(character)
        if unit == 10_000:
            total, section, digit, last = (section + (digit or 0)) * unit, 0, None, unit
        elif unit:
            section += (1 if digit is None else digit) * unit
            digit, last = None, unit
        else:
            digit = CHINESE_DIGITS[character]
            last = 1 if digit == 0 else last
    # 一百二 is 120, 一百零二 is 102.
    return total + section + (digit or 0) * (last // 10 if last > 10 else 1)
