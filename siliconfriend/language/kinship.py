"""Relatives named in a text, worked out from what leads to them: "my daughter's boy" is a grandson.

A question has one word for a relative and what was told had another, or another language's, or
two of them in a row. Each word stands for steps (parent, child, sibling, partner), steps that
follow each other are put together, and two relatives are the same where their steps agree.
Compared by words alone 岳母 would never be found by 我爱人的妈妈.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.word_lists import any_of
from siliconfriend.texts import LANGUAGES, lookup

Relation = tuple[str, ...]
"""Steps from a person to a relative, each ``p``, ``c``, ``s`` or ``m`` with ``m`` or ``f`` behind it
where it is known to be a man or a woman; or ``x`` and a word for somebody who is no relative
("my boss"), of whom nothing is asked that was told of the person."""

_SHORTER = {"ss": "s", "sp": "p", "cs": "c", "mc": "c"}
"""Two steps that are one: a sibling's parent is a parent, a partner's child a child."""

_MY = r"(?:my|our)"

_BEHIND_KIN = (
    r"(?-i:[A-Z][a-z]+) (?:\w+s|\w+ed|and I|has|had|is|was|got|came|went|said|told|just|never|still)\b"
    r"|(?:is|are|was|were|has|had|have|got|came|went|said|says|told|tells|wants|wanted|called|rang|thinks"
    r"|thought|made|gave|keeps|just|never|still|won't|can't|didn't|doesn't|and I)\b"
)
"""What follows a word for a relative that begins a sentence without "my"."""

FORMAL = frozenset(("mother", "father", "grandmother", "grandfather", "ma", "pa", "nan", "gran"))
"""Words for one's elders by which nobody calls them without a capital: "mother" may be anybody's."""

DETERMINERS = ("a", "the", "his", "her", "their", "your", "every", "new", "no", "any", "some")
"""What makes somebody else of "mum" or "dad", or nobody."""


@dataclass(frozen=True, slots=True)
class Relative:
    """A relative that a text speaks of.

    Attributes:
        relation: what they are to the one who speaks.
        start, end: where the words stand.
    """

    relation: Relation
    start: int
    end: int


def is_same_relation(one: Relation, other: Relation) -> bool:
    """True if the steps agree; what is not known of a step agrees with anything."""
    return len(one) == len(other) and all(
        first[0] == second[0] and (len(first) == 1 or len(second) == 1 or first == second)
        for first, second in zip(one, other, strict=True)
    )


def compose_relation(steps: Relation) -> Relation:
    """Put steps together: a sibling's mother is a mother."""
    found: list[str] = []
    for step in steps:
        found.append(step)
        while len(found) > 1:
            shorter = _SHORTER.get(found[-2][0] + found[-1][0])
            if shorter is None:
                break
            known = found[-1][1:]
            found[-2:] = [shorter + known]
    return tuple(found)


@lru_cache(maxsize=8192)
def relatives_in(text: str) -> tuple[Relative, ...]:
    """The speaker's relatives that a text names, in order; not those of somebody else."""
    found: list[Relative] = []
    if is_chinese(text):
        found += _chinese(text)
    found += _english(text.replace("’", "'"))
    return tuple(sorted(found, key=lambda relative: relative.start))


def relations_of(word: str) -> tuple[Relation, ...]:
    """The kinds of relative that a word may stand for; none where it is no such word."""
    return _terms().get(word.casefold(), ())


def kin_words(*, in_chinese: bool) -> tuple[str, ...]:
    """All words for relatives in Chinese, or in English."""
    return tuple(word for word in _terms() if is_chinese(word) is in_chinese)


def words_for(relation: Relation) -> tuple[str, ...]:
    """The words of every language that may stand for a relation."""
    return tuple(
        word
        for word, senses in _terms().items()
        if any(is_same_relation(relation, sense) for sense in senses)
    )


def _english(text: str) -> Iterator[Relative]:
    taken = -1
    for match in _english_of().finditer(text):
        taken = match.end()
        yield from _relative([match["last"], match["of"]], match.start(), match.end())
    for match in _english_pattern().finditer(text):
        if match.start() >= taken:
            words = [word for word in re.split(r"'s?\s+", match["chain"]) if word]
            yield from _relative(words, match.start(), match.end())


def _chinese(text: str) -> Iterator[Relative]:
    for match in _chinese_pattern().finditer(text):
        words = _chinese_word().findall(match["chain"])
        yield from _relative(words, match.start("chain"), match.end())


def _relative(words: list[str], start: int, end: int) -> Iterator[Relative]:
    """The relative that words lead to one after the other, in each sense of each word."""
    paths: list[Relation] = [()]
    for word in words:
        plain = re.sub(r"^\w+ (?=\w)", "", word) if word.casefold() not in _terms() else word
        senses = relations_of(word) or relations_of(plain) or _children().get(plain.casefold(), ())
        paths = [(*path, *sense) for path in paths for sense in senses]
    for path in paths:
        if path:
            yield Relative(compose_relation(path), start, end)


@cache
def _terms() -> dict[str, tuple[Relation, ...]]:
    return _by_word("terms")


@cache
def _children() -> dict[str, tuple[Relation, ...]]:
    return _by_word("children")


def _by_word(key: str) -> dict[str, tuple[Relation, ...]]:
    found: dict[str, tuple[Relation, ...]] = {}
    for language in LANGUAGES:
        for steps, *words in lookup("kinship", key, language):
            for word in words:
                found[word] = (*found.get(word, ()), tuple(steps.split("-")))
    return found


@cache
def _english_pattern() -> re.Pattern[str]:
    """A pattern for "my wife's mother" and for "Mum" or "mum" alone as a name; not for "his mother".

    As people type, "husband Colin" and "daughter got in" may begin a sentence without "my".
    """
    kin, child = _english_words(_terms()), _english_words(_children())
    alone = any_of(word.capitalize() for word in _terms() if _is_called_by(word))
    familiar = any_of(word for word in _terms() if _is_called_by(word) and word not in FORMAL)
    nobody_s = "".join(rf"(?<!\b{word} )" for word in DETERMINERS)
    later = rf"(?:'s? (?:\w+ )?(?i:{kin}|{child})(?![\w-]))*"
    return re.compile(
        rf"(?:(?i:\b{_MY} (?:(?!(?:{kin})\b)[\w-]+ ){{0,2}}?)(?=(?i:{kin})s?(?![\w-]))"
        rf"|(?<!['\w])(?<!\b[Hh]is )(?<!\b[Hh]er )(?<!\b[Yy]our )(?=(?:{alone})(?![\w-]))"
        rf"|(?:^|(?<=[.!?;,:\n]\s)|(?<=\n))(?=(?i:{kin})s? (?:{_BEHIND_KIN}))"
        rf"|(?<!['\w-]){nobody_s}(?<!'s )(?=(?:{familiar})(?![\w-])))"
        rf"(?P<chain>(?i:{kin})(?=s?(?![\w-])){later})"
    )


@cache
def _english_of() -> re.Pattern[str]:
    """A pattern for "the son of my sister"."""
    kin, child = _english_words(_terms()), _english_words(_children())
    return re.compile(
        rf"\b(?P<of>{kin}|{child}) of {_MY} (?:\w+ )?(?P<last>{kin})(?![\w-])", re.IGNORECASE
    )


def _english_words(words: Iterable[str]) -> str:
    return any_of(word for word in words if not is_chinese(word))


def _is_called_by(word: str) -> bool:
    """True if relatives are called by the word: those a generation or two above, in English."""
    steps = _terms()[word][0]
    return not is_chinese(word) and steps[0][0] == "p" and len(steps) < 3 and len(steps[-1]) == 2


@cache
def _chinese_word() -> re.Pattern[str]:
    words = [word for word in (*_terms(), *_children()) if is_chinese(word)]
    return re.compile(any_of(words))


@cache
def _chinese_pattern() -> re.Pattern[str]:
    """A pattern for 我爱人的妈妈 and for 外婆 alone; not for 他妈妈, nor for 林姐, who is none."""
    kin = any_of(word for word in _terms() if is_chinese(word))
    child = any_of(word for word in _children() if is_chinese(word))
    return re.compile(
        rf"(?<![他她你您它徒师干])(?<![他她你您它]的)(?<![他她你您]们的)"
        rf"(?!(?<=[{lookup('kinship', 'surnames', 'cn')}])[哥姐叔姨嫂](?!哥|姐|弟|妹))"
        rf"(?P<chain>(?:{kin})(?:(?:的|家的?|她|他)?(?:{kin}|{child}))*)"
    )
