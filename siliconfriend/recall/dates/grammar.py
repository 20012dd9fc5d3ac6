"""The grammars of dates, loaded from a language's table of forms (``english.toml``, ``chinese.toml``).

Beside the tables stand the readers, which convert words that are no rows there to values, and the vetoes,
which exclude false matches of English forms.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from siliconfriend.language.numbers import (
    MONTHS,
    NUMBER_WORDS,
    ORDINALS,
    ordinals_to_digits,
    parse_number,
)
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.calendar import (
    UNITS,
    Calendar,
    DateSpan,
    feast_named,
    feast_patterns,
)
from siliconfriend.recall.dates.resolvers import UNSAID, Said
from siliconfriend.texts import Language

Reader = Callable[[str], Any]
Veto = Callable[[re.Match[str]], bool]

FLAGS = re.IGNORECASE | re.DOTALL


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern that names days, its resolver, what it says without a group, and its exclusions."""

    words: str
    resolve: Callable[[Said, Calendar], DateSpan | tuple[DateSpan, ...] | None]
    given: Said
    veto: Veto | None
    relative: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled words; all forms of both languages would take a tenth of a second at start."""
        return _compiled(self.words)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The forms of one language, and patterns for what stands beside a date.

    Attributes:
        forms: tried everywhere in a text; the longest of those that overlap stands.
        readers: the value of a field of :class:`Said` from its words.
        near: ``hint`` (without which no form matches), ``part_after``, ``weekday_after``,
            ``weekday_before``, ``beside`` ("the day before"), ``since_before``, ``since_after``,
            ``recurring`` ("every other") and ``asks_ahead``.
    """

    forms: tuple[Form, ...]
    readers: Mapping[str, Reader]
    near: Mapping[str, re.Pattern[str]]

    def read(self, match: re.Match[str], given: Said = UNSAID) -> Said:
        """Read what the groups of a match say, beside what is given."""
        said = {
            name: self.readers[name](words.lower())
            for name, words in groups_of(match).items()
            if name in self.readers
        }
        return replace(given, **said)

    def resolve(self, form: Form, match: re.Match[str], calendar: Calendar) -> tuple[DateSpan, ...]:
        """Resolve a match to days; none where it is no date, or there is no such day."""
        is_over = form.given.to_come and not calendar.looks_ahead
        if is_over or (form.veto is not None and form.veto(match)):
            return ()
        try:
            found = form.resolve(self.read(match, form.given), calendar)
        except (ValueError, OverflowError, LookupError):  # the 31st of April, the year 0
            return ()
        spans = (found,) if isinstance(found, DateSpan) else found or ()
        return tuple(replace(it, relative=form.relative) for it in spans if it.first <= it.last)


def load_grammar(
    name: str, language: Language, readers: Mapping[str, Reader], vetoes: Mapping[str, Veto]
) -> Grammar:
    """Load the grammar of a language: readers by field, for words not in its table; vetoes by name."""
    table = _table(name)
    pieces = {
        "month_words": _one_of(MONTHS),
        "ordinal_words": _one_of(ORDINALS),
        "number_words": NUMBER_WORDS,
        "feasts": "|".join(feast_patterns(language)),
    }
    found: dict[str, Reader] = {
        **dict.fromkeys(("year", "last_year", "month", "last_month"), parse_number),
        **dict.fromkeys(("last_day", "lunar"), parse_number),
        "weekend": bool,
        "holiday": bool,
        "feast": lambda words: feast_named(words, language),
        "last_feast": lambda words: feast_named(words, language),
        **readers,
    }
    for field, row in table["words"].items():
        values = {word.replace("_", " "): _value(key) for key in row for word in row[key].split()}
        pieces[f"{field}_words"] = _one_of(values)
        found[field] = _word_reader(values, found.get(field))
    for key, words in table["pieces"].items():
        pieces[key] = _expand(words, pieces)
    forms = []
    for kind, rows in table["forms"].items():
        for resolver, words, *rest in rows:
            given = dict(rest[0]) if rest else {}
            veto = vetoes[given.pop("veto")] if "veto" in given else None
            resolve, said = getattr(resolvers, resolver), Said(**given)
            forms.append(Form(_expand(words, pieces), resolve, said, veto, kind == "relative"))
    near = {key: re.compile(_expand(it, pieces), FLAGS) for key, it in table["beside"].items()}
    return Grammar(tuple(forms), found, near)


@cache
def _table(name: str) -> dict[str, Any]:
    source = resources.files(__package__).joinpath(f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def groups_of(match: re.Match[str]) -> dict[str, str]:
    """Return what each group of a match holds, by the name it has in its form."""
    found = match.groupdict()
    return {name.rstrip("_0123456789"): words for name, words in found.items() if words}


@cache
def _compiled(words: str) -> re.Pattern[str]:
    """Compile a pattern in which a name may stand several times."""
    seen: Counter[str] = Counter()

    def numbered(group: re.Match[str]) -> str:
        seen[group[1]] += 1
        return f"(?P<{group[1]}_{seen[group[1]]}>" if seen[group[1]] > 1 else group[0]

    return re.compile(re.sub(r"\(\?P<(\w+)>", numbered, words), FLAGS)


def _expand(words: str, pieces: Mapping[str, str]) -> str:
    plain = re.sub(r"(?:^|\n)\s*", "", words).replace("'", "['’]").replace(" ", r"\s+")
    return re.sub(r"\{([a-z_]+)\}", lambda found: pieces[found[1]], plain)


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True)).replace(" ", r"\s+")


def _value(key: str) -> int | str:
    return int(key) if key.lstrip("-").isdecimal() else key


def _word_reader(values: Mapping[str, int | str], other: Reader | None) -> Reader:
    def read(words: str) -> Any:
        plain = " ".join(words.split())
        return values[plain] if plain in values or other is None else other(plain)

    return read


# readers


def _count(words: str) -> int:
    """Read a count: a few is 0, a couple -2, seven or eight -7."""
    if re.search("few|several|some", words):
        return 0
    if " or " in words:
        return -parse_number(words.split(" or ")[0])
    return -2 if "couple" in words else 1 if words in ("a", "an") else parse_number(words)


def _count_in_chinese(words: str) -> int:
    """Read a count: 几 is 0, 头 1, 七八 -7."""
    plain = words.removeprefix("第").removeprefix("好")
    if plain in ("几", "数", "若干", "头"):
        return int(plain == "头")
    is_about = len(plain) == 2 and set(plain) <= set("一二两三四五六七八九")
    return -parse_number(plain[0]) if is_about else parse_number(plain)


_ENGLISH: dict[str, Reader] = {
    "year_offset": lambda words: -abs(_count(re.sub(r"^the\s+|\s+years?\s+\w+$", "", words))),
    "month": lambda words: int(words) if words.isdecimal() else MONTHS[words],
    "last_month": MONTHS.__getitem__,
    "day": lambda words: int(re.sub(r"\D", "", ordinals_to_digits(words))),
    "weekday": lambda words: ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(words[:3]),
    "half": lambda words: int(words == "second"),
    "decade": lambda words: (year := int(words.lstrip("'’"))) + (1900 if year < 100 else 0),
    "side": str,
    "unit": lambda words: words if words in UNITS or words == "quarter" else "day",
    "number": _count,
    "which": lambda words: -abs(_count(words)),  # three summers ago
    "nth": lambda words: -1 if words in ("last", "previous") else ORDINALS.get(words) or int(words),
}

_CHINESE: dict[str, Reader] = {
    "year_offset": lambda words: -parse_number(words[: words.index("年")]),
    "day": lambda words: parse_number(words.removeprefix("初")),
    "unit": lambda words: "month" if words == "个月" else "week",
    "number": _count_in_chinese,
    "decade": lambda words: 1900 + parse_number(words),
    "side": lambda words: "of" if words[0] == "那" else "before" if "前" in words else "after",
    "which": lambda words: -parse_number(words),
    "nth": lambda words: -1 if words[0] in "最上" else parse_number(words.removeprefix("第")),
}


# vetoes


def _follows(pattern: str, match: re.Match[str]) -> bool:
    return re.compile(pattern, re.IGNORECASE).match(match.string, match.end()) is not None


def _stands_before(pattern: str, match: re.Match[str], group: str | int = 0) -> bool:
    before = match.string[: match.start(group)]
    return re.search(rf"(?:{pattern})[\s,]+$", before[-60:], re.IGNORECASE) is not None


def _counts_things(match: re.Match[str]) -> bool:
    things = r"\s+(?!(?:was|is|this|us|as|always)\b)(?:[a-z]+s|people|men|women|children|percent)\b"
    return match.group()[-1].isdecimal() and _follows(things, match)


def _is_lower_verb(words: str) -> bool:
    return words in ("may", "march", "mar")


def _is_verb(match: re.Match[str]) -> bool:
    """True for "may 4", "march 5 miles", "we march": no name of a month."""
    said = groups_of(match)
    if "ordinal" in said or "year" in said:
        return False
    prepositions = (
        r"\b(?:on|since|until|by|before|after|from|of|to|in|during|last|next|the|early|late)"
    )
    is_named = not _is_lower_verb(said["month"]) or _stands_before(prepositions, match, "month")
    return _counts_things(match) or not is_named


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
    is_at_end = _follows(_expand(_table("english")["pieces"]["ends"], {}), match)
    if owner:
        return which is not None or not is_at_end
    if said.keys() & {"third", "year", "year_offset"}:
        return False
    if "season" in said:
        general = {None, "for", "from", "until", "till"}
        is_led = lead not in (
            general if "the" in said else {*general, "over", "of", "was", "spent"}
        )
        return not (which or (is_led and ("the" in said or is_at_end)))
    if _is_lower_verb(said["month"]):
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
    if _follows(r"\s+(?:morning|afternoon|evening|night|noon|lunchtime|midnight)\b", match):
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

GRAMMARS = (
    load_grammar("english", "en", _ENGLISH, {it.__name__.lstrip("_"): it for it in _CHECKS}),
    load_grammar("chinese", "cn", _CHINESE, {}),
)
