"""Sentences, and the words that say what they are about, in both scripts.

The offline companion quotes and counts and never invents, so all it has rests on where a
sentence ends and which of its words carry meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from siliconfriend.texts import LANGUAGES, area

_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|No|a\.m|p\.m|e\.g|i\.e|[A-Z])\.$")
_END = re.compile(
    r"(?<=[.!?])[\"'”’)]*\s+|(?<=[。！？…])(?![。！？…”’」』）])|(?<=[。！？…][”’」』）])|\n+"
)
_QUESTION = re.compile(r"[?？][\"'”’」』）)]*$|[吗呢][。！!～~…]*$")
_SCRIPTS = re.compile(r"[\u3400-\u9fff]+|[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_]+)?")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_THEMATIC = ("n", "v", "j", "l", "i", "eng")


@dataclass(frozen=True, slots=True)
class Word:
    """A word that carries meaning.

    Attributes:
        root: what its forms have in common, by which it is counted.
        shown: as it was written.
        is_theme: it can name what a talk is about.
    """

    root: str
    shown: str
    is_theme: bool = True


def sentences_of(words: str) -> list[str]:
    """The sentences in order, without space at their ends."""
    found: list[str] = []
    held = ""
    start = 0
    for mark in _END.finditer(words):
        piece = held + words[start : mark.end()]
        start = mark.end()
        if _ABBREVIATION.search(piece.rstrip()) and not piece.endswith("\n"):
            held = piece
            continue
        held = ""
        found.append(piece.strip())
    found.append((held + words[start:]).strip())
    return [it for it in found if it]


def is_question(sentence: str) -> bool:
    """Whether it asks."""
    return _QUESTION.search(sentence) is not None


def words_of(sentence: str) -> list[Word]:
    """The words that carry meaning, in order: English by their stems, Chinese as segmented."""
    found: list[Word] = []
    for run in _SCRIPTS.findall(sentence):
        found.extend(_chinese(run) if _CHINESE.match(run) else _latin(run))
    return found


def is_idle(sentence: str) -> bool:
    """Whether it says nothing of its own: a greeting, a thank-you, a word or two."""
    lower = sentence.lower().strip()
    roots = {word.root for word in words_of(sentence)}
    if len(roots) < 2:
        return True
    begins_politely = any(lower.startswith(it) for it in _listed("courtesy"))
    return len(roots) < (5 if begins_politely else 2)


def _latin(run: str) -> Iterator[Word]:
    lower = run.lower().replace("’", "'")
    if lower in _listed("stop") or lower.split("'")[0] in _listed("stop") or len(lower) < 3:
        return
    plain = lower.removesuffix("'s")
    yield Word(_stem(plain), run if run[:1].isupper() and not run.isupper() else plain)


def _chinese(run: str) -> Iterator[Word]:
    import rjieba

    for word, kind in rjieba.tag(run):
        if len(word) > 1 and word not in _listed("stop"):
            yield Word(word, word, is_theme=kind.startswith(_THEMATIC) and kind != "nrt")


@cache
def _listed(name: str) -> frozenset[str]:
    """A list of words of both languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        words = area("night_words", language)[name]
        found.update(words.split() if isinstance(words, str) else words)
    return frozenset(found)


@cache
def _stem(word: str) -> str:
    import Stemmer

    return str(Stemmer.Stemmer("english").stemWord(word))
