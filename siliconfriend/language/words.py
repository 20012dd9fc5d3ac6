"""Extract the content words and keywords of texts, and compare texts by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from siliconfriend.language.characters import chinese_runs, fold, is_chinese
from siliconfriend.language.tokenizer import runs, segmenter, stem, surface_forms, token_pairs
from siliconfriend.language.word_lists import generic_words, stop_words, word_list, word_pattern

SHORTEST, SHORTEST_CHINESE = 3, 2
"""Fewest letters of a content word, and fewest Chinese characters of a keyword."""
STEMMED = 2
"""Letters at the end of a stem that may differ from the word: "happi", "hope" of "hoping"."""
READ_WHOLE = 40_000
"""Most characters of a text that is read whole, some thirteen pages."""


class ContentWord(NamedTuple):
    """A word that carries meaning: its stem, and the word as written."""

    root: str
    shown: str


def content_words(sentence: str) -> list[ContentWord]:
    """Return the content words of a sentence, in order."""
    found: list[ContentWord] = []
    for kind, run in runs(sentence):
        if kind == "chinese":
            words = (word for word, _ in segmenter().tag(run) if len(word) > 1)
            found += (ContentWord(word, word) for word in words if not _is_meaningless(word))
        elif kind == "word":
            lower = run.lower().replace("’", "'")
            is_empty = _is_meaningless(lower) or _is_meaningless(lower.split("'")[0])
            if len(lower) >= SHORTEST and not is_empty:
                plain, is_name = lower.removesuffix("'s"), run[:1].isupper() and not run.isupper()
                found.append(ContentWord(stem(plain), run if is_name else plain))
    return found


def is_small_talk(sentence: str) -> bool:
    """Return True for small talk: a greeting, a thank-you, a word or two."""
    return is_courtesy(sentence) or len({word.root for word in content_words(sentence)}) < 2


def is_courtesy(sentence: str) -> bool:
    """Return True if a sentence has a greeting, thanks or agreement, and says nothing else."""
    rest, count = word_pattern("words", "courtesy").subn(" ", sentence.replace("’", "'"))
    return count > 0 and not content_words(rest)


def _is_meaningless(word: str) -> bool:
    return (
        word in stop_words() or word in generic_words() or word in word_list("words", "unthematic")
    )


def extract_keywords(text: str) -> tuple[str, ...]:
    """Return the distinct keywords of a text, folded, in order: no numbers, short or generic words."""
    return keywords_among(surface_forms(text))


def keywords_among(words: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct keywords among the surface forms of a text."""
    return tuple(dict.fromkeys(word for word in words if _is_keyword(word)))


def top_keywords(texts: Iterable[str], most: int) -> list[str]:
    """Return the most frequent keywords of texts, most frequent first, ties by letters."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(extract_keywords(text))
    return sorted(frequency, key=lambda word: (-frequency[word], word))[:most]


def keyword_forms(text: str) -> dict[str, str]:
    """Map the tokens of a text's keywords to the form that was said first."""
    found: dict[str, str] = {}
    for word, token in token_pairs(text):
        if _is_keyword(word):
            found.setdefault(token, word)
    return found


def _is_keyword(word: str) -> bool:
    shortest = SHORTEST_CHINESE if is_chinese(word) else SHORTEST
    return len(word) >= shortest and not word[0].isdigit() and word not in generic_words()


def content_forms(text: str) -> frozenset[str]:
    """Return the roots of the content words of a text, of an irregular verb that of its infinitive."""
    base = _irregular()
    return frozenset(base.get(word.root, word.root) for word in content_words(text))


@cache
def _irregular() -> Mapping[str, str]:
    pairs = (pair.split("=") for pair in word_list("words", "irregular"))
    return {stem(form): stem(verb) for form, verb in pairs}


def character_pairs(text: str) -> list[str]:
    """Return each pair of adjacent Chinese characters of a text, in order."""
    return [run[at : at + 2] for run in chinese_runs(text) for at in range(len(run) - 1)]


def searchable(text: str) -> str:
    """Fold a text for :func:`may_hold`."""
    return fold(text).replace("'", "").replace("’", "")


def beginning_of(token: str) -> str:
    """Return a string that every word with this token contains."""
    is_stem = token.isalpha() and not is_chinese(token)
    return token[: max(1, len(token) - STEMMED)] if is_stem else token


def may_hold(text: str, beginnings: Collection[str]) -> bool:
    """Return False if a :func:`searchable` text certainly lacks one of these tokens."""
    return all(beginning in text for beginning in beginnings)


def beginning_and_end(text: str) -> str:
    """Return the text, or the first and last halves of the limit of a longer one."""
    if len(text) <= READ_WHOLE:
        return text
    half = READ_WHOLE // 2
    return f"{text[:half]}\n{text[-half:]}"
