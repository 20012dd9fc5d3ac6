"""Facts by rule: only where a sentence says them outright; better none than a wrong one.

The patterns are data (``texts/*/extraction.toml``). A sentence that asks, wishes, doubts,
quotes or tells of long ago is passed over, and so is all that was said in play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from siliconfriend.extraction.extractor import FactDraft
from siliconfriend.extraction.subject import Subject
from siliconfriend.extraction.telling import without_quotes
from siliconfriend.extraction.wording import compiled, matches, patterns, words_of
from siliconfriend.memory.records import Turn
from siliconfriend.recall.documents import OFFLINE
from siliconfriend.recall.language import language_of
from siliconfriend.recall.words import fold, is_chinese, sentences
from siliconfriend.texts import Language, text

LONGEST_WORDS, LONGEST_CHINESE = 6, 14
"""The longest value: words, or Chinese characters. A longer one is hardly one thing."""
LONGEST_PROMISE = 200
"""Characters of a promise that are kept."""

_HAS_DATE = re.compile(
    r"\d|[一二三四五六七八九十]+月|(?i:january|february|march|april|june|july|august|september|october"
    r"|november|december|\bmay\b)"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    text: str
    key_word: str
    aspect: Any
    is_of_another: bool
    slot: str


def facts_of(subject: Subject, turn: Turn) -> Iterator[FactDraft]:
    """What one turn says outright about the person, who is around them, or the companion."""
    for sentence in sentences(turn.query):
        language = language_of(sentence, subject.language)
        said = without_quotes(sentence).replace("’", "'")
        if matches("doubtful", language, said):
            continue
        seen: set[str] = set()
        for rule in _rules(language):
            draft = _read(rule, said, subject, turn, language)
            if draft is not None and draft.key_word not in seen:
                seen.add(draft.key_word)
                yield draft
    if turn.replied_by != OFFLINE:
        yield from _own(subject, turn)


def _own(subject: Subject, turn: Turn) -> Iterator[FactDraft]:
    """What the companion promised or recommended, in its own words."""
    for sentence in sentences(turn.response):
        language = language_of(sentence, subject.language)
        said = sentence.replace("’", "'").strip()
        if matches("own.no_promise", language, said) or len(said) > LONGEST_PROMISE:
            continue
        for kind, key in (("promise", "promised"), ("recommend", "recommended")):
            if matches(f"own.{kind}", language, without_quotes(said)):
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
    return tuple(
        _Rule(
            pattern=compiled(it["pattern"], language),
            text=it["text"],
            key_word=it["key_word"],
            aspect=it.get("aspect", "attribute"),
            is_of_another=it.get("about") == "other",
            slot=it.get("slot", ""),
        )
        for it in words_of("facts", language)
    )


def _read(
    rule: _Rule, said: str, subject: Subject, turn: Turn, language: Language
) -> FactDraft | None:
    found = rule.pattern.search(said)
    if found is None:
        return None
    parts = {name: (value or "").strip() for name, value in found.groupdict().items()}
    if "value" in parts:
        if said[found.end("value") :].startswith("、"):
            return None  # the first of a row, which may be half of a phrase
        parts["value"] = _value(parts["value"], rule.slot, language)
        if not parts["value"]:
            return None
    parts["verb"] = _third_person(parts.get("verb", ""), language)
    kin = text(
        "extraction",
        "possessive",
        language,
        person=subject.person,
        kin=parts.get("kin", ""),
    )
    who = parts.get("name") or kin
    known = {**parts, "person": subject.person, "who": who}
    entity = who if rule.is_of_another else subject.person
    if fold(entity) == fold(subject.companion) or fold(parts.get("name", "")) == fold(
        subject.person
    ):
        return None
    return FactDraft(
        text=rule.text.format(**known),
        turns=(turn.id,),
        entity=entity,
        entity_type="specific" if rule.is_of_another else "object",
        aspect=rule.aspect,
        key_word=rule.key_word.format(**known),
    )


def _value(value: str, slot: str, language: Language) -> str:
    """The value without what follows it; empty where it is none."""
    for ending in patterns("value_ends", language):
        found = ending.search(value)
        if found is not None:
            value = value[: found.start()]
    value = value.strip(" ,，、-–")
    if not value or matches("value_none", language, value):
        return ""
    if slot == "birthday" and not _HAS_DATE.search(value):
        return ""
    if slot == "home" and not _is_place(value):
        return ""
    is_long = len(value) > LONGEST_CHINESE if is_chinese(value) else False
    return "" if is_long or len(value.split()) > LONGEST_WORDS else value


def _is_place(value: str) -> bool:
    if not is_chinese(value):
        return value[:1].isupper()
    import rjieba

    tagged = rjieba.tag(value)
    return bool(tagged) and tagged[0][1].startswith(("ns", "nt")) and len(tagged[0][0]) > 1


def _third_person(verb: str, language: Language) -> str:
    known: dict[str, str] = dict(words_of("verbs", language))
    return known.get(fold(verb), verb)
