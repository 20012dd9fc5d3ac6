"""What two told facts have to do with each other: the same, another, or one against the other.

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
from typing import Protocol

from siliconfriend.extraction.attribution import leading_relative
from siliconfriend.extraction.patterns import kin_kind, patterns_of, word_list
from siliconfriend.extraction.phrases import (
    WORD_OVERLAP_THRESHOLD,
    Embed,
    is_negated,
    is_same_phrase,
    jaccard,
    month_and_day,
    names_in,
)
from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.numbers import numbers_in
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Aspect, EntityType
from siliconfriend.texts import LANGUAGES

SENTENCE_THRESHOLD = 0.868
"""Cosine from which on sentences of two languages whose kind nobody knows say the same: that of
the whole texts, and that of each word with the nearest of the other."""


class FactLike(Protocol):
    """What facts and drafts of them have in common."""

    @property
    def text(self) -> str:
        """The description."""
        ...

    @property
    def entity(self) -> str:
        """Whom it is about."""
        ...

    @property
    def entity_type(self) -> EntityType:
        """What that is."""
        ...

    @property
    def aspect(self) -> Aspect:
        """What it says."""
        ...


def fact_statement(claim: FactLike) -> Statement | None:
    """What a claim states of its entity; None where that is of no kind that is known."""
    if claim.entity_type == "subject" or claim.aspect == "promise":
        return None
    if not _is_about_entity(claim.text, claim.entity):
        return None
    return parse_statement(claim.text, claim.entity)


def single_value(claim: FactLike) -> tuple[str, str]:
    """What one has only one of (birthday, home, job, age) that a claim tells, and its value."""
    told = fact_statement(claim)
    return (told.kind, told.value) if told is not None and told.is_single else ("", "")


def is_same(one: FactLike, other: FactLike, embed: Embed | None) -> bool:
    """Whether two claims say the same of the same; ``embed`` compares two languages."""
    if one.entity_type != other.entity_type or not is_same_entity(one.entity, other.entity):
        return False
    told, other_told = fact_statement(one), fact_statement(other)
    if told is not None and other_told is not None:
        return is_same_statement(told, other_told, embed)
    if one.aspect != other.aspect or not figures_agree(one.text, other.text):
        return False
    first, second = _content_words(one), _content_words(other)
    if is_chinese(one.text) == is_chinese(other.text):
        return jaccard(first, second) >= WORD_OVERLAP_THRESHOLD or (
            not first and fold(one.text) == fold(other.text)
        )
    return embed is not None and _same_meaning(one, other, embed)


def contradicts(newer: FactLike, older: FactLike, embed: Embed | None = None) -> bool:
    """Whether both tell what one has only one of, with different values, or a like and a dislike."""
    if newer.entity_type != older.entity_type or not is_same_entity(newer.entity, older.entity):
        return False
    told, older_told = fact_statement(newer), fact_statement(older)
    return (
        told is not None
        and older_told is not None
        and contradicts_statement(told, older_told, embed)
    )


def figures_agree(one: str, other: str) -> bool:
    """Whether two texts have the same numbers and names, and both say yes or both no."""
    return (
        numbers_in(one) == numbers_in(other)
        and names_in(one) == names_in(other)
        and is_negated(one) == is_negated(other)
    )


@lru_cache(maxsize=8192)
def _is_about_entity(text: str, entity: str) -> bool:
    """Whether a text tells of its entity and not of someone around it, unless it names them."""
    if not leading_relative(text, entity):
        return True
    told = parse_statement(text, entity)
    return told is not None and told.kind == "kin_name"


def _content_words(claim: FactLike) -> frozenset[str]:
    return frozenset(tokenize(claim.text)) - frozenset(tokenize(claim.entity))


def _same_meaning(one: FactLike, other: FactLike, embed: Embed) -> bool:
    first, second = sorted(_content_words(one)), sorted(_content_words(other))
    if not first or not second or language_of(one.text) == language_of(other.text):
        return False
    whole = embed([one.text, other.text])
    if float(whole[0] @ whole[1]) < SENTENCE_THRESHOLD:
        return False
    products = embed(first) @ embed(second).T
    return bool(min(products.max(axis=1).min(), products.max(axis=0).min()) >= SENTENCE_THRESHOLD)


SINGLE_VALUED = frozenset(("birthday", "home", "job", "age"))
"""Kinds of which one has only one: another value is a correction."""
OPPOSITE_KINDS = {"likes": "dislikes", "dislikes": "likes"}
"""Kinds of which both cannot hold of the same thing."""
_EQUIVALENT_KINDS = {"role": "job"}
"""Kinds that may say the same as another though they are told apart."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence says of someone.

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
        """Whether one has only one of it."""
        return self.kind in SINGLE_VALUED


@lru_cache(maxsize=8192)
def parse_statement(text: str, entity: str) -> Statement | None:
    """What a sentence that begins with its entity says; None where no kind is known for it."""
    if not fold(text).startswith(fold(entity)):
        return None
    rest = text[len(entity) :]
    for language in LANGUAGES:
        for kind in word_list("statements", language):
            for pattern in patterns_of(f"statements.{kind}", language):
                found = pattern.search(rest)
                if found is None:
                    continue
                parts = {
                    name: (it or "").strip(" .。!！") for name, it in found.groupdict().items()
                }
                if parts["value"]:
                    what, count = parts.get("what", ""), parts.get("count", "")
                    return Statement(str(kind), parts["value"], what, count)
    return None


def is_same_statement(one: Statement, other: Statement, embed: Embed | None) -> bool:
    """Whether two statements of one entity say the same."""
    if _EQUIVALENT_KINDS.get(one.kind, one.kind) != _EQUIVALENT_KINDS.get(other.kind, other.kind):
        return False
    if one.kind == "birthday":
        days = month_and_day(one.value), month_and_day(other.value)
        return days[0] == days[1] and (days[0] is not None or _is_same_value(one, other, embed))
    if one.kind == "family":
        return _counted(one) == _counted(other) and _same_kin(one.value, other.value)
    if one.kind == "kin_name" and not _same_kin(one.what, other.what):
        return False
    if one.kind in ("pet_name", "favourite") and not is_same_phrase(one.what, other.what, embed):
        return False
    return _is_same_value(one, other, embed)


def contradicts_statement(newer: Statement, older: Statement, embed: Embed | None) -> bool:
    """Whether only one of two statements of one entity can hold."""
    if OPPOSITE_KINDS.get(newer.kind) == older.kind:
        return _is_same_value(newer, older, embed)
    if newer.kind != older.kind or not newer.is_single:
        return False
    return not is_same_statement(newer, older, embed)


@lru_cache(maxsize=8192)
def is_same_entity(one: str, other: str) -> bool:
    """Whether two names mean the same one: "Ada's sister" is Ada的妹妹, and 姐姐 is not 妹妹."""
    if fold(one) == fold(other):
        return True
    (whose, kin), (other_whose, other_kin) = _split_kin(one), _split_kin(other)
    return bool(kin) and whose == other_whose and _same_kin(kin, other_kin)


def entity_key(entity: str) -> tuple[str, str]:
    """The same for all names of one entity, and perhaps for another's: it sorts, no more."""
    whose, kin = _split_kin(entity)
    return whose, kin_kind(kin)


@lru_cache(maxsize=4096)
def _split_kin(entity: str) -> tuple[str, str]:
    """Whose, and what they are to them."""
    plain = fold(entity)
    for between in ("'s ", "’s ", "的"):
        whose, found, kin = plain.rpartition(between)
        if found and kin_kind(kin):
            return whose, kin
    return plain, ""


def _same_kin(one: str, other: str) -> bool:
    """Within a language by the word, since 姐姐 and 妹妹 are two; else by what they are."""
    one, other = fold(one), fold(other)
    if one.isascii() == other.isascii():
        return one.removesuffix("s") == other.removesuffix("s")
    return bool(kin_kind(one)) and kin_kind(one) == kin_kind(other)


def _is_same_value(one: Statement, other: Statement, embed: Embed | None) -> bool:
    return is_same_phrase(one.value, other.value, embed)


def _counted(it: Statement) -> frozenset[int]:
    return numbers_in(f"{it.count}个" if not it.count.isascii() else it.count) or frozenset((1,))
