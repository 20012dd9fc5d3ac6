"""What two told facts have to do with each other: the same, another, or one against the other.

Words alone tell little across languages and vectors alone too much: "likes jazz" and 喜欢摇滚乐
lie nearer than many true pairs. So numbers, names and yes or no must agree first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from siliconfriend.extraction.figures import names, numbers, says_no
from siliconfriend.extraction.statements import (
    Statement,
    same_entity,
    says_the_same,
    speak_against,
    statement,
)
from siliconfriend.extraction.telling import possessor
from siliconfriend.extraction.things import SAME_WORDS, Embed, share
from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Aspect, EntityType

SAME_MEANING = 0.868
"""Cosine from which on sentences of two languages whose kind nobody knows say the same: that of
the whole texts, and that of each word with the nearest of the other."""


class Claim(Protocol):
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


def statement_of(claim: Claim) -> Statement | None:
    """What a claim states of its entity; None where that is of no kind that is known."""
    if claim.entity_type == "subject" or claim.aspect == "promise":
        return None
    if not _is_plain(claim.text, claim.entity):
        return None
    return statement(claim.text, claim.entity)


def slot_of(claim: Claim) -> tuple[str, str]:
    """What one has only one of (birthday, home, job, age) that a claim tells, and its value."""
    told = statement_of(claim)
    return (told.kind, told.value) if told is not None and told.is_single else ("", "")


def same(one: Claim, other: Claim, embed: Embed | None) -> bool:
    """Whether two claims say the same of the same; ``embed`` compares two languages."""
    if one.entity_type != other.entity_type or not same_entity(one.entity, other.entity):
        return False
    told, other_told = statement_of(one), statement_of(other)
    if told is not None and other_told is not None:
        return says_the_same(told, other_told, embed)
    if one.aspect != other.aspect or not agree(one.text, other.text):
        return False
    first, second = _content(one), _content(other)
    if is_chinese(one.text) == is_chinese(other.text):
        return share(first, second) >= SAME_WORDS or (
            not first and fold(one.text) == fold(other.text)
        )
    return embed is not None and _same_meaning(one, other, embed)


def opposed(newer: Claim, older: Claim, embed: Embed | None = None) -> bool:
    """Whether both tell what one has only one of, with different values, or a like and a dislike."""
    if newer.entity_type != older.entity_type or not same_entity(newer.entity, older.entity):
        return False
    told, older_told = statement_of(newer), statement_of(older)
    return told is not None and older_told is not None and speak_against(told, older_told, embed)


def agree(one: str, other: str) -> bool:
    """Whether two texts have the same numbers and names, and both say yes or both no."""
    return (
        numbers(one) == numbers(other)
        and names(one) == names(other)
        and says_no(one) == says_no(other)
    )


@lru_cache(maxsize=8192)
def _is_plain(text: str, entity: str) -> bool:
    """Whether a text tells of its entity and not of someone around it, unless it names them."""
    if not possessor(text, entity):
        return True
    told = statement(text, entity)
    return told is not None and told.kind == "kin_name"


def _content(claim: Claim) -> frozenset[str]:
    return frozenset(tokenize(claim.text)) - frozenset(tokenize(claim.entity))


def _same_meaning(one: Claim, other: Claim, embed: Embed) -> bool:
    first, second = sorted(_content(one)), sorted(_content(other))
    if not first or not second or language_of(one.text) == language_of(other.text):
        return False
    whole = embed([one.text, other.text])
    if float(whole[0] @ whole[1]) < SAME_MEANING:
        return False
    products = embed(first) @ embed(second).T
    return bool(min(products.max(axis=1).min(), products.max(axis=0).min()) >= SAME_MEANING)
