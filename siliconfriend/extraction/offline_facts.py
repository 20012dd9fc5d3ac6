"""Extract facts by rule, only where a sentence says them outright: better none than a wrong one.

The patterns are data (``texts/*/extraction.toml``). A sentence that asks, wishes, doubts,
quotes or tells of long ago is passed over, and so is all that was said in play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Any

from siliconfriend.extraction.attribution import without_quotes
from siliconfriend.extraction.drafts import FactDraft
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.patterns import compile_pattern, matches_any, patterns_of
from siliconfriend.extraction.phrases import month_and_day
from siliconfriend.extraction.rows import find_row
from siliconfriend.language.characters import HAN, fold, is_chinese, language_of
from siliconfriend.language.dictionary import is_proper_name, meanings
from siliconfriend.language.numbers import numbers_in
from siliconfriend.language.sentences import ends_as_question, split_sentences
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Turn
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.people_named import matter_of_oneself
from siliconfriend.texts import Language, lookup, text

LONGEST_WORDS, LONGEST_CHINESE = 6, 14
"""The longest value: words, or Chinese characters. A longer one is hardly one thing."""
LONGEST_PROMISE = 200
"""Characters of a promise that are kept."""

_BEFORE: dict[Language, dict[str, str]] = {
    "en": {
        "i": r"\bI ADV ?",
        "we": r"\b(?i:I|we) ADV ?",
        "my": r"(?i:\b(?:my|our) (?:real |actual |own )?)",
        "they": r"(?i:\bmy (?:(?!KIN\b)\w+ )?)(?P<kin>KIN)(?:,? (?P<named>NAME),?)? ADV ?",
        "their": r"(?i:\bmy (?:(?!KIN\b)\w+ )?)(?P<kin>KIN)(?:,? (?P<named>NAME))?'s ",
    },
    "cn": {
        "i": r"(?<![和跟与对给让叫陪的])我(?!们)ADV",
        "we": r"(?<![和跟与对给让叫陪的])我(?:们)?ADV",
        "my": r"我(?:们)?(?:的)?",
        "they": rf"我(?:的)?(?P<kin>KIN)(?P<named>LATIN|[小老阿][{HAN}])?ADV",
        "their": rf"我(?:的)?(?P<kin>KIN)(?P<named>LATIN|[小老阿][{HAN}])?(?:的)?",
    },
}
"""Words that begin a sentence about the person, and about someone around them."""
_SHORT_FORMS = (
    (re.compile(r"\bI'm\b", re.IGNORECASE), "I am"),
    (re.compile(r"\bI've\b", re.IGNORECASE), "I have"),
    (re.compile(r"\b(do(?:es)?(?:n't| not)) (?:really|actually|particularly|much) "), r"\1 "),
    (re.compile(r"(?<=\w)'s (?=(?:an?|allergic|afraid|scared|called|named|from|not)\b)"), " is "),
)
_TRIMMED = {
    "birthday": re.compile(
        r"^the (?=\w)|^(?:每年|公历|阳历)的?|(?<=\w) (?:in|at|near) .*$", re.IGNORECASE
    ),
    "home": re.compile(r"(?<=..)[一二两三四五六七八九十几半\d]+个?[年月天周].*$"),
}
"""Patterns that are trimmed off a value, by its slot."""
_NUMBER = re.compile(r"[\d一二三四五六七八九十百]+")


@dataclass(frozen=True, slots=True)
class _Rule:
    """One way to say one thing, of oneself and of another.

    ``is_today``: the value is the day on which it is said.
    """

    own: re.Pattern[str]
    another: re.Pattern[str] | None
    text: str
    key_word: str
    aspect: Any
    slot: str
    is_today: bool


def extract_facts(subject: Subject, turn: Turn) -> Iterator[FactDraft]:
    """Extract what one turn says outright about the person, who is around them, or the companion."""
    for sentence in split_sentences(turn.query):
        language = language_of(sentence, subject.language)
        said = _expand_contractions(without_quotes(sentence).replace("’", "'"))
        if ends_as_question(sentence) or matches_any("doubtful", language, said):
            continue
        seen: set[tuple[str, str]] = set()
        for rule in _rules(language):
            for draft in _apply_rule(rule, said, subject, turn, language):
                if (draft.entity, draft.key_word) not in seen:
                    seen.add((draft.entity, draft.key_word))
                    yield draft
        if not seen:
            yield from _in_own_words(sentence, subject, turn, language)
    if turn.replied_by != OFFLINE:
        yield from _companion_promises(subject, turn)


def _in_own_words(
    sentence: str, subject: Subject, turn: Turn, language: Language
) -> Iterator[FactDraft]:
    """Keep a sentence that no rule reads but that tells of a lasting matter, in the person's own words."""
    words = sentence.strip()
    told = matter_of_oneself(words)
    if told and len(words) <= LONGEST_PROMISE and not ends_as_question(words):
        yield FactDraft(
            text=text("extraction", "in_own_words", language, person=subject.person, words=words),
            turns=(turn.id,),
            entity=subject.person,
            entity_type="object",
            key_word=text("extraction", f"matters.{told}", language),
        )


def _expand_contractions(said: str) -> str:
    """Spell out the short forms of a sentence: "I'm" becomes "I am"."""
    for short, full in _SHORT_FORMS:
        said = short.sub(full, said)
    return said


def _companion_promises(subject: Subject, turn: Turn) -> Iterator[FactDraft]:
    """Extract what the companion promised or recommended, in its own words."""
    for sentence in split_sentences(turn.response):
        language = language_of(sentence, subject.language)
        said = sentence.replace("’", "'").strip()
        if matches_any("own.no_promise", language, said) or len(said) > LONGEST_PROMISE:
            continue
        for kind, key in (("promise", "promised"), ("recommend", "recommended")):
            if matches_any(f"own.{kind}", language, without_quotes(said)):
                words = text(
                    "extraction",
                    key,
                    language,
                    companion=subject.companion,
                    person=subject.person,
                    words=said,
                )
                yield FactDraft(
                    text=words,
                    turns=(turn.id,),
                    entity=subject.companion,
                    entity_type="subject",
                    aspect="promise",
                    said_by="companion",
                )
                break


@cache
def _rules(language: Language) -> tuple[_Rule, ...]:
    return tuple(_compile_rule(raw, language) for raw in lookup("extraction", "facts", language))


def _compile_rule(raw: dict[str, Any], language: Language) -> _Rule:
    """Compile a rule of the table, with the words before it that say whom it is about."""
    before = _BEFORE[language]
    if "pattern" in raw:
        own, another = raw["pattern"], raw.get("another")
    elif "says" in raw:
        start = before["we"] if raw.get("we") else before["i"]
        own, another = start + raw["says"], before["they"] + raw["says"]
    else:
        own, another = before["my"] + raw["whose"], before["their"] + raw["whose"]
    is_own = raw.get("own", False) or another is None
    return _Rule(
        own=compile_pattern(own, language),
        another=None if is_own else compile_pattern(str(another), language),
        text=raw["text"],
        key_word=raw["key_word"],
        aspect=raw.get("aspect", "attribute"),
        slot=raw.get("slot", ""),
        is_today=raw.get("today", False),
    )


def _apply_rule(
    rule: _Rule, said: str, subject: Subject, turn: Turn, language: Language
) -> Iterator[FactDraft]:
    """Match a rule against a sentence, about the person and about another."""
    if rule.slot == "fear" and matches_any("passing_fear", language, said):
        return
    for pattern in filter(None, (rule.own, rule.another)):
        found = pattern.search(said)
        parts = None if found is None else _parse_match(found, said, language)
        if found is None or parts is None:
            continue
        kin = parts.get("kin", "")
        who = subject.person
        if pattern is rule.another:
            named = text("extraction", "possessive", language, person=subject.person, kin=kin)
            who = parts.get("named") or named
        names = map(fold, (who, parts.get("name", "")))
        if fold(subject.companion) in names or fold(parts.get("name", "")) == fold(subject.person):
            continue
        for value in _values(found, rule, said, turn, language):
            values = {**parts, "value": value, "person": subject.person, "who": who}
            yield FactDraft(
                text=" ".join(rule.text.format(**values).split()),
                turns=(turn.id,),
                entity=who,
                entity_type="object" if who == subject.person else "specific",
                aspect=rule.aspect,
                key_word=rule.key_word.format(**values).strip(),
            )


def _parse_match(found: re.Match[str], said: str, language: Language) -> dict[str, str] | None:
    """Parse a match into the parts of a fact but its value; None if it is none after all."""
    parts = {name: (value or "").strip() for name, value in found.groupdict().items()}
    if "name" in parts and (not parts["name"] or matches_any("name_none", language, parts["name"])):
        return None
    if parts.get("verb") and language == "cn" and _is_part_of_word(found, said):
        return None
    parts["verb"] = _third_person(parts.get("verb", ""), language)
    return parts


def _values(
    found: re.Match[str], rule: _Rule, said: str, turn: Turn, language: Language
) -> list[str]:
    """The values of a match: none, one, or each of a row; one empty value for a rule without.

    A row is told as one value where a fact of each by itself could say something else.
    """
    if rule.is_today:
        return [_day_of_year(date.fromisoformat(turn.date), language)]
    if "value" not in found.groupdict():
        return [""]
    value = (found["value"] or "").strip()
    row = (
        None
        if rule.slot not in ("", "fear")
        else find_row(value, said, found.end("value"), language)
    )
    if row is not None:
        items = [_clean_value(it, rule.slot, language) for it in row.items]
        if row.is_separable and "{value}" in rule.key_word:
            return [it for it in items if it]
        return [row.words] if all(items) else []
    if language == "cn" and ("、" in value or said[found.end("value") :].startswith("、")):
        return []  # the first of a row, which may be half of a phrase
    cleaned = _clean_value(value, rule.slot, language)
    if not cleaned and rule.slot == "birthday":
        told_on = date.fromisoformat(turn.date)
        named = [it for it in find_dates_said_on(value, told_on) if value.startswith(it.words)]
        return [_day_of_year(it.first, language) for it in named if it.relative and it.length == 1]
    return [cleaned] if cleaned else []


def _day_of_year(day: date, language: Language) -> str:
    """A day as a birthday is told: "3 June", 6月3日."""
    month = lookup("extraction", "months", language)[day.month - 1]
    return text("extraction", "day_of_year", language, day=day.day, month=month)


def _clean_value(value: str, slot: str, language: Language) -> str:
    """Cut off what follows a value; empty if it is no value of its slot."""
    for ending in patterns_of("value_ends", language):
        found = ending.search(value)
        if found is not None:
            value = value[: found.start()]
    value = value.strip(" ,，、-–")
    if slot in _TRIMMED:
        value = _TRIMMED[slot].sub("", value)
    if not value or matches_any("value_none", language, value):
        return ""
    is_late = is_chinese(value) and not _NUMBER.match(value)
    if slot == "birthday" and (is_late or month_and_day(value) is None):
        return ""
    if slot == "home" and not _is_place(value):
        return ""
    if slot == "origin" and numbers_in(value):
        return ""
    if slot == "workplace" and is_chinese(value) and not _is_thing(value):
        return ""
    if slot == "age" and not _NUMBER.fullmatch(value):
        return ""
    if slot == "fear" and is_chinese(value) and _is_clause(value):
        return ""
    is_long = len(value) > LONGEST_CHINESE if is_chinese(value) else False
    return "" if is_long or len(value.split()) > LONGEST_WORDS else value


def _is_part_of_word(found: re.Match[str], said: str) -> bool:
    """True if 爱 is not a verb but the beginning of a longer word, such as 爱情."""
    import rjieba

    start, end = found.span("verb")
    doing = [it for kind in lookup("extraction", "doing", "cn").values() for it in kind]
    if found["verb"] != "爱" or said[end:].startswith(tuple(doing)):
        return False
    at = 0
    for word in rjieba.cut(said):
        if at <= start and at + len(word) > end:
            return bool(meanings(word))
        at += len(word)
    return False


def _is_place(value: str) -> bool:
    if not is_chinese(value):
        return value[:1].isupper()
    import rjieba

    tagged = rjieba.tag(value)
    if not tagged or len(tagged[0][0]) < 2:
        return False
    word, sort = tagged[0]
    return sort.startswith(("ns", "nt")) or (sort.startswith("n") and is_proper_name(word))


def _is_clause(value: str) -> bool:
    """True if Chinese words say that something happens, such as 公交车来: a noun before a verb."""
    import rjieba

    tags = [tag for word, tag in rjieba.tag(value)]
    return any(
        one.startswith(("n", "r", "t")) and other.startswith(("v", "d", "a"))
        for one, other in pairwise(tags)
    )


def _is_thing(value: str) -> bool:
    import rjieba

    tagged = rjieba.tag(value)
    return bool(tagged) and tagged[-1][1].startswith("n")


def _third_person(verb: str, language: Language) -> str:
    known: dict[str, str] = dict(lookup("extraction", "verbs", language))
    return known.get(fold(verb), verb)
