"""The grammars of dates, loaded from ``english.toml`` and ``chinese.toml``."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from siliconfriend.language.numbers import (
    MONTHS,
    NUMBER_WORDS,
    ORDINALS,
    ordinals_to_digits,
    parse_number,
)
from siliconfriend.recall.dates import recurring, relative
from siliconfriend.recall.dates.calendar import (
    DateSpan,
    holiday_named,
    holiday_patterns,
    load_table,
)
from siliconfriend.recall.dates.fields import NO_FIELDS, Calendar, DateFields
from siliconfriend.texts import Language

BEFORE = 150  # characters before a date that may exclude it


@dataclass(frozen=True, slots=True)
class DateForm:
    """A pattern for days, its resolver, its fixed fields, and its exclusions."""

    words: str
    resolve: Callable[[DateFields, Calendar], DateSpan | tuple[DateSpan, ...] | None]
    given: DateFields
    unless: str
    relative: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled on first use; compiling all at start would take 0.1 s."""
        return _compiled(self.words)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The forms of one language, and patterns for the context of a date.

    Attributes:
        forms: tried at every position; the longest of overlapping matches wins.
        values: the values of words, by the field of :class:`DateFields`.
        context: ``hint`` (without which no form matches), and what stands right
            ``_before`` or ``_after`` a date: ``beside`` ("the day before"), ``weekday``, ``since``,
            ``part`` of a day; ``recurring`` ("every other") before it; a ``verb`` that a form begins with.
    """

    language: Language
    forms: tuple[DateForm, ...]
    values: Mapping[str, Mapping[str, int | str]]
    context: Mapping[str, re.Pattern[str]]

    def read(self, match: re.Match[str], given: DateFields = NO_FIELDS) -> DateFields:
        """Read the groups of a match and add them to the given fields."""
        fields = {}
        for name, words in match.groupdict().items():
            field = name.rstrip("_0123456789")
            if words and hasattr(NO_FIELDS, field):
                fields[field] = self._value(field, " ".join(words.lower().strip(".").split()))
        return replace(given, **fields)

    def fields(self, form: DateForm, match: re.Match[str]) -> DateFields | None:
        """Read the fields of a form's match; None if it is no date."""
        before = match.string[max(0, match.start() - BEFORE) : match.start()]
        if form.unless and _compiled(form.unless).search(before):
            return None
        try:
            return self.read(match, form.given)
        except (ValueError, LookupError):
            return None

    def resolve(
        self, form: DateForm, fields: DateFields, calendar: Calendar
    ) -> tuple[DateSpan, ...]:
        """Resolve fields to days; empty for an invalid day."""
        if form.given.to_come and not calendar.looks_ahead:
            return ()
        try:
            found = form.resolve(fields, calendar)
        except (ValueError, OverflowError, LookupError):  # the 31st of April, the year 0
            return ()
        spans = (found,) if isinstance(found, DateSpan) else found or ()
        has_year = (fields.year or 0) >= 100
        kept = [span for span in spans if span.first <= span.last]
        return tuple(replace(span, relative=form.relative, has_year=has_year) for span in kept)

    def _value(self, field: str, words: str) -> Any:
        known = self.values.get(field, {})
        if words in known:
            return known[words]
        if field in ("weekend", "around"):
            return True
        if field.endswith("holiday"):
            return holiday_named(words, self.language)
        if field in ("unit", "side"):
            return words
        number = self._number(words)
        return -abs(number) if field in ("which", "year_offset") else number  # three summers ago

    def _number(self, words: str) -> int:
        """Parse a number, an ordinal or a month, "three years ago", 初七; "seven or eight" is -7."""
        plain = words.removeprefix("the ").lstrip("第初'’")
        first, *others = re.split(r" or | years?\b.*|年.*", plain)
        known = {**MONTHS, **self.values["number"]}.get(first)
        if known is None:
            known = parse_number(re.sub(r"(?<=\d)\D+", "", ordinals_to_digits(first)))
        return -int(known) if any(others) else int(known)


def load_grammar(name: str, language: Language) -> Grammar:
    """Load the grammar of a language from its table."""
    table = load_table(name)
    values = {
        field: {
            word.replace("_", " "): int(key) if key.lstrip("-").isdecimal() else key
            for key, words in row.items()
            for word in words.split()
        }
        for field, row in table["words"].items()
    }
    pieces = {
        **{f"{field}_words": _one_of(words) for field, words in values.items()},
        "month_words": _one_of(MONTHS),
        "ordinal_words": _one_of(ORDINALS),
        "number_words": NUMBER_WORDS,
        "holidays": "|".join(holiday_patterns(language)),
    }
    for key, words in table["pieces"].items():
        pieces[key] = _expand(words, pieces)
    forms = []
    for kind, rows in table["forms"].items():
        for resolver, words, *rest in rows:
            given = dict(rest[0]) if rest else {}
            unless = _expand(given.pop("unless", ""), pieces)
            module = recurring if hasattr(recurring, resolver) else relative
            resolve, fields = getattr(module, resolver), DateFields(**given)
            forms.append(
                DateForm(_expand(words, pieces), resolve, fields, unless, kind == "relative")
            )
    context = {key: _compiled(_expand(source, pieces)) for key, source in table["beside"].items()}
    return Grammar(language, tuple(forms), values, context)


@cache
def _compiled(words: str) -> re.Pattern[str]:
    """Compile a pattern that may use a group name several times."""
    seen: Counter[str] = Counter()

    def numbered(group: re.Match[str]) -> str:
        seen[group[1]] += 1
        return f"(?P<{group[1]}_{seen[group[1]]}>" if seen[group[1]] > 1 else group[0]

    return re.compile(re.sub(r"\(\?P<(\w+)>", numbered, words), re.I | re.S)


def _expand(words: str, pieces: Mapping[str, str]) -> str:
    plain = re.sub(r"(?:^|\n)\s*", "", words).replace("'", "['’]").replace(" ", r"\s+")
    return re.sub(r"\{([a-z_]+)\}", lambda found: pieces[found[1]], plain)


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True)).replace(" ", r"\s+")


GRAMMARS = (load_grammar("english", "en"), load_grammar("chinese", "cn"))
SIMPLIFIED = str.maketrans(dict(load_table("chinese")["traditional"].split()))
"""Maps traditional characters of words about time to simplified ones."""
