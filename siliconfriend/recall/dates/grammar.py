"""The grammar of a language's dates, loaded from its table of forms (``english.toml``, ``chinese.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from siliconfriend.language.numbers import MONTHS, NUMBER_WORDS, ORDINALS
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.calendar import Calendar, DateSpan, feast_named, feast_patterns
from siliconfriend.recall.dates.resolvers import UNSAID, Said
from siliconfriend.texts import Language

Reader = Callable[[str], Any]
Veto = Callable[[re.Match[str]], bool]


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
        near: ``hint`` (without which no form matches), ``part_after``, ``part_before``,
            ``weekday_after``, ``weekday_before``, ``beside`` ("the day before"), ``since_before``,
            ``since_after``, ``recurring`` ("every other") and ``asks_ahead``.
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
        if form.veto is not None and form.veto(match):
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
        "weekend": bool,
        "holiday": bool,
        "feast": lambda words: feast_named(words, language),
        "last_feast": lambda words: feast_named(words, language),
        **readers,
    }
    for field, row in table["words"].items():
        values = {word.replace("_", " "): _value(key) for key in row for word in row[key].split()}
        pieces[f"{field}_words"] = _one_of(values)
        found[field] = _word_reader(values, readers.get(field))
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


def piece(name: str, key: str) -> str:
    """Return a piece of a language's patterns that holds no other."""
    return _expand(_table(name)["pieces"][key], {})


@cache
def _table(name: str) -> dict[str, Any]:
    source = resources.files(__package__).joinpath(f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


FLAGS = re.IGNORECASE | re.DOTALL


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
        if plain in values or other is None:
            return values[plain]
        return other(plain)

    return read
