"""Check that the turns a fact names as its evidence support it.

A model may answer with what nobody said. Naming a turn proves nothing, so the words are held
against it: figures and names must stand there, and of the rest enough, in the same words,
in their translation by the dictionary, or in meaning by the embedder. Were this passed by,
whatever a model makes up would stand in the memory as told by the person.

A paraphrase ("I never eat meat": Ada is a vegetarian) must pass, so this is a measure with a
threshold and not a proof: the thresholds were chosen on the even rows of
``tests/extraction/support_pairs.toml`` and measured on the odd ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from siliconfriend.extraction.attribution import words_without
from siliconfriend.extraction.phrases import names_in
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.content_words import ContentWord, content_words
from siliconfriend.language.dictionary import english_gloss, meanings, split_chinese
from siliconfriend.language.kinship import Relation, is_same_relation, relatives_in
from siliconfriend.language.numbers import (
    numbers_in,
    numbers_to_digits,
    ordinals_to_digits,
    without_articles,
)
from siliconfriend.language.overlap import FIRST_LETTERS
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_coverage import base_form
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.score_calibration import is_e5
from siliconfriend.recall.time_formatting import annotate_dates

WORDS_WEIGHT = 0.05
"""Added to the cosine of two sentences that have all words in common."""
NEAR_ENOUGH = {("en", "en"): 0.94, ("cn", "cn"): 0.96}
"""From which sum on a text is borne out, by the languages of the text and of the turn."""
NEAR_ENOUGH_ACROSS = 0.825
"""The same between two languages, whose sentences lie farther apart."""
SHARED_ENOUGH = 0.75
"""Share of its words from which on a text is borne out whatever the embedder says."""
SHARED_ALONE = 0.34
"""The same share where there is no embedder."""
SHARED_ALONE_ACROSS = 0.25
"""The same between two languages."""
HALF_SHARED = 0.5
"""Weight of a Chinese word of which only one character, or a part of its meaning, is found."""

_LARGE = re.compile(
    r"\b(?:hundred|thousand|million|dozen|half|couple|score)s?\b|[百千万亿]", re.IGNORECASE
)
"""Numbers that are told in words no reader of numbers knows, so that none is missed."""

_COUNTED = re.compile(r"(?<![零一二三四五六七八九十两])([二三四五六七八九两])([\u4e00-\u9fff])")
"""A Chinese number below ten and what stands behind it; 一 is mostly "a"."""


@dataclass(frozen=True, slots=True)
class Said:
    """The words of some turns, prepared for checking texts against them.

    Attributes:
        words: of each turn, with the day it was said on.
        around: what else may name somebody: the turns around and the known facts.
        corrected: the known fact that the text puts right, whose other words were told before.
    """

    words: tuple[tuple[str, date], ...]
    around: str = ""
    corrected: str = ""


def meaning_of(embedder: Embedder | None) -> Embed | None:
    """How to compare meanings with an embedder; None where the thresholds were not measured with it."""
    return embedder.passages if embedder is not None and is_e5(embedder) else None


def is_borne_out(text: str, said: Said, names: Iterable[str], embed: Embed | None) -> bool:
    """True if what was said bears a text out.

    Args:
        text: a fact or an event.
        said: the evidence.
        names: of those the talk is between, and whom the text is about; they may be pronouns
            in what was said.
        embed: compares meanings; None for words alone.
    """
    known = [name for name in names if name]
    whole = "\n".join(words for words, _day in said.words)
    if not _has_figures(text, said) or not _has_names(text, f"{whole}\n{said.around}", known):
        return False
    if _counts_otherwise(text, whole) or _is_of_other_relative(
        _in_first_person(text, known), f"{whole}\n{said.around}"
    ):
        return False
    plain = _without_names(text, known)
    share = shared_words(plain, whole)
    if share >= SHARED_ENOUGH or _is_put_right(plain, whole, said.corrected):
        return True
    languages = _language(text), _language(whole)
    is_across = languages[0] != languages[1]
    if embed is None:
        return share >= (SHARED_ALONE_ACROSS if is_across else SHARED_ALONE)
    near = _nearest(_in_first_person(text, known), said, embed)
    enough = NEAR_ENOUGH_ACROSS if is_across else NEAR_ENOUGH[languages]
    return near + WORDS_WEIGHT * share >= enough


def shared_words(text: str, said: str) -> float:
    """The share of a text's words that were said, in either language; 1 for no word.

    Small words count only where there are no others.
    """
    words = {word.root: word for word in content_words(text)}
    if words:
        return sum(_is_said(word, said) for word in words.values()) / len(words)
    small = words_without(text)
    return len(small & words_without(said)) / len(small) if small else 1.0


def _is_put_right(text: str, said: str, corrected: str) -> bool:
    """True if what a text says otherwise than the fact it corrects was said, every word of it."""
    words = {word.root: word for word in content_words(text)}
    new = [word for word in words.values() if _is_said(word, corrected) < 1.0]
    return bool(corrected and new) and all(_is_said(word, said) == 1.0 for word in new)


def _is_said(word: ContentWord, said: str) -> float:
    if is_chinese(word.shown):
        return _chinese_said(word.shown, said)
    if word.root in _english(said) or base_form(word.root) in _english(said):
        return 1.0
    beginning = fold(word.shown)[:FIRST_LETTERS]
    if len(beginning) == FIRST_LETTERS and beginning in _beginnings(said):
        return 1.0
    return float(word.root in _meant(said) or base_form(word.root) in _meant(said))


def _chinese_said(word: str, said: str) -> float:
    if word in said:
        return 1.0
    if any(character in said for character in word):
        return HALF_SHARED
    glosses = [{part.rstrip("+") for part in gloss} for gloss in meanings(word)]
    if any(gloss <= _english(said) for gloss in glosses):
        return 1.0
    return HALF_SHARED if any(gloss & _english(said) for gloss in glosses) else 0.0


@lru_cache(maxsize=256)
def _english(said: str) -> frozenset[str]:
    """The English words of what was said, by their roots and as the dictionary has them."""
    roots = {word.root for word in content_words(said) if word.shown.isascii()}
    glosses = {part.rstrip("+") for part in english_gloss(said)}
    return frozenset(roots | glosses | {base_form(root) for root in roots})


@lru_cache(maxsize=256)
def _beginnings(said: str) -> frozenset[str]:
    return frozenset(fold(word.shown)[:FIRST_LETTERS] for word in content_words(said))


@lru_cache(maxsize=256)
def _meant(said: str) -> frozenset[str]:
    """English meanings of the Chinese words that were said."""
    if not is_chinese(said):
        return frozenset()
    words = {*split_chinese(fold(said)), *(word.shown for word in content_words(said))}
    return frozenset(
        part.rstrip("+") for word in words for gloss in meanings(word) for part in gloss
    )


def _has_figures(text: str, said: Said) -> bool:
    """True if each figure of a text was said, or is of a day that was meant."""
    figures = figures_in(without_articles(text))
    if not figures:
        return True
    known: set[str] = set()
    for words, day in said.words:
        if _LARGE.search(words):
            return True
        known |= {str(number) for number in numbers_in(words)}
        known |= figures_in(words) | figures_in(annotate_dates(words, day, _language(words)))
        known |= {str(day.year), str(day.month), str(day.day)}
    return figures <= known


def _counts_otherwise(text: str, said: str) -> bool:
    """True if a Chinese text counts by a measure word by which only other numbers were told: 四壶."""
    told = _COUNTED.findall(said)
    for numeral, measure in _COUNTED.findall(text):
        of_measure = {number for number, word in told if word == measure}
        if of_measure and numeral not in of_measure:
            return True
    return False


def _is_of_other_relative(text: str, said: str) -> bool:
    """True if a text tells of a brother where only a sister was named, or a daughter for a son."""
    told = {relative.relation for relative in relatives_in(said)}
    for relative in relatives_in(text):
        if any(is_same_relation(relative.relation, it) for it in told):
            continue
        if _without_sex(relative.relation) in map(_without_sex, told):
            return True
    return False


def _without_sex(relation: Relation) -> Relation:
    """The steps to a relative, without whether each is a man or a woman; a friend is as told."""
    return tuple(step if step.startswith("x") else step[0] for step in relation)


def figures_in(words: str) -> frozenset[str]:
    """The figures of a text, those in words too, without zeros before them."""
    digits = fold(numbers_to_digits(ordinals_to_digits(words)))
    return frozenset(number.lstrip("0") or "0" for number in re.findall(r"\d+", digits))


def _has_names(text: str, said: str, known: Sequence[str]) -> bool:
    """True if each name within a sentence of a text was said, where both are in Latin letters."""
    if not re.search(r"[a-z]", fold(said)) or is_chinese(said) != is_chinese(text):
        return True
    own = " ".join(map(fold, known))
    within = names_in(re.sub(r"(?:^|[.!?。！？]\s*)\S+", " ", text))
    spoken = fold(said)
    return all(name in spoken or name in own for name in within)


def _without_names(text: str, known: Sequence[str]) -> str:
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(rf"{re.escape(name)}(?:['’]s\b)?", " ", text, flags=re.IGNORECASE)
    return text


def _in_first_person(text: str, known: Sequence[str]) -> str:
    """The text as the first of the names would say it, which is nearer to what they said."""
    person = re.escape(known[0]) if known else r"(?!)"
    i, mine = ("我", "我") if is_chinese(text) else ("I", "my")
    return re.sub(person, i, re.sub(rf"{person}['’]s\b", mine, text))


def _nearest(text: str, said: Said, embed: Embed) -> float:
    """The cosine of a text with what is nearest to it of what was said."""
    sentences = {
        part for words, _day in said.words for part in (words, *split_sentences(words)) if part
    }
    if not sentences:
        return 0.0
    vectors = embed([text, *sorted(sentences)])
    return float((vectors[1:] @ vectors[0]).max())


def _language(words: str) -> Literal["en", "cn"]:
    return "cn" if is_chinese(words) else "en"
