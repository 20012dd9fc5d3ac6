"""Find numbers, days and names in a derived text that stand in nothing it was made from.

A fact names its turns and is held against their words (:mod:`siliconfriend.extraction.support`).
A summary puts many turns into other words, so its sentences cannot be; but no number, date, name
or place of it may be new. Were this passed by, a sister's name that a model made up would be told
back as something the person once said.

Only what is sure to be told apart counts: figures in digits, and above twelve in words, for a
text may count what it sums up; capitalised words that are no beginning of a sentence, where both
texts are in Latin letters; Chinese names of people and places that the segmenter marks as such
and the dictionary does not know as another word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from siliconfriend.extraction.support import figures_in
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import meanings
from siliconfriend.language.numbers import MONTHS, numbers_in
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.recall.base_associations import english_beginning
from siliconfriend.recall.time_formatting import annotate_dates

COUNTED = 12
"""Up to here a text may count in words what nobody counted: "three topics"."""

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_GROUPED = re.compile(r"(?<=\d)[,，](?=\d{3}\b)")
_BEGINNING = re.compile(r"(?:^|[.!?:;\"“(\n]\s*|\n[-*•\d. ]*)[“\"(]?[^\W\d_]+")
_NAME = re.compile(r"\b[A-Z][a-z'’-]{2,}\b")
_WEEKDAYS = frozenset(
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
)
_PEOPLE, _PLACES = ("nr", "nrt"), ("ns", "nt")
_LARGE = re.compile(r"\b(?:hundred|thousand|million|dozen|half|couple)s?\b|[百千万亿半]", re.I)
"""Numbers in words that no reader of numbers knows: beside one, none can be called new."""


def unsaid_in(text: str, source: str, names: Iterable[str] = ()) -> list[str]:
    """The figures and names of a text that stand nowhere in its source, in their order.

    Args:
        text: what was made of it.
        source: all that it was made from, with its days.
        names: of those who speak.
    """
    given = f"{source}\n{' '.join(names)}"
    return [*_new_figures(text, given), *unsaid_names(text, given)]


def _new_figures(text: str, source: str) -> list[str]:
    if _LARGE.search(source):
        return []
    plain = _GROUPED.sub("", source)
    known = figures_in(plain) | {str(number) for number in numbers_in(plain)}
    days = {date.fromisoformat(it) for it in _DAY.findall(plain) if _is_day(it)}
    if len(days) == 1:
        language = "cn" if is_chinese(plain) else "en"
        known |= figures_in(annotate_dates(plain, next(iter(days)), language))
    words = _GROUPED.sub("", fold(text))
    told = [it.lstrip("0") or "0" for it in re.findall(r"\d+", words)]
    told += [str(number) for number in sorted(numbers_in(text)) if number > COUNTED]
    return [figure for figure in dict.fromkeys(told) if figure not in known]


def _is_day(written: str) -> bool:
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return True


def unsaid_names(text: str, source: str) -> list[str]:
    """The names of people and places in a text that stand nowhere in its source."""
    if is_chinese(text):
        found = dict.fromkeys(word for word, kind in segmenter().tag(text) if _is_name(word, kind))
        return [word for word in found if word not in source]
    if is_chinese(source):
        return []  # a name may stand there in characters
    spoken = set(re.findall(r"[^\W\d_]+", fold(source)))
    within = _NAME.findall(_BEGINNING.sub(" ", text))
    names = (it for it in dict.fromkeys(within) if _is_latin_name(it))
    return [it for it in names if not _letters(it) <= spoken]


def _is_latin_name(word: str) -> bool:
    return not any(
        it in MONTHS or it in _WEEKDAYS or english_beginning(it) for it in _letters(word)
    )


def _letters(name: str) -> set[str]:
    """The parts of a name that its marks leave, without the s of a genitive."""
    return set(re.findall(r"[^\W\d_]+", re.sub(r"['’]s?$", "", fold(name))))


def _is_name(word: str, kind: str) -> bool:
    """True for a Chinese name; of people, only what is no other word: 和蔼 is taken for one."""
    if len(word) < 2 or not is_chinese(word):
        return False
    return kind in _PLACES or (kind in _PEOPLE and not meanings(word))
