"""Find the names of a model's text that its source does not hold."""

import re
from collections.abc import Iterable

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import is_everyday_word, meanings
from siliconfriend.language.numbers import MONTHS
from siliconfriend.language.tokenizer import segmenter

_BEGINNING = re.compile(r"(?:^|[.!?:;\"“(\n]\s*|\n[-*•\d. ]*)[“\"(]?[^\W\d_]+")
_NAME = re.compile(r"\b[A-Z][a-z'’-]{2,}\b")


def unsupported_names(text: str, source: str, known: Iterable[str] = ()) -> list[str]:
    """Find the names of people and places in a text that are missing in its source.

    In Latin letters capitalised words within a sentence that are no other word; in Chinese what the
    segmenter marks as a person or place. ``known`` names need not stand there; the segmenter would
    join them to their neighbours.
    """
    known = [name for name in known if name]
    text, source = without_names(text, known), f"{source}\n{' '.join(known)}"
    if is_chinese(text):
        tagged = dict.fromkeys(word for word, kind in segmenter().tag(text) if _is_name(word, kind))
        return [name for name in tagged if not any(part in source for part in _without_ends(name))]
    if is_chinese(source):
        return []  # the text may have the name in Chinese characters
    spoken = set(re.findall(r"[^\W\d_]+", fold(source)))
    within = dict.fromkeys(_NAME.findall(_BEGINNING.sub(" ", text)))
    letters = {
        name: set(re.findall(r"[^\W\d_]+", re.sub(r"['’]s?$", "", fold(name)))) for name in within
    }
    names = [
        name
        for name in within
        if not any(
            word in MONTHS or word.endswith("day") or is_everyday_word(word)
            for word in letters[name]
        )
    ]
    return [name for name in names if not letters[name] <= spoken]


def _without_ends(name: str) -> set[str]:
    """Return a Chinese name, and what is left without a neighbour that the segmenter joined: 王芳养."""
    parts = (name, name[1:], name[:-1], name[1:-1])
    return {part for part in parts if len(part) > 1}


def without_names(text: str, names: Iterable[str]) -> str:
    """Replace names by a sign that is no part of a Chinese word."""
    written = sorted(filter(None, names), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, written)) or r"(?!)", " X ", text)


def _is_name(word: str, kind: str) -> bool:
    """Return True for a Chinese name.

    Names of people that are also a word, such as 和蔼, or two words, such as 今天下午, do not count.
    """
    if len(word) < 2 or not is_chinese(word):
        return False
    halves = (word[:2], word[2:])
    is_known = bool(meanings(word)) or (len(word) > 3 and all(map(meanings, halves)))
    return kind in ("ns", "nt") or (kind in ("nr", "nrt") and not is_known)
