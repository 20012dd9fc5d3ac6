"""Compare two facts: same, contradictory or unrelated.

Words alone tell little across languages and vectors alone too much: "likes jazz" and 喜欢摇滚乐
lie nearer than many true pairs. So numbers, names and yes or no must agree first.

Where it is known what kind of thing a fact states, and of what, that is compared and not the
sentence: "Ada's birthday is 4 May" and 小林的生日是五月四号 are both a birthday on (5, 4). Were facts
compared as sentences, the same fact told in two languages would stand twice, or the one would
pass for a correction of the other. The kinds are data (``texts/*/extraction.toml``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from siliconfriend.extraction.attribution import leading_relative, words_without
from siliconfriend.extraction.drafts import FactDraft
from siliconfriend.extraction.patterns import kin_kind, patterns_of
from siliconfriend.extraction.phrases import (
    WORD_OVERLAP_THRESHOLD,
    figures_agree,
    is_same_phrase,
    month_and_day,
)
from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.numbers import numbers_in
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.similarity import jaccard
from siliconfriend.texts import LANGUAGES, lookup

AnyFact = Fact | FactDraft

Relation = Literal["same", "contradictory", "unrelated"]
"""The relation of two facts; ``contradictory``: only one of them can hold."""

SENTENCE_THRESHOLD = 0.868
"""Cosine from which on sentences of two languages whose kind nobody knows say the same: that of
the whole texts, and that of each word with the nearest of the other."""

SINGLE_VALUED = frozenset(("birthday", "home", "job", "age"))
"""Kinds of which one has only one: another value is a correction."""
OPPOSITE_KINDS = {
    "likes": "dislikes",
    "dislikes": "likes",
    "interests": "indifferent",
    "indifferent": "interests",
}
"""Kinds of which both cannot hold of the same thing."""
_EQUIVALENT_KINDS = {"role": "job"}
"""Kinds that may say the same as another though they are told apart."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement parsed from a sentence.

    Attributes:
        kind: ``birthday``, ``likes``, ``pet_name`` and so on.
        value: of what, as it was told.
        what: what more it takes to know that (the sort of animal, whose name, which favourite).
        count: how many, as it was told; empty where it is not counted.
    """

    kind: str
    value: str
    what: str = ""
    count: str = ""

    @property
    def is_single(self) -> bool:
        """True if one has only one of this kind."""
        return self.kind in SINGLE_VALUED


def compare(newer: AnyFact, older: AnyFact, embed: Embed | None = None) -> Relation:
    """Compare two facts: same, contradictory or unrelated.

    Args:
        newer: a fact or a draft of one.
        older: another.
        embed: compares two languages; None for the dictionary and words alone.
    """
    if newer.entity_type != older.entity_type or not is_same_entity(newer.entity, older.entity):
        return "unrelated"
    one, other = statement_of(newer), statement_of(older)
    if one is not None and other is not None:
        return _compare_statements(one, other, embed)
    return "same" if _is_same_sentence(newer, older, embed) else "unrelated"


def statement_of(fact: AnyFact) -> Statement | None:
    """The statement a fact makes of its entity; None if it is of no known kind."""
    if fact.entity_type == "subject" or fact.aspect == "promise":
        return None
    return _parse_statement(fact.text, fact.entity)


def is_about_same(fact: AnyFact, draft: AnyFact) -> bool:
    """True if both tell of the same matter, whether or not they say the same of it.

    Both must be about the same entity.
    """
    one, other = statement_of(fact), statement_of(draft)
    if one is not None and other is not None:
        if one.kind != other.kind or one.is_single:
            return one.kind == other.kind
        texts = one.value, other.value
    else:
        texts = fact.text, draft.text
    words = words_without(f"{texts[0]} {fact.key_word}", fact.entity)
    return bool(words & words_without(f"{texts[1]} {draft.key_word}", draft.entity))


@lru_cache(maxsize=8192)
def is_same_entity(one: str, other: str) -> bool:
    """True if two names mean the same one: "Ada's sister" is Ada的妹妹, and 姐姐 is not 妹妹."""
    if fold(one) == fold(other):
        return True
    (whose, kin), (other_whose, other_kin) = _split_kin(one), _split_kin(other)
    return bool(kin) and whose == other_whose and _is_same_kin(kin, other_kin)


def entity_key(entity: str) -> tuple[str, str]:
    """A key to group by: equal for all names of one entity, and perhaps for another's too."""
    whose, kin = _split_kin(entity)
    return whose, kin_kind(kin)


def _compare_statements(newer: Statement, older: Statement, embed: Embed | None) -> Relation:
    if _is_same_statement(newer, older, embed):
        return "same"
    if OPPOSITE_KINDS.get(newer.kind) == older.kind:
        is_opposite = is_same_phrase(newer.value, older.value, embed)
    else:
        is_opposite = newer.kind == older.kind and newer.is_single
    return "contradictory" if is_opposite else "unrelated"


def _is_same_statement(one: Statement, other: Statement, embed: Embed | None) -> bool:
    if _EQUIVALENT_KINDS.get(one.kind, one.kind) != _EQUIVALENT_KINDS.get(other.kind, other.kind):
        return False
    if one.kind == "birthday":
        days = month_and_day(one.value), month_and_day(other.value)
        if days[0] != days[1] or days[0] is not None:
            return days[0] == days[1]
    if one.kind == "family":
        return _count(one) == _count(other) and _is_same_kin(one.value, other.value)
    if one.kind == "kin_name" and not _is_same_kin(one.what, other.what):
        return False
    if one.kind in ("pet_name", "favourite") and not is_same_phrase(one.what, other.what, embed):
        return False
    return is_same_phrase(one.value, other.value, embed)


def _is_same_sentence(one: AnyFact, other: AnyFact, embed: Embed | None) -> bool:
    """True if two sentences of no known kind say the same."""
    if one.aspect != other.aspect or not figures_agree(one.text, other.text):
        return False
    words, other_words = (
        words_without(one.text, one.entity),
        words_without(other.text, other.entity),
    )
    if is_chinese(one.text) == is_chinese(other.text):
        return jaccard(words, other_words) >= WORD_OVERLAP_THRESHOLD or (
            not words and fold(one.text) == fold(other.text)
        )
    if embed is None or not words or not other_words:
        return False
    if language_of(one.text) == language_of(other.text):
        return False
    whole = embed([one.text, other.text])
    if float(whole[0] @ whole[1]) < SENTENCE_THRESHOLD:
        return False
    products = embed(sorted(words)) @ embed(sorted(other_words)).T
    return bool(min(products.max(axis=1).min(), products.max(axis=0).min()) >= SENTENCE_THRESHOLD)


@lru_cache(maxsize=8192)
def _parse_statement(text: str, entity: str) -> Statement | None:
    """Parse a sentence that begins with its entity; None where no kind is known for it.

    "Ada's sister lives in Bergen" states nothing of Ada, but "Ada's sister is called Mia" does.
    """
    if not fold(text).startswith(fold(entity)):
        return None
    found = _first_statement(text[len(entity) :])
    is_of_relative = found is not None and found.kind != "kin_name"
    return None if is_of_relative and leading_relative(text, entity) else found


def _first_statement(rest: str) -> Statement | None:
    """The statement of the first pattern found in the rest of a sentence behind its entity."""
    for language in LANGUAGES:
        for kind in lookup("extraction", "statements", language):
            for pattern in patterns_of(f"statements.{kind}", language):
                found = pattern.search(rest)
                if found is None:
                    continue
                groups = found.groupdict().items()
                parts = {name: (part or "").strip(" .。!！") for name, part in groups}
                if parts["value"]:
                    what, count = parts.get("what", ""), parts.get("count", "")
                    return Statement(str(kind), parts["value"], what, count)
    return None


@lru_cache(maxsize=4096)
def _split_kin(entity: str) -> tuple[str, str]:
    """Split "Ada's sister" into whose relative it is and what they are; else the name and ""."""
    plain = fold(entity)
    for between in ("'s ", "’s ", "的"):
        whose, found, kin = plain.rpartition(between)
        if found and kin_kind(kin):
            return whose, kin
    return plain, ""


def _is_same_kin(one: str, other: str) -> bool:
    """Within a language by the word, since 姐姐 and 妹妹 are two; else by what they are."""
    one, other = fold(one), fold(other)
    if one.isascii() == other.isascii():
        return one.removesuffix("s") == other.removesuffix("s")
    return bool(kin_kind(one)) and kin_kind(one) == kin_kind(other)


def _count(statement: Statement) -> frozenset[int]:
    count = statement.count
    return numbers_in(count if count.isascii() else f"{count}个") or frozenset((1,))
